import { useState } from 'react'

import type { ImportQuestion, ImportRowPatch } from '#domain/import.ts'
import type { Answers, RuleName } from '#domain/repair.ts'
import type { ImportRowView } from '../../data/state.ts'
import { useMessages } from '../../messages/messages.ts'
import { useVocabulary } from './use-vocabulary.ts'
import { ValueChanges } from './value-changes.tsx'
import { describeFindings, describeRule } from './describe.ts'

interface Props {
  readonly row: ImportRowView
  readonly onChange: ((patch: ImportRowPatch) => Promise<void>) | undefined
  /** Applies answers to all rows; undefined if no other row has questions. */
  readonly onAnswerAll: ((answers: Answers) => void) | undefined
}

const ANSWERS = [
  [true, 'yes'],
  [false, 'no'],
] as const

/** Doubtful repairs, which are applied only if the user confirms them. One answer per rule. */
export const Questions = ({ row, onChange, onAnswerAll }: Props) => {
  const text = useMessages().imports
  const byRule = [...Map.groupBy(row.questions ?? [], ({ rule }) => rule)]
  return (
    <section>
      <h4>{text.questionsTitle}</h4>
      <ul className="repairs">
        {byRule.map(([rule, group]) => (
          <li key={rule}>
            <Asked rule={rule} group={group} onChange={onChange} onAnswerAll={onAnswerAll} />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface AskedProps extends Omit<Props, 'row'> {
  readonly rule: RuleName
  readonly group: readonly ImportQuestion[]
}

/** The changes of a rule, and the answer: for this site, or for all with the same question. */
const Asked = ({ rule, group, onChange, onAnswerAll }: AskedProps) => {
  const vocabulary = useVocabulary()
  const text = vocabulary.messages.imports
  const sentence = describeRule(vocabulary.messages, rule)
  const [isForAll, setForAll] = useState(false)
  const given = group[0]?.answer
  const answer = (value: boolean) => {
    const answers = { [rule]: value }
    if (isForAll && onAnswerAll !== undefined) onAnswerAll(answers)
    else void onChange?.({ answers })
  }
  return (
    <>
      <p>{sentence}</p>
      <ValueChanges lines={describeFindings(vocabulary, group)} />
      <fieldset className="chips" aria-label={sentence}>
        {ANSWERS.map(([value, name]) => (
          <button
            key={name}
            type="button"
            className="chip"
            disabled={onChange === undefined}
            aria-pressed={given === value}
            onClick={() => answer(value)}
          >
            {text[name]}
          </button>
        ))}
      </fieldset>
      {given === undefined && onAnswerAll !== undefined && (
        <label className="choice">
          <input
            type="checkbox"
            checked={isForAll}
            onChange={(event) => setForAll(event.target.checked)}
          />
          {text.sameForAll}
        </label>
      )}
    </>
  )
}
