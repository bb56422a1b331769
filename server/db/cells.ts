import { CELL_BITS, interleave, MAX_MAP_LATITUDE } from '#domain/cell.ts'
import { EARTH_RADIUS_M } from '#domain/distance.ts'

const SIDE = 2 ** CELL_BITS
/** The bits of x in a cell; the bits of y are one to the left. */
const EVEN_BITS = interleave(SIDE - 1, 0)
/** The width of a circle in squares; one more square is needed if the circle does not begin at an edge. */
const ACROSS = 4

/** Steps to neighbouring squares, each with the number to add to the bits of a cell, as `(step, added)`. */
const stepsTo = (last: number): string =>
  Array.from({ length: 2 * last + 1 }, (_, index) => index - last)
    .map((step) => `(${step}, ${interleave(step & (SIDE - 1), 0)}::bigint)`)
    .join(', ')

/** The step of a latitude on the map, from north to south, computed like `mapPoint` of domain/cell.ts. */
const stepOf = (latitude: string): string =>
  `floor((0.5 - ln(tan(pi() / 4 + radians(greatest(-${MAX_MAP_LATITUDE}, least(${MAX_MAP_LATITUDE}, ${latitude}))) / 2))
    / (2 * pi())) * ${SIDE})::bigint`

const clamped = (step: string): string => `greatest(0, least(${SIDE - 1}, ${step}))`

/**
 * The function `cells_around`: ranges of cells that cover everything within a distance of a position. They are squares
 * of one size around the square of the position. Its neighbours are found by adding to the bits of x and y in its cell.
 * The bits in between are filled with ones, so that a carry passes through, or wraps around the map. Inlined into
 * statements.
 */
export const cellsFunction = (): string => `
create or replace function cells_around(
  latitude float8, longitude float8, cell bigint, x bigint, y bigint, radius_m float8)
returns table (first bigint, last bigint) language sql immutable parallel safe as $$
  select q.square << 2 * s.bits, ((q.square + 1) << 2 * s.bits) - 1
  from (
    select m.bits, (m.west >> m.bits) - (x >> m.bits) as west,
      least((m.east >> m.bits) - (x >> m.bits), (m.west >> m.bits) - (x >> m.bits) + (${SIDE} >> m.bits) - 1) as east,
      (m.north >> m.bits) - (y >> m.bits) as north, (m.south >> m.bits) - (y >> m.bits) as south,
      (cell >> 2 * m.bits) | ~${EVEN_BITS} as x_bits, (cell >> 2 * m.bits + 1) | ~${EVEN_BITS} as y_bits
    from (
      select m.*, greatest(0, ceil(ln(greatest(m.east - m.west, m.south - m.north) / ${ACROSS}::float8) / ln(2::float8)))::int as bits
      from (
        -- One step more on each side, for other roundings.
        select x - b.wide as west, x + b.wide as east, ${clamped(`${stepOf('latitude + b.reach')} - 1`)} as north,
          ${clamped(`${stepOf('latitude - b.reach')} + 1`)} as south
        from (
          select a.reach, case when abs(latitude) + a.reach >= 90 then ${SIDE / 2}
            else ceil(degrees(asin(least(1, sin(radians(a.reach)) / cos(radians(latitude))))) / 360 * ${SIDE})::bigint + 1 end as wide
          from (select degrees(radius_m / ${EARTH_RADIUS_M}) as reach offset 0) a
          offset 0) b
        offset 0) m
      offset 0) m
    offset 0) s
  cross join lateral (
    select ((s.x_bits + h.added) & (${EVEN_BITS} >> 2 * s.bits)) | (((s.y_bits + v.added) & ${EVEN_BITS}) << 1) as square
    from (values ${stepsTo(ACROSS / 2)}) h (step, added) cross join (values ${stepsTo(ACROSS)}) v (step, added)
    where h.step between s.west and s.east and v.step between s.north and s.south) q
$$;
`
