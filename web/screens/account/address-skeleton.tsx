import { Mail } from 'lucide-react'

import { useMessages } from '../../messages/messages.ts'
import { MessageCard } from '../../ui/message-card.tsx'

/** Shown while an address is being confirmed; the result replaces it. */
export const AddressSkeleton = () => {
  const { account: text } = useMessages()
  return (
    <MessageCard icon={Mail} title={text.confirming} text={text.confirmingText} aria-busy="true" />
  )
}
