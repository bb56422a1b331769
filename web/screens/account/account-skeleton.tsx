import { useMessages } from '../../messages/messages.ts'
import '../../ui/form.css'
import './account.css'

/** The account page while its data loads. */
export const AccountSkeleton = () => (
  <div className="form account-card late" aria-busy="true">
    <output className="visually-hidden">{useMessages().shell.loading}</output>
    <div className="card form-section">
      {[1, 2, 3, 4].map((key) => (
        <span key={key} className="skeleton skeleton-field" />
      ))}
    </div>
  </div>
)
