import { Component, type ContextType, type ReactNode } from 'react'

import { LanguageContext } from '../messages/messages.ts'

interface Props {
  readonly children: ReactNode
}

/** Catches what a screen throws while it renders: the shell stays. The root reports the error. */
export class CrashBoundary extends Component<Props, { readonly crashed: boolean }> {
  static override contextType = LanguageContext
  declare context: ContextType<typeof LanguageContext>
  override state = { crashed: false }

  static getDerivedStateFromError(): { crashed: boolean } {
    return { crashed: true }
  }

  override render(): ReactNode {
    if (!this.state.crashed) return this.props.children
    const messages = this.context?.messages
    if (messages === undefined) return null
    return (
      <div className="card centre-card" role="alert">
        <h2>{messages.crash.title}</h2>
        <p className="muted">{messages.crash.text}</p>
        <button type="button" className="button primary" onClick={() => location.reload()}>
          {messages.crash.reload}
        </button>
      </div>
    )
  }
}
