import '../shared/report.css'
import { useMessages } from '../../messages/messages.ts'

/** The inbox while the data loads. */
export const ReportsSkeleton = () => (
  <div className="reports stack late" aria-busy="true">
    <output className="visually-hidden">{useMessages().shell.loading}</output>
    {[1, 2].map((key) => (
      <div key={key} className="card stack">
        <span className="skeleton skeleton-field" />
        <span className="skeleton skeleton-area" />
      </div>
    ))}
  </div>
)
