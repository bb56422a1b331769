/** A position in GeoJSON order: longitude first. */
export type Position = readonly [longitude: number, latitude: number]
/** An outer ring, then its holes; each ends where it began. */
export type Polygon = readonly (readonly Position[])[]

/** The parts of TopoJSON that the world's files use: quantized arcs that neighbours share. */
export interface Topology {
  readonly arcs: readonly (readonly Position[])[]
  readonly transform: { readonly scale: Position; readonly translate: Position }
  readonly objects: Readonly<Record<string, { readonly geometries: readonly Shape[] }>>
}

/** A shape: its name, and its polygons as indices of arcs. */
export type Shape = {
  readonly id?: string
  readonly properties?: { readonly name?: string }
} & (
  | { readonly type: 'Polygon'; readonly arcs: readonly (readonly number[])[] }
  | { readonly type: 'MultiPolygon'; readonly arcs: readonly (readonly (readonly number[])[])[] }
)

/** Downloads and reads a file of the world once. */
export const downloadOnce = <T>(
  url: string,
  read: (topology: Topology) => T,
): (() => Promise<T>) => {
  let loading: Promise<T> | undefined
  const load = async (): Promise<T> => {
    const answer = await fetch(url)
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
    return read((await answer.json()) as Topology)
  }
  return () => {
    loading ??= load().catch((error: unknown) => {
      // A failed download must be retried by the next call.
      loading = undefined
      throw error
    })
    return loading
  }
}

/**
 * Decodes the shapes of one object of a topology into polygons in degrees. A polygon that crosses the antimeridian goes
 * on beyond ±180° (RFC 7946 would cut it), and one around a pole runs along that pole, so its edges never span the world.
 */
export const readShapes = (
  { arcs, transform, objects }: Topology,
  name: string,
): { readonly shape: Shape; readonly polygons: readonly Polygon[] }[] => {
  const lines = arcs.map((arc) => toDegrees(arc, transform))
  const ring = (numbers: readonly number[]): Position[] =>
    unwrap(
      numbers.flatMap((number, index) => {
        // The bitwise complement of an index means the reversed arc.
        const line = number < 0 ? lines[~number]?.toReversed() : lines[number]
        // An arc begins with the last point of the previous one.
        return index === 0 ? (line ?? []) : (line?.slice(1) ?? [])
      }),
    )
  return (objects[name]?.geometries ?? []).map((shape) => {
    const polygons = shape.type === 'Polygon' ? [shape.arcs] : shape.arcs
    return {
      shape,
      // The files cut the South Pole out by a tiny circle, which comes before the coast of Antarctica.
      polygons: polygons.map((polygon) => polygon.map(ring).filter((line) => !isAtPole(line))),
    }
  })
}

/** Converts an arc to degrees. Arcs are delta-encoded: each point but the first is relative to the previous one. */
const toDegrees = (
  arc: readonly Position[],
  { scale, translate }: Topology['transform'],
): Position[] => {
  let x = 0
  let y = 0
  return arc.map(([dx, dy]) => {
    x += dx
    y += dy
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]]
  })
}

/** The same longitude plus or minus full turns, within half a turn of `near`. */
export const nearestTurn = (longitude: number, near: number): number =>
  longitude + 360 * Math.round((near - longitude) / 360)

/** Continues a ring beyond ±180° where its longitudes jump from one side of the world to the other. */
const unwrap = (ring: readonly Position[]): Position[] => {
  let x = ring[0]?.[0] ?? 0
  const unwrapped = ring.map(([longitude, latitude]): Position => {
    x = nearestTurn(longitude, x)
    return [x, latitude]
  })
  const [first, last] = [unwrapped[0], unwrapped.at(-1)]
  if (first === undefined || last === undefined || first[0] === last[0]) return unwrapped
  // A ring that ends a full turn from where it began goes around a pole.
  const pole = last[1] < 0 ? -90 : 90
  return [...unwrapped, [last[0], pole], [first[0], pole], first]
}

const isAtPole = (ring: readonly Position[]): boolean =>
  ring.every(([, latitude]) => Math.abs(latitude) > 89.9)
