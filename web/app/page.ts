import type { ComponentType } from 'react'

import { localeOfPage } from '../messages/locale.ts'
import { loadMessages, type Area } from '../messages/messages.ts'

/** A screen that is fetched when it is first wanted, or before. */
export interface Page {
  /** Its module, below `web/`: the build names it in the page, so that it is on its way before the app runs. */
  readonly file: string
  /** The areas of the catalogue that it needs, beside `core`. */
  readonly areas: readonly Area[]
  /** The screen, once it is here. */
  readonly current: () => ComponentType | undefined
  readonly load: () => Promise<ComponentType>
}

/** How long a screen that could not be fetched stays so. */
const TIMEOUT_MS = 2000

/**
 * Wraps a dynamic import of a screen, and of the sentences that it says. Unlike `React.lazy`, a page that was prefetched renders at once: the
 * first paint shows the screen and never a fallback.
 */
export const page = (
  file: string,
  fetchScreen: () => Promise<ComponentType>,
  areas: readonly Area[] = [],
): Page => {
  let current: ComponentType | undefined
  let loading: Promise<ComponentType> | undefined
  return {
    file,
    areas,
    current: () => current,
    load: () =>
      (loading ??= Promise.all([fetchScreen(), loadMessages(localeOfPage(), areas)]).then(
        ([screen]) => (current = screen),
        (error: unknown) => {
          // A dropped connection must not keep the page unreachable for good; but who shows the
          // failure has to meet it once more, or would ask again without end.
          setTimeout(() => (loading = undefined), TIMEOUT_MS)
          throw error
        },
      )),
  }
}
