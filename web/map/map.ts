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

// The content security policy forbids workers from blobs, so this one is a file.
setWorkerUrl(workerUrl)

export type { LibreMap }

/** The initial view of a map: one place, or bounds that show several. */
export type View =
  | { readonly center: Coordinates; readonly zoom: number }
  | { readonly places: readonly Coordinates[] }

/** The base map: streets, or the bundled world of countries and coasts. */
export type Ground = 'streets' | 'world'

export interface MapOptions {
  readonly container: HTMLElement
  /** The URL of a street map's style, or `none`. */
  readonly styleUrl: string
  readonly view: View
  /** Whether the bundled world keeps the zoom of the view, where it has no detail. */
  readonly keepsZoom: boolean
  readonly locale: string
  /** Accessible names of the map and its buttons. */
  readonly names: { readonly map: string; readonly zoomIn: string; readonly zoomOut: string }
  /** Called with the base map that is shown, and again when it changes. */
  readonly onGround: (ground: Ground) => void
  /** Cancels pending work. */
  readonly signal: AbortSignal
}

/** Thrown if the browser has no WebGL 2, which the map requires. */
export class NoWebGL extends Error {}

const TIMEOUT_MS = 6_000
/** After this many failed tiles in a row the street map counts as unreachable. */
const LOST_TILES = 4
/** The largest useful zoom of the bundled world. */
const WORLD_ZOOM = 6
const STREET_ZOOM = 20
const MARGIN_PX = 48

/**
 * Opens a map in an element. The configured origin gets no request before this is called. If the street map cannot be
 * loaded, now or later, the bundled world is shown.
 * @throws {NoWebGL}
 */
export const openMap = async (options: MapOptions): Promise<LibreMap> => {
  const { container, styleUrl, view, keepsZoom, locale, names, onGround, signal } = options
  if (document.createElement('canvas').getContext('webgl2') === null) throw new NoWebGL()

  const streets = await loadStreets(styleUrl, signal)
  const style = streets ?? (await loadWorldStyle(locale, signal))
  signal.throwIfAborted()
  let ground: Ground = streets === undefined ? 'world' : 'streets'
  const map = new LibreMap({
    container,
    style,
    ...initialView(view, ground === 'world' && !keepsZoom),
    maxZoom: STREET_ZOOM,
    // Rotated and tilted maps are hard to read, and harder to reset.
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

  // Layers drawn over the base map do not show whether the base map can be reached.
  const isBase = (event: object): boolean =>
    'sourceId' in event && typeof event.sourceId === 'string' && event.sourceId in style.sources
  let lost = 0
  const fallBack = async (): Promise<void> => {
    if (ground === 'world') return
    ground = 'world'
    const world = await loadWorldStyle(locale, signal)
    map.setStyle(world, { diff: false })
    if (!keepsZoom) map.setZoom(Math.min(map.getZoom(), WORLD_ZOOM))
    onGround(ground)
  }
  map.on('data', (event) => {
    if ('tile' in event && isBase(event)) lost = 0
  })
  // With an error listener, MapLibre does not write to the console.
  map.on('error', (event) => {
    if (signal.aborted || !isBase(event)) return
    // One missing tile is a gap; a source that fails is a map without streets.
    lost += 'tile' in event ? 1 : LOST_TILES
    if (lost >= LOST_TILES && !map.loaded()) {
      fallBack().catch((error: unknown) => signal.aborted || reportError(error))
    }
  })
  onGround(ground)
  return map
}

/** The style of the street map; undefined if there is none or it cannot be loaded. */
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
    // On any failure the bundled world is shown instead, with a message.
    signal.throwIfAborted()
    return undefined
  }
}

const initialView = (view: View, isLimited: boolean) => {
  const limit = isLimited ? WORLD_ZOOM : 16
  if ('center' in view) {
    const { latitude, longitude } = view.center
    return {
      center: [longitude, latitude] as [number, number],
      zoom: isLimited ? Math.min(view.zoom, WORLD_ZOOM) : view.zoom,
    }
  }
  if (view.places.length === 0) return { center: [10, 30] as [number, number], zoom: 0.5 }
  return {
    bounds: boundsOf(view.places),
    fitBoundsOptions: { padding: MARGIN_PX, maxZoom: limit },
  }
}

/** The bounds of the places. */
export const boundsOf = (places: readonly Coordinates[]): LngLatBounds => {
  const bounds = new LngLatBounds()
  for (const { latitude, longitude } of places) bounds.extend([longitude, latitude])
  return bounds
}

/**
 * The font for our own layers on this map: the one of its labels, or any if the browser draws glyphs itself. Undefined
 * if no font is certain to exist.
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
