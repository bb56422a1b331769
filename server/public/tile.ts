import { mapPoint } from '#domain/cell.ts'
import type { Position } from '#domain/distance.ts'
import { TILE_EXTENT, TILE_LAYER } from '#domain/public-read.ts'

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
