import { Link2Off, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

import { useMessages } from '../../messages/messages.ts'

interface ResultProps {
  readonly icon: LucideIcon
  readonly title: string
  readonly text: string
  /** The way on from here. */
  readonly children?: ReactNode
}

/** What came of opening a link; it takes the focus, so that it is read out. */
export const Result = ({ icon: Icon, title, text, children }: ResultProps) => (
  <div className="card centre-card">
    <Icon className="art" strokeWidth={1.5} aria-hidden="true" />
    <h2 tabIndex={-1} ref={takeFocus}>
      {title}
    </h2>
    <p className="muted">{text}</p>
    {children}
  </div>
)

const takeFocus = (element: HTMLElement | null): void => element?.focus()

interface DeadLinkProps {
  readonly kind: 'broken' | 'expired' | 'used'
  /** What a link that was used before means, which depends on what it was for. */
  readonly usedText: string
}

/** A link that leads nowhere any more, and what to do about it. */
export const DeadLink = ({ kind, usedText }: DeadLinkProps) => {
  const { account } = useMessages()
  const words = {
    broken: [account.brokenTitle, account.broken],
    expired: [account.expiredTitle, account.expired],
    used: [account.usedTitle, usedText],
  } as const
  const [title, text] = words[kind]
  return <Result icon={Link2Off} title={title} text={text} />
}
