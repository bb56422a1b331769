import { Placeholder } from '../../ui/placeholder.tsx'
import '../../ui/form.css'
import './imports.css'

/** The screen of imports while it loads. */
export const ImportsSkeleton = () => (
  <Placeholder className="imports stack">
    <div className="card stack">
      <span className="skeleton skeleton-field" />
      <span className="skeleton skeleton-area" />
    </div>
    <div className="card stack">
      <span className="skeleton skeleton-field" />
    </div>
  </Placeholder>
)
