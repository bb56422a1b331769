import { useEffect, useState, type ReactNode } from 'react'

import { CHANGES_PER_PAGE, type Change } from '#domain/change.ts'
import { useStore } from '../../data/react.ts'
import type { Problem } from '../../data/state.ts'
import { formatTime } from '../../format/date-time.ts'
import { useMessages } from '../../messages/messages.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useFocusNewRows } from '../../ui/use-focus-new-rows.ts'
import { ChangeRow, rowId } from './change-row.tsx'
import { namesIn, type Vocabulary } from './describe-change.ts'

export interface GroupProps {
  /** The latest change of the group. */
  readonly change: Change
  /** The number of sites, or of changes. */
  readonly count: number
  readonly vocabulary: Vocabulary
  readonly onChanged: () => void
}

interface Props extends Omit<GroupProps, 'count'> {
  readonly icon: ReactNode
  readonly sentence: string
  /** The action for the whole group. */
  readonly action: ReactNode
  readonly problem?: Problem | undefined
  /** The label of the list of changes. */
  readonly summary: string
}

/** The id of the element of a group. The latest change, which identifies the group, also has its own row in it. */
export const groupRowId = ({ id }: Change): string => `group-${id}`

/** Shows changes with the same correlation id as one row. They are loaded on request. */
export const GroupRow = (props: Props) => {
  const { change, vocabulary, onChanged, icon, sentence, action, problem, summary } = props
  const { messages, locale } = vocabulary
  const [isOpen, setOpen] = useState(false)
  const correlationId = change.correlation_id ?? ''
  const at = Date.parse(change.created)
  return (
    <li className="change" id={groupRowId(change)} tabIndex={-1}>
      {icon}
      <div className="change-body">
        <p>
          {sentence}{' '}
          <time className="muted" dateTime={new Date(at).toISOString()}>
            {formatTime(at, locale)}
          </time>
        </p>
        {problem !== undefined && (
          <Banner tone="danger" title={messages.history.failed}>
            {messages.problems[problem.kind]}
          </Banner>
        )}
      </div>
      {action}
      <details
        className="change-sites"
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary>{summary}</summary>
        {isOpen && <Changes {...{ correlationId, vocabulary, onChanged }} />}
      </details>
    </li>
  )
}

interface ChangesProps {
  readonly correlationId: string
  readonly vocabulary: Vocabulary
  readonly onChanged: () => void
}

/** The changes of a group, page by page, each with its own "Put back". */
const Changes = ({ correlationId, vocabulary, onChanged }: ChangesProps) => {
  const store = useStore()
  const { history: text, problems } = useMessages()
  const [changes, setChanges] = useState<readonly Change[]>([])
  const [last, setLast] = useState<Change>()
  const [isComplete, setComplete] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  useEffect(() => {
    let isCurrent = true
    void store.readChanges({ correlationId, before: last }).then((answer) => {
      if (!isCurrent || answer === undefined) return
      if ('kind' in answer) return setProblem(answer)
      setChanges((before) => [...before, ...answer])
      setComplete(answer.length < CHANGES_PER_PAGE)
    })
    return () => {
      isCurrent = false
    }
  }, [store, correlationId, last])
  const isBusy = last === changes.at(-1)
  const focusNewRows = useFocusNewRows(changes, rowId, isBusy && !isComplete)
  if (problem !== undefined)
    return (
      <Banner tone="danger" title={text.notLoaded}>
        {problems[problem.kind]}
      </Banner>
    )
  if (changes.length === 0) return <Spinner />
  const formerNames = new Map([...vocabulary.formerNames, ...namesIn(changes)])
  const row = { vocabulary: { ...vocabulary, formerNames }, onChanged }
  return (
    <>
      <ol>
        {changes.map((change) => (
          <ChangeRow key={change.id} change={change} {...row} />
        ))}
      </ol>
      {!isComplete && (
        <Button
          aria-disabled={isBusy}
          onClick={() => {
            focusNewRows()
            setLast(changes.at(-1))
          }}
        >
          {isBusy && <Spinner />}
          {text.more}
        </Button>
      )}
    </>
  )
}
