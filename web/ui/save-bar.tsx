import type { ReactNode } from 'react'
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

/** The bar at the lower edge of a form: leave, or save. */
export const SaveBar = ({ label, cancelTo, saving, idle = false, children }: Props) => {
  const messages = useMessages()
  return (
    <div className="save-bar">
      <div className="save-bar-row">
        <output className="save-bar-note">{children}</output>
        <Link className="button" to={cancelTo}>
          {messages.actions.cancel}
        </Link>
        <button type="submit" className="button primary" aria-disabled={saving || idle}>
          {saving && <Spinner />}
          {saving ? messages.form.saving : idle ? messages.site.nothingToSave : label}
        </button>
      </div>
    </div>
  )
}
