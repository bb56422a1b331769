import type { FeatureCollection, Geometry } from 'geojson'
import type { GeoJSONSource, MapMouseEvent } from 'maplibre-gl'
import { useEffect, useEffectEvent, useRef, useState } from 'react'

import { useMessages } from '../messages/messages.ts'
import type { Coordinates } from './coordinates.ts'
import { distanceM } from '#domain/distance.ts'
import { boundsOf, fontOf, type LibreMap } from './map.ts'
import { MapFrame } from './map-frame.tsx'

/** A site as the map shows it. */
export interface MapSite extends Coordinates {
  readonly id: string
  readonly name: string
}

interface Props {
  readonly sites: readonly MapSite[]
  readonly selectedId: string | undefined
  readonly onSelect: (id: string) => void
}

const SITES = 'voltleaf-sites'
const SELECTED = 'voltleaf-selected'
const CLICKABLE = [`${SITES}-many`, `${SITES}-one`, SELECTED]
/** Chosen for contrast with the pale base map; in dark mode the whole canvas is inverted. */
const COLOR = { site: '#0071b3', selected: '#7a1fa2', edge: '#ffffff' }

/**
 * The sites of an owner on a map, in any number. Nearby sites are clustered into a circle with their count. Fits all of
 * them into view; the selected one is ringed and labelled. Mount it on intent only (it immediately requests the
 * configured map's origin), and in a box that has a height.
 */
export const SitesMap = ({ sites, selectedId, onSelect }: Props) => {
  const text = useMessages().map
  const [map, setMap] = useState<LibreMap>()
  const [view] = useState(() => ({ places: sites }))
  const known = useRef(sites)
  const selected = sites.find(({ id }) => id === selectedId)

  const draw = useEffectEvent((opened: LibreMap) => {
    addLayers(opened)
    show(opened, SITES, sites)
    show(opened, SELECTED, selected === undefined ? [] : [selected])
  })
  const click = useEffectEvent((opened: LibreMap, event: MapMouseEvent) => {
    const [feature] = opened.queryRenderedFeatures(around(event.point), {
      layers: CLICKABLE.filter((layer) => opened.getLayer(layer) !== undefined),
    })
    const id: unknown = feature?.properties['id']
    if (typeof id === 'string') onSelect(id)
    else if (feature?.geometry.type === 'Point') void openCluster(opened, feature)
  })
  const key = useEffectEvent((opened: LibreMap, event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    const { lat: latitude, lng: longitude } = opened.getCenter()
    const nearest = nearestTo({ latitude, longitude }, sites)
    if (nearest !== undefined) onSelect(nearest.id)
  })
  const open = (opened: LibreMap) => {
    opened.on('style.load', () => draw(opened))
    if (opened.isStyleLoaded()) draw(opened)
    opened.on('click', (event) => click(opened, event))
    opened.on('mousemove', CLICKABLE, () => (opened.getCanvas().style.cursor = 'pointer'))
    opened.on('mouseleave', CLICKABLE, () => (opened.getCanvas().style.cursor = ''))
    opened.getCanvas().addEventListener('keydown', (event) => key(opened, event))
    opened.getCanvas().setAttribute('aria-describedby', 'sites-map-keys')
    setMap(opened)
  }

  useEffect(() => {
    if (map === undefined || known.current === sites) return
    known.current = sites
    show(map, SITES, sites)
  }, [map, sites])
  useEffect(() => {
    if (map === undefined) return
    show(map, SELECTED, selected === undefined ? [] : [selected])
    if (selected === undefined) return
    if (!map.getBounds().contains(boundsOf([selected]).getCenter())) {
      map.easeTo({ center: [selected.longitude, selected.latitude] })
    }
    // oxlint-disable-next-line react/exhaustive-deps -- only another choice moves the map
  }, [map, selectedId])

  return (
    <MapFrame label={text.sites} view={view} without={text.withoutSites} onOpen={open}>
      <span className="map-cross" aria-hidden="true" />
      <p className="visually-hidden" id="sites-map-keys">
        {text.sitesKeys}
      </p>
      <output className="visually-hidden">
        {selected !== undefined && text.selected(selected.name)}
      </output>
    </MapFrame>
  )
}

/** A finger is wider than a point. */
const around = ({ x, y }: { x: number; y: number }): [[number, number], [number, number]] => [
  [x - 8, y - 8],
  [x + 8, y + 8],
]

const nearestTo = (place: Coordinates, sites: readonly MapSite[]): MapSite | undefined => {
  let best: { site: MapSite; away: number } | undefined
  for (const site of sites) {
    const away = distanceM(place, site)
    if (best === undefined || away < best.away) best = { site, away }
  }
  return best?.site
}

const openCluster = async (
  map: LibreMap,
  feature: { properties: Record<string, unknown>; geometry: Geometry },
): Promise<void> => {
  if (feature.geometry.type !== 'Point') return
  const source = map.getSource<GeoJSONSource>(SITES)
  const zoom = await source?.getClusterExpansionZoom(Number(feature.properties['cluster_id']))
  const [lng = 0, lat = 0] = feature.geometry.coordinates
  map.easeTo({ center: [lng, lat], ...(zoom !== undefined && { zoom: zoom + 0.5 }) })
}

const show = (map: LibreMap, source: string, sites: readonly MapSite[]): void => {
  void map.getSource<GeoJSONSource>(source)?.setData(toFeatures(sites))
}

const toFeatures = (sites: readonly MapSite[]): FeatureCollection => ({
  type: 'FeatureCollection',
  features: sites.map(({ id, name, latitude, longitude }) => ({
    type: 'Feature',
    properties: { id, name },
    geometry: { type: 'Point', coordinates: [longitude, latitude] },
  })),
})

const addLayers = (map: LibreMap): void => {
  if (map.getSource(SITES) !== undefined) return
  const data = toFeatures([])
  map.addSource(SITES, { type: 'geojson', data, cluster: true, clusterRadius: 44 })
  map.addSource(SELECTED, { type: 'geojson', data })
  map.addLayer({
    id: `${SITES}-many`,
    type: 'circle',
    source: SITES,
    filter: ['has', 'point_count'],
    paint: {
      'circle-color': COLOR.site,
      'circle-radius': ['step', ['get', 'point_count'], 15, 10, 18, 100, 22, 1000, 27],
      'circle-stroke-color': COLOR.edge,
      'circle-stroke-width': 2,
    },
  })
  map.addLayer({
    id: `${SITES}-one`,
    type: 'circle',
    source: SITES,
    filter: ['!', ['has', 'point_count']],
    paint: {
      'circle-color': COLOR.site,
      'circle-radius': 9,
      'circle-stroke-color': COLOR.edge,
      'circle-stroke-width': 2.5,
    },
  })
  map.addLayer({
    id: SELECTED,
    type: 'circle',
    source: SELECTED,
    paint: {
      'circle-color': COLOR.selected,
      'circle-radius': 12,
      'circle-stroke-color': COLOR.edge,
      'circle-stroke-width': 3.5,
    },
  })
  const font = fontOf(map)
  if (font === undefined) return
  const named = { 'text-font': [...font], 'text-size': 13 }
  map.addLayer({
    id: `${SITES}-count`,
    type: 'symbol',
    source: SITES,
    filter: ['has', 'point_count'],
    layout: {
      ...named,
      'text-field': ['get', 'point_count_abbreviated'],
      'text-allow-overlap': true,
    },
    paint: { 'text-color': '#ffffff' },
  })
  map.addLayer({
    id: `${SELECTED}-name`,
    type: 'symbol',
    source: SELECTED,
    layout: {
      ...named,
      'text-field': ['get', 'name'],
      'text-anchor': 'top',
      'text-offset': [0, 1.2],
      'text-allow-overlap': true,
      'text-ignore-placement': true,
    },
    paint: { 'text-color': '#0f2434', 'text-halo-color': '#ffffff', 'text-halo-width': 2 },
  })
}
