import { Link2Off, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

import { useMessages } from '../../messages/messages.ts'

interface ResultProps {
  readonly icon: LucideIcon
  readonly title: string
  readonly text: string
  /** Links or buttons to continue. */
  readonly children?: ReactNode
}

/** The result of opening a link; focused, so that screen readers announce it. */
export const Result = ({ icon: Icon, title, text, children }: ResultProps) => (
  <div className="card centre-card">
    <Icon className="art" strokeWidth={1.5} />
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
  /** The explanation of a used link, which depends on its purpose. */
  readonly usedText: string
}

/** An unusable link, and how to get another. */
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
