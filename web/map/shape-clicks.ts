import type { MapGeoJSONFeature, MapMouseEvent } from 'maplibre-gl'

import type { LibreMap } from './map.ts'
import { SHAPES } from './tiles-layers.ts'

interface Options {
  /** The id of the element that describes the keys. */
  readonly describedBy: string
  /** Called with the id of a site. */
  readonly onChoose: (id: string) => void
}

/** Makes the sites and clusters of tiles pressable. By keyboard, Enter presses the one nearest to the centre. */
export const addShapeClicks = (map: LibreMap, { describedBy, onChoose }: Options): void => {
  const take = (feature: MapGeoJSONFeature | undefined): void => {
    const id: unknown = feature?.properties['id']
    if (typeof id === 'string') onChoose(id)
    else if (feature?.geometry.type === 'Point') openCluster(map, feature.geometry.coordinates)
  }
  const canvas = map.getCanvas()
  map.on('click', ({ point }: MapMouseEvent) => take(nearest(map, point, REACH_PX)))
  map.on('mousemove', SHAPES, () => (canvas.style.cursor = 'pointer'))
  map.on('mouseleave', SHAPES, () => (canvas.style.cursor = ''))
  canvas.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    take(nearest(map, map.project(map.getCenter())))
  })
  canvas.setAttribute('aria-describedby', describedBy)
}

/** A finger is wider than a point. */
const REACH_PX = 8
const ZOOMS_OF_A_CLUSTER = 2

const openCluster = (map: LibreMap, [lng = 0, lat = 0]: readonly number[]): void => {
  map.easeTo({ center: [lng, lat], zoom: map.getZoom() + ZOOMS_OF_A_CLUSTER })
}

/** The shape nearest to a point, within reach or anywhere. */
const nearest = (
  map: LibreMap,
  { x, y }: { readonly x: number; readonly y: number },
  reachPx?: number,
): MapGeoJSONFeature | undefined => {
  const layers = SHAPES.filter((layer) => map.getLayer(layer) !== undefined)
  const found = map.queryRenderedFeatures(
    reachPx === undefined
      ? undefined
      : [
          [x - reachPx, y - reachPx],
          [x + reachPx, y + reachPx],
        ],
    { layers },
  )
  let best: { feature: MapGeoJSONFeature; away: number } | undefined
  for (const feature of found) {
    if (feature.geometry.type !== 'Point') continue
    const [lng = 0, lat = 0] = feature.geometry.coordinates
    const at = map.project([lng, lat])
    const away = Math.hypot(at.x - x, at.y - y)
    if (best === undefined || away < best.away) best = { feature, away }
  }
  return best?.feature
}
