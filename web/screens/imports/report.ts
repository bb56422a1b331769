import { changesOfRun } from '#domain/import.ts'
import type { Imports, ImportRowView, ImportView, Answer } from '../../data/state.ts'
import { csv, csvStyle } from '../../format/csv.ts'
import type { Vocabulary } from '../shared/format-value.ts'
import {
  isBlockedByQuestion,
  isLeftOut,
  describeChanges,
  describeFindings,
  describePosition,
  describeProblem,
  describeRule,
} from './describe.ts'

/**
 * Reads all rows of an import and formats them as CSV, in the words and number format of a language: the plan and the
 * outcome of each station. Calls `watch` with the number of rows so far.
 */
export const writeReport = async (
  calls: Pick<Imports, 'rows'>,
  item: Pick<ImportView, 'id' | 'missing'>,
  vocabulary: Vocabulary,
  watch: (count: number) => void,
): Promise<Answer<string>> => {
  const lines = [headOf(vocabulary)]
  for (let after = 0; ;) {
    // oxlint-disable-next-line no-await-in-loop -- each page starts where the one before ends
    const { value, problem } = await calls.rows({ id: item.id, filter: '', after })
    if (value === undefined) return { problem }
    lines.push(...value.items.map((row) => lineOf(vocabulary, item, row)))
    if (value.isLast) return { value: csv(lines, csvStyle(vocabulary.locale)) }
    after = value.items.at(-1)?.number ?? after
    watch(lines.length - 1)
  }
}

const headOf = ({ messages }: Vocabulary): string[] => {
  const { imports: text, fields, dashboard } = messages
  const { position, action, result, match, reason } = text.reportColumns
  return [
    position,
    fields.sites.reference,
    fields.sites.name,
    action,
    result,
    reason,
    match,
    dashboard.columns.id,
    text.changesTitle,
    text.repairsTitle,
    text.questionsTitle,
  ]
}

const lineOf = (
  vocabulary: Vocabulary,
  item: Pick<ImportView, 'missing'>,
  row: ImportRowView,
): string[] => {
  const { messages, locale } = vocabulary
  const { imports: text } = messages
  const { action, matched_by: match, problem } = row
  return [
    describePosition(messages, row.position, locale),
    row.reference,
    row.name,
    action === '' ? '' : text.actions[action],
    describeResult(vocabulary, row),
    problem === null ? '' : describeProblem(messages, problem, locale),
    match === '' ? '' : text.matched[match],
    row.site,
    describeChanges(vocabulary, row, changesOfRun(row, item))
      .map(formatLine(vocabulary))
      .join('\n'),
    describeRepairs(vocabulary, row.repairs ?? []).join('\n'),
    describeRepairs(vocabulary, row.questions ?? []).join('\n'),
  ].map(withPlainSpaces)
}

/** The outcome of a row; empty if there was nothing to do. */
const describeResult = ({ messages }: Vocabulary, row: ImportRowView): string => {
  const { imports: text } = messages
  if (row.state !== '' && row.state !== 'PENDING') return text.states[row.state]
  if (isBlockedByQuestion(row)) return text.needsAnswer
  return isLeftOut(row) ? text.excluded : ''
}

const formatLine =
  ({ messages }: Vocabulary) =>
  ({ label, before, after }: ReturnType<typeof describeChanges>[number]): string =>
    messages.about(label, `${before} → ${after}`)

/** Formats a line per rule: its sentence, its changes, and the answer to a question. */
const describeRepairs = (
  vocabulary: Vocabulary,
  repairs: NonNullable<ImportRowView['questions' | 'repairs']>,
): string[] => {
  const { messages } = vocabulary
  return [...Map.groupBy(repairs, ({ rule }) => rule)].map(([rule, group]) => {
    const changes = describeFindings(vocabulary, group).map(formatLine(vocabulary)).join('; ')
    const answer = group.find((each) => 'answer' in each)?.answer
    const answered = answer === undefined ? '' : messages.imports[answer ? 'yes' : 'no']
    return [describeRule(messages, rule), changes, answered].filter(Boolean).join(' ')
  })
}

/** So that a search for "150 kW" finds it. */
const withPlainSpaces = (text: string): string => text.replaceAll(/[\u00A0\u202F]/g, ' ')
