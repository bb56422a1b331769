import { useState, type SyntheticEvent } from 'react'

import type { SiteView } from '../../data/state.ts'
import { recall, remember } from '../../browser/local-storage.ts'
import { useMedia } from '../../browser/use-media.ts'
import type { LongListHandle } from '../../ui/long-list.tsx'

/** The map was asked for on this device. */
const MAP_KEY = 'voltleaf:dashboard-map'
const SHOWN = 'shown'
/** From here on the map stands beside the list. */
const BESIDE = '(min-width: 68.75rem)'

/** Whether the map is there, and which site is chosen on it or in the list beside it. */
export const useMapChoice = (saved: string | undefined) => {
  const [hasMap, setHasMap] = useState(() => recall(MAP_KEY) === SHOWN)
  const [pointed, setPointed] = useState(saved)
  // Where there is no room for both, the map stands in for the list.
  const isMapOnly = !useMedia(BESIDE) && hasMap
  return {
    hasMap,
    isMapOnly,
    pointed,
    toggle: () => {
      setHasMap(!hasMap)
      remember(MAP_KEY, hasMap ? '' : SHOWN)
    },
    /** Follows the pointer and the focus: whatever card or row they are on is chosen. */
    pointAt: ({ target }: SyntheticEvent) => {
      if (!hasMap || !(target instanceof Element)) return
      const id = target.closest<HTMLElement>('[data-site]')?.dataset['site']
      if (id !== undefined) setPointed(id)
    },
    select: (id: string, shown: readonly SiteView[], long: LongListHandle | null) => {
      setPointed(id)
      const element = document.querySelector(`[data-site="${id}"]`)
      if (element === null) long?.reveal(shown.findIndex((site) => site.id === id))
      else element.scrollIntoView({ block: 'center' })
    },
  }
}
