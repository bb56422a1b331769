import { Mail } from 'lucide-react'

import { useMessages } from '../../messages/messages.ts'

/** Shown while an address is being confirmed; the result replaces it. */
export const AddressSkeleton = () => {
  const { account: text } = useMessages()
  return (
    <div className="card centre-card" aria-busy="true">
      <Mail className="art" strokeWidth={1.5} />
      <h2>{text.confirming}</h2>
      <p className="muted">{text.confirmingText}</p>
    </div>
  )
}
