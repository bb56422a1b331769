import { useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

import type { SiteFilter } from '#domain/public-read.ts'
import { deviceStorage } from '../../storage.ts'
import { isFiltered, plugFilter, readView, writeFilter, writeView, type MapView } from './view.ts'

/** Changes the view, either as a step of the history that the back button undoes, or in place. */
export type ChangeView = (part: Partial<MapView>, as: 'step' | 'in place') => void

/** The view of the map, stored in the address. */
export const useView = (): { readonly view: MapView; readonly change: ChangeView } => {
  const { search } = useLocation()
  const navigate = useNavigate()
  // The router renders a new address as a transition, and a press must not wait for it.
  const [shown, setShown] = useState(search)
  const [known, setKnown] = useState(search)
  if (known !== search) {
    setKnown(search)
    setShown(search)
  }
  // The user may go back before the router has rendered the step. The address is then the one already known.
  useEffect(() => {
    const follow = (): void => setShown(location.search)
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])
  const view = useMemo(() => readView(shown), [shown])
  const change = useCallback<ChangeView>(
    (part, as) => {
      // Based on the address, because several changes may follow each other before the first one is rendered.
      const before = readView(location.search)
      const changed = writeView({ ...before, ...part })
      setShown(changed)
      // Back would seem to do nothing after a step to the same view.
      const isSame = changed === writeView(before)
      void navigate({ search: changed }, { replace: as === 'in place' || isSame })
    },
    [navigate],
  )
  usePreference(view, change)
  return { view, change }
}

const STORAGE_KEY = 'plug-preference'

/** Applies the plug and power of an earlier visit if the address contains no view. */
const usePreference = (view: MapView, change: ChangeView): void => {
  const arrive = useEffectEvent(() => {
    const { filter } = readView(deviceStorage.get(STORAGE_KEY) ?? '')
    const isBare = view.center === undefined && view.query === '' && view.site === ''
    if (isBare && !isFiltered(view.filter) && isFiltered(filter)) change({ filter }, 'in place')
  })
  useEffect(() => arrive(), [])
}

/** Stores plug and power on this device for the next visit. */
export const keepPreference = (filter: SiteFilter): void =>
  void deviceStorage.set(STORAGE_KEY, `?${writeFilter(plugFilter(filter))}`)
