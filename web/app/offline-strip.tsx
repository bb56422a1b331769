import { WifiOff } from 'lucide-react'

import { useMessages } from '../messages/messages.ts'
import { useOnline } from '../ui/use-online.ts'

/** Says that there is no connection, for as long as there is none. */
export const OfflineStrip = () => {
  const messages = useMessages()
  const online = useOnline()
  return (
    <output className="offline">
      {!online && (
        <span className="strip">
          <WifiOff className="icon" aria-hidden="true" />
          {messages.shell.offline}
        </span>
      )}
    </output>
  )
}
