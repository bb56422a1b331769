import { Late } from '../../ui/late.tsx'
import './changes.css'

/** The history while it loads. */
export const ChangesSkeleton = () => (
  <Late className="changes">
    <div className="card stack">
      {[1, 2, 3, 4, 5].map((key) => (
        <span key={key} className="skeleton skeleton-field" />
      ))}
    </div>
  </Late>
)
