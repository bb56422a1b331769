import { setTimeout as sleep } from 'node:timers/promises'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { API, SERVICE_API } from '#domain/paths.ts'
import { SITES } from '#domain/collection.ts'

import { newOwnerWithSite } from '../support/owner.ts'
import { startSecondProcess, type SecondProcess } from '../support/second-process.ts'
import { startStack, type Stack } from '../support/stack.ts'
import { startStreaming, type Streaming } from '../support/streaming-postgres.ts'
import { report } from './figures.ts'

// Two processes read from two replicas, with a replay delay of 0.4 and 5 seconds, while a site changes continuously.
// The first replica is stopped and started meanwhile. A client that sends the ETag of its last response never gets an
// older state, from any process.

const SECONDS = Number(process.env['PROOF_SECONDS'] ?? 60)
/** The first one is recent enough to be read; the second one never is. */
const DELAYS_S = [0.4, 5]
const STEPS = 4
const WRITE_MS = 50
const READ_MS = 10

let streaming: Streaming
let stack: Stack
let second: SecondProcess
beforeAll(async () => {
  streaming = await startStreaming(2)
  for (const [index, seconds] of DELAYS_S.entries()) await streaming.replicas[index]?.delay(seconds)
  const env = {
    DATABASE_URL: streaming.primary.url,
    DATABASE_REPLICA_URLS: streaming.replicas.map(({ url }) => url).join(' '),
  }
  stack = await startStack({ env })
  second = await startSecondProcess(stack, env)
})
afterAll(async () => {
  await second.close()
  await stack.close()
  await streaming.close()
})

const over = new AbortController()

/** The times at which each turn was confirmed. */
const confirmed: number[] = []

/** The age of a turn's state at a time: since the confirmation of the next turn. */
const ageMs = (turn: number, atMs: number): number =>
  Math.max(0, atMs - (confirmed[turn + 1] ?? Infinity))

interface Reader {
  reads: number
  unchanged: number
  /** Responses older than an earlier one. */
  back: number
  oldestMs: number
}

/** Reads URLs in turn, alternating between processes, and remembers the newest turn seen. */
const read = async (
  origins: readonly string[],
  paths: readonly string[],
  isTagged: boolean,
): Promise<Reader> => {
  const reader: Reader = { reads: 0, unchanged: 0, back: 0, oldestMs: 0 }
  const tags = new Map<string, string>()
  const newest = new Map<string, number>()
  for (let turn = 0; !over.signal.aborted; turn++) {
    const path = paths[turn % paths.length] ?? ''
    const tag = isTagged ? tags.get(path) : undefined
    const atMs = performance.now()
    const answer = await fetch((origins[turn % origins.length] ?? '') + path, {
      headers: tag === undefined ? {} : { 'if-none-match': tag },
    })
    reader.reads++
    if (answer.status === 304) reader.unchanged++
    else {
      expect(answer.status).toBe(200)
      const seen = Number(/Turn (\d+)/.exec(await answer.text())?.[1])
      if (seen < (newest.get(path) ?? 0)) reader.back++
      newest.set(path, Math.max(seen, newest.get(path) ?? 0))
      reader.oldestMs = Math.max(reader.oldestMs, ageMs(seen, atMs))
      tags.set(path, answer.headers.get('etag') ?? '')
    }
    await sleep(READ_MS)
  }
  return reader
}

const metric = async (origin: string, name: string): Promise<number> => {
  const text = await (await fetch(origin + SERVICE_API.metrics)).text()
  const line = text.split('\n').find((each) => each.startsWith(name))
  return Number(line?.split(' ').at(-1))
}

test('a response with an ETag is never followed by an older one', async () => {
  const { client, site } = await newOwnerWithSite(stack.url)
  const write = async (): Promise<void> => {
    for (let turn = 0; !over.signal.aborted; turn++) {
      await client.collection(SITES).update(site.id, { name: `Turn ${turn}` })
      confirmed[turn] = performance.now()
      // Owners read current data.
      const own = await client.collection(SITES).getOne(site.id)
      expect(own['name']).toBe(`Turn ${turn}`)
      await sleep(WRITE_MS)
    }
  }
  const writing = write()
  const origins = [stack.url, second.url]
  const paths = [API.publicSite(site.id), `${API.publicSites}?near=55.2044,-6.6531`]
  // Waits until the replica has the site.
  for (const origin of origins)
    while (!(await (await fetch(origin + paths[0])).text()).includes('Turn')) await sleep(READ_MS)
  const tagged = Promise.all(origins.map(() => read(origins, paths, true)))
  const untagged = Promise.all(origins.map((origin) => read([origin], paths, false)))
  for (let step = 0; step < STEPS; step++) {
    await sleep((SECONDS * 1000) / STEPS / 2)
    if (step % 2 === 0) await streaming.replicas[0]?.stop()
    await sleep((SECONDS * 1000) / STEPS / 2)
    if (step % 2 === 0) await streaming.replicas[0]?.start()
  }
  over.abort()
  await writing
  const [withTags, without] = [await tagged, await untagged]
  const sum = (readers: readonly Reader[], pick: (reader: Reader) => number): number =>
    readers.reduce((total, reader) => total + pick(reader), 0)
  const from = async (name: string): Promise<number> => {
    const counts = await Promise.all(
      origins.map((origin) => metric(origin, `voltleaf_replica_reads_total{from="${name}"}`)),
    )
    return counts.reduce((total, count) => total + count, 0)
  }
  const back = sum(withTags, (reader) => reader.back)
  await report('replicas', {
    failures: back,
    writes: confirmed.length,
    'reads with ETags': sum(withTags, (reader) => reader.reads),
    'of them 304': sum(withTags, (reader) => reader.unchanged),
    'reads without': sum(without, (reader) => reader.reads),
    'of them older than one before': sum(without, (reader) => reader.back),
    'ms old, at most': Math.round(
      Math.max(...[...withTags, ...without].map((each) => each.oldestMs)),
    ),
    'read from replicas': await from('replica'),
    'read from the primary': await from('primary'),
  })
  expect(back).toBe(0)
  expect(await from('replica')).toBeGreaterThan(0)
  expect(await from('primary')).toBeGreaterThan(0)
})
