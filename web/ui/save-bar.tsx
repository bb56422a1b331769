import { CircleAlert, CopyPlus, TriangleAlert } from 'lucide-react'
import { useEffect, useRef, type MouseEvent, type ReactNode } from 'react'
import { Link } from 'react-router'

import { useMessages } from '../messages/messages.ts'
import './form.css'
import { Spinner } from './spinner.tsx'
import { toast } from './toast.ts'
import { useUnsaved } from '../browser/unsaved.ts'

/** Why the last save failed, and what can be done beside trying again. */
interface SaveFailure {
  readonly title: string
  readonly text: string
  /** Called before the form is sent again, when it may go later as well. */
  readonly onLater?: (() => void) | undefined
  /** What helps where trying again cannot. */
  readonly instead?: { readonly label: string; readonly act: () => void } | undefined
}

interface Props {
  readonly label: string
  readonly saving: boolean
  /** How many changes there are. */
  readonly changes: number
  /** What else there is to say: when the draft was kept, what is still being made ready. */
  readonly note?: ReactNode
  /** Shown until the next attempt. */
  readonly failure?: SaveFailure | undefined
  /** The save makes no progress; it can be kept on the device instead of being waited for. */
  readonly standstill?: { readonly onLater: (() => void) | undefined } | undefined
  /** Something new is left for this page; changes of something stored are thrown away. */
  readonly leave: { readonly to: string } | { readonly discard: () => void }
  /** Another way to save: called before the form is sent. */
  readonly another?: { readonly label: string; readonly onPress: () => void } | undefined
  /** Brings back what was just thrown away. */
  readonly onUndo?: (() => void) | undefined
}

/**
 * Leaves the focus in its field until the button is let go. Leaving a field may show what is wrong
 * with it, which moves the button away between press and release: the click would be lost.
 */
const stay = (event: MouseEvent): void => event.preventDefault()

/**
 * Sends the form in another way than its own. No button of type `submit`: Enter in a field presses the
 * first of them.
 */
const submitAfter =
  (prepare: () => void) =>
  ({ currentTarget }: MouseEvent<HTMLButtonElement>): void => {
    currentTarget.focus()
    prepare()
    currentTarget.form?.requestSubmit()
  }

/**
 * The bar at the lower edge of a form: leave, or save. For something stored it is there only while
 * there is something to save. A save that failed or stalled is said here, where the eyes are.
 */
export const SaveBar = (props: Props) => {
  const { saving, changes, note, leave, onUndo } = props
  const messages = useMessages()
  const text = messages.drafts
  useUnsaved(changes > 0)
  const isNew = 'to' in leave
  const failure = saving ? undefined : props.failure
  const standstill = saving ? props.standstill : undefined
  const isActive = isNew || changes > 0 || saving || failure !== undefined
  const undo = isActive ? undefined : onUndo
  const shown = isActive || undo !== undefined
  const count = !isNew && changes > 0 ? text.changes(changes) : ''
  return (
    <div
      className={shown ? `save-bar${failure === undefined ? '' : ' failed'}` : 'visually-hidden'}
    >
      {failure !== undefined && (
        <div className="save-bar-says danger" role="alert">
          <CircleAlert className="icon" aria-hidden="true" />
          <p>
            <strong>{failure.title}</strong> {failure.text}
          </p>
        </div>
      )}
      {standstill !== undefined && (
        <div className="save-bar-says warn" role="alert">
          <TriangleAlert className="icon" aria-hidden="true" />
          <p>{messages.form.stalled}</p>
        </div>
      )}
      <div className="save-bar-row">
        <output className="save-bar-note">
          {count !== '' && <strong>{count}</strong>}
          {undo !== undefined && text.discarded}
          {isActive && note !== undefined && note !== '' && <span>{note}</span>}
        </output>
        {undo !== undefined && <UndoButton onUndo={undo} />}
        {isActive && <Ways {...props} failure={failure} standstill={standstill} />}
      </div>
    </div>
  )
}

/** The ways out of the form: leaving it, keeping it for later, saving it. */
const Ways = ({ label, saving, changes, another, leave, failure, standstill }: Props) => {
  const messages = useMessages()
  const text = messages.drafts
  return (
    <>
      {'to' in leave ? (
        <Link
          className="button"
          to={leave.to}
          onMouseDown={stay}
          onClick={() => changes > 0 && !saving && toast(text.keptAsDraft)}
        >
          {messages.actions.cancel}
        </Link>
      ) : (
        <button type="button" className="button" onMouseDown={stay} onClick={leave.discard}>
          {text.discard}
        </button>
      )}
      {standstill?.onLater !== undefined && (
        <button type="button" className="button later" onClick={standstill.onLater}>
          {text.keepNow}
        </button>
      )}
      {failure?.onLater !== undefined && (
        <button
          type="button"
          className="button later"
          onMouseDown={stay}
          onClick={submitAfter(failure.onLater)}
        >
          {text.sendLater}
        </button>
      )}
      {another !== undefined && failure === undefined && !saving && (
        <button
          type="button"
          className="button"
          aria-label={another.label}
          title={another.label}
          onMouseDown={stay}
          onClick={submitAfter(another.onPress)}
        >
          <CopyPlus className="icon" aria-hidden="true" />
          <span className="narrow-hidden">{another.label}</span>
        </button>
      )}
      {failure?.instead !== undefined ? (
        <button type="button" className="button primary" onClick={failure.instead.act}>
          {failure.instead.label}
        </button>
      ) : (
        <button
          type="submit"
          className="button primary"
          aria-disabled={saving}
          onMouseDown={stay}
          // Also when Enter was pressed in a field: what leaving a field does is done before saving.
          onClick={(event) => event.currentTarget.focus()}
        >
          {saving && <Spinner />}
          {saving ? messages.form.saving : failure === undefined ? label : messages.actions.retry}
        </button>
      )}
    </>
  )
}

/** Stands where the button was that threw everything away, and takes the focus from it. */
const UndoButton = ({ onUndo }: { readonly onUndo: () => void }) => {
  const { actions } = useMessages()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus({ preventScroll: true }), [])
  return (
    <button ref={button} type="button" className="button" onClick={onUndo}>
      {actions.undo}
    </button>
  )
}
