import type { MouseEvent, ReactNode } from 'react'
import { Link } from 'react-router'

import { useMessages } from '../messages/messages.ts'
import './form.css'
import { Spinner } from './spinner.tsx'
import { useUnsaved } from './unsaved.ts'

interface Props {
  readonly label: string
  readonly saving: boolean
  /** How many changes there are. */
  readonly changes: number
  /** What else there is to say: when the draft was kept, what is still being made ready. */
  readonly note?: ReactNode
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
 * there is something to save.
 */
export const SaveBar = ({ label, saving, changes, note, leave }: Props) => {
  const messages = useMessages()
  const text = messages.drafts
  useUnsaved(changes > 0)
  const isNew = 'to' in leave
  const shown = isNew || changes > 0 || saving
  const count = !isNew && changes > 0 ? text.changes(changes) : ''
  return (
    <div className={shown ? 'save-bar' : 'visually-hidden'}>
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
            <button
              type="submit"
              className="button primary"
              aria-disabled={saving}
              onMouseDown={stay}
              // Also when Enter was pressed in a field: what leaving a field does is done before saving.
              onClick={(event) => event.currentTarget.focus()}
            >
              {saving && <Spinner />}
              {saving ? messages.form.saving : label}
            </button>
          </>
        )}
      </div>
    </div>
  )
}
