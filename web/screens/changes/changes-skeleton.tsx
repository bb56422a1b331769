import { Placeholder } from '../../ui/placeholder.tsx'
import './changes.css'

/** The history while it loads. */
export const ChangesSkeleton = () => (
  <Placeholder className="changes">
    <div className="card stack">
      {[1, 2, 3, 4, 5].map((key) => (
        <span key={key} className="skeleton skeleton-field" />
      ))}
    </div>
  </Placeholder>
)
