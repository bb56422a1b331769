import { CircleAlert } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import { Link } from 'react-router'

import { useMessages } from '../messages/messages.ts'
import './form.css'
import { Spinner } from './spinner.tsx'
import { useUnsaved } from './unsaved.ts'

/** Why the last save failed, and what can be done beside trying again. */
export interface SaveFailure {
  readonly title: string
  readonly text: string
  /** Called before the form is sent again, when it may go later as well. */
  readonly onLater?: (() => void) | undefined
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
  /** Something new is left for this page; changes of something stored are thrown away. */
  readonly leave: { readonly to: string } | { readonly discard: () => void }
}

/**
 * Leaves the focus in its field until the button is let go. Leaving a field may show what is wrong
 * with it, which moves the button away between press and release: the click would be lost.
 */
const stay = (event: MouseEvent): void => event.preventDefault()

/**
 * The bar at the lower edge of a form: leave, or save. For something stored it is there only while
 * there is something to save. A save that failed is said here, where the eyes are.
 */
export const SaveBar = ({ label, saving, changes, note, failure, leave }: Props) => {
  const messages = useMessages()
  const text = messages.drafts
  useUnsaved(changes > 0)
  const isNew = 'to' in leave
  const failed = saving ? undefined : failure
  const shown = isNew || changes > 0 || saving || failed !== undefined
  const count = !isNew && changes > 0 ? text.changes(changes) : ''
  return (
    <div className={shown ? `save-bar${failed === undefined ? '' : ' failed'}` : 'visually-hidden'}>
      {failed !== undefined && (
        <div className="save-bar-alert" role="alert">
          <CircleAlert className="icon" aria-hidden="true" />
          <p>
            <strong>{failed.title}</strong> {failed.text}
          </p>
        </div>
      )}
      <div className="save-bar-row">
        <output className="save-bar-note">
          {count !== '' && <strong>{count}</strong>}
          {shown && note !== undefined && note !== '' && <span>{note}</span>}
        </output>
        {shown && (
          <>
            {isNew ? (
              <Link className="button" to={leave.to} onMouseDown={stay}>
                {messages.actions.cancel}
              </Link>
            ) : (
              <button
                type="button"
                className="button"
                aria-disabled={saving}
                onMouseDown={stay}
                onClick={() => !saving && leave.discard()}
              >
                {text.discard}
              </button>
            )}
            {failed?.onLater !== undefined && (
              <button
                type="submit"
                className="button"
                onMouseDown={stay}
                onClick={(event) => {
                  event.currentTarget.focus()
                  failed.onLater?.()
                }}
              >
                {text.sendLater}
              </button>
            )}
            <button
              type="submit"
              className="button primary"
              aria-disabled={saving}
              onMouseDown={stay}
              // Also when Enter was pressed in a field: what leaving a field does is done before saving.
              onClick={(event) => event.currentTarget.focus()}
            >
              {saving && <Spinner />}
              {saving
                ? messages.form.saving
                : failed === undefined
                  ? label
                  : messages.actions.retry}
            </button>
          </>
        )}
      </div>
    </div>
  )
}
