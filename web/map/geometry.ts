import { EARTH_RADIUS_M, radians } from '#domain/distance.ts'

import type { Coordinates } from './coordinates.ts'
import type { Polygon, Position } from './topology.ts'

const METRES_PER_DEGREE = (Math.PI / 180) * EARTH_RADIUS_M

/** A polygon with its bounding box, which rules out most of the world. */
export interface Land {
  readonly polygon: Polygon
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

/** Computes the bounding boxes of polygons. */
export const boundLand = (polygons: readonly Polygon[]): readonly Land[] =>
  polygons.map((polygon) => {
    const bounds = { west: 180, south: 90, east: -180, north: -90 }
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
  const near = land.filter(
    ({ west, south, east, north }) =>
      longitude >= west - reachX &&
      longitude <= east + reachX &&
      latitude >= south - reachY &&
      latitude <= north + reachY,
  )
  if (near.some(({ polygon }) => isInside([longitude, latitude], polygon))) return 0
  const flat = ([x, y]: Position): Position => [
    (x - longitude) * stretch * METRES_PER_DEGREE,
    (y - latitude) * METRES_PER_DEGREE,
  ]
  let nearest = atMostM
  for (const { polygon } of near)
    for (const ring of polygon)
      for (let index = 1; index < ring.length; index++)
        nearest = Math.min(
          nearest,
          distanceFromOrigin(flat(ring[index - 1] as Position), flat(ring[index] as Position)),
        )
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
