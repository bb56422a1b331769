import { lazy, type ComponentType, type LazyExoticComponent } from 'react'

import { localeOfPage } from '../messages/locale.ts'
import { loadMessages, type Area } from '../messages/messages.ts'

/**
 * A component that is loaded, with its messages, on first render. If loading fails, `instead` or nothing is rendered,
 * so that the rest of the screen does not fail with it.
 */
export const lazyComponent = <Props extends object>(
  fetchPart: () => Promise<ComponentType<Props>>,
  areas: readonly Area[] = [],
  instead: ComponentType<Props> = () => null,
): LazyExoticComponent<ComponentType<Props>> =>
  lazy(async () => {
    try {
      const [part] = await Promise.all([fetchPart(), loadMessages(localeOfPage(), areas)])
      return { default: part }
    } catch (error) {
      // Any other error is a bug and must be reported.
      if (!isUnfetched(error)) reportError(error)
      return { default: instead }
    }
  })

/**
 * Returns whether loading failed. A script that cannot be fetched rejects with a TypeError, its stylesheet with an
 * Error of Vite.
 */
const isUnfetched = (error: unknown): boolean =>
  error instanceof TypeError || String(error).includes('Unable to preload CSS')
