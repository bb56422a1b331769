import { CONSENT_KEY } from './keys.ts'

// Whether usage analytics may run on this device.

/** `unasked` until somebody has answered. */
export type Consent = 'yes' | 'no' | 'unasked'

const read = (): Consent => {
  try {
    const kept = localStorage.getItem(CONSENT_KEY)
    return kept === 'yes' || kept === 'no' ? kept : 'unasked'
  } catch {
    return 'unasked'
  }
}

let consent = read()
const listeners = new Set<() => void>()

/** Does the browser ask not to be counted (Global Privacy Control, Do Not Track)? Then nobody asks back. */
export const isRefusedByBrowser = (): boolean => {
  const { globalPrivacyControl, doNotTrack } = navigator as Navigator & {
    globalPrivacyControl?: boolean
  }
  return globalPrivacyControl === true || doNotTrack === '1'
}

export const getConsent = (): Consent => consent

export const isAgreed = (): boolean => consent === 'yes' && !isRefusedByBrowser()

/** Remembers an answer; a device that stores nothing is asked again with the next page. */
export const chooseConsent = (answer: 'yes' | 'no'): void => {
  consent = answer
  try {
    localStorage.setItem(CONSENT_KEY, answer)
  } catch {
    // It holds for this page.
  }
  listeners.forEach((listener) => listener())
}

export const subscribeConsent = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

// An answer in another tab holds here, too.
addEventListener('storage', ({ key }) => {
  if (key !== CONSENT_KEY) return
  consent = read()
  listeners.forEach((listener) => listener())
})
