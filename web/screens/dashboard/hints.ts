import type { SiteView } from '../../data/state.ts'
import { deviceStorage } from '../../storage.ts'
import type { Lack } from './list-view.ts'
import { lacks } from './overview.ts'

/** Optional parts that improve a site. */
const HINTS = ['photo', 'cost', 'contact'] as const satisfies readonly Lack[]
export type HintKind = (typeof HINTS)[number]

/** A part to add to a site. */
export interface Hint {
  readonly kind: HintKind
  readonly siteId: string
}

/** The next hint, of a kind that the user has not dismissed. */
export const findHint = (
  sites: readonly SiteView[],
  dismissed: readonly HintKind[],
): Hint | undefined => {
  // Closed sites need no improvement.
  const kept = sites.filter(({ status }) => status !== 'REMOVED')
  for (const kind of HINTS) {
    if (dismissed.includes(kind)) continue
    const site = kept.find((each) => lacks(each, kind))
    if (site !== undefined) return { kind, siteId: site.id }
  }
  return undefined
}

const keyOf = (userId: string): string => `voltleaf:hints:${userId}`

/** The kinds of hints that the user has dismissed on this device. */
export const recallDismissed = (userId: string): readonly HintKind[] => {
  const kept = (deviceStorage.get(keyOf(userId)) ?? '').split(' ')
  return HINTS.filter((kind) => kept.includes(kind))
}

export const rememberDismissed = (userId: string, kinds: readonly HintKind[]): void =>
  void deviceStorage.set(keyOf(userId), kinds.join(' '))
