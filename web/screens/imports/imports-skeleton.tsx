import { useMessages } from '../../messages/messages.ts'
import '../../ui/form.css'
import './imports.css'

/** The screen of imports while it loads. */
export const ImportsSkeleton = () => (
  <div className="imports stack late" aria-busy="true">
    <output className="visually-hidden">{useMessages().shell.loading}</output>
    <div className="card stack">
      <span className="skeleton skeleton-field" />
      <span className="skeleton skeleton-area" />
    </div>
    <div className="card stack">
      <span className="skeleton skeleton-field" />
    </div>
  </div>
)
