import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

/** What has failed, in the bar at the lower edge, where it is seen from anywhere on a long page. */
export const BarProblem = ({ children }: { readonly children: ReactNode }) => (
  <div className="save-bar-says danger" role="alert">
    <CircleAlert className="icon" />
    <p>{children}</p>
  </div>
)
