import { useState, type SyntheticEvent } from 'react'

import type { SiteView } from '../../data/state.ts'
import { deviceStorage } from '../../storage.ts'
import { useMedia } from '../../browser/use-media.ts'
import type { LongListHandle } from '../../ui/long-list.tsx'

/** Local storage key of whether the map is shown on this device. */
const MAP_KEY = 'voltleaf:dashboard-map'
const SHOWN = 'shown'
/** From this width on, the map is beside the list. */
const BESIDE = '(min-width: 68.75rem)'

/** Whether the map is shown, and the site selected on it or in the list. */
export const useMapPanel = (saved: string | undefined) => {
  const [hasMap, setHasMap] = useState(() => deviceStorage.get(MAP_KEY) === SHOWN)
  const [pointed, setPointed] = useState(saved)
  // Without space for both, the map replaces the list.
  const isMapOnly = !useMedia(BESIDE) && hasMap
  return {
    hasMap,
    isMapOnly,
    pointed,
    toggle: () => {
      setHasMap(!hasMap)
      deviceStorage.set(MAP_KEY, hasMap ? '' : SHOWN)
    },
    /** Selects the card or row under the pointer or with the focus. */
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
