import { MapPinOff } from 'lucide-react'
import { Link } from 'react-router'

import { useMessages } from '../messages/messages.ts'
import { PATHS } from '../paths.ts'
import { MessageCard } from '../ui/message-card.tsx'

/** The page of unknown addresses. */
export const NotFound = () => {
  const { notFound } = useMessages()
  return (
    <MessageCard icon={MapPinOff} title={notFound.title} text={notFound.text}>
      <Link className="button primary" to={PATHS.dashboard}>
        {notFound.dashboard}
      </Link>
    </MessageCard>
  )
}
