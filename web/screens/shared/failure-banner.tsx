import { useMessages } from '../../messages/messages.ts'
import { Banner } from '../../ui/banner.tsx'

interface Props {
  readonly title: string
  readonly text: string
  /** Called before the form is sent again, when it may go later as well. */
  readonly onLater?: (() => void) | undefined
}

/** A form was not saved: why, and to send it again at once, or when there is a connection. */
export const FailureBanner = ({ title, text, onLater }: Props) => {
  const { actions, drafts } = useMessages()
  return (
    <Banner
      tone="danger"
      title={title}
      actions={
        <>
          <button type="submit" className="button">
            {actions.retry}
          </button>
          {onLater !== undefined && (
            <button type="submit" className="button" onClick={onLater}>
              {drafts.sendLater}
            </button>
          )}
        </>
      }
    >
      <p>{text}</p>
    </Banner>
  )
}
