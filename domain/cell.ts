/**
 * Cells: positions on the square map of Web Mercator, 2²⁶ steps to a side (0.6 m at the equator), numbered along a
 * Z-order curve. What is near on the map is near in number, and a tile is one range of numbers. A cell has 52
 * bits, which a JavaScript number holds exactly.
 */

/** Bits of a cell for each of x and y. */
export const CELL_BITS = 26
const SIDE = 2 ** CELL_BITS
/** Poleward of this latitude, positions are on the edge of the map. */
export const MAX_MAP_LATITUDE = 85.05112877980659

/** The mean radius of the Earth. */
export const EARTH_RADIUS_M = 6_371_008.8

export interface Position {
  readonly latitude: number
  readonly longitude: number
}

/** West to east and south to north in degrees; one that crosses 180° has its west east of its east. */
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

const radians = (degrees: number): number => (degrees * Math.PI) / 180
const degrees = (value: number): number => (value * 180) / Math.PI

/** The position on the map, from 0 to 1: x from west to east, y from north to south. */
export const mapPoint = ({ latitude, longitude }: Position): { x: number; y: number } => {
  const held = Math.max(-MAX_MAP_LATITUDE, Math.min(MAX_MAP_LATITUDE, latitude))
  return {
    x: (longitude + 180) / 360,
    y: 0.5 - Math.log(Math.tan(Math.PI / 4 + radians(held) / 2)) / (2 * Math.PI),
  }
}

const step = (part: number): number => Math.max(0, Math.min(SIDE - 1, Math.floor(part * SIDE)))

/** Interleaves two numbers of at most 26 bits: those of `x` are the lower of each pair. */
const interleave = (x: number, y: number): number => {
  let cell = 0
  for (let bit = 0, weight = 1; bit < CELL_BITS; bit += 1, weight *= 4)
    cell += ((x >>> bit) & 1) * weight + ((y >>> bit) & 1) * 2 * weight
  return cell
}

/** The cell of a position. */
export const cellOf = (position: Position): number => {
  const { x, y } = mapPoint(position)
  return interleave(step(x), step(y))
}

/** The cells of a tile. */
export const cellsOfTile = (z: number, x: number, y: number): CellRange => {
  const size = 4 ** (CELL_BITS - z)
  const from = interleave(x, y) * size
  return { from, to: from + size - 1 }
}

/** Each range costs a search in the index; fewer of them take in more of what is around. */
const MAX_RANGES = 24

/** Ranges of cells that contain a box, in order and apart from each other; about `maxRanges` on each side of 180°. */
export const cellsOfBox = (box: Box, maxRanges = MAX_RANGES): CellRange[] => {
  const parts =
    box.west <= box.east
      ? [box]
      : [
          { ...box, east: 180 },
          { ...box, west: -180 },
        ]
  return joined(parts.flatMap((part) => cellsOfPart(part, maxRanges)))
}

/** A square of 2^bits steps. */
interface Square {
  readonly x: number
  readonly y: number
  readonly bits: number
}

const cellsOfPart = ({ west, south, east, north }: Box, maxRanges: number): CellRange[] => {
  const [first, last] = [
    mapPoint({ latitude: north, longitude: west }),
    mapPoint({ latitude: south, longitude: east }),
  ]
  // One step more on each side: the database computes cells with other roundings.
  const [left, top] = [Math.max(0, step(first.x) - 1), Math.max(0, step(first.y) - 1)]
  const [right, bottom] = [
    Math.min(SIDE - 1, step(last.x) + 1),
    Math.min(SIDE - 1, step(last.y) + 1),
  ]
  const end = ({ bits }: Square, at: number): number => at + 2 ** bits - 1
  const touches = (square: Square): boolean =>
    square.x <= right &&
    end(square, square.x) >= left &&
    square.y <= bottom &&
    end(square, square.y) >= top
  const isInside = (square: Square): boolean =>
    square.x >= left &&
    end(square, square.x) <= right &&
    square.y >= top &&
    end(square, square.y) <= bottom
  let squares: Square[] = [{ x: 0, y: 0, bits: CELL_BITS }]
  for (;;) {
    const finer = squares.flatMap((square) =>
      square.bits === 0 || isInside(square) ? [square] : quarters(square).filter(touches),
    )
    const isFinest =
      finer.length === squares.length && finer.every((each, index) => each === squares[index])
    if (isFinest || finer.length > maxRanges) break
    squares = finer
  }
  return squares.map(({ x, y, bits }) => {
    const from = interleave(x, y)
    return { from, to: from + 4 ** bits - 1 }
  })
}

const quarters = ({ x, y, bits }: Square): Square[] => {
  const half = 2 ** (bits - 1)
  return [
    { x, y, bits: bits - 1 },
    { x: x + half, y, bits: bits - 1 },
    { x, y: y + half, bits: bits - 1 },
    { x: x + half, y: y + half, bits: bits - 1 },
  ]
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

/** The great-circle distance on a sphere (haversine), in metres. */
export const distanceM = (one: Position, other: Position): number => {
  const half = (from: number, to: number): number => Math.sin(radians(to - from) / 2) ** 2
  const chord =
    half(one.latitude, other.latitude) +
    Math.cos(radians(one.latitude)) *
      Math.cos(radians(other.latitude)) *
      half(one.longitude, other.longitude)
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(chord)))
}

/** The smallest box around all that is within a distance of a position; around a pole it goes all the way round. */
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
