import { PREFETCHED } from './app/routes.ts'
import { whenIdle } from './idle.ts'

/** Time without input before the next script is run, in milliseconds. */
const QUIET_MS = 1000

let lastInputAt = 0
const noteInput = (): void => {
  lastInputAt = performance.now()
}

/** Resolves once the browser is online and idle: running a script during a scroll or a keystroke would delay it. */
const untilIdle = async (): Promise<void> => {
  // An import that failed is not retried.
  if (!navigator.onLine) {
    await new Promise((resolve) => addEventListener('online', resolve, { once: true }))
    return untilIdle()
  }
  const leftMs = lastInputAt + QUIET_MS - performance.now()
  if (leftMs > 0) {
    await new Promise((resolve) => setTimeout(resolve, leftMs))
    return untilIdle()
  }
  await new Promise<void>((resolve) => whenIdle(resolve))
}

/** Prefetches and evaluates the scripts that owners will need next, while there is no input. Never rejects. */
export const prefetchScreens = async (): Promise<void> => {
  noteInput()
  for (const type of ['scroll', 'keydown', 'pointerdown'])
    addEventListener(type, noteInput, { passive: true, capture: true })
  for (const screen of PREFETCHED) {
    // One at a time, because evaluating all of them together would delay the next input.
    await untilIdle()
    await screen.load().catch(() => undefined)
  }
  await untilIdle()
}
