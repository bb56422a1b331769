import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

/** A failure, shown in the bar at the lower edge, so that it is visible from anywhere on a long page. */
export const BarProblem = ({ children }: { readonly children: ReactNode }) => (
  <div className="save-bar-message danger" role="alert">
    <CircleAlert className="icon" />
    <p>{children}</p>
  </div>
)
