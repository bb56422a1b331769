/** The mean radius of the Earth. */
export const EARTH_RADIUS_M = 6_371_008.8

export interface Position {
  readonly latitude: number
  readonly longitude: number
}

export const radians = (degrees: number): number => (degrees * Math.PI) / 180

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
