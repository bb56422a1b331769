/**
 * Cells: positions on the square Web Mercator map, 2²⁶ steps to a side (0.6 m at the equator), numbered along a Z-order
 * curve. Positions that are close on the map mostly have close numbers, and a tile is a single range of numbers. A cell
 * has 52 bits, which a JavaScript number represents exactly.
 */

import { EARTH_RADIUS_M, radians, type Position } from './distance.ts'

/** Bits of a cell for each of x and y. */
export const CELL_BITS = 26
const SIDE = 2 ** CELL_BITS
/** Positions poleward of this latitude are placed on the edge of the map. */
export const MAX_MAP_LATITUDE = 85.05112877980659

/** In degrees, from west to east and from south to north; `west` is greater than `east` if the box crosses 180°. */
export interface Box {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

/** A range of cells, both inclusive. */
export interface CellRange {
  readonly from: number
  readonly to: number
}

const degrees = (value: number): number => (value * 180) / Math.PI

/** The position on the map, from 0 to 1: `x` from west to east, `y` from north to south. */
export const mapPoint = ({ latitude, longitude }: Position): { x: number; y: number } => {
  const held = Math.max(-MAX_MAP_LATITUDE, Math.min(MAX_MAP_LATITUDE, latitude))
  return {
    x: (longitude + 180) / 360,
    y: 0.5 - Math.log(Math.tan(Math.PI / 4 + radians(held) / 2)) / (2 * Math.PI),
  }
}

const step = (part: number): number => Math.max(0, Math.min(SIDE - 1, Math.floor(part * SIDE)))

/** Inserts a zero bit before each of 13 bits. */
const spread = (bits: number): number => {
  const pairs = (bits | (bits << 8)) & 0x00ff_00ff
  const fours = (pairs | (pairs << 4)) & 0x0f0f_0f0f
  const twos = (fours | (fours << 2)) & 0x3333_3333
  return (twos | (twos << 1)) & 0x5555_5555
}

const HALF_BITS = CELL_BITS / 2
const HALF = 2 ** HALF_BITS - 1

/** Interleaves two numbers of at most 26 bits; `x` supplies the lower bit of each pair. */
export const interleave = (x: number, y: number): number => {
  const upper = spread(x >>> HALF_BITS) + 2 * spread(y >>> HALF_BITS)
  return upper * 4 ** HALF_BITS + spread(x & HALF) + 2 * spread(y & HALF)
}

/** The cell of a position, and its steps from the west and the north. */
export const placeOnMap = (position: Position): { cell: number; x: number; y: number } => {
  const point = mapPoint(position)
  const [x, y] = [step(point.x), step(point.y)]
  return { cell: interleave(x, y), x, y }
}

/** The cell of a position. */
export const cellOf = (position: Position): number => placeOnMap(position).cell

/** The cells of a tile. */
export const cellsOfTile = (z: number, x: number, y: number): CellRange => {
  const size = 4 ** (CELL_BITS - z)
  const from = interleave(x, y) * size
  return { from, to: from + size - 1 }
}

/** More squares cover less of the surroundings, but each range costs an index search. */
const MAX_SQUARES = 24

/** Ranges of cells that cover a box, sorted and disjoint; at most `maxSquares` on each side of 180°. */
export const cellsOfBox = (box: Box, maxSquares = MAX_SQUARES): CellRange[] => {
  const parts =
    box.west <= box.east
      ? [box]
      : [
          { ...box, east: 180 },
          { ...box, west: -180 },
        ]
  return joined(parts.flatMap((part) => cellsOfPart(part, maxSquares)))
}

/** The ranges of the smallest squares of which at most `maxSquares` cover the box. */
const cellsOfPart = ({ west, south, east, north }: Box, maxSquares: number): CellRange[] => {
  const [first, last] = [
    mapPoint({ latitude: north, longitude: west }),
    mapPoint({ latitude: south, longitude: east }),
  ]
  // One step more on each side: the database rounds differently when it computes cells.
  const [left, top] = [Math.max(0, step(first.x) - 1), Math.max(0, step(first.y) - 1)]
  const [right, bottom] = [
    Math.min(SIDE - 1, step(last.x) + 1),
    Math.min(SIDE - 1, step(last.y) + 1),
  ]
  const count = (from: number, to: number, bits: number): number =>
    (to >> bits) - (from >> bits) + 1
  let bits = 0
  while (count(left, right, bits) * count(top, bottom, bits) > maxSquares) bits += 1
  const squares: CellRange[] = []
  for (let y = top >> bits; y <= bottom >> bits; y += 1)
    for (let x = left >> bits; x <= right >> bits; x += 1) {
      const from = interleave(x, y) * 4 ** bits
      squares.push({ from, to: from + 4 ** bits - 1 })
    }
  return squares
}

const joined = (ranges: readonly CellRange[]): CellRange[] => {
  const result: CellRange[] = []
  for (const range of ranges.toSorted((one, other) => one.from - other.from)) {
    const last = result.at(-1)
    if (last !== undefined && range.from <= last.to + 1)
      result[result.length - 1] = { from: last.from, to: Math.max(last.to, range.to) }
    else result.push(range)
  }
  return result
}

/** The smallest box that contains everything within a distance of a position; around a pole it spans all longitudes. */
export const boxAround = ({ latitude, longitude }: Position, radiusM: number): Box => {
  const angle = radiusM / EARTH_RADIUS_M
  const [south, north] = [latitude - degrees(angle), latitude + degrees(angle)]
  if (south <= -90 || north >= 90)
    return { west: -180, south: Math.max(-90, south), east: 180, north: Math.min(90, north) }
  const reach = degrees(Math.asin(Math.min(1, Math.sin(angle) / Math.cos(radians(latitude)))))
  if (reach >= 180) return { west: -180, south, east: 180, north }
  const turned = (value: number): number =>
    value < -180 ? value + 360 : value > 180 ? value - 360 : value
  return { west: turned(longitude - reach), south, east: turned(longitude + reach), north }
}
