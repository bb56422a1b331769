import { createSignal } from '../signal.ts'
import { deviceStorage } from '../storage.ts'
import { CONSENT_KEY } from './keys.ts'

/** Consent to usage analytics on this device; `unasked` until the visitor answers. */
export type Consent = 'yes' | 'no' | 'unasked'

const read = (): Consent => {
  const kept = deviceStorage.get(CONSENT_KEY)
  return kept === 'yes' || kept === 'no' ? kept : 'unasked'
}

export const consent = createSignal(read())

/** Returns whether the browser opts out (Global Privacy Control, Do Not Track). If so, the question is not shown. */
export const isRefusedByBrowser = (): boolean => {
  const { globalPrivacyControl, doNotTrack } = navigator as Navigator & {
    globalPrivacyControl?: boolean
  }
  return globalPrivacyControl === true || doNotTrack === '1'
}

export const isAgreed = (): boolean => consent.get() === 'yes' && !isRefusedByBrowser()

/** Stores the answer; a device that refuses storage is asked again on the next page. */
export const chooseConsent = (answer: 'yes' | 'no'): void => {
  deviceStorage.set(CONSENT_KEY, answer)
  consent.set(answer)
}

// An answer in another tab applies here, too.
addEventListener('storage', ({ key }) => {
  if (key === CONSENT_KEY) consent.set(read())
})
