import type { ComponentType } from 'react'

import { localeOfPage } from '../messages/locale.ts'
import { loadMessages, type Area } from '../messages/messages.ts'

/** A screen that is loaded on demand, or prefetched. */
export interface Page {
  /** Imports its module. The build reads the path in it, to preload the module before the app runs. */
  readonly fetch: () => Promise<ComponentType>
  /** The message areas it needs besides `core`. */
  readonly areas: readonly Area[]
  /** The component, once it is loaded. */
  readonly current: () => ComponentType | undefined
  readonly load: () => Promise<ComponentType>
  /** Resolves `HOLD_MS` after its first call, in which the first load begins, too. */
  readonly slow: () => Promise<void>
}

/** The script or the messages of a screen could not be fetched. */
export class ScreenLoadError extends Error {
  override name = 'ScreenLoadError'
}

/** How long a navigation keeps the old screen while the new one loads. */
const HOLD_MS = 500

/** How long a failed load is cached. */
const TIMEOUT_MS = 2000

/**
 * Wraps a dynamic import of a screen and its messages. Unlike with `React.lazy`, a prefetched page
 * renders synchronously: the first paint shows the screen and never a fallback.
 */
export const page = (fetch: () => Promise<ComponentType>, areas: readonly Area[] = []): Page => {
  let current: ComponentType | undefined
  let loading: Promise<ComponentType> | undefined
  let slow: Promise<void> | undefined
  return {
    fetch,
    areas,
    current: () => current,
    load: () =>
      (loading ??= Promise.all([fetch(), loadMessages(localeOfPage(), areas)]).then(
        ([screen]) => (current = screen),
        (error: unknown) => {
          // Cleared so that a dropped connection does not keep the page unreachable. The delay prevents an endless
          // loop, in which the error boundary renders, fails and loads again.
          setTimeout(() => (loading = undefined), TIMEOUT_MS)
          throw new ScreenLoadError(String(error), { cause: error })
        },
      )),
    slow: () => (slow ??= new Promise((resolve) => setTimeout(resolve, HOLD_MS))),
  }
}
