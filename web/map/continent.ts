import type { Coordinates } from './coordinates.ts'

/** South-west and north-east corners of the inhabited part of a continent, by the first part of a time zone. */
const CORNERS: Readonly<Record<string, readonly [number, number, number, number]>> = {
  Africa: [-35, -18, 37, 51],
  America: [-35, -124, 52, -40],
  Asia: [0, 35, 55, 145],
  Atlantic: [28, -30, 65, 10],
  Australia: [-44, 113, -10, 154],
  Europe: [36, -10, 60, 30],
  Pacific: [-47, 140, 25, 179],
}

/** The corners of the device's continent, for a first view; empty if its time zone names no continent. */
export const continentOfDevice = (): readonly Coordinates[] => {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const [south, west, north, east] = CORNERS[timeZone.split('/')[0] ?? ''] ?? []
  if (south === undefined || west === undefined || north === undefined || east === undefined)
    return []
  return [
    { latitude: south, longitude: west },
    { latitude: north, longitude: east },
  ]
}
