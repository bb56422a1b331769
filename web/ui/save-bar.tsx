import type { MouseEvent, ReactNode } from 'react'
import { Link } from 'react-router'

import { useMessages } from '../messages/messages.ts'
import { Spinner } from './spinner.tsx'

interface Props {
  readonly label: string
  readonly cancelTo: string
  readonly saving: boolean
  /** There is nothing to save: the button says so, and does nothing. */
  readonly idle?: boolean
  readonly children?: ReactNode
}

/**
 * Leaves the focus in its field until the button is let go. Leaving a field may show what is wrong
 * with it, which moves the button away between press and release: the click would be lost.
 */
const stay = (event: MouseEvent): void => event.preventDefault()

/** The bar at the lower edge of a form: leave, or save. */
export const SaveBar = ({ label, cancelTo, saving, idle = false, children }: Props) => {
  const messages = useMessages()
  return (
    <div className="save-bar">
      <div className="save-bar-row">
        <output className="save-bar-note">{children}</output>
        <Link className="button" to={cancelTo} onMouseDown={stay}>
          {messages.actions.cancel}
        </Link>
        <button
          type="submit"
          className="button primary"
          aria-disabled={saving || idle}
          onMouseDown={stay}
          // Also when Enter was pressed in a field: what leaving a field does is done before saving.
          onClick={(event) => event.currentTarget.focus()}
        >
          {saving && <Spinner />}
          {saving ? messages.form.saving : idle ? messages.site.nothingToSave : label}
        </button>
      </div>
    </div>
  )
}
