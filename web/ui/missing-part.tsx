import { useMessages } from '../messages/messages.ts'

/** Replaces a part of a screen that failed to load: the rest of the screen stays. */
export const MissingPart = () => {
  const { crash } = useMessages()
  return (
    <div className="card centre-card" role="alert">
      <p>{crash.missing}</p>
      <button type="button" className="button" onClick={() => location.reload()}>
        {crash.reload}
      </button>
    </div>
  )
}
