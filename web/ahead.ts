import { AHEAD } from './app/routes.ts'

/** How long nobody has done anything before the next script is run. */
const REST_MS = 1000

const whenIdle = globalThis.requestIdleCallback ?? ((task: () => void) => setTimeout(task, 1000))

let busyAt = 0
const notice = (): void => {
  busyAt = performance.now()
}

/** To run a script meanwhile would hold up whoever scrolls, types or points. */
const calm = async (): Promise<void> => {
  // Nobody asks again for what could not be had.
  if (!navigator.onLine) {
    await new Promise((resolve) => addEventListener('online', resolve, { once: true }))
    return calm()
  }
  const restMs = busyAt + REST_MS - performance.now()
  if (restMs > 0) {
    await new Promise((resolve) => setTimeout(resolve, restMs))
    return calm()
  }
  await new Promise<void>((resolve) => whenIdle(() => resolve()))
}

/** Fetches and runs what owners will need next, whenever nobody does anything. Never fails. */
export const fetchAhead = async (): Promise<void> => {
  notice()
  for (const type of ['scroll', 'keydown', 'pointerdown'])
    addEventListener(type, notice, { passive: true, capture: true })
  // A question has to come up without a connection, too.
  for (const load of [
    ...AHEAD.map((screen) => screen.load),
    () => import('./ui/confirm-dialog.tsx'),
  ]) {
    // One at a time: to run all of their scripts at once would hold up whoever begins meanwhile.
    await calm()
    await load().catch(() => undefined)
  }
  await calm()
}
