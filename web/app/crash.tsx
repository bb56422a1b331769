import { Component, type ReactNode } from 'react'
import { useHref } from 'react-router'

import { useMessages } from '../messages/messages.ts'
import { PATHS } from '../paths.ts'
import { Button } from '../ui/button.tsx'
import { MessageCard } from '../ui/message-card.tsx'

interface Props {
  readonly children: ReactNode
}

/** Catches render errors of a screen, so that the shell stays. The root reports the error. */
export class CrashBoundary extends Component<Props, { readonly crashed: boolean }> {
  override state = { crashed: false }

  static getDerivedStateFromError(): { crashed: boolean } {
    return { crashed: true }
  }

  override render(): ReactNode {
    return this.state.crashed ? <CrashCard /> : this.props.children
  }
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
