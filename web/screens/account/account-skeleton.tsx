import { Placeholder } from '../../ui/placeholder.tsx'
import '../../ui/form.css'
import './account.css'

/** The account page while its data loads. */
export const AccountSkeleton = () => (
  <Placeholder className="form account-card">
    <div className="card form-section">
      {[1, 2, 3, 4].map((key) => (
        <span key={key} className="skeleton skeleton-field" />
      ))}
    </div>
  </Placeholder>
)
