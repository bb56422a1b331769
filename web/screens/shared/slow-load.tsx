import { useStalled } from '../../data/react.ts'
import { useMessages } from '../../messages/messages.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'

/** Reports stalled loading. */
export const SlowLoad = ({ onRetry }: { readonly onRetry: () => void }) => {
  const { actions, dashboard } = useMessages()
  if (!useStalled()) return null
  return (
    <Banner tone="warn" actions={<Button onClick={onRetry}>{actions.retry}</Button>}>
      <p>{dashboard.slow}</p>
    </Banner>
  )
}
