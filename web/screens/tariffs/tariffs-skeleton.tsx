import { Placeholder } from '../../ui/placeholder.tsx'
import './tariffs.css'

/** The prices while they load. */
export const TariffsSkeleton = () => (
  <Placeholder className="tariffs">
    <div className="card stack">
      {[1, 2, 3].map((key) => (
        <span key={key} className="skeleton skeleton-field" />
      ))}
    </div>
  </Placeholder>
)
