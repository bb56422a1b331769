import { Component, useEffect, type ReactNode } from 'react'
import { useHref } from 'react-router'

import { useMessages } from '../messages/messages.ts'
import { PATHS } from '../paths.ts'
import { Button } from '../ui/button.tsx'
import { MessageCard } from '../ui/message-card.tsx'
import { ScreenLoadError } from './page.ts'

interface Props {
  readonly children: ReactNode
}

/** Catches render errors of a screen, so that the shell stays. The root reports the error. */
export class CrashBoundary extends Component<Props, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error: error ?? 'unknown' }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return error instanceof ScreenLoadError && !navigator.onLine ? <OfflineCard /> : <CrashCard />
  }
}

/** A screen that this device has not loaded yet. It opens once there is a connection. */
const OfflineCard = () => {
  const { crash, shell } = useMessages()
  useEffect(() => {
    const reload = () => location.reload()
    addEventListener('online', reload)
    return () => removeEventListener('online', reload)
  }, [])
  return <MessageCard role="alert" title={shell.offline} text={crash.offline} />
}

const CrashCard = () => {
  const { crash } = useMessages()
  const dashboard = useHref(PATHS.dashboard)
  return (
    <MessageCard role="alert" title={crash.title} text={crash.text}>
      <Button look="primary" onClick={() => location.reload()}>
        {crash.reload}
      </Button>
      {/* Without the router, to restart the dashboard even if it is the screen that crashed. */}
      <a className="button" href={dashboard}>
        {crash.dashboard}
      </a>
    </MessageCard>
  )
}
