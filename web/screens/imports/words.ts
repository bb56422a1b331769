import { COLUMN_EXTRAS, type ColumnTarget } from '#domain/import-source.ts'
import type { ImportProblem } from '#domain/import.ts'
import type { ImportRowView } from '../../data/state.ts'
import { sizeText } from '../../format/size.ts'
import { fieldErrorText, type Messages } from '../../messages/messages.ts'
import { countryName } from '../shared/field-words.ts'

/** A field of a station, such as `latitude` or `connectors[2].kw_rating`; `connectors[]` is one of them. */
interface FieldOfStation {
  readonly collection: 'sites' | 'connectors'
  /** The place of the connector, from 0. */
  readonly index?: number
  /** Empty: the whole connector. */
  readonly name: string
}

export const fieldOf = (path: string): FieldOfStation => {
  const [, index, name = ''] = /^connectors\[(\d*)\](?:\.(\w+))?$/.exec(path) ?? []
  if (index === undefined) return { collection: 'sites', name: path }
  return { collection: 'connectors', ...(index !== '' && { index: Number(index) }), name }
}

/** The label of a field of a station, with the place of the connector that has it. */
export const wordField = (messages: Messages, path: string): string => {
  const { collection, index, name } = fieldOf(path)
  const label = wordName(messages, collection, name)
  if (index === undefined) return label
  const connector = messages.imports.connector(index + 1)
  return name === '' ? connector : messages.about(connector, label)
}

/** The label of a field by its name alone. */
export const wordName = (
  messages: Messages,
  collection: FieldOfStation['collection'],
  name: string,
): string => {
  const labels: Readonly<Record<string, string>> = messages.fields[collection]
  return labels[name] ?? name
}

/** Whether a row is held back by nothing but a question. */
export const isAsked = ({
  doubtful,
  problem,
}: Pick<ImportRowView, 'doubtful' | 'problem'>): boolean =>
  doubtful || problem?.code === 'answer_needed'

/** What a column of a table can be read as. */
export const wordTarget = (messages: Messages, target: ColumnTarget): string => {
  const { extras } = messages.imports
  const extra = COLUMN_EXTRAS.find((each) => each === target)
  if (extra !== undefined) return extras[extra]
  const [collection, name = ''] = target.split('.')
  const labels: Readonly<Record<string, string>> =
    messages.fields[collection === 'connectors' ? 'connectors' : 'sites']
  return labels[name] ?? target
}

/** What is wrong with an import or a row. */
export const wordProblem = (
  messages: Messages,
  { code, params = {}, fields = {} }: ImportProblem,
  locale: string,
): string => {
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 7 })
  const wordParam = (name: string): string => {
    const value = params[name] ?? ''
    if (name === 'field') return wordField(messages, String(value))
    if (name === 'max' && code.endsWith('_too_large')) return sizeText(Number(value), locale)
    if (code.startsWith('position_') && (name === 'found' || name === 'stated'))
      return countryName(String(value), locale)
    return typeof value === 'number' ? number.format(value) : value
  }
  const sentence = messages.imports.problems[code].replaceAll(/<(\w+)>/g, (_, name: string) =>
    wordParam(name),
  )
  const errors = Object.entries(fields).map(([path, error]) =>
    messages.about(wordField(messages, path), fieldErrorText(messages, fieldOf(path).name, error)),
  )
  return [sentence, errors.join('; ')].join(' ').trimEnd()
}

/** Where something stands in the source: `line 12`, `South, line 12` in a sheet of a workbook; `data[3]`, which is the fourth entry. */
export const wordPosition = (messages: Messages, position: string, locale: string): string => {
  const { imports: text } = messages
  const number = new Intl.NumberFormat(locale)
  const [, sheet = '', line] = /^(.*, )?line (\d+)$/.exec(position) ?? []
  if (line !== undefined) return sheet + text.line(number.format(Number(line)))
  const [, index] = /^(?:\w+)?\[(\d+)\]$/.exec(position) ?? []
  return index === undefined ? position : text.entry(number.format(Number(index) + 1))
}
