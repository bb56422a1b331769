import type { MapGeoJSONFeature, MapMouseEvent, VectorTileSource } from 'maplibre-gl'
import { useEffect, useEffectEvent, useRef, useState } from 'react'

import { useMessages } from '../messages/messages.ts'
import { continentOfDevice } from './continent.ts'
import type { Center, Coordinates } from './coordinates.ts'
import type { LibreMap } from './map.ts'
import { MapFrame } from './map-frame.tsx'
import { addLayers, SHAPES, showMarks, SITES } from './tiles-layers.ts'

interface Props {
  /** The address of the tiles, with places for `z`, `x` and `y`. */
  readonly tiles: string
  /** Where the map is; undefined leaves it where it begins. */
  readonly center: Center | undefined
  readonly chosen: (Coordinates & { readonly name: string }) | undefined
  /** Where the visitor is. */
  readonly position: Coordinates | undefined
  /** Called after the visitor has moved the map. */
  readonly onMove: (center: Center) => void
  readonly onChoose: (id: string) => void
}

/**
 * All public sites on a map, in any number: the server makes clusters. Colour is never the only sign: a cluster
 * has its count, a site its power, and one where nobody can charge is hollow.
 */
export const TilesMap = ({ tiles, center, chosen, position, onMove, onChoose }: Props) => {
  const text = useMessages().find
  const [map, setMap] = useState<LibreMap>()
  const [view] = useState(() =>
    center === undefined ? { places: continentOfDevice() } : { center, zoom: center.zoom },
  )
  const known = useRef('')
  const isSteered = useRef(false)

  const draw = useEffectEvent((opened: LibreMap) => {
    addLayers(opened, tiles)
    showMarks(opened, chosen, position)
  })
  const report = useEffectEvent((opened: LibreMap) => {
    // A movement that a new one interrupts, or a change of size.
    const moved = centerOf(opened)
    if (isSteered.current || known.current === keyOf(moved)) return
    known.current = keyOf(moved)
    onMove(moved)
  })
  const take = useEffectEvent((opened: LibreMap, feature: MapGeoJSONFeature | undefined) => {
    const id: unknown = feature?.properties['id']
    if (typeof id === 'string') onChoose(id)
    else if (feature?.geometry.type === 'Point') openCluster(opened, feature.geometry.coordinates)
  })
  const open = (opened: LibreMap) => {
    opened.on('style.load', () => draw(opened))
    if (opened.isStyleLoaded()) draw(opened)
    known.current = keyOf(centerOf(opened))
    opened.on('moveend', () => report(opened))
    opened.on('click', ({ point }: MapMouseEvent) => take(opened, nearest(opened, point, REACH_PX)))
    opened.on('mousemove', SHAPES, () => (opened.getCanvas().style.cursor = 'pointer'))
    opened.on('mouseleave', SHAPES, () => (opened.getCanvas().style.cursor = ''))
    opened.getCanvas().addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return
      event.preventDefault()
      take(opened, nearest(opened, opened.project(opened.getCenter())))
    })
    opened.getCanvas().setAttribute('aria-describedby', 'tiles-map-keys')
    setMap(opened)
  }

  useEffect(() => {
    if (map === undefined || center === undefined) return
    known.current = keyOf(center)
    isSteered.current = true
    steer(map, center)
    isSteered.current = false
  }, [map, center])
  useEffect(() => {
    void map?.getSource<VectorTileSource>(SITES)?.setTiles([tiles])
  }, [map, tiles])
  useEffect(() => {
    if (map === undefined) return
    showMarks(map, chosen, position)
  }, [map, chosen, position])
  useEffect(() => {
    if (map === undefined || chosen === undefined) return
    const { longitude, latitude } = chosen
    if (!map.getBounds().contains([longitude, latitude]))
      map.easeTo({ center: [longitude, latitude] })
  }, [map, chosen])

  return (
    <MapFrame label={text.map} view={view} keepsZoom without={text.withoutMap} onOpen={open}>
      <span className="map-cross" aria-hidden="true" />
      <p className="visually-hidden" id="tiles-map-keys">
        {text.keys}
      </p>
    </MapFrame>
  )
}

const centerOf = (map: LibreMap): Center => {
  const { lat: latitude, lng: longitude } = map.getCenter().wrap()
  return { latitude, longitude, zoom: map.getZoom() }
}

/** As precise as the address of a view. */
const keyOf = ({ latitude, longitude, zoom }: Center): string =>
  [latitude.toFixed(5), longitude.toFixed(5), zoom.toFixed(2)].join()

/** Above this difference of zoom, and out of sight, the way there shows nothing. */
const FAR_ZOOMS = 4

const steer = (map: LibreMap, target: Center): void => {
  const at = centerOf(map)
  if (keyOf(at) === keyOf(target)) return
  const { longitude, latitude, zoom } = target
  const center: [number, number] = [longitude, latitude]
  const isNear = Math.abs(at.zoom - zoom) <= FAR_ZOOMS && map.getBounds().contains(center)
  if (isNear) map.easeTo({ center, zoom })
  else map.jumpTo({ center, zoom })
}

/** A finger is wider than a point. */
const REACH_PX = 8
const ZOOMS_OF_A_CLUSTER = 2

const openCluster = (map: LibreMap, [lng = 0, lat = 0]: readonly number[]): void => {
  map.easeTo({ center: [lng, lat], zoom: map.getZoom() + ZOOMS_OF_A_CLUSTER })
}

/** What is drawn nearest to a point, within reach of it or anywhere. */
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
