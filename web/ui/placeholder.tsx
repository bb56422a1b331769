import type { ReactNode } from 'react'

import { useMessages } from '../messages/messages.ts'

interface Props {
  /** The class of the loaded content. */
  readonly className: string
  readonly children: ReactNode
}

/** The placeholder of a part of a screen while its data loads. Shown after a delay. */
export const Placeholder = ({ className, children }: Props) => (
  <div className={`${className} late`} aria-busy="true">
    <output className="visually-hidden">{useMessages().shell.loading}</output>
    {children}
  </div>
)
