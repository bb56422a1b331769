import landUrl from 'world-atlas/land-50m.json?url'

import { boundLand, type Land } from './geometry.ts'
import { readShapes, type Topology } from './topology.ts'

let loading: Promise<readonly Land[]> | undefined

/** The land of the world (Natural Earth, 1:50 million), from our own origin. */
export const loadLand = (): Promise<readonly Land[]> => {
  loading ??= load().catch((error: unknown) => {
    // A failed download must be retried by the next call.
    loading = undefined
    throw error
  })
  return loading
}

const load = async (): Promise<readonly Land[]> => {
  const answer = await fetch(landUrl)
  if (!answer.ok) throw new Error(`The world's coasts answered ${answer.status}`)
  return readLand((await answer.json()) as Topology)
}

/** Reads the land of a topology and indexes it for lookups. */
export const readLand = (topology: Topology): readonly Land[] =>
  boundLand(readShapes(topology, 'land').flatMap(({ polygons }) => polygons))
