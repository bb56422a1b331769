import { AHEAD } from './app/routes.ts'
import type { Store } from './data/state.ts'
import { keepOffline } from './offline/offline.ts'

/** How long nobody has done anything before the next script is run. */
const REST_MS = 1000

const whenIdle = globalThis.requestIdleCallback ?? ((task: () => void) => setTimeout(task, 1000))

let busyAt = 0
const notice = (): void => {
  busyAt = performance.now()
}

/** To run a script meanwhile would hold up whoever scrolls, types or points. */
const calm = async (): Promise<void> => {
  const restMs = busyAt + REST_MS - performance.now()
  if (restMs > 0) {
    await new Promise((resolve) => setTimeout(resolve, restMs))
    return calm()
  }
  await new Promise<void>((resolve) => whenIdle(() => resolve()))
}

/**
 * Fetches what whoever is signed in will need next, and lets the device keep the app; whenever
 * nobody does anything.
 * @param entry the address of the app's first module
 */
export const prepare = async (store: Store, basePath: string, entry: string): Promise<void> => {
  notice()
  for (const type of ['scroll', 'keydown', 'pointerdown'])
    addEventListener(type, notice, { passive: true, capture: true })
  // Only for people who will need them: a first visit stays small.
  const ahead = store.isSignedIn()
    ? // A question has to come up without a connection, too.
      [...AHEAD.map((screen) => screen.load), () => import('./ui/confirm-dialog.tsx')]
    : []
  for (const load of ahead) {
    // One at a time: to run all of their scripts at once would hold up whoever begins meanwhile.
    await calm()
    await load().catch(() => undefined)
  }
  await calm()
  if (import.meta.env.PROD) keepOffline({ basePath, entry, store })
}
