import { ArrowUp } from 'lucide-react'
import { useSyncExternalStore } from 'react'

import { useMessages } from '../messages/messages.ts'

/** From how far down the way back up is offered (spec 9). */
const THRESHOLD_PX = 100

const subscribe = (listener: () => void): (() => void) => {
  addEventListener('scroll', listener, { passive: true })
  return () => removeEventListener('scroll', listener)
}

/** The floating button that leads back to the top of a long page. */
export const ScrollToTop = () => {
  const messages = useMessages()
  const shown = useSyncExternalStore(subscribe, () => scrollY > THRESHOLD_PX)
  return (
    <button
      type="button"
      className="button icon-only to-top"
      hidden={!shown}
      aria-label={messages.shell.scrollToTop}
      onClick={() => {
        // The button is about to hide, and a hidden button that has the focus stops the scrolling.
        document.getElementById('main')?.focus({ preventScroll: true })
        const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
        scrollTo({ top: 0, behavior: calm ? 'instant' : 'smooth' })
      }}
    >
      <ArrowUp className="icon" aria-hidden="true" />
    </button>
  )
}
