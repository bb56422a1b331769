import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'

interface Props extends ComponentProps<'div'> {
  readonly icon?: LucideIcon
  readonly title: string
  readonly text: string
  /** Focuses the title, so that screen readers announce the message that replaces the content. */
  readonly takesFocus?: boolean
}

/** A message in the centre of a screen; the children are links or buttons to continue. */
export const MessageCard = (props: Props) => {
  const { icon: Icon, title, text, takesFocus = false, children, ...card } = props
  return (
    <div className="card centre-card" {...card}>
      {Icon && <Icon className="art" strokeWidth={1.5} />}
      <h2 {...(takesFocus && { tabIndex: -1, ref: takeFocus })}>{title}</h2>
      <p className="muted">{text}</p>
      {children}
    </div>
  )
}

const takeFocus = (element: HTMLElement | null): void => element?.focus()
