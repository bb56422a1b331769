import type { FeatureCollection } from 'geojson'
import type { ExpressionSpecification, GeoJSONSource } from 'maplibre-gl'

import { PUBLIC_READ_LIMITS, TILE_LAYER } from '#domain/public-read.ts'
import type { Coordinates } from './coordinates.ts'
import { fontOf, type LibreMap } from './map.ts'

export const SITES = 'voltleaf-sites'
const MARKS = 'voltleaf-marks'
const CLUSTERS = `${SITES}-many`
const SINGLES = `${SITES}-one`
/** The layers that can be pressed. */
export const SHAPES = [CLUSTERS, SINGLES]

/** Chosen for contrast with the pale base map; in dark mode the whole canvas is inverted. */
const COLOR = {
  cluster: '#0b3f63',
  site: '#0071b3',
  closed: '#4a6274',
  selected: '#7a1fa2',
  position: '#1a73e8',
  edge: '#ffffff',
}

const IS_CLUSTER: ExpressionSpecification = ['>', ['get', 'count'], 1]
const byStatus = (available: string, other: string): ExpressionSpecification => [
  'case',
  ['==', ['get', 'status'], 'AVAILABLE'],
  available,
  other,
]
/** Formats a count: 950, 1.2k, 35k. */
const COUNT: ExpressionSpecification = [
  'case',
  ['<', ['get', 'count'], 1000],
  ['to-string', ['get', 'count']],
  ['<', ['get', 'count'], 10_000],
  ['concat', ['to-string', ['/', ['round', ['/', ['get', 'count'], 100]], 10]], 'k'],
  ['concat', ['to-string', ['round', ['/', ['get', 'count'], 1000]]], 'k'],
]

/** Adds the layers of sites and marks to a map that has none. */
export const addLayers = (map: LibreMap, tiles: string): void => {
  if (map.getSource(SITES) !== undefined) return
  map.addSource(SITES, {
    type: 'vector',
    tiles: [tiles],
    maxzoom: PUBLIC_READ_LIMITS.singlesZoom,
  })
  map.addSource(MARKS, { type: 'geojson', data: { type: 'FeatureCollection', features: [] } })
  const layer = { source: SITES, 'source-layer': TILE_LAYER }
  map.addLayer({
    ...layer,
    id: SINGLES,
    type: 'circle',
    filter: ['!', IS_CLUSTER],
    layout: { 'circle-sort-key': ['get', 'max_kw'] },
    paint: {
      'circle-color': byStatus(COLOR.site, COLOR.edge),
      'circle-radius': ['interpolate', ['linear'], ['zoom'], 6, 5, 11, 8, 12, 14, 13, 16],
      'circle-stroke-color': byStatus(COLOR.edge, COLOR.closed),
      'circle-stroke-width': 2,
    },
  })
  map.addLayer({
    ...layer,
    id: CLUSTERS,
    type: 'circle',
    filter: IS_CLUSTER,
    layout: { 'circle-sort-key': ['get', 'count'] },
    paint: {
      'circle-color': COLOR.cluster,
      'circle-radius': ['step', ['get', 'count'], 12, 10, 14, 100, 17, 1000, 20],
      'circle-stroke-color': COLOR.edge,
      'circle-stroke-width': 2,
    },
  })
  addMarks(map)
  const font = fontOf(map)
  if (font === undefined) return
  map.addLayer({
    ...layer,
    id: `${SINGLES}-power`,
    type: 'symbol',
    minzoom: 12,
    filter: ['!', IS_CLUSTER],
    layout: {
      'text-font': [...font],
      'text-size': 13,
      'text-line-height': 0.9,
      'text-allow-overlap': true,
      'text-field': [
        'format',
        ['to-string', ['round', ['get', 'max_kw']]],
        {},
        '\nkW',
        { 'font-scale': 0.75 },
      ],
    },
    paint: { 'text-color': byStatus(COLOR.edge, COLOR.closed) },
  })
  map.addLayer({
    ...layer,
    id: `${CLUSTERS}-count`,
    type: 'symbol',
    filter: IS_CLUSTER,
    layout: {
      'text-font': [...font],
      'text-size': 12,
      'text-allow-overlap': true,
      'symbol-sort-key': ['get', 'count'],
      'text-field': COUNT,
    },
    paint: { 'text-color': COLOR.edge },
  })
  map.addLayer({
    id: `${MARKS}-name`,
    type: 'symbol',
    source: MARKS,
    filter: ['has', 'name'],
    layout: {
      'text-font': [...font],
      'text-size': 13,
      'text-field': ['get', 'name'],
      'text-anchor': 'top',
      'text-offset': [0, 1.7],
      'text-allow-overlap': true,
      'text-ignore-placement': true,
    },
    paint: { 'text-color': '#0f2434', 'text-halo-color': '#ffffff', 'text-halo-width': 2 },
  })
}

/** Adds the ring of the selected site and the dot at the visitor's position. */
const addMarks = (map: LibreMap): void => {
  map.addLayer({
    id: `${MARKS}-selected`,
    type: 'circle',
    source: MARKS,
    filter: ['has', 'name'],
    paint: {
      'circle-color': 'transparent',
      'circle-radius': 20,
      'circle-stroke-color': COLOR.selected,
      'circle-stroke-width': 4,
    },
  })
  map.addLayer({
    id: `${MARKS}-position`,
    type: 'circle',
    source: MARKS,
    filter: ['!', ['has', 'name']],
    paint: {
      'circle-color': COLOR.position,
      'circle-radius': 7,
      'circle-stroke-color': COLOR.edge,
      'circle-stroke-width': 3,
    },
  })
}

/** Shows the selected site with its name, and the visitor's position. */
export const showMarks = (
  map: LibreMap,
  selected: (Coordinates & { readonly name: string }) | undefined,
  position: Coordinates | undefined,
): void => {
  const marks = [
    ...(position === undefined ? [] : [{ place: position, properties: {} }]),
    ...(selected === undefined ? [] : [{ place: selected, properties: { name: selected.name } }]),
  ]
  const data: FeatureCollection = {
    type: 'FeatureCollection',
    features: marks.map(({ place: { latitude, longitude }, properties }) => ({
      type: 'Feature',
      properties,
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
    })),
  }
  void map.getSource<GeoJSONSource>(MARKS)?.setData(data)
}
