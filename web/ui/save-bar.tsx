import { CircleAlert, CopyPlus, TriangleAlert } from 'lucide-react'
import { useEffect, useMemo, useRef, type MouseEvent } from 'react'
import { Link } from 'react-router'

import { useMessages } from '../messages/messages.ts'
import './form.css'
import { Button } from './button.tsx'
import { Spinner } from './spinner.tsx'
import { toast } from './toast.ts'
import { useUnsaved } from '../browser/unsaved.ts'

/** The reason the last save failed, and the alternatives to a retry. */
interface SaveFailure {
  readonly title: string
  readonly text: string
  /** Called before the form is submitted again to be queued, if that is possible. */
  readonly onQueue?: (() => void) | undefined
  /** The action for failures that a retry cannot resolve. */
  readonly instead?: { readonly label: string; readonly act: () => void } | undefined
}

interface Props {
  readonly label: string
  readonly saving: boolean
  readonly changes: number
  /** Additional status: the time of the draft, photos still being prepared. */
  readonly note?: string | undefined
  /** Shown until the next attempt. */
  readonly failure?: SaveFailure | undefined
  /** The save has stalled; it can be queued on the device instead. */
  readonly stalled?: { readonly onQueue: (() => void) | undefined } | undefined
  /** A new record is left by a link; changes of a stored one are discarded. */
  readonly leave:
    | { readonly to: string; readonly state?: unknown }
    | { readonly discard: () => void }
  /** An alternative way to save: called before the form is submitted. */
  readonly another?: { readonly label: string; readonly onPress: () => void } | undefined
  /** Restores the discarded changes. */
  readonly onUndo?: (() => void) | undefined
}

/**
 * Keeps the focus in its field until the button is released. Blurring a field may show its error, which moves the
 * button between press and release, so that the click would be lost.
 */
const preventBlur = (event: MouseEvent): void => event.preventDefault()

/**
 * Submits the form in another way. The button is not of type `submit`, because Enter in a field presses the first
 * `submit` button.
 */
const submitAfter =
  (prepare: () => void) =>
  ({ currentTarget }: MouseEvent<HTMLButtonElement>): void => {
    currentTarget.focus()
    prepare()
    currentTarget.form?.requestSubmit()
  }

/**
 * The bar at the lower edge of a form: leave or save. For a stored record it is shown only while there are changes. It
 * reports a save that failed or stalled.
 */
export const SaveBar = (props: Props) => {
  const { saving, changes, note, leave, onUndo } = props
  const messages = useMessages()
  const text = messages.drafts
  useUnsaved(changes > 0)
  const isNew = 'to' in leave
  const failure = saving ? undefined : props.failure
  const stalled = saving ? props.stalled : undefined
  const isActive = isNew || changes > 0 || saving || failure !== undefined
  const undo = isActive ? undefined : onUndo
  const shown = isActive || undo !== undefined
  const count = !isNew && changes > 0 ? text.changes(changes) : ''
  // Notes change while the user types. Screen readers announce only the first of those that differ in a time or a
  // count.
  // oxlint-disable-next-line react/exhaustive-deps
  const announced = useMemo(() => note, [note?.replace(/\d+|\b[ap]m\b/gi, '')])
  return (
    <div
      className={shown ? `save-bar${failure === undefined ? '' : ' failed'}` : 'visually-hidden'}
    >
      {failure !== undefined && (
        <div className="save-bar-message danger" role="alert">
          <CircleAlert className="icon" />
          <p>
            <strong>{failure.title}</strong> {failure.text}
          </p>
        </div>
      )}
      {stalled !== undefined && (
        <div className="save-bar-message warn" role="alert">
          <TriangleAlert className="icon" />
          <p>{messages.form.stalled}</p>
        </div>
      )}
      <div className="save-bar-row">
        <output className="save-bar-note" aria-atomic="false">
          {count !== '' && <strong>{count}</strong>}
          {undo !== undefined && text.discarded}
          {isActive && note !== undefined && note !== '' && (
            <span aria-live={note === announced ? undefined : 'off'}>{note}</span>
          )}
        </output>
        {undo !== undefined && <UndoButton onUndo={undo} />}
        {isActive && <SaveBarButtons {...props} failure={failure} stalled={stalled} />}
      </div>
    </div>
  )
}

/** The buttons of the bar: leave, queue for later, save. */
const SaveBarButtons = ({ label, saving, changes, another, leave, failure, stalled }: Props) => {
  const messages = useMessages()
  const text = messages.drafts
  return (
    <>
      {'to' in leave ? (
        <Link
          className="button"
          to={leave.to}
          state={leave.state}
          onMouseDown={preventBlur}
          onClick={() => changes > 0 && !saving && toast(text.keptAsDraft)}
        >
          {messages.actions.cancel}
        </Link>
      ) : (
        <Button onMouseDown={preventBlur} onClick={leave.discard}>
          {text.discard}
        </Button>
      )}
      {stalled?.onQueue !== undefined && (
        <Button look="later" onClick={stalled.onQueue}>
          {text.keepNow}
        </Button>
      )}
      {failure?.onQueue !== undefined && (
        <Button look="later" onMouseDown={preventBlur} onClick={submitAfter(failure.onQueue)}>
          {text.sendLater}
        </Button>
      )}
      {another !== undefined && failure === undefined && (
        <Button
          aria-label={another.label}
          title={another.label}
          aria-disabled={saving}
          onMouseDown={preventBlur}
          onClick={saving ? undefined : submitAfter(another.onPress)}
        >
          <CopyPlus className="icon" />
          <span className="narrow-hidden">{another.label}</span>
        </Button>
      )}
      {failure?.instead !== undefined ? (
        <Button look="primary" onClick={failure.instead.act}>
          {failure.instead.label}
        </Button>
      ) : (
        <Button
          type="submit"
          look="primary"
          aria-disabled={saving}
          onMouseDown={preventBlur}
          // Also when Enter was pressed in a field, so that its blur handler runs before the save.
          onClick={(event) => event.currentTarget.focus()}
        >
          {saving && <Spinner />}
          {saving ? messages.form.saving : failure === undefined ? label : messages.actions.retry}
        </Button>
      )}
    </>
  )
}

/** Replaces the discard button, and takes its focus. */
const UndoButton = ({ onUndo }: { readonly onUndo: () => void }) => {
  const { actions } = useMessages()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus({ preventScroll: true }), [])
  return (
    <Button ref={button} onClick={onUndo}>
      {actions.undo}
    </Button>
  )
}
