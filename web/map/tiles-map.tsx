import type { VectorTileSource } from 'maplibre-gl'
import { useEffect, useEffectEvent, useRef, useState } from 'react'

import { useMessages } from '../messages/messages.ts'
import { continentOfDevice } from './continent.ts'
import type { Center, Coordinates } from './coordinates.ts'
import type { LibreMap } from './map.ts'
import { MapFrame } from './map-frame.tsx'
import { addShapeClicks } from './shape-clicks.ts'
import { addLayers, showMarks, SITES } from './tiles-layers.ts'

interface Props {
  /** The URL template of the tiles, with placeholders for `z`, `x` and `y`. */
  readonly tiles: string
  /** The centre of the map; undefined keeps the initial view. */
  readonly center: Center | undefined
  readonly selected: (Coordinates & { readonly name: string }) | undefined
  /** The visitor's position. */
  readonly position: Coordinates | undefined
  /** Called after the visitor has moved the map. */
  readonly onMove: (center: Center) => void
  readonly onChoose: (id: string) => void
}

/**
 * All public sites on a map, in any number; the server clusters them. Colour is never the only sign: a cluster has its
 * count, a site its power, and a site where charging is impossible is hollow.
 */
export const TilesMap = ({ tiles, center, selected, position, onMove, onChoose }: Props) => {
  const text = useMessages().find
  const [map, setMap] = useState<LibreMap>()
  const [view] = useState(() =>
    center === undefined ? { places: continentOfDevice() } : { center, zoom: center.zoom },
  )
  const known = useRef('')
  const isSteered = useRef(false)

  const draw = useEffectEvent((opened: LibreMap) => {
    addLayers(opened, tiles)
    showMarks(opened, selected, position)
  })
  const report = useEffectEvent((opened: LibreMap) => {
    // Ignores a movement that a new one interrupts, and a change of size.
    const moved = centerOf(opened)
    if (isSteered.current || known.current === keyOf(moved)) return
    known.current = keyOf(moved)
    onMove(moved)
  })
  const choose = useEffectEvent((id: string) => onChoose(id))
  const open = (opened: LibreMap) => {
    opened.on('style.load', () => draw(opened))
    if (opened.isStyleLoaded()) draw(opened)
    known.current = keyOf(centerOf(opened))
    opened.on('moveend', (event) => {
      if (!('isToSelected' in event)) report(opened)
    })
    addShapeClicks(opened, { describedBy: 'tiles-map-keys', onChoose: (id) => choose(id) })
    setMap(opened)
  }

  useEffect(() => {
    if (map === undefined || center === undefined) return
    known.current = keyOf(center)
    isSteered.current = true
    moveCamera(map, center)
    isSteered.current = false
  }, [map, center])
  useEffect(() => {
    void map?.getSource<VectorTileSource>(SITES)?.setTiles([tiles])
  }, [map, tiles])
  useEffect(() => {
    if (map === undefined) return
    showMarks(map, selected, position)
  }, [map, selected, position])
  useEffect(() => {
    if (map === undefined || selected === undefined) return
    const { longitude, latitude } = selected
    if (!map.getBounds().contains([longitude, latitude]))
      // The list keeps showing the view in which the site was selected.
      map.easeTo({ center: [longitude, latitude] }, { isToSelected: true })
  }, [map, selected])

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

/** With the precision of a view's URL. */
const keyOf = ({ latitude, longitude, zoom }: Center): string =>
  [latitude.toFixed(5), longitude.toFixed(5), zoom.toFixed(2)].join()

/** Beyond this difference of zoom, or out of sight, the map jumps, because an animation would show nothing. */
const FAR_ZOOMS = 4

const moveCamera = (map: LibreMap, target: Center): void => {
  const at = centerOf(map)
  if (keyOf(at) === keyOf(target)) return
  const { longitude, latitude, zoom } = target
  const center: [number, number] = [longitude, latitude]
  const isNear = Math.abs(at.zoom - zoom) <= FAR_ZOOMS && map.getBounds().contains(center)
  if (isNear) map.easeTo({ center, zoom })
  else map.jumpTo({ center, zoom })
}
