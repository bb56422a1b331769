import { WifiOff } from 'lucide-react'

import { useSignedIn } from '../data/react.ts'
import { useMessages } from '../messages/messages.ts'
import { useOnline } from '../browser/use-online.ts'

/** Shown while the device is offline. */
export const OfflineStrip = () => {
  const messages = useMessages()
  const online = useOnline()
  const signedIn = useSignedIn()
  return (
    <output className="offline">
      {!online && (
        <span className="strip">
          <WifiOff className="icon" />
          {messages.shell.offline} {signedIn && messages.shell.keptOffline}
        </span>
      )}
    </output>
  )
}
