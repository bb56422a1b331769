import { setTimeout as sleep } from 'node:timers/promises'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { API, SERVICE_API } from '#domain/paths.ts'
import { BUSINESSES, CONNECTORS, SITES } from '#domain/collection.ts'

import { openDatabase } from '../../server/db/open.ts'
import { connectorBody, newOwner, siteBody } from '../support/owner.ts'
import { startPatroni, type PatroniCluster } from '../support/patroni.ts'
import { startStack, type Stack } from '../support/stack.ts'
import { report } from './figures.ts'
import { audit, startLoad, type Load } from './load.ts'

// Patroni with etcd fails over while the primary is killed under writes: no confirmed write is lost, the server finds
// the new primary, and travellers read from a replica meanwhile.

const KILLS = Number(process.env['PROOF_KILLS'] ?? 50)
/** Every fifth kill takes down the whole node, so Patroni has to wait until its lease has expired. */
const NODE_EVERY = 5
const WRITERS = 4
const WRITE_PAUSE_MS = 150
const READ_MS = 50
const GIVE_UP_MS = 120_000

let cluster: PatroniCluster
let stack: Stack
beforeAll(async () => {
  cluster = await startPatroni()
  stack = await startStack({
    env: { DATABASE_URL: cluster.url, DATABASE_REPLICA_URLS: cluster.urls.join(' ') },
  })
}, 300_000)
afterAll(async () => {
  await stack.close()
  await cluster.close()
}, 60_000)

const over = new AbortController()

interface Confirmed {
  readonly sentMs: number
  readonly confirmedMs: number
}

/**
 * Writes to one site, and reads it as its owner: every confirmed write is found, and no read is older than an earlier
 * one.
 */
const writeAndRead = async (
  id: string,
  token: string,
): Promise<{ writes: Confirmed[]; own: number; wrong: string[] }> => {
  const writes: Confirmed[] = []
  const wrong: string[] = []
  let [confirmed, own] = [-1, 0]
  const headers = { authorization: token, 'content-type': 'application/json' }
  for (let turn = 0; !over.signal.aborted; turn++) {
    const body = JSON.stringify({ cost: String(turn) })
    const sentMs = performance.now()
    const written = await fetch(stack.url + API.record(SITES, id), {
      method: 'PATCH',
      headers,
      body,
    })
    await written.text()
    if (written.status === 200) {
      confirmed = turn
      writes.push({ sentMs, confirmedMs: performance.now() })
    }
    const answer = await fetch(stack.url + API.record(SITES, id), { headers })
    const record = (await answer.json()) as { cost: string }
    if (answer.status === 200) {
      own += 1
      const seen = Number(record.cost)
      if (seen < confirmed || seen > turn) wrong.push(`${record.cost} after ${confirmed}`)
    } else if (answer.status !== 503) wrong.push(`${answer.status} ${JSON.stringify(record)}`)
    await sleep(20)
  }
  return { writes, own, wrong }
}

/** Reads the public site continuously, with the ETag of the previous read. */
const travel = async (id: string): Promise<{ reads: number; failed: number; back: number }> => {
  const traveller = { reads: 0, failed: 0, back: 0 }
  let [newest, tag] = [-1, '']
  for (; !over.signal.aborted; await sleep(READ_MS)) {
    const answer = await fetch(stack.url + API.publicSite(id), {
      headers: { 'if-none-match': tag },
    })
    const text = await answer.text()
    traveller.reads += 1
    if (answer.status >= 400) traveller.failed += 1
    if (answer.status !== 200) continue
    const seen = Number((JSON.parse(text) as { cost: string }).cost)
    if (seen < newest) traveller.back += 1
    newest = Math.max(newest, seen)
    tag = answer.headers.get('etag') ?? ''
  }
  return traveller
}

/** Waits until some more writes are confirmed. */
const untilWritten = async (load: Load): Promise<void> => {
  const goal = load.promised().answered + 5
  for (const deadline = Date.now() + GIVE_UP_MS; load.promised().answered < goal; await sleep(20))
    if (Date.now() > deadline) throw new Error('Nothing is written any more.')
}

test(
  `after ${KILLS} kills of the primary, every confirmed write is found`,
  async () => {
    const { client } = await newOwner(stack.url)
    const user = client.authStore.record?.id ?? ''
    const business = await client.collection(BUSINESSES).create({ name: 'Ada', user })
    const site = await client.collection(SITES).create({ ...siteBody(business.id), cost: '-1' })
    await client.collection(CONNECTORS).create(connectorBody(site.id))
    const { token } = client.authStore
    const owner = writeAndRead(site.id, token)
    await expect
      .poll(async () => (await fetch(stack.url + API.publicSite(site.id))).status)
      .toBe(200)
    const traveller = travel(site.id)
    const load = await startLoad({
      token,
      businessId: business.id,
      writers: WRITERS,
      pauseMs: WRITE_PAUSE_MS,
    })
    load.moveTo(stack.url)

    const kills: { readonly atMs: number; readonly isNode: boolean }[] = []
    const problems: string[] = []
    for (let kill = 1; kill <= KILLS; kill++) {
      await untilWritten(load)
      const isNode = kill % NODE_EVERY === 0
      const atMs = await cluster.killPrimary(isNode ? 'node' : 'postgres')
      kills.push({ atMs, isNode })
      // A node that is gone returns once there is a new primary.
      await untilWritten(load)
      await cluster.heal()
      load.moveTo(undefined)
      await load.idle()
      const sql = await openDatabase({ url: cluster.url }, { max: 1 })
      problems.push(...(await audit(sql, load.promised())).problems)
      await sql.end()
      load.moveTo(stack.url)
    }
    over.abort()
    await load.stop()
    const { writes, own, wrong } = await owner
    const { reads, failed, back } = await traveller
    const secondsOf = (wanted: boolean): number[] =>
      kills
        .filter(({ isNode }) => isNode === wanted)
        .map(
          ({ atMs }) =>
            ((writes.find(({ sentMs }) => sentMs > atMs)?.confirmedMs ?? NaN) - atMs) / 1000,
        )
        .toSorted((one, other) => one - other)
    const metrics = await (await fetch(stack.url + SERVICE_API.metrics)).text()
    const [postgres, node] = [secondsOf(false), secondsOf(true)]
    const shown = (seconds: readonly number[]) => ({
      median: Number(seconds[Math.floor(seconds.length / 2)]?.toFixed(1)),
      most: Number(seconds.at(-1)?.toFixed(1)),
    })
    await report('Patroni', {
      failures: problems.length + wrong.length + back + failed,
      kills: KILLS,
      answered: load.promised().answered + writes.length,
      unanswered: load.promised().doubts.length,
      's without writes, PostgreSQL killed, median': shown(postgres).median,
      'at most': shown(postgres).most,
      ...(node.length > 0 && {
        's without writes, node killed, median': shown(node).median,
        'at most ': shown(node).most,
      }),
      'reads of owners': own,
      'reads of travellers': reads,
      'of them failed': failed,
      'from replicas': Number(/replica_reads_total\{from="replica"\} (\d+)/.exec(metrics)?.[1]),
    })
    expect(problems).toEqual([])
    expect(load.surprises).toEqual([])
    expect(wrong).toEqual([])
    expect(back).toBe(0)
    expect(failed).toBe(0)
  },
  KILLS * 120_000,
)
