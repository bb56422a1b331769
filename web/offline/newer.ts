import { createSignal } from '../signal.ts'

/** True once a new version of the app is ready, so that a reload would start it. */
export const newVersion = createSignal(false)
