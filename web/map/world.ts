import type { Feature } from 'geojson'
import type { StyleSpecification } from 'maplibre-gl'
import countriesUrl from 'world-atlas/countries-50m.json?url'

import { readShapes, type Polygon, type Position, type Topology } from './topology.ts'

/**
 * The bundled world (Natural Earth, public domain), served from our own origin: coasts, borders and names of countries.
 * Used when there is no street map.
 */
export const loadWorldStyle = async (
  locale: string,
  signal: AbortSignal,
): Promise<StyleSpecification> => {
  const answer = await fetch(countriesUrl, { signal })
  if (!answer.ok) throw new Error(`The world map answered ${answer.status}`)
  return worldStyle((await answer.json()) as Topology, locale)
}

const worldStyle = (topology: Topology, locale: string): StyleSpecification => {
  const countries = readShapes(topology, 'countries')
  const source = (features: Feature[], attribution = '') => ({
    type: 'geojson' as const,
    data: { type: 'FeatureCollection' as const, features },
    ...(attribution !== '' && { attribution }),
  })
  return {
    version: 8,
    sources: {
      countries: source(
        countries.map(({ polygons }) => ({
          type: 'Feature',
          properties: {},
          geometry: {
            type: 'MultiPolygon',
            coordinates: polygons.map((polygon) =>
              polygon.map((ring) => ring.map((at) => [...at])),
            ),
          },
        })),
        'Natural Earth',
      ),
      names: source(
        countries.map(({ shape, polygons }) => {
          const { at, area } = labelPlace(polygons)
          return {
            type: 'Feature',
            properties: {
              name: countryName(shape.id, locale) ?? shape.properties?.name ?? '',
              area,
            },
            geometry: { type: 'Point', coordinates: [...at] },
          }
        }),
      ),
    },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': '#cfe6f5' } },
      { id: 'land', type: 'fill', source: 'countries', paint: { 'fill-color': '#f4f6f8' } },
      {
        id: 'borders',
        type: 'line',
        source: 'countries',
        paint: { 'line-color': '#8fa3b1', 'line-width': 0.8 },
      },
      {
        id: 'names',
        type: 'symbol',
        source: 'names',
        layout: {
          'text-field': ['get', 'name'],
          'text-size': ['interpolate', ['linear'], ['zoom'], 1, 10, 6, 15],
          'text-max-width': 7,
          // If two labels overlap, the larger country keeps its own.
          'symbol-sort-key': ['-', ['get', 'area']],
        },
        paint: { 'text-color': '#38495a', 'text-halo-color': '#f4f6f8', 'text-halo-width': 1.2 },
      },
    ],
  }
}

/** The centroid of the largest polygon of a country. */
const labelPlace = (polygons: readonly Polygon[]): { at: Position; area: number } => {
  let best: { at: Position; area: number } = { at: [0, 0], area: 0 }
  for (const [ring = []] of polygons) {
    let [twice, x, y] = [0, 0, 0]
    for (let index = 1; index < ring.length; index++) {
      const [ax, ay] = ring[index - 1] as Position
      const [bx, by] = ring[index] as Position
      const cross = ax * by - bx * ay
      twice += cross
      x += (ax + bx) * cross
      y += (ay + by) * cross
    }
    const area = Math.abs(twice / 2)
    if (area > best.area) best = { at: [x / (3 * twice), y / (3 * twice)], area }
  }
  return best
}

/** The name of a country. The file has ISO 3166-1 numbers, which `Intl` names in every language. */
const countryName = (number: string | undefined, locale: string): string | undefined => {
  if (number === undefined || !/^\d{3}$/.test(number)) return undefined
  const { region } = new Intl.Locale(`und-${number}`)
  if (region === undefined || /^\d/.test(region)) return undefined
  return new Intl.DisplayNames(locale, { type: 'region' }).of(region)
}
