import { MapPinOff } from 'lucide-react'
import { Link } from 'react-router'

import { useMessages } from '../messages/messages.ts'
import { PATHS } from '../paths.ts'

/** The page of unknown addresses. */
export const NotFound = () => {
  const { notFound } = useMessages()
  return (
    <div className="card centre-card">
      <MapPinOff className="art" strokeWidth={1.5} />
      <h2>{notFound.title}</h2>
      <p className="muted">{notFound.text}</p>
      <Link className="button primary" to={PATHS.dashboard}>
        {notFound.dashboard}
      </Link>
    </div>
  )
}
