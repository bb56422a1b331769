import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { startLoadClient, type LoadClient } from '../../bench/load/client.ts'
import { table } from '../../bench/measure/table.ts'
import { median } from '../../bench/measure/stats.ts'
import { format } from '../../bench/measure/verdict.ts'
import { READS } from '../../bench/network/network.ts'
import { readStations, type Station } from '../../bench/network/register.ts'
import { networkRows, offsetOf, placeOf, type Placed } from '../../bench/network/stations.ts'
import { startProvider, type Provider } from '../../bench/provider.ts'
import { measure, underLoad, type Measurement } from '../../bench/server/measure.ts'
import { WORKLOADS, type Parts } from '../../bench/server/workloads.ts'
import { makeOwners } from '../../bench/sides/data.ts'
import { startOurs } from '../../bench/sides/ours.ts'
import type { Side } from '../../bench/sides/side.ts'
import { connect } from '../../server/db/connect.ts'
import { findRunningDatabase } from '../../server/db/embedded.ts'
import { LOCKS } from '../../server/db/locks.ts'
import type { Sql } from '../../server/db/sql.ts'
import { API } from '#domain/paths.ts'
import { SITES } from '#domain/collection.ts'
import { repeatNetwork, type Shift } from '../support/repeated-network.ts'
import { report } from './figures.ts'

// Measures the same requests in a network of 100,000 sites and, after it was repeated over the world, of 10,000,000, in
// one embedded PostgreSQL (decision 0153).

/** The French register, which is not part of the project. */
const REGISTER = process.env['REGISTER'] ?? ''
const FIRST = 100_000
const COPIES = Number(process.env['PROOF_SITES'] ?? 10_000_000) / FIRST - 1
/** Per station, so that all of them fit on a disk. */
const MAX_CONNECTORS = 2
const CONNECTIONS = 4
const REQUESTS = 2000
const ROUNDS = 5
const ROUND_MS = 2000
/** Requests before the measurement, so that disk caches are warm. */
const WARM_UP_MS = 4000

const OWNERS = makeOwners([
  { owners: 1, sitesEach: 50, connectorsPerSite: 0 },
  { owners: 1, sitesEach: 1000, connectorsPerSite: 0 },
  { owners: (FIRST - 1050) / 50, sitesEach: 50, connectorsPerSite: 0 },
])
const [reader, writer] = OWNERS
if (reader === undefined || writer === undefined) throw new Error('There are two owners.')

let stations: readonly Station[]
let folder: string
let provider: Provider
let client: LoadClient
let side: Side
let open: () => Sql
beforeAll(async () => {
  if (REGISTER === '') throw new Error('REGISTER names the file of the French register.')
  stations = (await readStations(REGISTER)).map(({ site, connectors }) => ({
    site,
    connectors: connectors.slice(0, MAX_CONNECTORS),
  }))
  folder = await mkdtemp(join(tmpdir(), 'voltleaf-ten-million-'))
  // PostgreSQL runs as another user.
  await chmod(folder, 0o711)
  provider = await startProvider()
  client = startLoadClient()
  const rows = networkRows(stations, OWNERS)
  side = await startOurs({ folder, owners: OWNERS, signedIn: [reader, writer], provider, rows })
  const place = await findRunningDatabase(join(folder, 'data'))
  if (place === undefined) throw new Error('The server has no database.')
  open = () => connect(place, { max: 1, statementMs: 0, keepOpen: true })
}, 600_000)
afterAll(async () => {
  await side.stop()
  await client.close()
  await provider.close()
  await rm(folder, { recursive: true, force: true })
})

/** Copies of the register in the original network, and thus in each of its copies. */
const registersEach = (): number => Math.ceil(FIRST / stations.length)

const shiftOf = (copy: number): Shift => {
  const [from, to] = [offsetOf(0), offsetOf(copy * registersEach())]
  return { latitude: to.latitude - from.latitude, longitude: to.longitude - from.longitude }
}

/** A site of the network and its copies. */
const placeIn = (number: number): Placed => {
  const place = placeOf(stations, number % FIRST)
  const shift = shiftOf(Math.floor(number / FIRST))
  const longitude = place.longitude + shift.longitude
  return {
    ...place,
    latitude: place.latitude + shift.latitude,
    longitude: longitude > 180 ? longitude - 360 : longitude,
  }
}

interface Asked {
  readonly title: string
  readonly operations: readonly Parts[]
}

/** Requests of travellers all over a network of a given size. */
const travellers = (sites: number): readonly Asked[] =>
  READS.filter(({ name }) => name !== 'text').map(({ title, request }) => ({
    title,
    operations: Array.from({ length: REQUESTS }, (_, index) => {
      const place = placeIn(Math.floor((index * sites) / REQUESTS))
      return [{ path: request(place, index) }]
    }),
  }))

/** Requests of an owner with 50 sites and of one with 1,000. */
const owners = async (): Promise<readonly Asked[]> => {
  const headers = { authorization: side.tokenOf(writer) }
  const list = (title: string, values: readonly Readonly<Record<string, string>>[]): Asked => ({
    title,
    operations: values.map((each) => [
      { path: `${API.records(SITES)}?${new URLSearchParams(each).toString()}`, headers },
    ]),
  })
  const pages = Array.from({ length: 50 }, (_, index) => String(index + 1))
  const names = stations.slice(0, 100).map(({ site }) => site.name.slice(0, 6).replaceAll('"', ''))
  const named = ['record', 'list', 'dashboard', 'update']
  const workloads = WORKLOADS.filter(({ name }) => named.includes(name))
  return [
    ...(await Promise.all(
      workloads.map(async ({ title, operations }) => ({
        title,
        operations: await operations(side, { reader, writer }, provider),
      })),
    )),
    list(
      'list of 20 with the total of 1,000',
      pages.map((page) => ({ page, perPage: '20', sort: '-created' })),
    ),
    list(
      'search by a part of a name among 1,000',
      names.map((name) => ({ filter: `name ~ "${name}"`, perPage: '20', skipTotal: '1' })),
    ),
  ]
}

type Measured = ReadonlyMap<string, readonly Measurement[]>

const measureAll = async (sites: number): Promise<Measured> => {
  const measured = new Map<string, readonly Measurement[]>()
  for (const { title, operations } of [...(await owners()), ...travellers(sites)]) {
    const contender = underLoad(client, side, operations, { connections: CONNECTIONS })
    await contender.perform(WARM_UP_MS)
    const rounds: Measurement[] = []
    for (let round = 0; round < ROUNDS; round++) rounds.push(await measure(contender, ROUND_MS))
    measured.set(title, rounds)
  }
  return measured
}

/** A line for each request, with its figures at both sizes and their ratio. */
const compare = (first: Measured, last: Measured): string => {
  const figures = {
    'CPU ms': ({ cpuMsEach }: Measurement) => cpuMsEach,
    'p50 ms': ({ p50Ms }: Measurement) => p50Ms,
    'p99 ms': ({ p99Ms }: Measurement) => p99Ms,
  }
  return table(
    [...first].map(([title, rounds]) => ({
      request: title,
      ...Object.fromEntries(
        Object.entries(figures).map(([name, of]) => {
          const [one, other] = [rounds, last.get(title) ?? []].map((each) => median(each.map(of)))
          const ratio = (other ?? NaN) / (one ?? NaN)
          return [name, `${format(one ?? NaN)} → ${format(other ?? NaN)} (${format(ratio)}x)`]
        }),
      ),
    })),
  )
}

/** Refreshes the summaries for travellers. @returns the duration in seconds */
const renew = async (sql: Sql): Promise<number> => {
  const begun = performance.now()
  await sql`update place_summaries set renewed = '-infinity', version = 0`
  await sql`select summarize_places(0)`
  return (performance.now() - begun) / 1000
}

/** The number of places that differ from the data derived from their records. */
const countWrong = async (sql: Sql): Promise<number> => {
  const [{ count }] = await sql<[{ count: number }]>`
    with sample as materialized (
      select array_agg(id) as ids
      from (select id from places where id ~ '^[0-9]' order by md5(id) limit 1000) p)
    select count(*)::int from sample cross join lateral (
      select m.id, m.business, m.cell, m.latitude, m.longitude, m.mask, m.status, m.max_kw, m.hours, m.words, m.doc
      from public_places(sample.ids) m
      except
      select p.id, p.business, p.cell, p.latitude, p.longitude, p.mask, p.status, p.max_kw, p.hours, p.words, d.doc
      from places p join place_docs d using (id) where p.id = any(sample.ids)) wrong`
  return count
}

test('ten million sites, compared with a hundred thousand', async () => {
  const sql = open()
  try {
    // Both would run while requests are measured: autovacuum, and the refresh of the summaries.
    await sql.unsafe('alter system set autovacuum = off')
    await sql`select pg_advisory_lock(${LOCKS.placeSummary}::bigint)`
    await sql.unsafe("alter system set max_wal_size = '4GB'")
    await sql.unsafe('select pg_reload_conf()')
    const renewals = [await renew(sql)]
    const first = await measureAll(FIRST)
    const begun = performance.now()
    await repeatNetwork(
      open,
      Array.from({ length: COPIES }, (_, index) => shiftOf(index + 1)),
      (sentence) => console.log(`${Math.round((performance.now() - begun) / 1000)} s: ${sentence}`),
    )
    await sql.unsafe('checkpoint')
    const loadMinutes = (performance.now() - begun) / 60_000
    const wrong = await countWrong(sql)
    renewals.push(await renew(sql))
    const [{ sites, connectors, bytes }] = await sql<
      [{ sites: number; connectors: number; bytes: string }]
    >`select (select count(*) from places)::int as sites, (select count(*) from connectors)::int as connectors,
        pg_database_size(current_database())::text as bytes`
    const last = await measureAll(sites)
    console.log(compare(first, last))
    await report('ten million sites', {
      failures: wrong,
      sites,
      connectors,
      'GB of database': format(Number(bytes) / 1e9),
      'minutes of filling': format(loadMinutes),
      's to renew what is seen at a glance': renewals.map(format).join(' and '),
    })
    expect(sites).toBe(FIRST * (COPIES + 1))
    expect(wrong).toBe(0)
  } finally {
    await sql.end({ timeout: 5 })
  }
})
