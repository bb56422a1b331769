import { useEffect, useState } from 'react'

import type { OpeningHours } from '#domain/hours.ts'
import { openState } from '#domain/hours/open.ts'
import { sayOpenState, type HoursSpeech } from '#domain/hours/sentence.ts'

/** Maximum time between two updates, because timers stop while a device sleeps, and the sentence names days. */
const MAX_WAIT_MS = 60_000

/** Returns whether a site is open and until when, as a sentence. Updates when the site opens or closes. */
export const useOpenState = (
  hours: OpeningHours,
  speech: HoursSpeech,
): { readonly isOpen: boolean; readonly text: string } => {
  const [now, setNow] = useState(Date.now)
  const state = openState(hours, speech.zone, now)
  const { isOpen, changesAt = Infinity } = state
  useEffect(() => {
    const waitMs = Math.min(changesAt - now, MAX_WAIT_MS)
    const timer = setTimeout(() => setNow(Date.now()), waitMs)
    return () => clearTimeout(timer)
  }, [now, changesAt])
  return { isOpen, text: sayOpenState(state, now, speech) }
}
