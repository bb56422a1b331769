import { afterAll, beforeAll, expect, test } from 'vitest'

import { NO_FILTER } from '#domain/public-read.ts'

import { connect } from '../../server/db/connect.ts'
import { upgrade } from '../../server/db/migrate.ts'
import { openDatabase } from '../../server/db/open.ts'
import type { Sql } from '../../server/db/sql.ts'
import { createPublicReads, findPublicSite } from '../../server/public/public.ts'
import { startCitus, type Citus } from '../support/citus-postgres.ts'
import { createRandom, fillNetwork } from '../support/public-network.ts'
import { report } from './figures.ts'

// The parts of the schema that Citus refuses (decision 0138). If a refusal disappears, the decision has to be
// reconsidered. The Vitest project "citus" runs the contract on three nodes, with all tables on the coordinator.

const SITES = 10_000
const READS = 300

let citus: Citus
let sql: Sql
beforeAll(async () => {
  citus = await startCitus()
  const first = await openDatabase({ url: citus.url }, { max: 1 })
  await upgrade(first, undefined)
  await first.end({ timeout: 1 })
  sql = connect({ url: citus.url }, { statementMs: 600_000 })
}, 120_000)
afterAll(async () => {
  await sql.end({ timeout: 1 })
  await citus.close()
})

const distribute = (table: string, column: string): string =>
  `select create_distributed_table('${table}', '${column}')`
const repeat = (table: string): string => `select create_reference_table('${table}')`
const WRITE_A_SITE = `
  insert into users (id, email) values ('user00000000001', 'ada@example.org');
  insert into businesses (id, name, "user") values ('business0000001', 'Ada', 'user00000000001');
  insert into sites (id, name, address, latitude, longitude, vehicle_capacity, status, business)
    values ('site00000000001', 'Quay', '12 Quay Street', 55, -6, 1, 'AVAILABLE', 'business0000001');
  insert into connectors (id, site, standard, format, current_type, kw_rating)
    values ('connector000001', 'site00000000001', 'IEC_62196_T2_COMBO', 'CABLE', 'DC', 150)`

/** The attempts, each in its own transaction that is rolled back, and the reason for which Citus refuses it. */
const ATTEMPTS: Readonly<
  Record<string, readonly [statements: readonly string[], refusal: RegExp]>
> = {
  'distributed by business: ids are unique without it': [
    [repeat('users'), distribute('businesses', 'id')],
    /cannot create constraint on "businesses"/,
  ],
  'owners repeated, sites distributed: tables refer to sites': [
    [repeat('users'), repeat('businesses'), repeat('tariffs'), distribute('sites', 'id')],
    /foreign keys from reference tables and local tables to distributed tables are not supported/,
  ],
  'owners repeated: triggers look for tables of the coordinator on the workers': [
    [...['users', 'businesses', 'tariffs', 'sites', 'connectors'].map(repeat), WRITE_A_SITE],
    /case not found|relation "\w+" does not exist/,
  ],
  'places distributed: triggers write them in one statement': [
    [distribute('places', 'id'), distribute('place_docs', 'id'), WRITE_A_SITE],
    /functions used in UPDATE queries on distributed tables must not be VOLATILE/,
  ],
  'places repeated on every node: the same': [
    [repeat('places'), repeat('place_docs'), WRITE_A_SITE],
    /functions used in UPDATE queries on distributed tables must not be VOLATILE/,
  ],
}

test.each(Object.entries(ATTEMPTS))('it refuses %s', async (_, [statements, refusal]) => {
  const attempt = citus.admin.begin(async (transaction) => {
    await transaction.unsafe('set local citus.enable_unsafe_triggers = on')
    for (const statement of statements) await transaction.unsafe(statement)
    throw new Error('It is accepted.')
  })
  await expect(attempt).rejects.toThrow(refusal)
})

/** The median time of a read, in milliseconds. */
const medianMs = async (run: () => Promise<unknown>): Promise<number> => {
  const times: number[] = []
  for (let index = 0; index < READS; index++) {
    const atMs = performance.now()
    await run()
    times.push(performance.now() - atMs)
  }
  return Number(times.toSorted((one, other) => one - other)[READS / 2]?.toFixed(2))
}

test('reading a site from distributed places takes longer, and lists are refused', async () => {
  await fillNetwork(sql, { siteCount: SITES, random: createRandom(20261125) })
  await sql.unsafe('analyze')
  const ids = (await sql<{ id: string }[]>`select id from places limit ${READS}::int`).map(
    ({ id }) => id,
  )
  const random = createRandom(1)
  const readOne = (from: Sql) => () =>
    findPublicSite(from, ids[Math.floor(random() * ids.length)] ?? '')
  const onCoordinator = await medianMs(readOne(sql))
  await citus.admin.unsafe(distribute('places', 'id'))
  await citus.admin.unsafe(distribute('place_docs', 'id'))
  const spread = connect({ url: `${citus.url}?plan_cache_mode=force_custom_plan` })
  try {
    await expect(readOne(sql)()).rejects.toThrow('could not create distributed plan')
    const onWorkers = await medianMs(readOne(spread))
    const reads = createPublicReads()(spread)
    const page = { filter: NO_FILTER, limit: 20 }
    const near = { kind: 'near', at: { latitude: 48.6, longitude: 7.7 } } as const
    await expect(reads.list(near, page)).rejects.toThrow(
      "plan should not reference subplan's variable",
    )
    await expect(reads.list({ kind: 'words', words: ['strasbourg'] }, page)).rejects.toThrow(
      'cannot push down this subquery',
    )
    expect(await reads.suggest(['strasbourg'])).not.toEqual([])
    expect((await reads.tile({ z: 10, x: 534, y: 355 }, NO_FILTER)).length).toBeGreaterThan(0)
    await report('Citus', {
      failures: 0,
      sites: SITES,
      'refused attempts': Object.keys(ATTEMPTS).length,
      'ms for one site on the coordinator': onCoordinator,
      'ms for one site on the workers': onWorkers,
    })
  } finally {
    await spread.end({ timeout: 1 })
  }
})
