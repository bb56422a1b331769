import { Suspense, useEffect, useMemo, useRef, useState, type RefObject } from 'react'

import type { ListedSite, Suggestion } from '#domain/public-read.ts'
import { lazyComponent } from '../../browser/lazy-component.ts'
import { createPublicSites, tilesAddress } from '../../data/public-sites.ts'
import { whenIdle } from '../../idle.ts'
import type { Coordinates } from '../../map/coordinates.ts'
import { useMessages } from '../../messages/messages.ts'
import { useSettings } from '../../settings.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { usePublicSite } from '../shared/use-public-site.ts'
import { SelectedSite } from './selected-site.tsx'
import './map.css'
import { Results } from './results.tsx'
import { rowId } from './site-list.tsx'
import { Tools } from './tools.tsx'
import { useNearMe } from './use-near-me.ts'
import { useSites } from './use-sites.ts'
import { useView } from './use-view.ts'
import { isFiltered, isSameCenter, writeFilter, writeView } from './view.ts'

/** Replaces the map if its script cannot be loaded. */
const MissingMap = () => (
  <p className="finder-note" data-map="missing" role="alert">
    {useMessages().find.missingMap}
  </p>
)

const TilesMap = lazyComponent(
  async () => (await import('../../map/tiles-map.tsx')).TilesMap,
  [],
  MissingMap,
)

const ZOOM = { near: 13, town: 12, site: 15 } as const

/**
 * The search for a charger: a list, and a map beside it or below the list's sheet. The address contains the whole view.
 */
export const TravellersMap = () => {
  const basePath = useSettings()['base-path']
  const sites = useMemo(() => createPublicSites(basePath), [basePath])
  const { view, change } = useView()
  const { center, filter, query } = view
  const list = useSites(sites, center, filter)
  const { site, problem } = usePublicSite(sites, view.site, list.items)
  const panel = useSelectionFocus(view.site)
  const nearMe = useNearMe((place) => {
    change({ center: { ...place, zoom: ZOOM.near }, query: '', site: '' }, 'step')
  })
  const place = useRef<HTMLDivElement>(null)
  const isMapSeen = useSeen(place)
  const tiles = useMemo(() => tilesAddress(basePath, writeFilter(filter)), [basePath, filter])

  useEffect(() => {
    // The address contains only a site, so the map moves to it.
    if (center === undefined && site !== undefined)
      change({ center: { ...placeOf(site), zoom: ZOOM.site } }, 'in place')
  }, [center, site, change])

  const goTo = (suggestion: Suggestion) => {
    const { kind, name } = suggestion
    nearMe.forget()
    change(
      {
        center: { ...placeOf(suggestion), zoom: ZOOM[kind] },
        query: name,
        site: kind === 'site' ? suggestion.id : '',
      },
      // An address with only a text is completed.
      center === undefined && query !== '' ? 'in place' : 'step',
    )
  }
  const choose = (id: string) => {
    nearMe.forget()
    change({ site: id }, view.site === '' ? 'step' : 'in place')
  }
  const isFromDevice =
    nearMe.position !== undefined && isSameCenter({ ...nearMe.position, zoom: ZOOM.near }, center)

  return (
    <div className="finder">
      <Tools
        search={{
          sites,
          query,
          isArrival: center === undefined,
          onChoose: goTo,
          onClear: () => change({ query: '' }, 'in place'),
        }}
        filters={{ filter, onChange: (next) => change({ filter: next }, 'in place') }}
        isLocating={nearMe.state === 'busy'}
        onLocate={nearMe.locate}
      />
      <div className="finder-results">
        <NearMeNote state={nearMe.state} />
        {view.site !== '' && (
          <SelectedSite
            site={site}
            position={nearMe.position}
            problem={problem}
            ref={panel}
            onClose={() => change({ site: '' }, 'step')}
          />
        )}
        <Results
          list={list}
          isStarted={center !== undefined}
          isFiltered={isFiltered(filter)}
          isFromDevice={isFromDevice}
          selectedId={view.site}
          linkOf={(id) => writeView({ ...view, site: id })}
          onOpen={nearMe.forget}
          onLocate={nearMe.locate}
        />
      </div>
      <div className="finder-map" ref={place}>
        <Suspense fallback={<MapWaiting />}>
          {isMapSeen ? (
            <TilesMap
              tiles={tiles}
              center={center}
              selected={site}
              position={nearMe.position}
              onMove={(moved) => change({ center: moved }, 'in place')}
              onChoose={choose}
            />
          ) : (
            <MapWaiting />
          )}
        </Suspense>
      </div>
    </div>
  )
}

const NearMeNote = ({ state }: Pick<ReturnType<typeof useNearMe>, 'state'>) => {
  const text = useMessages().find
  return state === 'idle' ? null : (
    <p className="finder-note" role={state === 'busy' ? 'status' : 'alert'}>
      {text[NEAR_ME_WORDS[state]]}
    </p>
  )
}

const NEAR_ME_WORDS = { busy: 'locating', denied: 'denied', lost: 'lost' } as const

const MapWaiting = () => (
  <p className="finder-map-waiting">
    <Spinner /> {useMessages().shell.loading}
  </p>
)

const placeOf = ({ latitude, longitude }: Suggestion | ListedSite): Coordinates => ({
  latitude,
  longitude,
})

/** Focuses the card of a site when it is selected, and its row when the card is closed. Returns the ref of the card. */
const useSelectionFocus = (id: string): RefObject<HTMLElement | null> => {
  const card = useRef<HTMLElement>(null)
  const before = useRef(id)
  useEffect(() => {
    if (before.current === id) return
    const left = before.current
    before.current = id
    if (id === '') return document.getElementById(rowId(left))?.focus()
    card.current?.focus({ preventScroll: true })
    scrollTo({ top: 0 })
  }, [id])
  return card
}

/** Returns true once an element has been visible while the browser was idle. */
const useSeen = (element: RefObject<HTMLElement | null>): boolean => {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    if (element.current === null) return
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      observer.disconnect()
      whenIdle(() => setSeen(true), 200)
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return isSeen
}
