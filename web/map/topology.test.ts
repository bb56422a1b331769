import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'

import { readShapes, type Topology } from './topology.ts'

test.each([
  ['countries-50m', 'countries'],
  ['countries-110m', 'countries'],
  ['land-50m', 'land'],
])(
  'in %s, every ring closes, and no edge but those along a pole spans the world',
  async (name, object) => {
    const file = createRequire(import.meta.url).resolve(`world-atlas/${name}.json`)
    const shapes = readShapes(JSON.parse(await readFile(file, 'utf8')) as Topology, object)
    const rings = shapes.flatMap(({ polygons }) => polygons.flat())
    expect(rings.length).toBeGreaterThan(100)
    for (const ring of rings) {
      expect(ring.at(-1)).toEqual(ring[0])
      const widths = ring
        .slice(1)
        .map(([x, y], index) => (Math.abs(y) === 90 ? 0 : Math.abs(x - (ring[index]?.[0] ?? 0))))
      expect(Math.max(...widths)).toBeLessThan(180)
    }
  },
)
