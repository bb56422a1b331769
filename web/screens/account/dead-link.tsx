import { Link2Off } from 'lucide-react'

import { useMessages } from '../../messages/messages.ts'
import { MessageCard } from '../../ui/message-card.tsx'

interface Props {
  readonly kind: 'broken' | 'expired' | 'used'
  /** The explanation of a used link, which depends on its purpose. */
  readonly usedText: string
}

/** Explains an unusable link, and how to get another one. */
export const DeadLink = ({ kind, usedText }: Props) => {
  const { account } = useMessages()
  const words = {
    broken: [account.brokenTitle, account.broken],
    expired: [account.expiredTitle, account.expired],
    used: [account.usedTitle, usedText],
  } as const
  const [title, text] = words[kind]
  return <MessageCard takesFocus icon={Link2Off} title={title} text={text} />
}
