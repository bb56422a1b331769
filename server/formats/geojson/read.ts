import { connectors } from '#domain/connector.ts'
import { sites } from '#domain/site.ts'

import { isIrve, toIrvePiece } from '../irve/read.ts'
import { readJson, readJsonLines, readStations } from '../json-stream.ts'
import { isOsm, isOsmStation, toOsmStation } from '../osm/read.ts'
import { isRaw, omitEmpty, numberOf, rawList, textOf, type Raw } from '../read-values.ts'
import { SOURCE_LIMITS, type Bytes, type Encoding } from '../source.ts'
import { recordOf, type Station, type Values } from '../station.ts'
import { recogniseColumns } from '../table/columns.ts'
import { layoutOf, toTablePiece } from '../table/read.ts'
import { ownValues, toOwnTariff } from '../voltleaf/values.ts'

/**
 * Reads the features of GeoJSON (RFC 7946), in one collection or one per line. Their properties are Voltleaf's own,
 * those of the French register, OpenStreetMap tags, or any others, which are recognised like the columns of a table.
 */
export const readGeoJson = (bytes: Bytes, encoding: Encoding, isLines: boolean) =>
  readStations(
    isLines ? readJsonLines(bytes, encoding) : readJson(bytes, encoding, ['features']),
    ({ properties, geometry, id: given }) => {
      const id = textOf(given)
      const station = toStation(isRaw(properties) ? properties : {}, placeOf(geometry), id)
      return station && { ...station, ...recordOf(id) }
    },
  )

const toStation = (properties: Raw, place: Values, id: string): Station | undefined => {
  const names = Object.keys(properties).slice(0, SOURCE_LIMITS.columns)
  if (Array.isArray(properties['connectors'])) return toOwnStation(properties, place)
  if (isIrve(names)) {
    const piece = toIrvePiece(properties)
    return { ...piece, site: { ...piece.site, ...omitEmpty(place) } }
  }
  if (isOsm(names) || isOsmStation(properties)) return toOsmStation(properties, place)
  const cells = names.map((name) => cellOf(properties[name]))
  const { mapping } = recogniseColumns(names, [cells])
  const piece = toTablePiece(layoutOf(mapping, names), cells)
  if (piece === undefined) return undefined
  return {
    ...piece,
    reference: piece.reference || id,
    site: { ...piece.site, ...omitEmpty(place) },
  }
}

/** Reads properties that are named like Voltleaf's fields, as in its open data. */
const toOwnStation = (properties: Raw, place: Values): Station => {
  const { reference, ...site } = ownValues(sites, properties)
  return {
    reference: textOf(reference),
    site: { ...site, ...omitEmpty(place) },
    connectors: rawList(properties['connectors']).map((each) => ownValues(connectors, each)),
    tariffs: rawList(properties['tariffs']).map(toOwnTariff),
  }
}

const cellOf = (value: unknown): string =>
  Array.isArray(value)
    ? value.map((each) => cellOf(each)).join('; ')
    : isRaw(value)
      ? JSON.stringify(value)
      : typeof value === 'boolean'
        ? String(value)
        : textOf(value)

/** The point of a geometry; for a line or an area, the mean of its vertices. */
const placeOf = (geometry: unknown): Values => {
  if (!isRaw(geometry)) return {}
  const points = pointsIn(geometry['coordinates'])
  const middle = (index: 0 | 1): number =>
    points.reduce((sum, point) => sum + point[index], 0) / points.length
  return points.length === 0 ? {} : { longitude: middle(0), latitude: middle(1) }
}

const MAX_CORNERS = 10_000

const pointsIn = (coordinates: unknown): readonly (readonly [number, number])[] => {
  if (!Array.isArray(coordinates)) return []
  const [longitude, latitude] = [numberOf(coordinates[0]), numberOf(coordinates[1])]
  if (longitude !== undefined && latitude !== undefined) return [[longitude, latitude]]
  return coordinates.slice(0, MAX_CORNERS).flatMap(pointsIn)
}
