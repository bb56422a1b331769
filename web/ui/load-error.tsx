import { useMessages } from '../messages/messages.ts'
import { Button } from './button.tsx'

/** Replaces a part of a screen that failed to load, so that the rest of the screen stays. */
export const LoadError = () => {
  const { crash } = useMessages()
  return (
    <div className="card centre-card" role="alert">
      <p>{crash.missing}</p>
      <Button onClick={() => location.reload()}>{crash.reload}</Button>
    </div>
  )
}
