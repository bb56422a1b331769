import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import { expect, test } from 'vitest'

import { distanceM } from '#domain/distance.ts'
import { readLand } from '../../map/land.ts'
import type { Topology } from '../../map/topology.ts'
import { findWarnings } from './warnings.ts'

const file = createRequire(import.meta.url).resolve('world-atlas/land-50m.json')
const land = readLand(JSON.parse(readFileSync(file, 'utf8')) as Topology)

const at = (latitude: number, longitude: number) => ({ latitude, longitude })
const PORTRUSH = at(55.2044, -6.6531)
const ask = (
  place: ReturnType<typeof at>,
  known: {
    address?: ReturnType<typeof at>
    others?: readonly (ReturnType<typeof at> & { name: string })[]
  } = {},
) => findWarnings({ place, address: known.address, others: known.others ?? [], land })
const kinds = (...asked: Parameters<typeof ask>) => ask(...asked).map(({ kind }) => kind)

test('measures great-circle distances', () => {
  // One minute of arc is a nautical mile.
  expect(distanceM(at(0, 0), at(0, 1 / 60))).toBeCloseTo(1853.2, 0)
  expect(distanceM(at(52.52, 13.405), at(48.8566, 2.3522)) / 1000).toBeCloseTo(877.5, 0)
  expect(distanceM(at(0, 179.9), at(0, -179.9)) / 1000).toBeCloseTo(22.2, 0)
})

test.each([
  ['Portrush, on the coast', PORTRUSH],
  ['Berlin', at(52.52, 13.405)],
  ['Monaco', at(43.7384, 7.4246)],
  ['the pier of Southend', at(51.514, 0.722)],
  ['Amsterdam, below the sea', at(52.37, 4.9)],
  ['Venice', at(45.4375, 12.3358)],
  ['the shore of the Caspian', at(40.37, 49.85)],
  ['Geneva, on its lake', at(46.21, 6.16)],
  ['Bergen, in its fjord', at(60.39, 5.32)],
  ['Valletta', at(35.8989, 14.5146)],
  ['Honolulu', at(21.307, -157.858)],
  ['Suva, close to where the day changes', at(-18.14, 178.44)],
  ['Taveuni, on that line', at(-16.85, -179.97)],
  ['Rovaniemi, as far north as where Russia crosses it', at(66.5, 25.73)],
  ['Kiruna', at(67.86, 20.23)],
  ['Antarctica', at(-80, 0)],
  ['the South Pole', at(-90, 0)],
])('has no warning about %s', (_, place) => {
  expect(ask(place)).toEqual([])
})

test.each([
  ['the North Sea', at(56, 3)],
  ['the Atlantic, for a minus that is missing', at(36, -20)],
  ['nowhere, off Africa', at(0, 0)],
  ['the Pacific', at(0, -150)],
  ['the Norwegian Sea', at(67, 5)],
  ['the Pacific, as far south as Fiji', at(-16.5, -100)],
])('recognises %s as the sea', (_, place) => {
  expect(kinds(place)).toEqual(['sea'])
})

test('trusts an address more than the coastlines', () => {
  const islet = at(56, 3)
  expect(kinds(islet, { address: at(56.001, 3) })).toEqual([])
  expect(kinds(islet, { address: at(56.1, 3) })).toEqual(['far', 'sea'])
})

test('reports the distance from the address, beyond a kilometre', () => {
  const moved = (metres: number) => at(PORTRUSH.latitude - metres / 111_195, PORTRUSH.longitude)
  expect(ask(moved(990), { address: PORTRUSH })).toEqual([])
  expect(ask(moved(1400), { address: PORTRUSH })).toEqual([
    { kind: 'far', distanceM: expect.closeTo(1400, -1) as unknown, place: PORTRUSH },
  ])
})

test('recognises a swapped pair by the address, the other sites, or the sea', () => {
  const wrong = at(-6.6531, 55.2044)
  const swapped = [{ kind: 'swapped', place: PORTRUSH }]
  expect(ask(wrong, { address: at(55.205, -6.66) })).toEqual(swapped)
  expect(ask(wrong, { others: [{ name: 'A', ...at(54.6, -5.93) }] })).toEqual(swapped)
  expect(ask(wrong)).toEqual(swapped)
  // No latitude is that large.
  expect(ask(at(122.4, 37.8))).toEqual([{ kind: 'swapped', place: at(37.8, 122.4) }])
  // Both are land: nothing suggests a swap.
  expect(ask(at(45, 40))).toEqual([])
  expect(ask(at(100, 120))).toEqual([])
  // The other sites contradict a swap.
  expect(kinds(wrong, { others: [{ name: 'A', ...at(-6.7, 55.3) }] })).toEqual(['sea'])
})

test('names another site within 50 metres', () => {
  const others = [
    { name: 'Quay', ...at(55.2048, -6.6531) },
    { name: 'Pier', ...at(55.2046, -6.6531) },
    { name: 'Dock', ...at(55.3, -6.6531) },
  ]
  expect(ask(PORTRUSH, { others })).toEqual([
    { kind: 'near', site: others[1], distanceM: expect.closeTo(22.2, 0) as unknown },
  ])
  expect(ask(at(55.205, -6.66), { others })).toEqual([])
})
