import { ChevronDown } from 'lucide-react'
import { useId, useRef } from 'react'

import { changesOfRun, type ImportRowPatch, type RowAction, type RowState } from '#domain/import.ts'
import type { Answers } from '#domain/repair.ts'
import type { Answer, Imports, ImportRowView, ImportView } from '../../data/state.ts'
import { useLanguage, useMessages } from '../../messages/messages.ts'
import { toast } from '../../ui/toast.ts'
import { plainText, UserText } from '../../ui/user-text.tsx'
import { RowDetails } from './row-details.tsx'
import { isBlockedByQuestion, isLeftOut, describePosition, describeProblem } from './describe.ts'

interface Props {
  readonly row: ImportRowView
  readonly item: ImportView
  readonly calls: Imports
  readonly isOpen: boolean
  readonly onToggle: () => void
  /** Called with the changed row, and again once the server has answered. Undefined once the plan is fixed. */
  readonly onChange?: (row: ImportRowView, isSettled: boolean) => void
  /** Answers a question for all rows; undefined if no other row has questions. */
  readonly onAnswerAll?: (answers: Answers) => void
}

const ACTION_TONES: Readonly<Record<RowAction, string>> = {
  NEW: 'ok',
  CHANGED: 'info',
  UNCHANGED: '',
  MISSING: 'warn',
  REFUSED: 'danger',
}
const STATE_TONES: Readonly<Record<RowState, string>> = {
  PENDING: '',
  APPLIED: 'ok',
  FAILED: 'danger',
  SKIPPED: '',
  UNDONE: '',
  KEPT: 'warn',
}

/** Awaits changes of a row. After the answer to the last one, the row is shown as it is stored. */
const useSettling = (row: ImportRowView) => {
  const state = useRef({ open: 0, stored: row })
  return async (sent: Promise<Answer<ImportRowView>>) => {
    const now = state.current
    // While changes are open, the row shows what they ask for.
    if (now.open === 0) now.stored = row
    now.open += 1
    const { value, problem } = await sent
    now.open -= 1
    now.stored = { ...now.stored, ...value }
    return { problem, stored: now.open === 0 ? now.stored : undefined }
  }
}

/** The plan for one site: a line, and the details on request. */
export const PlanRow = (props: Props) => {
  const { row, item, calls, isOpen, onToggle, onChange, onAnswerAll } = props
  const messages = useMessages()
  const text = messages.imports
  const panel = useId()
  const name = plainText(row.name || row.reference) || text.unnamed
  const settle = useSettling(row)
  const change =
    onChange === undefined
      ? undefined
      : async (patch: ImportRowPatch) => {
          onChange(assume(row, patch), false)
          const { problem, stored } = await settle(calls.changeRow(item.id, row.number, patch))
          if (stored !== undefined) onChange(stored, true)
          if (problem !== undefined)
            toast(messages.about(text.notChanged, messages.problems[problem.kind]))
        }
  const mayLeaveOut = ['NEW', 'CHANGED', 'MISSING'].includes(row.action) && !row.doubtful
  return (
    <article className={isOpen ? 'card plan-row open' : 'card plan-row'} aria-label={name}>
      <div className="plan-row-head">
        {change !== undefined && (
          <span className="plan-row-check">
            {mayLeaveOut && (
              <label className="plan-check">
                <input
                  type="checkbox"
                  checked={row.included}
                  aria-label={text.takeIn(name)}
                  onChange={(event) => void change({ included: event.target.checked })}
                />
              </label>
            )}
          </span>
        )}
        {/* Its details have headings, too, which would not tell whose they are. */}
        <h3 className="plan-row-title">
          <button
            type="button"
            className="plan-row-button"
            aria-expanded={isOpen}
            aria-controls={panel}
            onClick={onToggle}
          >
            <span className="plan-row-name">
              <UserText text={name} />
            </span>
            <RowBadge row={row} isPlan={change !== undefined} />
            <RowFacts row={row} item={item} />
            <ChevronDown className="icon" />
          </button>
        </h3>
      </div>
      <div id={panel} className="plan-row-panel" hidden={!isOpen}>
        {isOpen && (
          <RowDetails
            row={row}
            item={item}
            calls={calls}
            onChange={change}
            onAnswerAll={onAnswerAll}
          />
        )}
      </div>
    </article>
  )
}

/** The expected row, as far as it is known before the server answers. */
const assume = (row: ImportRowView, { included, site, answers = {} }: ImportRowPatch) => ({
  ...row,
  ...(included !== undefined && { included }),
  ...(site !== undefined && { site, doubtful: false }),
  questions:
    row.questions?.map((question) => {
      const answer = answers[question.rule]
      return answer === undefined ? question : { ...question, answer }
    }) ?? null,
})

const RowBadge = ({ row, isPlan }: Pick<Props, 'row'> & { readonly isPlan: boolean }) => {
  const text = useMessages().imports
  if (row.state === 'PENDING' && isBlockedByQuestion(row))
    return <span className="badge warn">{text.needsAnswer}</span>
  if (!isPlan && isLeftOut(row)) return <span className="badge">{text.excluded}</span>
  return row.state === 'PENDING' || row.state === '' ? (
    <span className={`badge ${ACTION_TONES[row.action as RowAction]}`}>
      {text.actions[row.action as RowAction]}
    </span>
  ) : (
    <span className={`badge ${STATE_TONES[row.state]}`}>{text.states[row.state]}</span>
  )
}

/** The position in the source, and a summary of the details. */
const RowFacts = ({ row, item }: Pick<Props, 'row' | 'item'>) => {
  const { messages, locale } = useLanguage()
  const text = messages.imports
  const { problem, repairs, reference, position } = row
  const changes = changesOfRun(row, item)
  const facts = [
    // The badge states that a row only waits for an answer.
    ...(problem === null || isBlockedByQuestion(row)
      ? []
      : [describeProblem(messages, problem, locale)]),
    ...(row.action === 'NEW' && row.connectors > 0
      ? [messages.facts.connectors(row.connectors)]
      : []),
    ...(row.open_questions > 0 ? [text.openQuestions(row.open_questions)] : []),
    ...(changes.length > 0 ? [text.changes(changes.length)] : []),
    ...(repairs !== null && repairs.length > 0
      ? [text.repairs(new Set(repairs.map(({ rule }) => rule)).size)]
      : []),
    ...(row.name !== '' && reference !== '' ? [plainText(reference)] : []),
    ...(position === '' ? [] : [describePosition(messages, position, locale)]),
  ]
  return <span className="plan-row-facts muted">{facts.join(' · ')}</span>
}
