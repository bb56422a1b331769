import { useMessages } from '../../messages/messages.ts'
import './changes.css'

/** The history while it loads. */
export const ChangesSkeleton = () => (
  <div className="changes late" aria-busy="true">
    <output className="visually-hidden">{useMessages().shell.loading}</output>
    <div className="card stack">
      {[1, 2, 3, 4, 5].map((key) => (
        <span key={key} className="skeleton skeleton-field" />
      ))}
    </div>
  </div>
)
