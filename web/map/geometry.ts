import { EARTH_RADIUS_M, radians } from '#domain/distance.ts'

import type { Coordinates } from './coordinates.ts'
import { nearestTurn, type Polygon, type Position } from './topology.ts'

const METRES_PER_DEGREE = (Math.PI / 180) * EARTH_RADIUS_M

/** A polygon with its bounding box, which rules out most of the world. */
export interface Land {
  readonly polygon: Polygon
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

/** Computes the bounding boxes of polygons, which may go on beyond ±180°. */
export const boundLand = (polygons: readonly Polygon[]): readonly Land[] =>
  polygons.map((polygon) => {
    const bounds = { west: Infinity, south: 90, east: -Infinity, north: -90 }
    for (const [x, y] of polygon[0] ?? []) {
      bounds.west = Math.min(bounds.west, x)
      bounds.east = Math.max(bounds.east, x)
      bounds.south = Math.min(bounds.south, y)
      bounds.north = Math.max(bounds.north, y)
    }
    return { polygon, ...bounds }
  })

/**
 * The distance of a place from land, in metres: 0 on land, `atMostM` if no land is that near. Accurate for distances of
 * some kilometres.
 */
export const distanceToLandM = (
  { latitude, longitude }: Coordinates,
  land: readonly Land[],
  atMostM: number,
): number => {
  const reachY = atMostM / METRES_PER_DEGREE
  const stretch = Math.max(0.01, Math.cos(radians(latitude)))
  const reachX = reachY / stretch
  let nearest = atMostM
  for (const { polygon, west, south, east, north } of land) {
    const x = nearestTurn(longitude, (west + east) / 2)
    if (x < west - reachX || x > east + reachX) continue
    if (latitude < south - reachY || latitude > north + reachY) continue
    if (isInside([x, latitude], polygon)) return 0
    const flat = (at: Position): Position => [
      (at[0] - x) * stretch * METRES_PER_DEGREE,
      (at[1] - latitude) * METRES_PER_DEGREE,
    ]
    for (const ring of polygon)
      for (let index = 1; index < ring.length; index++)
        nearest = Math.min(
          nearest,
          distanceFromOrigin(flat(ring[index - 1] as Position), flat(ring[index] as Position)),
        )
  }
  return nearest
}

/** Even-odd rule: a ray from an inner place crosses the rings an odd number of times. */
const isInside = ([x, y]: Position, polygon: Polygon): boolean => {
  let inside = false
  for (const ring of polygon)
    for (let index = 1; index < ring.length; index++) {
      const [ax, ay] = ring[index - 1] as Position
      const [bx, by] = ring[index] as Position
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside
    }
  return inside
}

const distanceFromOrigin = ([ax, ay]: Position, [bx, by]: Position): number => {
  const [dx, dy] = [bx - ax, by - ay]
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, -(ax * dx + ay * dy) / length))
  return Math.hypot(ax + along * dx, ay + along * dy)
}
