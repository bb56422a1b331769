import { useStalled } from '../../data/react.ts'
import { useMessages } from '../../messages/messages.ts'
import { Banner } from '../../ui/banner.tsx'

/** Reports stalled loading. */
export const SlowLoad = ({ onRetry }: { readonly onRetry: () => void }) => {
  const { actions, dashboard } = useMessages()
  if (!useStalled()) return null
  return (
    <Banner
      tone="warn"
      actions={
        <button type="button" className="button" onClick={onRetry}>
          {actions.retry}
        </button>
      }
    >
      <p>{dashboard.slow}</p>
    </Banner>
  )
}
