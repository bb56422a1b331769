import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

import { mapPoint, type Box } from '#domain/cell.ts'
import { distanceM } from '#domain/distance.ts'
import { PLUG_GROUP_NAMES } from '#domain/plug-group.ts'
import {
  TILE_EXTENT,
  TILE_LAYER,
  type ListedSite,
  type SiteFilter,
  type SitePage,
} from '#domain/public-read.ts'
import type { PublicSite } from '#domain/public-site.ts'

import { LOCKS } from '../../server/db/locks.ts'
import { anyPosition, createRandom, fillNetwork } from '../support/public-network.ts'
import {
  expectedSites,
  fromLine,
  isAskedFor,
  isInBox,
  isOnTile,
  nearestOf,
  parametersOf,
} from '../support/public-sites.ts'
import { startStack, type Stack } from '../support/stack.ts'
import { newSuperuser } from '../support/superuser.ts'
import { countFailures, report, times } from './figures.ts'

// Every public response equals the result of a search through all records, one by one: at random places, including the
// poles and 180°, with random filters.

const PLACES = times(100, 1000)
const OTHERS = times(40, 400)
const random = createRandom(20261123)
let stack: Stack
let sites: readonly PublicSite[]
beforeAll(async () => {
  stack = await startStack()
  await fillNetwork(stack.sql, { siteCount: times(1000, 6000), random })
  sites = await expectedSites(await newSuperuser(stack))
})
const { failures } = countFailures()
let answers = 0
afterAll(async () => {
  await stack.close()
  await report('public reads', {
    places: PLACES,
    'boxes and tiles': 3 * OTHERS,
    sites: sites.length,
    answers,
    failures: failures(),
  })
})

const choose = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T

const anyFilter = (): Partial<SiteFilter> => ({
  ...(random() < 0.5 && { plugs: PLUG_GROUP_NAMES.filter(() => random() < 0.2) }),
  ...(random() < 0.5 && { minKw: choose([0, 7, 7.2, 11, 22, 50, 60, 150, 300]) }),
  ...(random() < 0.2 && { free: true }),
  ...(random() < 0.2 && { available: true }),
  ...(random() < 0.3 && { openNow: true }),
  ...(random() < 0.1 && { business: choose(sites).business.id }),
  ...(random() < 0.2 && { access: choose([['PUBLIC'], ['CUSTOMERS', 'PRIVATE']] as const) }),
})

const ask = async (path: string, init?: RequestInit): Promise<Response> => {
  answers += 1
  const answer = await fetch(`${stack.url}/api/public/${path}`, init)
  expect([path, answer.status]).toEqual([path, 200])
  return answer
}

const page = async (path: string): Promise<SitePage> =>
  (await ask(path)).json() as Promise<SitePage>

/** Runs a read whose expected result is the same before and after it, because a site may open or close in between. */
const whileUnchanged = async <T>(
  filter: Partial<SiteFilter>,
  run: () => Promise<T>,
): Promise<{ answer: T; expected: readonly PublicSite[] }> => {
  const expectedAt = (now: number) => sites.filter((site) => isAskedFor(site, filter, now))
  for (;;) {
    const expected = expectedAt(Date.now())
    const answer = await run()
    if (expected.length === expectedAt(Date.now()).length) return { answer, expected }
  }
}

const withoutUpdated = (site: PublicSite): object => {
  const { updated: _, ...rest } = site
  return rest
}

test('exactly the data that the records allow is public', async () => {
  expect(sites.length).toBeGreaterThan(300)
  const { items } = await page('sites?near=0,0&limit=200')
  for (const { distance_m: _, ...site } of items)
    expect(withoutUpdated(site)).toEqual(sites.find(({ id }) => id === site.id))
  const [row] = await stack.sql<[{ count: number }]>`select count(*)::int as count from places`
  expect(row.count).toBe(sites.length)
})

test('the nearest sites, by pages', async () => {
  for (let place = 0; place < PLACES; place += 1) {
    const at = anyPosition(random)
    const filter = anyFilter()
    const limit = choose([1, 5, 20, 60])
    const path = `sites?near=${at.latitude.toFixed(9)},${at.longitude.toFixed(9)}&limit=${limit}${parametersOf(filter)}`
    const requested = {
      latitude: Number(at.latitude.toFixed(9)),
      longitude: Number(at.longitude.toFixed(9)),
    }
    const { answer, expected } = await whileUnchanged(filter, async () => {
      const first = await page(path)
      if (first.next === null) return first.items
      const second = await page(`${path}&cursor=${first.next}`)
      return [...first.items, ...second.items]
    })
    const nearest = nearestOf(expected, requested).slice(0, answer.length)
    expect([path, answer.length]).toEqual([path, Math.min(2 * limit, expected.length)])
    expect(new Set(answer.map(({ id }) => id)).size).toBe(answer.length)
    for (const [index, site] of answer.entries()) {
      const far = distanceM(requested, site)
      // Sites at the same distance may come in any order because of rounding.
      expect([
        path,
        index,
        Math.abs(far - distanceM(requested, nearest[index] ?? site)) < 1e-3,
      ]).toEqual([path, index, true])
      expect(Math.abs(far - (site.distance_m ?? NaN))).toBeLessThan(0.51)
      expect(isAskedFor(site, { ...filter, openNow: false }, 0)).toBe(true)
    }
  }
})

test('all sites of a box, by pages', async () => {
  for (let place = 0; place < OTHERS; place += 1) {
    const filter = anyFilter()
    const [one, other] = [anyPosition(random), anyPosition(random)]
    const box: Box = {
      west: Number(one.longitude.toFixed(6)),
      east: Number(other.longitude.toFixed(6)),
      south: Number(Math.min(one.latitude, other.latitude).toFixed(6)),
      north: Number(Math.max(one.latitude, other.latitude).toFixed(6)),
    }
    const path = `sites?bbox=${box.west},${box.south},${box.east},${box.north}&limit=200${parametersOf(filter)}`
    const { answer, expected } = await whileUnchanged(filter, async () => {
      const found: string[] = []
      let next: string | null = ''
      while (next !== null) {
        const answered: SitePage = await page(next === '' ? path : `${path}&cursor=${next}`)
        found.push(...answered.items.map(({ id }) => id))
        next = answered.next
      }
      return found
    })
    const inBox = expected.filter((site) => isInBox(box, site)).map(({ id }) => id)
    expect([path, answer.toSorted()]).toEqual([path, inBox.toSorted()])
  }
})

/** A line from a place, straight and around corners, with steps from metres to some hundred kilometres. */
const anyLine = (): [number, number][] => {
  const from = random() < 0.7 ? choose(sites) : anyPosition(random)
  const stride = choose([0, 0.001, 0.02, 0.5, 3])
  const points: [number, number][] = [[from.longitude, from.latitude]]
  for (
    let count = choose(stride < 0.5 ? [0, 1, 5, 30, 200] : [0, 1, 5, 30]);
    count > 0;
    count -= 1
  ) {
    const [longitude = 0, latitude = 0] = points.at(-1) ?? []
    const next = longitude + (random() - 0.4) * stride
    points.push([
      next > 180 ? next - 360 : next < -180 ? next + 360 : next,
      Math.max(-90, Math.min(90, latitude + (random() - 0.4) * stride)),
    ])
  }
  return points
}

test('the sites along a line, by pages', async () => {
  let found = 0
  for (let place = 0; place < PLACES; place += 1) {
    const filter = anyFilter()
    const within = choose([1, 100, 1000, 5000])
    const coordinates = anyLine()
    const line = coordinates.map(([longitude, latitude]) => ({ latitude, longitude }))
    const path = `route?within=${within}&limit=${choose([3, 200])}${parametersOf(filter)}`
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'LineString', coordinates }),
    }
    const { answer, expected } = await whileUnchanged(filter, async () => {
      const items: ListedSite[] = []
      let next: string | null = ''
      while (next !== null) {
        const answered = (await (
          await ask(next === '' ? path : `${path}&cursor=${next}`, init)
        ).json()) as SitePage
        items.push(...answered.items)
        next = answered.next
      }
      return items
    })
    const requested = [path, coordinates] as const
    const near = new Map(
      expected
        .map((site) => [site.id, fromLine(line, site, within)] as const)
        .filter(([, { distanceM: far }]) => far <= within + 0.01),
    )
    for (const [index, site] of answer.entries()) {
      const { distanceM: far, alongM } = near.get(site.id) ?? { distanceM: NaN, alongM: [] }
      expect([...requested, Math.abs(far - (site.distance_m ?? NaN)) < 0.52]).toEqual([
        ...requested,
        true,
      ])
      // Rounding decides if several points of the line are equally near.
      const isThere = alongM.some((each) => Math.abs(each - (site.along_m ?? NaN)) < 2)
      expect([...requested, site.along_m, alongM, isThere]).toEqual([
        ...requested,
        site.along_m,
        alongM,
        true,
      ])
      expect(site.along_m).toBeGreaterThanOrEqual(answer[index - 1]?.along_m ?? 0)
    }
    const ids = answer.map(({ id }) => id)
    const sure = [...near].filter(([, { distanceM: far }]) => far <= within - 0.01)
    expect([...requested, ids.length]).toEqual([...requested, new Set(ids).size])
    expect([...requested, sure.filter(([id]) => !ids.includes(id))]).toEqual([...requested, []])
    found += ids.length
  }
  expect(found).toBeGreaterThan(PLACES)
})

/** Refreshes the summary and uses it from now on, even for few sites; the server can no longer refresh it. */
const useSummary = async (): Promise<void> => {
  const holder = await stack.sql.reserve()
  onTestFinished(async () => {
    await holder`select pg_advisory_unlock_all()`
    holder.release()
  })
  await holder`select pg_advisory_lock(${LOCKS.placeSummary}::bigint)`
  await holder`update place_summaries set renewed = '-infinity', version = 0`
  await holder`select summarize_places(1)`
}

test.each([
  ['of places', [0, 1, 3, 6, 10, 13, 14, 18]],
  ['of the summary', [0, 1, 2, 3, 4, 5]],
])('tiles %s count each site once, at the mean of their clusters', async (source, zooms) => {
  if (source === 'of the summary') await useSummary()
  const [summary] = await stack.sql<[{ used: boolean }]>`select used from place_summaries`
  expect(summary.used).toBe(source === 'of the summary')
  for (let place = 0; place < OTHERS; place += 1) {
    const filter = anyFilter()
    const z = choose(zooms)
    const point = mapPoint(choose(sites))
    const [x = 0, y = 0] = [point.x, point.y].map((part) =>
      Math.min(2 ** z - 1, Math.max(0, Math.floor(part * 2 ** z))),
    )
    const path = `tiles/${z}/${x}/${y}.mvt?${parametersOf(filter).slice(1)}`
    const { answer, expected } = await whileUnchanged(
      filter,
      async () => new Uint8Array(await (await ask(path)).arrayBuffer()),
    )
    const layer = new VectorTile(new PbfReader(answer)).layers[TILE_LAYER]
    const features = Array.from({ length: layer?.length ?? 0 }, (_, index) => {
      const feature = layer?.feature(index)
      const at = feature?.loadGeometry()[0]?.[0]
      if (at === undefined) throw new Error('a feature without a point')
      return {
        at,
        ...(feature?.properties as {
          count: number
          id?: string
          max_kw: number
          status?: string
          available?: number
        }),
      }
    })
    const onTile = expected.filter((site) => isOnTile(site, z, x, y))
    const total = features.reduce((sum, { count }) => sum + count, 0)
    expect([path, total]).toEqual([path, onTile.length])
    const powers = onTile.map(({ connectors: [first] }) => first?.kw_rating ?? 0)
    expect(Math.max(0, ...features.map(({ max_kw }) => max_kw))).toBe(Math.max(0, ...powers))
    const available = features.reduce(
      (sum, { available: some, status }) => sum + (some ?? (status === 'AVAILABLE' ? 1 : 0)),
      0,
    )
    expect(available).toBe(onTile.filter(({ status }) => status === 'AVAILABLE').length)
    expect(z < 14 || features.every(({ count }) => count === 1)).toBe(true)
    for (const { at, count, id } of features) {
      expect(Math.min(at.x, at.y) >= 0 && Math.max(at.x, at.y) < TILE_EXTENT).toBe(true)
      expect(count === 1).toBe(id !== undefined)
      const site = onTile.find((each) => each.id === id)
      if (site === undefined) continue
      const there = mapPoint(site)
      expect(Math.abs(there.x * 2 ** z - x - at.x / TILE_EXTENT)).toBeLessThan(0.001)
      expect(Math.abs(there.y * 2 ** z - y - at.y / TILE_EXTENT)).toBeLessThan(0.001)
    }
  }
})
