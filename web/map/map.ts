import {
  AttributionControl,
  LngLatBounds,
  Map as LibreMap,
  NavigationControl,
  setWorkerUrl,
  type StyleSpecification,
} from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'

import type { Coordinates } from './coordinates.ts'
import { loadWorldStyle } from './world.ts'
import './map.css'

// The policy allows no worker that is made of text; this one is a file of ours.
setWorkerUrl(workerUrl)

export type { LibreMap }

/** Where a map begins: a place, or as far out as it takes to see all of several. */
export type View =
  | { readonly center: Coordinates; readonly zoom: number }
  | { readonly places: readonly Coordinates[] }

/** What lies under the pins: streets, or the bundled world of countries and coasts. */
export type Ground = 'streets' | 'world'

export interface MapOptions {
  readonly container: HTMLElement
  /** Address of a street map's style, or `none`. */
  readonly styleUrl: string
  readonly view: View
  readonly locale: string
  /** What the map and its buttons are called. */
  readonly names: { readonly map: string; readonly zoomIn: string; readonly zoomOut: string }
  /** Called with the ground that is shown, again when it becomes another one. */
  readonly onGround: (ground: Ground) => void
  /** Ends what is still under way. */
  readonly signal: AbortSignal
}

/** The browser has no WebGL 2, without which there is no map. */
export class NoWebGL extends Error {}

const TIMEOUT_MS = 6_000
/** So many tiles in a row that do not come, and the streets count as out of reach. */
const LOST_TILES = 4
/** Closer than this the bundled world has nothing more to show. */
const WORLD_ZOOM = 6
const STREET_ZOOM = 20
const MARGIN_PX = 48

/**
 * Opens a map in an element. Nothing is asked of the configured origin before this is called. When
 * the streets cannot be had, now or in a moment, it shows the bundled world.
 * @throws {NoWebGL}
 */
export const openMap = async (options: MapOptions): Promise<LibreMap> => {
  const { container, styleUrl, view, locale, names, onGround, signal } = options
  if (document.createElement('canvas').getContext('webgl2') === null) throw new NoWebGL()

  const streets = await loadStreets(styleUrl, signal)
  const style = streets ?? (await loadWorldStyle(locale, signal))
  signal.throwIfAborted()
  let ground: Ground = streets === undefined ? 'world' : 'streets'
  const map = new LibreMap({
    container,
    style,
    ...initialView(view, ground),
    maxZoom: STREET_ZOOM,
    // Turned and tilted maps are hard to read, and harder to turn back.
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    attributionControl: false,
    locale: {
      'Map.Title': names.map,
      'NavigationControl.ZoomIn': names.zoomIn,
      'NavigationControl.ZoomOut': names.zoomOut,
    },
  })
  map.touchZoomRotate.disableRotation()
  map.keyboard.disableRotation()
  map.addControl(new NavigationControl({ showCompass: false }))
  map.addControl(new AttributionControl({ compact: false }))
  signal.addEventListener('abort', () => map.remove(), { once: true })

  let lost = 0
  const fallBack = async (): Promise<void> => {
    if (ground === 'world') return
    ground = 'world'
    const world = await loadWorldStyle(locale, signal)
    map.setStyle(world, { diff: false })
    map.setZoom(Math.min(map.getZoom(), WORLD_ZOOM))
    onGround(ground)
  }
  map.on('data', (event) => {
    if ('tile' in event && event.dataType === 'source') lost = 0
  })
  // With a listener of our own, MapLibre writes nothing to the console.
  map.on('error', (event) => {
    if (signal.aborted) return
    // A single tile that is missing is a hole; a source that does not come is a map without streets.
    lost += 'tile' in event ? 1 : LOST_TILES
    if ('sourceId' in event && lost >= LOST_TILES && !map.loaded()) {
      fallBack().catch((error: unknown) => signal.aborted || reportError(error))
    }
  })
  onGround(ground)
  return map
}

/** The style of the street map; undefined when there is none, or it does not come. */
const loadStreets = async (
  url: string,
  signal: AbortSignal,
): Promise<StyleSpecification | undefined> => {
  if (!URL.canParse(url)) return undefined
  try {
    const answer = await fetch(url, {
      credentials: 'omit',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    if (!answer.ok) return undefined
    const style = (await answer.json()) as Partial<StyleSpecification> | null
    return style?.version === 8 && Array.isArray(style.layers) && style.sources !== undefined
      ? (style as StyleSpecification)
      : undefined
  } catch {
    // Whatever the reason: the person sees the world instead, and is told so.
    signal.throwIfAborted()
    return undefined
  }
}

const initialView = (view: View, ground: Ground) => {
  const limit = ground === 'world' ? WORLD_ZOOM : 16
  if ('center' in view) {
    const { latitude, longitude } = view.center
    return {
      center: [longitude, latitude] as [number, number],
      zoom: ground === 'world' ? Math.min(view.zoom, WORLD_ZOOM) : view.zoom,
    }
  }
  if (view.places.length === 0) return { center: [10, 30] as [number, number], zoom: 0.5 }
  return {
    bounds: boundsOf(view.places),
    fitBoundsOptions: { padding: MARGIN_PX, maxZoom: limit },
  }
}

/** The bounds of all these places. */
export const boundsOf = (places: readonly Coordinates[]): LngLatBounds => {
  const bounds = new LngLatBounds()
  for (const { latitude, longitude } of places) bounds.extend([longitude, latitude])
  return bounds
}

/**
 * The font that a layer of ours may use on this map: that of its own names, or, where letters are
 * drawn by the browser, any. Undefined when there is none to be sure of.
 */
export const fontOf = (map: LibreMap): readonly string[] | undefined => {
  const style = map.getStyle()
  if (style.glyphs === undefined) return ['sans-serif']
  for (const layer of style.layers) {
    const font: unknown = layer.type === 'symbol' ? layer.layout?.['text-font'] : undefined
    if (Array.isArray(font) && font.every((name) => typeof name === 'string')) return font
  }
  return undefined
}
