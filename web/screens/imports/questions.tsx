import type { ImportRowPatch } from '#domain/import.ts'
import type { ImportRowView } from '../../data/state.ts'
import { useMessages } from '../../messages/messages.ts'
import { useValueWords, ValueChange } from './value-change.tsx'
import { wordField } from './words.ts'

interface Props {
  readonly row: ImportRowView
  readonly onChange: ((patch: ImportRowPatch) => Promise<void>) | undefined
}

const ANSWERS = [
  [true, 'yes'],
  [false, 'no'],
] as const

/** Doubtful repairs: made only if a person says so. One answer for each rule. */
export const Questions = ({ row, onChange }: Props) => {
  const messages = useMessages()
  const text = messages.imports
  const word = useValueWords()
  const byRule = [...Map.groupBy(row.questions ?? [], ({ rule }) => rule)]
  return (
    <section>
      <h3>{text.questionsTitle}</h3>
      <ul className="repairs">
        {byRule.map(([rule, group]) => (
          <li key={rule}>
            <p>{text.rules[rule]}</p>
            <dl className="value-changes">
              {group.map(({ field, before, after }, index) => (
                <ValueChange
                  key={index}
                  label={wordField(messages, field)}
                  before={word(field, before)}
                  after={word(field, after)}
                />
              ))}
            </dl>
            <fieldset className="chips" aria-label={text.rules[rule]}>
              {ANSWERS.map(([answer, name]) => (
                <button
                  key={name}
                  type="button"
                  className="chip"
                  disabled={onChange === undefined}
                  aria-pressed={group[0]?.answer === answer}
                  onClick={() => void onChange?.({ answers: { [rule]: answer } })}
                >
                  {text[name]}
                </button>
              ))}
            </fieldset>
          </li>
        ))}
      </ul>
    </section>
  )
}
