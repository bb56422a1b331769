import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

import { useNotices, useStore, useStoreState } from '../../data/react.ts'
import type { BusinessView } from '../../data/state.ts'
import { useMessages } from '../../messages/messages.ts'
import { Button } from '../../ui/button.tsx'
import { MessageCard } from '../../ui/message-card.tsx'
import { SlowLoad } from './slow-load.tsx'

interface Props {
  /** Keeps the child mounted while the data changes, because it contains user input. */
  readonly keepRendering?: boolean
  /** Shown until there is data. */
  readonly skeleton: ReactNode
  readonly children: (business: BusinessView | null) => ReactNode
}

/** Waits for the data that a form needs. The child gets null if there is no business yet. */
export const WithBusiness = ({ keepRendering = false, skeleton, children }: Props) => {
  const messages = useMessages()
  const store = useStore()
  const { data, loading } = useStoreState()
  const failure = useNotices().findLast((notice) => notice.action === 'load')

  if (keepRendering || data !== null) return children(data)
  if (failure !== undefined) {
    return (
      <LoadFailed
        text={messages.problems[failure.problem.kind]}
        onRetry={() => {
          store.dismiss(failure.id)
          void store.load()
        }}
      />
    )
  }
  if (!loading) return children(null)
  return (
    <>
      <SlowLoad onRetry={() => void store.load()} />
      {skeleton}
    </>
  )
}

interface FailedProps {
  readonly text: string
  readonly onRetry: () => void
  /** Further details. */
  readonly children?: ReactNode
}

/** The data of a screen failed to load. */
export const LoadFailed = ({ text, onRetry, children }: FailedProps) => {
  const messages = useMessages()
  return (
    <MessageCard role="alert" icon={CircleAlert} title={messages.failed.load} text={text}>
      <Button look="primary" onClick={onRetry}>
        {messages.actions.retry}
      </Button>
      {children}
    </MessageCard>
  )
}
