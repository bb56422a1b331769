import { Placeholder } from '../../ui/placeholder.tsx'

/**
 * The dashboard while its data loads, with the same height. Shown after a delay. The prerendered page fills in the
 * preloaded business.
 */
export const DashboardSkeleton = () => (
  <Placeholder className="stack dashboard">
    <div className="card business-card">
      <span className="skeleton skeleton-logo" />
      <div className="business-text">
        <span className="skeleton skeleton-name" data-business="name" />
        <p className="skeleton muted business-description" data-business="description" />
        <span className="skeleton skeleton-short" />
      </div>
    </div>
    <div className="dashboard-notes" />
    <div className="stack sites">
      <div className="sites-head">
        <span className="skeleton skeleton-heading" />
        <span className="skeleton skeleton-button" />
      </div>
      <div className="site-grid">
        {[1, 2].map((key) => (
          <div key={key} className="card site-card row">
            <span className="skeleton site-thumb" />
            <span className="skeleton-lines">
              <span className="skeleton skeleton-title" />
              <span className="skeleton skeleton-short" />
              <span className="skeleton" />
            </span>
            <span className="plug-list">
              <span className="skeleton" />
              <span className="skeleton" />
            </span>
          </div>
        ))}
      </div>
    </div>
  </Placeholder>
)
