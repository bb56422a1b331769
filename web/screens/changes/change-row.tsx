import { Pencil, Plus, RotateCcw, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'

import type { Change } from '#domain/change.ts'
import { useStore } from '../../data/react.ts'
import { useMessages } from '../../messages/messages.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { formatTime } from '../../format/date-time.ts'
import { findRevert } from './revert.ts'
import { sendRevert, type Outcome } from './send-revert.ts'
import {
  siteName,
  describeChange,
  formatField,
  nameChange,
  describeFields,
  type Line,
  type Vocabulary,
} from './describe-change.ts'

interface Props {
  readonly change: Change
  readonly vocabulary: Vocabulary
  /** Called after a write that adds to the history. */
  readonly onChanged: () => void
}

const ICONS = { create: Plus, update: Pencil, delete: Trash2 }

/** The id of the element of a change. */
export const rowId = ({ id }: Change): string => `change-${id}`

/** One change: author, fields, time, and a button that reverts it. */
export const ChangeRow = ({ change, vocabulary, onChanged }: Props) => {
  const store = useStore()
  const { messages, locale, data } = vocabulary
  const text = messages.history
  const [isBusy, setBusy] = useState(false)
  const [asksToRestore, setAsksToRestore] = useState(false)
  const [outcome, setOutcome] = useState<Outcome>()
  const wanted = findRevert(change, data)
  const sentence = describeChange(vocabulary, change)
  const lines = describeFields(vocabulary, change)
  const at = Date.parse(change.created)
  const time = formatTime(at, locale)
  const fullName = nameChange(sentence, lines, time)
  const Icon = ICONS[change.action]
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    // The pressed button has disappeared and lost the focus, which moves to the button in its place.
    const isLost = outcome !== undefined && document.activeElement === document.body
    if (isLost) (row.current?.querySelector('button') ?? row.current)?.focus()
  }, [outcome])

  const run = async (send: () => Promise<Outcome>) => {
    if (isBusy) return
    setBusy(true)
    const result = await send()
    setOutcome(result)
    setBusy(false)
    if (result.kind === 'done' || result.kind === 'undone') onChanged()
  }
  const revert = (overwrite: boolean) => {
    setAsksToRestore(false)
    if (wanted !== undefined) void run(() => sendRevert(store, change, wanted, overwrite))
  }

  return (
    <li className="change" id={rowId(change)} ref={row} tabIndex={-1}>
      <Icon className="icon" />
      <div className="change-body">
        <p>
          {sentence}{' '}
          <time className="muted" dateTime={new Date(at).toISOString()}>
            {time}
          </time>
        </p>
        <Lines lines={lines} />
        {lines.some(({ name }) => name === 'photos' || name === 'logo') && (
          <p className="hint">{text.filesStay}</p>
        )}
        {outcome?.kind === 'failed' && (
          <Banner tone="danger" title={text.failed}>
            {messages.problems[outcome.problem?.kind ?? 'unexpected']}
          </Banner>
        )}
        <output className="change-done">
          {outcome?.kind === 'done' && (
            <Done name={fullName} isBusy={isBusy} onUndo={() => void run(outcome.undo)} />
          )}
        </output>
      </div>
      {/* The value is shown as reverted while the write is in flight. */}
      {(wanted !== undefined || isBusy) && outcome?.kind !== 'done' && (
        <Button
          aria-label={text.putBackOf(fullName)}
          aria-disabled={isBusy}
          onClick={() => (wanted?.kind === 'deletedSite' ? setAsksToRestore(true) : revert(false))}
        >
          {isBusy ? <Spinner /> : <RotateCcw className="icon" />}
          {text.putBack}
        </Button>
      )}
      {asksToRestore && (
        <ConfirmDialog
          title={text.restoreTitle(siteName(vocabulary, change.site))}
          cancel={messages.actions.cancel}
          onCancel={() => setAsksToRestore(false)}
          confirm={text.putBack}
          onConfirm={() => revert(false)}
        >
          {text.restore}
        </ConfirmDialog>
      )}
      {outcome?.kind === 'conflict' && (
        <Conflict
          change={change}
          outcome={outcome}
          lines={lines}
          vocabulary={vocabulary}
          onCancel={() => setOutcome(undefined)}
          onConfirm={() => {
            setOutcome(undefined)
            revert(true)
          }}
        />
      )}
    </li>
  )
}

interface DoneProps {
  /** The name of the change. */
  readonly name: string
  readonly isBusy: boolean
  readonly onUndo: () => void
}

const Done = ({ name, isBusy, onUndo }: DoneProps) => {
  const { history, actions, about } = useMessages()
  return (
    <>
      {history.done}{' '}
      <Button aria-label={about(actions.undo, name)} aria-disabled={isBusy} onClick={onUndo}>
        {isBusy && <Spinner />}
        {actions.undo}
      </Button>
    </>
  )
}

/** The value of each field before and after the change. */
const Lines = ({ lines }: { readonly lines: readonly Line[] }) => {
  const text = useMessages().history
  if (lines.length === 0) return null
  return (
    <dl>
      {lines.map(({ name, label, before, after, isFilledIn }) => (
        <div key={name}>
          <dt>{label}</dt>
          <dd>
            <span className="visually-hidden">{text.before} </span>
            <del>{before}</del> <span aria-hidden="true">→</span>{' '}
            <span className="visually-hidden">{text.after} </span>
            {after}
            {isFilledIn && <span className="muted"> {text.filledIn}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

interface ConflictProps {
  readonly change: Change
  readonly outcome: Extract<Outcome, { readonly kind: 'conflict' }>
  readonly lines: readonly Line[]
  readonly vocabulary: Vocabulary
  readonly onCancel: () => void
  readonly onConfirm: () => void
}

/** Asks whether to overwrite newer values. */
const Conflict = ({ change, outcome, lines, vocabulary, onCancel, onConfirm }: ConflictProps) => {
  const { history: text, actions } = vocabulary.messages
  return (
    <ConfirmDialog
      title={text.conflictTitle}
      cancel={actions.cancel}
      onCancel={onCancel}
      confirm={text.putBack}
      onConfirm={onConfirm}
    >
      <ul>
        {lines
          .filter(({ name }) => outcome.names.includes(name))
          .map(({ name, label, before }) => (
            <li key={name}>
              {text.conflict(label, formatField(vocabulary, change, name, outcome.current), before)}
            </li>
          ))}
      </ul>
    </ConfirmDialog>
  )
}
