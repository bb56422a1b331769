import { useEffect, useRef } from 'react'

import { useNotices, useSignedIn, useQueuedWrites } from '../data/react.ts'
import { loadMessages, useLanguage } from '../messages/messages.ts'
import { toast } from '../ui/toast.ts'

/** Announces that the queued changes were sent; otherwise only their marks would disappear. */
export const SyncToast = () => {
  const { language } = useLanguage()
  const queued = useQueuedWrites()
  const notices = useNotices()
  const signedIn = useSignedIn()
  const former = useRef(queued)
  const sent = useRef(0)

  useEffect(() => {
    const isRefused = (id: string) => notices.some(({ subject }) => subject === id)
    const gone = former.current.filter(({ id }) => queued.every((each) => each.id !== id))
    former.current = queued
    // Other changes were undone while offline, or deleted with the session.
    if (signedIn && navigator.onLine) sent.current += gone.filter(({ id }) => !isRefused(id)).length
    if (queued.length > 0 || sent.current === 0) return
    const count = sent.current
    sent.current = 0
    void loadMessages(language, ['many']).then(
      ({ many }) => toast(many.sent(count)),
      () => undefined,
    )
  }, [language, queued, notices, signedIn])

  return null
}
