import '../shared/report.css'
import { Late } from '../../ui/late.tsx'

/** The inbox while the data loads. */
export const ReportsSkeleton = () => (
  <Late className="reports stack">
    {[1, 2].map((key) => (
      <div key={key} className="card stack">
        <span className="skeleton skeleton-field" />
        <span className="skeleton skeleton-area" />
      </div>
    ))}
  </Late>
)
