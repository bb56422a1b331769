import { ListChecks, RotateCcw } from 'lucide-react'
import { useEffect, useState } from 'react'

import { CHANGES_PER_PAGE, type Change } from '#domain/change.ts'
import { useStore } from '../../data/react.ts'
import type { Problem } from '../../data/state.ts'
import { clock } from '../../format/when.ts'
import { useMessages } from '../../messages/messages.ts'
import { Banner } from '../../ui/banner.tsx'
import { Question } from '../../ui/question.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { toast } from '../../ui/toast.ts'
import { useReadOn } from '../../ui/use-read-on.ts'
import { ChangeRow, rowId } from './change-row.tsx'
import { revertBulkUpdate } from './send-put-back.ts'
import { wordBulkUpdate, type Vocabulary } from './words.ts'

interface Props {
  /** The latest change of the bulk update. */
  readonly change: Change
  readonly siteCount: number
  readonly vocabulary: Vocabulary
  readonly onChanged: () => void
}

/** The id of the element of a bulk update. Its latest change, which names it, has a row of its own in it. */
export const bulkRowId = ({ id }: Change): string => `bulk-${id}`

/** A bulk update in one row, with a button that reverts all of it. Its changes are loaded on request. */
export const BulkRow = ({ change, siteCount, vocabulary, onChanged }: Props) => {
  const store = useStore()
  const { messages, locale } = vocabulary
  const text = messages.history
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const [isOpen, setOpen] = useState(false)
  const correlationId = change.correlation_id ?? ''
  const sentence = wordBulkUpdate(vocabulary, change, siteCount)
  const at = Date.parse(change.created)

  const putBack = async () => {
    setAsking(false)
    setBusy(true)
    const result = await revertBulkUpdate(store, correlationId)
    setBusy(false)
    setProblem(typeof result === 'object' ? result : undefined)
    if (result === 0) toast(text.bulkNothing)
  }
  return (
    <li className="change" id={bulkRowId(change)} tabIndex={-1}>
      <ListChecks className="icon" aria-hidden="true" />
      <div className="change-body">
        <p>
          {sentence}{' '}
          <time className="muted" dateTime={new Date(at).toISOString()}>
            {clock(at, locale)}
          </time>
        </p>
        {problem !== undefined && (
          <Banner tone="danger" title={text.failed}>
            {messages.problems[problem.kind]}
          </Banner>
        )}
      </div>
      <button
        type="button"
        className="button"
        aria-label={text.putBackOf(sentence)}
        aria-disabled={isBusy}
        onClick={() => !isBusy && setAsking(true)}
      >
        {isBusy ? <Spinner /> : <RotateCcw className="icon" aria-hidden="true" />}
        {text.putBack}
      </button>
      <details
        className="change-sites"
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary>{text.showSites}</summary>
        {isOpen && <Changes {...{ correlationId, vocabulary, onChanged }} />}
      </details>
      {isAsking && (
        <Question
          title={text.bulkTitle(siteCount)}
          cancel={messages.actions.cancel}
          onCancel={() => setAsking(false)}
          confirm={text.putBack}
          onConfirm={() => void putBack()}
        >
          {text.bulkText}
        </Question>
      )}
    </li>
  )
}

interface ChangesProps {
  readonly correlationId: string
  readonly vocabulary: Vocabulary
  readonly onChanged: () => void
}

/** The changes of a bulk update, page by page, each with its own "Put back". */
const Changes = ({ correlationId, vocabulary, onChanged }: ChangesProps) => {
  const store = useStore()
  const { history: text, problems } = useMessages()
  const [changes, setChanges] = useState<readonly Change[]>([])
  const [last, setLast] = useState<Change>()
  const [isComplete, setComplete] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  useEffect(() => {
    let isHere = true
    void store.readChanges({ correlationId, before: last }).then((answer) => {
      if (!isHere || answer === undefined) return
      if ('kind' in answer) return setProblem(answer)
      setChanges((before) => [...before, ...answer])
      setComplete(answer.length < CHANGES_PER_PAGE)
    })
    return () => {
      isHere = false
    }
  }, [store, correlationId, last])
  const isBusy = last === changes.at(-1)
  const readOn = useReadOn(changes, rowId, isBusy && !isComplete)
  if (problem !== undefined)
    return (
      <Banner tone="danger" title={text.notLoaded}>
        {problems[problem.kind]}
      </Banner>
    )
  if (changes.length === 0) return <Spinner />
  return (
    <>
      <ol>
        {changes.map((change) => (
          <ChangeRow key={change.id} {...{ change, vocabulary, onChanged }} />
        ))}
      </ol>
      {!isComplete && (
        <button
          type="button"
          className="button"
          aria-disabled={isBusy}
          onClick={() => {
            readOn()
            setLast(changes.at(-1))
          }}
        >
          {isBusy && <Spinner />}
          {text.more}
        </button>
      )}
    </>
  )
}
