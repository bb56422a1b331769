import { useEffect, useState } from 'react'

import type { OpeningHours } from '#domain/hours.ts'
import { openState } from '#domain/hours/open.ts'
import { sayOpenState, type HoursSpeech } from '#domain/hours/sentence.ts'

/** It is looked at again at least this often: a device may have slept, and at midnight other days are named. */
const MAX_WAIT_MS = 60_000

/** Whether a site is open just now, and until when, in words; anew as soon as that changes. */
export const useOpenState = (
  hours: OpeningHours,
  speech: HoursSpeech,
): { readonly isOpen: boolean; readonly said: string } => {
  const [now, setNow] = useState(Date.now)
  const state = openState(hours, speech.zone, now)
  const { isOpen, changesAt = Infinity } = state
  useEffect(() => {
    const waitMs = Math.min(changesAt - Date.now(), MAX_WAIT_MS)
    const timer = setTimeout(() => setNow(Date.now()), Math.max(waitMs, 0))
    return () => clearTimeout(timer)
  }, [now, changesAt])
  return { isOpen, said: sayOpenState(state, now, speech) }
}
