import type { Language } from '#domain/language.ts'
import { sitePage } from '#domain/site-address.ts'
import { inLanguage } from '#domain/site-pages.ts'
import type { Coordinates } from '../map/coordinates.ts'
import { openMap } from '../map/map.ts'
import { addShapeClicks } from '../map/shape-clicks.ts'
import { addLayers } from '../map/tiles-layers.ts'

/** The options of the embedded map of a business, which the page contains as data. */
export interface EmbeddedMap {
  readonly basePath: string
  readonly styleUrl: string
  readonly business: string
  /** The corners of all its sites. */
  readonly corners: readonly Coordinates[]
  readonly locale: string
  /** The language that the URL of the page states; the pages of sites open in it. */
  readonly language?: Language | undefined
  readonly names: { readonly map: string; readonly zoomIn: string; readonly zoomOut: string }
  /** Shown instead of a map that cannot be opened. */
  readonly missing: string
}

/**
 * Opens the map of a business in an element.
 * @throws {NoWebGL}
 */
export const openEmbeddedMap = async (
  container: HTMLElement,
  { basePath, styleUrl, business, corners, locale, language, names }: EmbeddedMap,
): Promise<void> => {
  const map = await openMap({
    container,
    styleUrl,
    view: { places: corners },
    keepsZoom: true,
    locale,
    names,
    onGround: (ground) => {
      container.dataset['ground'] = ground
    },
    signal: new AbortController().signal,
  })
  const tiles = `${location.origin}${basePath}/api/public/tiles/{z}/{x}/{y}.mvt?business=${business}`
  const draw = () => addLayers(map, tiles)
  map.on('style.load', draw)
  if (map.isStyleLoaded()) draw()
  addShapeClicks(map, {
    describedBy: 'map-keys',
    onChoose: (id) => {
      const page = basePath + sitePage(id, '')
      window.open(language === undefined ? page : inLanguage(page, language), '_blank', 'noopener')
    },
  })
}
