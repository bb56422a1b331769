import { useMessages } from '../../messages/messages.ts'
import './tariffs.css'

/** The prices while they load. */
export const TariffsSkeleton = () => (
  <div className="tariffs late" aria-busy="true">
    <output className="visually-hidden">{useMessages().shell.loading}</output>
    <div className="card stack">
      {[1, 2, 3].map((key) => (
        <span key={key} className="skeleton skeleton-field" />
      ))}
    </div>
  </div>
)
