import landUrl from 'world-atlas/land-50m.json?url'

import { boundLand, type Land } from './geometry.ts'
import { downloadOnce, readShapes, type Topology } from './topology.ts'

/** Reads the land of a topology and indexes it for lookups. */
export const readLand = (topology: Topology): readonly Land[] =>
  boundLand(readShapes(topology, 'land').flatMap(({ polygons }) => polygons))

/** The land of the world (Natural Earth, 1:50 million), from our own origin. */
export const loadLand = downloadOnce(landUrl, readLand)
