import { CONSENT_KEY } from './keys.ts'

// Consent to usage analytics on this device.

/** `unasked` until the visitor answers. */
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

/**
 * Returns whether the browser opts out (Global Privacy Control, Do Not Track); then the question is not
 * shown.
 */
export const isRefusedByBrowser = (): boolean => {
  const { globalPrivacyControl, doNotTrack } = navigator as Navigator & {
    globalPrivacyControl?: boolean
  }
  return globalPrivacyControl === true || doNotTrack === '1'
}

export const getConsent = (): Consent => consent

export const isAgreed = (): boolean => consent === 'yes' && !isRefusedByBrowser()

/** Stores the answer; a device that refuses storage is asked again on the next page. */
export const chooseConsent = (answer: 'yes' | 'no'): void => {
  consent = answer
  try {
    localStorage.setItem(CONSENT_KEY, answer)
  } catch {
    // The answer holds for this page.
  }
  listeners.forEach((listener) => listener())
}

export const subscribeConsent = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

// An answer in another tab applies here, too.
addEventListener('storage', ({ key }) => {
  if (key !== CONSENT_KEY) return
  consent = read()
  listeners.forEach((listener) => listener())
})
