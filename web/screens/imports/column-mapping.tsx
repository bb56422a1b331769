import { useState } from 'react'

import { COLUMN_EXTRAS, COLUMN_TARGETS, mayRepeat, type Mapping } from '#domain/import-source.ts'
import type { Imports, ImportView, Problem } from '../../data/state.ts'
import { useMessages, type Messages } from '../../messages/messages.ts'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { SelectField } from '../../ui/text-field.tsx'
import { BarProblem } from './bar-problem.tsx'
import { targetLabel } from './describe.ts'

interface Props {
  readonly item: ImportView
  readonly calls: Imports
  readonly onChanged: (item: ImportView) => void
  /** Returns to the plan, if there is one. */
  readonly onCancel?: () => void
}

const NO_COLUMNS = { headings: [], mapping: [], preview: [] }

/** Maps the columns of a table to fields, with a live preview of the first rows. */
export const ColumnMapping = ({ item, calls, onChanged, onCancel }: Props) => {
  const messages = useMessages()
  const text = messages.imports
  const { headings, mapping: proposed, preview } = item.columns ?? NO_COLUMNS
  const [mapping, setMapping] = useState<Mapping>(proposed)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const read = mapping.filter((target) => target !== '')
  const isTwice = mapping.some((_, index) => isRepeated(mapping, index))
  const send = async () => {
    if (isBusy || isTwice || read.length === 0) return
    setBusy(true)
    setProblem(undefined)
    const answer = await calls.map(item.id, mapping)
    setBusy(false)
    if (answer.problem === undefined) onChanged(answer.value)
    else setProblem(answer.problem)
  }
  return (
    <>
      <section className="card form-section" aria-labelledby="mapping-title">
        <h3 id="mapping-title">{text.mappingTitle}</h3>
        <p className="muted">{text.mappingText}</p>
        <ul className="mapping">
          {headings.map((heading, index) => (
            <li key={index}>
              <Column
                label={heading === '' ? text.noHeading(index + 1) : text.column(heading)}
                values={preview.map((row) => row[index] ?? '')}
                target={mapping[index] ?? ''}
                isTwice={isRepeated(mapping, index)}
                onChoose={(target) => setMapping(mapping.with(index, target))}
              />
            </li>
          ))}
        </ul>
      </section>
      <Preview mapping={mapping} preview={preview} />
      <div className={problem === undefined ? 'save-bar' : 'save-bar failed'}>
        {problem !== undefined && (
          <BarProblem>
            {messages.about(text.notSent, messages.problems[problem.kind])} {text.nothingLost}
          </BarProblem>
        )}
        <div className="save-bar-row">
          <output className="save-bar-note">{text.mapped(read.length, headings.length)}</output>
          {onCancel !== undefined && <Button onClick={onCancel}>{messages.actions.cancel}</Button>}
          <Button
            look="primary"
            aria-disabled={isBusy || isTwice || read.length === 0}
            onClick={() => void send()}
          >
            {isBusy && <Spinner />}
            {text.readNow}
          </Button>
        </div>
      </div>
    </>
  )
}

const isRepeated = (mapping: Mapping, index: number): boolean => {
  const target = mapping[index] ?? ''
  return target !== '' && !mayRepeat(target) && mapping.indexOf(target) !== index
}

interface ColumnProps {
  readonly label: string
  readonly values: readonly string[]
  readonly target: string
  readonly isTwice: boolean
  readonly onChoose: (target: string) => void
}

/** Number of sample values per column. */
const EXAMPLES = 3

const Column = ({ label, values, target, isTwice, onChoose }: ColumnProps) => {
  const messages = useMessages()
  const text = messages.imports
  const examples = [...new Set(values.filter((value) => value !== ''))].slice(0, EXAMPLES)
  return (
    <SelectField
      label={label}
      hint={examples.length > 0 ? messages.about(text.examples, examples.join(' · ')) : undefined}
      error={isTwice ? text.twice(targetLabel(messages, target)) : undefined}
      value={target}
      onChange={(event) => onChoose(event.target.value)}
    >
      <option value="">{text.leaveOut}</option>
      {GROUPS.map(([name, targets]) => (
        <optgroup key={name} label={text.groups[name]}>
          {targets.map((each) => (
            <option key={each} value={each}>
              {targetLabel(messages, each)}
            </option>
          ))}
        </optgroup>
      ))}
    </SelectField>
  )
}

const isExtra = (target: string): boolean => COLUMN_EXTRAS.some((each) => each === target)

const GROUPS: readonly (readonly [keyof Messages['imports']['groups'], readonly string[]])[] = [
  ['site', COLUMN_TARGETS.filter((target) => target.startsWith('sites.'))],
  ['connector', COLUMN_TARGETS.filter((target) => target.startsWith('connectors.'))],
  ['other', COLUMN_TARGETS.filter(isExtra)],
]

interface PreviewProps {
  readonly mapping: Mapping
  readonly preview: readonly (readonly string[])[]
}

/** The first rows under the names of our fields. */
const Preview = ({ mapping, preview }: PreviewProps) => {
  const messages = useMessages()
  const text = messages.imports
  const columns = [...mapping.entries()].filter(([, target]) => target !== '')
  return (
    <section className="card form-section" aria-labelledby="mapping-preview">
      <h3 id="mapping-preview">{text.previewTitle}</h3>
      {columns.length === 0 ? (
        <p className="muted">{text.previewNothing}</p>
      ) : (
        <section
          className="mapping-preview"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable regions must be reachable by keyboard
          tabIndex={0}
          aria-labelledby="mapping-preview"
        >
          <table>
            <thead>
              <tr>
                {columns.map(([index, target]) => (
                  <th key={index} scope="col">
                    {targetLabel(messages, target)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {preview.map((row, position) => (
                <tr key={position}>
                  {columns.map(([index]) => (
                    <td key={index}>{row[index]}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  )
}
