import { expect, test } from 'vitest'

import { boxAround, cellOf, cellsOfBox, cellsOfTile, type Box } from './cell.ts'
import { distanceM } from './distance.ts'

const holds = (box: Box, cell: number): boolean =>
  cellsOfBox(box).some(({ from, to }) => cell >= from && cell <= to)

test('a tile is one range of cells, and its four children fill it', () => {
  const whole = cellsOfTile(3, 5, 2)
  const parts = [
    cellsOfTile(4, 10, 4),
    cellsOfTile(4, 11, 4),
    cellsOfTile(4, 10, 5),
    cellsOfTile(4, 11, 5),
  ]
  expect(parts[0]?.from).toBe(whole.from)
  expect(parts.at(-1)?.to).toBe(whole.to)
  for (const [index, { from }] of parts.slice(1).entries())
    expect(from).toBe((parts[index]?.to ?? 0) + 1)
})

test('a box becomes a few ranges of cells that cover its corners and edges', () => {
  const boxes: Box[] = [
    { west: -180, south: -90, east: 180, north: 90 },
    { west: -180, south: 48, east: 180, north: 48.1 },
    { west: 7.7, south: 48.5, east: 7.8, north: 48.6 },
    { west: 179.9, south: -18.2, east: -179.9, north: -18.1 },
    { west: 7.75, south: 48.58, east: 7.75, north: 48.58 },
    { west: 10, south: 89, east: 20, north: 90 },
  ]
  for (const box of boxes) {
    const { west, south, east, north } = box
    expect(cellsOfBox(box).length).toBeLessThan(50)
    for (const latitude of [south, (south + north) / 2, north])
      for (const longitude of [west, east])
        expect(holds(box, cellOf({ latitude, longitude }))).toBe(true)
  }
  expect(
    holds(
      { west: 7.7, south: 48.5, east: 7.8, north: 48.6 },
      cellOf({ latitude: 0, longitude: 0 }),
    ),
  ).toBe(false)
})

test('the box around a circle contains it, also at the poles and across 180°', () => {
  const near = { latitude: 89.999, longitude: 10 }
  expect(boxAround(near, 1000)).toMatchObject({ west: -180, east: 180, north: 90 })
  const { west, east } = boxAround({ latitude: -18, longitude: 179.99 }, 10_000)
  expect(west).toBeGreaterThan(east)
  const quarter = (Math.PI / 2) * 6_371_008.8
  expect(distanceM({ latitude: 90, longitude: 0 }, { latitude: 0, longitude: 123 })).toBeCloseTo(
    quarter,
  )
  expect(distanceM({ latitude: 0, longitude: 180 }, { latitude: 0, longitude: -180 })).toBeCloseTo(
    0,
  )
})
