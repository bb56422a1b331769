import { CELL_BITS, cellsOfTile, mapPoint } from '#domain/cell.ts'
import type { Position } from '#domain/distance.ts'
import { isPowerClass } from '#domain/plug-group.ts'
import {
  PUBLIC_READ_LIMITS,
  TILE_EXTENT,
  TILE_LAYER,
  type SiteFilter,
} from '#domain/public-read.ts'

import { EVERY_PLACE, type Parameters } from './filter.ts'

/** The coordinates of a tile (XYZ). */
export interface TilePlace {
  readonly z: number
  readonly x: number
  readonly y: number
}

/** A point of a tile. */
export interface TilePoint {
  readonly at: Position
  readonly properties: Readonly<Record<string, string | number>>
}

/** A row of `tileQuery`: a site or a cluster. */
export interface TileRow extends Position {
  readonly id: string
  readonly count: number
  readonly max_kw: number
  readonly available: number
  readonly status: string
}

/** The number of clusters per side of a tile, as a power of two. */
const CLUSTER_BITS = 4

/** The query for the points of a tile: sites or, at low zoom, clusters. */
export const tileQuery = (
  place: TilePlace,
  filter: SiteFilter,
  parameters: Parameters,
  condition: string,
): string => {
  const { z, x, y } = place
  const { bind } = parameters
  const { from, to } = cellsOfTile(z, x, y)
  const where = `p.cell between ${bind(from, 'bigint')} and ${bind(to, 'bigint')} and ${condition}`
  if (z >= PUBLIC_READ_LIMITS.singlesZoom)
    return `select p.id, p.latitude, p.longitude, 1 as count, p.max_kw, 0 as available, p.status
      from places p where ${where} order by p.cell, p.id limit ${PUBLIC_READ_LIMITS.sitesOfTile}`
  const shift = bind(2 * (CELL_BITS - z - CLUSTER_BITS), 'int')
  const clusters = (more: string): string => `
    select min(p.id) as id, avg(p.latitude) as latitude, avg(p.longitude) as longitude,
      count(*)::int as count, max(p.max_kw) as max_kw,
      count(*) filter (where p.status = 'AVAILABLE')::int as available, min(p.status) as status
    from places p where ${where}${more} group by p.cell >> ${shift}`
  // The summary contains neither hours nor single connectors or businesses.
  const isSummarized =
    !filter.openNow && filter.business === undefined && isPowerClass(filter.minKw)
  if (z > PUBLIC_READ_LIMITS.summaryZoom || !isSummarized) return clusters('')
  const isUsed = '(select s.used from place_summaries s)'
  return `${clusters(` and not ${isUsed}`)}
    union all
    select min(p.id), sum(p.latitude) / sum(p.count), sum(p.longitude) / sum(p.count),
      sum(p.count)::int, max(p.max_kw),
      coalesce(sum(p.count) filter (where p.status = 'AVAILABLE'), 0)::int, min(p.status)
    from ${condition === EVERY_PLACE ? 'place_squares' : 'place_summary'} p
    where p.zoom = ${bind(z, 'int')} and p.cell between ${bind(squareOf(from, z), 'int')}
      and ${bind(squareOf(to, z), 'int')} and ${condition} and ${isUsed}
    group by p.cell`
}

/** The number of the cluster that contains a cell, in a tile of this zoom. */
const squareOf = (cell: number, z: number): number =>
  Math.floor(cell / 4 ** (CELL_BITS - z - CLUSTER_BITS))

export const tilePoint = ({
  id,
  latitude,
  longitude,
  count,
  max_kw,
  available,
  status,
}: TileRow): TilePoint => ({
  at: { latitude, longitude },
  properties: count === 1 ? { id, count, max_kw, status } : { count, max_kw, available },
})

/** Writes a Mapbox Vector Tile (version 2.1) of one layer of points. */
export const writeTile = ({ z, x, y }: TilePlace, points: readonly TilePoint[]): Uint8Array => {
  if (points.length === 0) return new Uint8Array()
  const keys = new Map<string, number>()
  const values = new Map<string | number, number>()
  const side = 2 ** z
  const within = (part: number): number =>
    Math.max(0, Math.min(TILE_EXTENT - 1, Math.floor(part * TILE_EXTENT)))
  const features = points.map(({ at, properties }) => {
    const point = mapPoint(at)
    const tags = Object.entries(properties).flatMap(([key, value]) => [
      placeOf(keys, key),
      placeOf(values, value),
    ])
    const geometry = [
      MOVE_TO,
      ...[point.x * side - x, point.y * side - y].map((part) => 2 * within(part)),
    ]
    return bytesField(2, [...packed(2, tags), ...uintField(3, POINT), ...packed(4, geometry)])
  })
  const layer = [
    ...uintField(15, 2),
    ...textField(1, TILE_LAYER),
    ...features.flat(),
    ...[...keys.keys()].flatMap((key) => textField(3, key)),
    ...[...values.keys()].flatMap((value) => bytesField(4, valueBytes(value))),
    ...uintField(5, TILE_EXTENT),
  ]
  return Uint8Array.from(bytesField(3, layer))
}

/** The MoveTo command with count 1; its parameters are zigzag encoded. */
const MOVE_TO = 9
const POINT = 1

/** The index of an entry in a dictionary; new entries are added. */
const placeOf = <T>(dictionary: Map<T, number>, entry: T): number => {
  const place = dictionary.get(entry) ?? dictionary.size
  dictionary.set(entry, place)
  return place
}

// The wire format of Protocol Buffers.
const VARINT = 0
const DOUBLE = 1
const BYTES = 2

const varint = (value: number): number[] => {
  const bytes: number[] = []
  let rest = value
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80)
    rest = Math.floor(rest / 0x80)
  }
  return [...bytes, rest]
}
const head = (field: number, type: number): number[] => varint(field * 8 + type)
const uintField = (field: number, value: number): number[] => [
  ...head(field, VARINT),
  ...varint(value),
]
const bytesField = (field: number, bytes: readonly number[]): number[] => [
  ...head(field, BYTES),
  ...varint(bytes.length),
  ...bytes,
]
const textField = (field: number, text: string): number[] =>
  bytesField(field, [...Buffer.from(text)])
const packed = (field: number, values: readonly number[]): number[] =>
  bytesField(field, values.flatMap(varint))

const valueBytes = (value: string | number): number[] => {
  if (typeof value === 'string') return textField(1, value)
  if (Number.isSafeInteger(value) && value >= 0) return uintField(5, value)
  return [...head(3, DOUBLE), ...new Uint8Array(Float64Array.of(value).buffer)]
}
