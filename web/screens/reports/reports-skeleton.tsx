import '../shared/report.css'
import { Placeholder } from '../../ui/placeholder.tsx'

/** The inbox while the data loads. */
export const ReportsSkeleton = () => (
  <Placeholder className="reports stack">
    {[1, 2].map((key) => (
      <div key={key} className="card stack">
        <span className="skeleton skeleton-field" />
        <span className="skeleton skeleton-area" />
      </div>
    ))}
  </Placeholder>
)
