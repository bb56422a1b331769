import { boxAround, cellsOfBox, type CellRange } from '#domain/cell.ts'
import { distanceM, EARTH_RADIUS_M, radians, type Position } from '#domain/distance.ts'

import type { Key, Parameters } from './filter.ts'

/** A line on the Earth, and the maximum distance of sites from it. */
export interface Corridor {
  readonly line: readonly Position[]
  readonly withinM: number
}

/** A unit vector from the centre of the Earth. */
type Vector = readonly [x: number, y: number, z: number]

/** An arc of a great circle. The point at the angle `t` along it is `from·cos(t) + forward·sin(t)`. */
interface Arc {
  readonly from: Vector
  /** At a right angle to `from`, towards the end. */
  readonly forward: Vector
  /**
   * Orthogonal to both. Points within an angle `w` of the arc have at most the component `sin(w)` in this direction.
   */
  readonly across: Vector
  /** Its length as an angle. */
  readonly angle: number
  /** The length of the line up to the arc. */
  readonly startM: number
}

/** Consecutive arcs, from `first` to before `end`. All their points are within `angle` of `middle`. */
interface Part {
  readonly first: number
  readonly end: number
  readonly middle: Vector
  readonly angle: number
}

/** Consecutive parts, from `first` to before `end`, with the cells that contain everything near them. */
interface Piece {
  readonly first: number
  readonly end: number
  readonly cells: readonly CellRange[]
}

/** The length of a line along great circles. */
export const lengthM = (line: readonly Position[]): number =>
  line.reduce((sum, at, index) => sum + distanceM(line[index - 1] ?? at, at), 0)

/**
 * The query for (key, id, latitude, longitude, distance_m) of the places `p` in a corridor, in the order along the
 * line: `key` is the length of the line up to its point nearest to the place. Exact on the sphere, including the poles
 * and longitude 180°.
 */
export const corridorKeys = (
  { line, withinM }: Corridor,
  { bind }: Parameters,
  { condition, after, limit }: { condition: string; after: Key | undefined; limit: string },
): string => {
  const arcs = arcsOf(line)
  const parts: Part[] = []
  const pieces = piecesOf(arcs, withinM, parts)
  const ranges = pieces.flatMap(({ first, end, cells }) =>
    cells.map(({ from, to }) => [from, to, first + 1, end] as const),
  )
  const column = <T>(of: readonly T[], value: (each: T) => number, type: string): string =>
    bind(of.map(value), `${type}[]`)
  const range = (index: 0 | 1 | 2 | 3, type: string): string =>
    column(ranges, (each) => each[index], type)
  /** The value of arc `i`. */
  const arc = (value: (each: Arc) => number): string => `(${column(arcs, value, 'float8')})[i]`
  /** The value of part `j`. */
  const part = (value: (each: Part) => number, type = 'float8'): string =>
    `(${column(parts, value, type)})[j]`
  const vector = (name: 'from' | 'forward' | 'across'): [string, string, string] => [
    arc((each) => each[name][0]),
    arc((each) => each[name][1]),
    arc((each) => each[name][2]),
  ]
  const [from, forward, across] = [vector('from'), vector('forward'), vector('across')]
  const dot = (one: readonly string[]): string =>
    `(p.x * ${one[0]} + p.y * ${one[1]} + p.z * ${one[2]})`
  const reach = bind(Math.sin(withinM / EARTH_RADIUS_M) * (1 + 1e-9) + 1e-12, 'float8')
  const gap = (axis: 0 | 1 | 2): string =>
    `(p.${'xyz'[axis]} - ${from[axis]} * cos(t.turn) - ${forward[axis]} * sin(t.turn)) ^ 2`
  const toMiddle = (axis: 0 | 1 | 2): string =>
    `(p.${'xyz'[axis]} - ${part(({ middle }) => middle[axis])}) ^ 2`
  const [afterKey, afterId] = [bind(after?.[0] ?? -1, 'float8'), bind(after?.[1] ?? '', 'text')]
  return `
    select k.key, k.id, k.latitude, k.longitude, k.distance_m from (
      select distinct on (n.id) n.id, n.latitude, n.longitude, n.key, n.distance_m
      from unnest(${range(0, 'bigint')}, ${range(1, 'bigint')}, ${range(2, 'int')}, ${range(3, 'int')})
        r (low, high, first, last)
      cross join lateral (
        select p.id, p.latitude, p.longitude, cos(radians(p.latitude)) * cos(radians(p.longitude)) as x,
          cos(radians(p.latitude)) * sin(radians(p.longitude)) as y, sin(radians(p.latitude)) as z
        from places p where p.cell between r.low and r.high and ${condition} offset 0) p
      cross join lateral (
        select m.j from (
          select j, m.chord, min(m.chord) over () as nearest
          from generate_series(r.first, r.last) j
          cross join lateral (select sqrt(${toMiddle(0)} + ${toMiddle(1)} + ${toMiddle(2)}) as chord offset 0) m
          offset 0) m
        where m.chord - ${part(({ angle }) => angle)} <= least(m.nearest, ${reach}) + ${SLACK}) m
      cross join lateral (
        select p.id, p.latitude, p.longitude, ${arc(({ startM }) => startM)} + t.turn * ${EARTH_RADIUS_M} as key,
          2 * ${EARTH_RADIUS_M} * asin(least(1, sqrt(${gap(0)} + ${gap(1)} + ${gap(2)}) / 2)) as distance_m
        from generate_series(${part(({ first }) => first + 1, 'int')}, ${part(({ end }) => end, 'int')}) i
        cross join lateral (
          select greatest(0, least(${arc(({ angle }) => angle)},
            atan2(${dot(forward)}, ${dot(from)}))) as turn offset 0) t
        where abs${dot(across)} <= ${reach}) n
      where n.distance_m <= ${bind(withinM, 'float8')}
      order by n.id, n.distance_m, n.key) k
    where (k.key, k.id) > (${afterKey}, ${afterId})
    order by k.key, k.id limit ${limit}`
}

/** The tolerance for the length of a chord: about a centimetre, far more than the rounding error. */
const SLACK = 2e-9

/** Longer arcs are split, so that the area around a piece is not much larger than the area near its arcs. */
const MAX_ARC_M = 10_000
const MAX_ARCS_OF_PART = 16
/** For a longer piece, places that are around it but not near it cost more than another index search. */
const MIN_PIECE_M = 1000
const MAX_SQUARES_OF_PIECE = 8

/** The arcs between the points; a single point becomes an arc of length 0. */
const arcsOf = (line: readonly Position[]): Arc[] => {
  const arcs: Arc[] = []
  let startM = 0
  const add = (from: Vector, forward: Vector, angle: number): void => {
    const across = normal(from, forward)
    const parts = Math.max(1, Math.ceil((angle * EARTH_RADIUS_M) / MAX_ARC_M))
    for (let part = 0; part < parts; part += 1) {
      const turn = (angle * part) / parts
      arcs.push({
        from: turned(from, forward, turn),
        forward: turned(forward, from, -turn),
        across,
        angle: angle / parts,
        startM: startM + turn * EARTH_RADIUS_M,
      })
    }
    startM += angle * EARTH_RADIUS_M
  }
  for (const [index, position] of line.entries()) {
    const from = vectorOf(line[index - 1] ?? position)
    const to = vectorOf(position)
    const across = cross(from, to)
    const sine = Math.hypot(...across)
    if (sine > 0) add(from, cross(unit(across), from), Math.atan2(sine, dotOf(from, to)))
  }
  const [start] = line
  if (arcs.length === 0 && start !== undefined) {
    const from = vectorOf(start)
    // The direction does not matter.
    add(from, normal(from, Math.abs(from[2]) < 0.5 ? [0, 0, 1] : [1, 0, 0]), 0)
  }
  return arcs
}

/** Divides a line into pieces, and these into parts, which are appended to `parts`. */
const piecesOf = (arcs: readonly Arc[], withinM: number, parts: Part[]): Piece[] => {
  const pieces: Piece[] = []
  const maxLengthM = Math.max(MIN_PIECE_M, 2 * withinM)
  let first = 0
  while (first < arcs.length) {
    const startM = arcs[first]?.startM ?? 0
    let end = first + 1
    while (end < arcs.length && endM(arcs[end]) - startM <= maxLengthM) end += 1
    const { middle, angle } = partOf(arcs, first, end)
    const box = boxAround(positionOf(middle), angle * EARTH_RADIUS_M + withinM + 1)
    const firstPart = parts.length
    for (let of = first; of < end; of += MAX_ARCS_OF_PART)
      parts.push(partOf(arcs, of, Math.min(end, of + MAX_ARCS_OF_PART)))
    pieces.push({
      first: firstPart,
      end: parts.length,
      cells: cellsOfBox(box, MAX_SQUARES_OF_PIECE),
    })
    first = end
  }
  return pieces
}

/** No point of a line is farther from its middle than half its length. */
const partOf = (arcs: readonly Arc[], first: number, end: number): Part => {
  const [startM, lastM] = [arcs[first]?.startM ?? 0, endM(arcs[end - 1])]
  const atM = (startM + lastM) / 2
  const arc = arcs.slice(first, end).findLast((each) => each.startM <= atM)
  if (arc === undefined) throw new RangeError('A line without arcs has no middle.')
  const middle = turned(arc.from, arc.forward, (atM - arc.startM) / EARTH_RADIUS_M)
  return { first, end, middle, angle: (lastM - startM) / 2 / EARTH_RADIUS_M }
}

const endM = (arc: Arc | undefined): number =>
  arc === undefined ? 0 : arc.startM + arc.angle * EARTH_RADIUS_M

const degrees = (angle: number): number => (angle * 180) / Math.PI

const vectorOf = ({ latitude, longitude }: Position): Vector => {
  const [lat, lng] = [radians(latitude), radians(longitude)]
  return [Math.cos(lat) * Math.cos(lng), Math.cos(lat) * Math.sin(lng), Math.sin(lat)]
}

const positionOf = ([x, y, z]: Vector): Position => ({
  latitude: degrees(Math.atan2(z, Math.hypot(x, y))),
  longitude: degrees(Math.atan2(y, x)),
})

const dotOf = (one: Vector, other: Vector): number =>
  one[0] * other[0] + one[1] * other[1] + one[2] * other[2]

const cross = ([a, b, c]: Vector, [x, y, z]: Vector): Vector => [
  b * z - c * y,
  c * x - a * z,
  a * y - b * x,
]

const unit = ([x, y, z]: Vector): Vector => {
  const length = Math.hypot(x, y, z)
  return [x / length, y / length, z / length]
}

/** The unit vector orthogonal to both. */
const normal = (one: Vector, other: Vector): Vector => unit(cross(one, other))

/** Rotates a vector by an angle towards an orthogonal one. */
const turned = (from: Vector, towards: Vector, angle: number): Vector => {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  return [
    from[0] * cos + towards[0] * sin,
    from[1] * cos + towards[1] * sin,
    from[2] * cos + towards[2] * sin,
  ]
}
