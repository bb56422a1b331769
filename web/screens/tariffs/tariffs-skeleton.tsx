import { Late } from '../../ui/late.tsx'
import './tariffs.css'

/** The prices while they load. */
export const TariffsSkeleton = () => (
  <Late className="tariffs">
    <div className="card stack">
      {[1, 2, 3].map((key) => (
        <span key={key} className="skeleton skeleton-field" />
      ))}
    </div>
  </Late>
)
