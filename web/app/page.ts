import type { ComponentType } from 'react'

/** A screen that is fetched when it is first wanted, or before. */
export interface Page {
  /** The screen, once it is here. */
  readonly current: () => ComponentType | undefined
  readonly load: () => Promise<ComponentType>
}

/**
 * Wraps a dynamic import. Unlike `React.lazy`, a page that was loaded ahead renders at once: the
 * first paint shows the screen and never a fallback.
 */
export const page = (fetchScreen: () => Promise<ComponentType>): Page => {
  let current: ComponentType | undefined
  let loading: Promise<ComponentType> | undefined
  return {
    current: () => current,
    load: () =>
      (loading ??= fetchScreen().then(
        (screen) => (current = screen),
        (error: unknown) => {
          // A dropped connection must not keep the page unreachable for good.
          loading = undefined
          throw error
        },
      )),
  }
}
