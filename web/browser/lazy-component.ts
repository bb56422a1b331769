import { lazy, type ComponentType, type LazyExoticComponent } from 'react'

import { localeOfPage } from '../messages/locale.ts'
import { loadMessages, type Area } from '../messages/messages.ts'

/**
 * A part of a screen that nobody waits for, fetched with its sentences when it is first shown. When
 * it cannot be fetched, `instead` stands in for it, or nothing: what is around it must not go down
 * with it.
 */
export const late = <Props extends object>(
  fetchPart: () => Promise<ComponentType<Props>>,
  areas: readonly Area[] = [],
  instead: ComponentType<Props> = () => null,
): LazyExoticComponent<ComponentType<Props>> =>
  lazy(async () => {
    try {
      const [part] = await Promise.all([fetchPart(), loadMessages(localeOfPage(), areas)])
      return { default: part }
    } catch {
      return { default: instead }
    }
  })
