import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { mapPoint } from '#domain/cell.ts'
import { CONNECTORS } from '#domain/collection.ts'
import { API } from '#domain/paths.ts'
import { TILE_LAYER, type SitePage } from '#domain/public-read.ts'
import type { PublicSite } from '#domain/public-site.ts'

import { newOwnerWithSite, siteBody } from '../support/owner.ts'
import { startSecondProcess, type SecondProcess } from '../support/second-process.ts'
import { startStack, type Stack } from '../support/stack.ts'
import { report, times } from './figures.ts'

// While an owner changes a connector at one process, everybody reads its site at two. No response is older than the
// last change that was confirmed before the read began, or newer than the last one that was sent before it ended.

const READS = times(600, 100_000)
const READERS = 8

let stack: Stack
let second: SecondProcess
beforeAll(async () => {
  stack = await startStack()
  second = await startSecondProcess(stack)
})
afterAll(async () => {
  await second.close()
  await stack.close()
})

/** The tile that contains the site at a zoom level. */
const tileOf = (z: number): string => {
  const { x, y } = mapPoint(siteBody(''))
  return API.publicTile(String(z), String(Math.floor(x * 2 ** z)), String(Math.floor(y * 2 ** z)))
}

type Read = (answer: Response) => Promise<number>
const kwOf = (site: Pick<PublicSite, 'connectors'> | undefined): number =>
  site?.connectors[0]?.kw_rating ?? 0
const ofSite: Read = async (answer) => kwOf((await answer.json()) as PublicSite)
const ofList: Read = async (answer) => kwOf(((await answer.json()) as SitePage).items[0])
const ofTile: Read = async (answer) => {
  const layer = new VectorTile(new PbfReader(await answer.bytes())).layers[TILE_LAYER]
  return Number(layer?.feature(0).properties['max_kw'])
}

test('public reads at any process show the last confirmed change', async () => {
  const { client, site, connector } = await newOwnerWithSite(stack.url)
  const kinds: readonly (readonly [path: string, read: Read])[] = [
    [API.publicSite(site.id), ofSite],
    [`${API.publicSites}?near=55.2,-6.65`, ofList],
    [`${API.publicSites}?bbox=-7,55,-6,56`, ofList],
    [`${API.publicSites}?q=harbour`, ofList],
    [tileOf(14), ofTile],
    [tileOf(7), ofTile],
  ]
  // The power increases with each change.
  const kwAt = (change: number): number => 150 + change / 1000
  let sent = 0
  let confirmed = 0
  const over = new AbortController()
  const change = async (): Promise<void> => {
    await client.collection(CONNECTORS).update(connector.id, { kw_rating: kwAt(sent) })
    confirmed = sent
  }
  await change()
  const writing = (async () => {
    while (!over.signal.aborted) {
      sent += 1
      // oxlint-disable-next-line no-await-in-loop -- changes are sequential
      await change()
    }
  })()
  let reads = 0
  let wrong = 0
  const readAll = async (): Promise<void> => {
    while (reads < READS) {
      const [path, read] = kinds[reads % kinds.length] ?? ['', ofSite]
      const origin = [stack.url, second.url][Math.floor(reads / kinds.length) % 2]
      reads += 1
      const before = kwAt(confirmed)
      // oxlint-disable-next-line no-await-in-loop -- the reads of a reader are sequential
      const kw = await read(await fetch(origin + path))
      if (kw < before || kw > kwAt(sent)) wrong += 1
    }
  }
  await Promise.all(Array.from({ length: READERS }, readAll))
  over.abort()
  await writing
  await report('Racing reads', { failures: wrong, reads, changes: confirmed })
  expect(wrong).toBe(0)
  expect(confirmed).toBeGreaterThan(READS / 100)
})
