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

/** Decodes the shapes of one object of a topology into polygons in degrees. */
export const readShapes = (
  { arcs, transform, objects }: Topology,
  name: string,
): { readonly shape: Shape; readonly polygons: readonly Polygon[] }[] => {
  const lines = arcs.map((arc) => toDegrees(arc, transform))
  const ring = (numbers: readonly number[]): Position[] =>
    numbers.flatMap((number, index) => {
      // The bitwise complement of an index means the reversed arc.
      const line = number < 0 ? lines[~number]?.toReversed() : lines[number]
      // An arc begins with the last point of the previous one.
      return index === 0 ? (line ?? []) : (line?.slice(1) ?? [])
    })
  return (objects[name]?.geometries ?? []).map((shape) => ({
    shape,
    polygons:
      shape.type === 'Polygon'
        ? [shape.arcs.map(ring)]
        : shape.arcs.map((polygon) => polygon.map(ring)),
  }))
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
