import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode, Ref } from 'react'

type Tone = 'info' | 'ok' | 'warn' | 'danger'

const ICONS = { info: Info, ok: CircleCheck, warn: TriangleAlert, danger: CircleAlert }

interface BannerProps {
  readonly tone: Tone
  readonly title?: ReactNode
  readonly children?: ReactNode
  /** Buttons below the text. */
  readonly actions?: ReactNode
  readonly ref?: Ref<HTMLDivElement>
}

/** An inline message. Errors are announced immediately. */
export const Banner = ({ tone, title, children, actions, ref }: BannerProps) => {
  const Icon = ICONS[tone]
  return (
    <div
      className={`banner ${tone}`}
      role={tone === 'danger' ? 'alert' : 'status'}
      // Screen readers announce only what is new in a changing list.
      aria-atomic="false"
      ref={ref}
      tabIndex={-1}
    >
      <Icon className="icon" />
      <div className="banner-body">
        {title !== undefined && <strong>{title}</strong>}
        {children}
        {actions !== undefined && <div className="banner-actions">{actions}</div>}
      </div>
    </div>
  )
}
