import { ArrowUp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'

import { useMessages } from '../messages/messages.ts'
import { IconButton } from '../ui/button.tsx'

/** The floating button that scrolls a long page to the top. */
export const ScrollToTop = () => {
  const messages = useMessages()
  const mark = useRef<HTMLSpanElement>(null)
  const [shown, setShown] = useState(false)
  useEffect(() => {
    if (mark.current === null) return
    // Reading `scrollY` would force a layout in every frame.
    const observer = new IntersectionObserver(
      (entries) => setShown((entries.at(-1)?.intersectionRatio ?? 1) < 0.5),
      { threshold: 0.5 },
    )
    observer.observe(mark.current)
    return () => observer.disconnect()
  }, [])
  return (
    <>
      <span ref={mark} className="to-top-mark" aria-hidden="true" />
      <IconButton
        look="to-top"
        hidden={!shown}
        icon={ArrowUp}
        label={messages.shell.scrollToTop}
        onClick={() => {
          // The button is about to hide, and hiding a focused button stops the scroll.
          document.getElementById('main')?.focus({ preventScroll: true })
          const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
          scrollTo({ top: 0, behavior: calm ? 'instant' : 'smooth' })
        }}
      />
    </>
  )
}
