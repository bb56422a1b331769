import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import type PocketBase from 'pocketbase'
import { expect, test } from 'vitest'

import { IMPORTS } from '#domain/collection.ts'
import type { Import } from '#domain/import.ts'
import { IMPORT_API } from '#domain/import-paths.ts'

import { signInThroughPage } from '../../scripts/provider/sign-in.ts'
import { findRunningDatabase } from '../../server/db/embedded.ts'
import { openDatabase } from '../../server/db/open.ts'
import type { Sql } from '../../server/db/sql.ts'
import { launch, testFolder, type Launched } from '../start/launch.ts'
import { fileOf, plug, station } from '../support/station-file.ts'
import { report, times } from './figures.ts'

// Kills the server with SIGKILL at random moments while it plans, applies and undoes imports. Afterwards every batch is
// complete, and the import has the same result as an undisturbed one.

const KILLS = times(4, 50)
/** Enough that an import takes longer than the pauses between the kills. */
const STATIONS = times(600, 4000)
const MAX_PAUSE_MS = 400

const ENV = { RATE_LIMITS: 'off', MAP_STYLE_URL: 'none', GEOCODER_URL: 'none' }

const stations = (cost: string) =>
  Array.from({ length: STATIONS }, (_, index) => ({
    ...station(`S${index}`, {
      cost,
      latitude: 45 + index / 500,
      longitude: 5 + (index % 7) / 10,
    }),
    connectors: [plug({ reference: `S${index}a` }), plug({ reference: `S${index}b` })],
  }))

interface Run {
  server: Launched
  client: PocketBase
}

const start = async (dataDir: string): Promise<Run> => {
  const server = launch({ env: { ...ENV, DATA_DIR: dataDir } })
  const url = await server.ready()
  const { client } = await signInThroughPage(url, { name: 'Ada Byron', email: 'ada@example.org' })
  client.autoCancellation(false)
  return { server, client }
}

const database = async <T>(dataDir: string, run: (sql: Sql) => Promise<T>): Promise<T> => {
  const place = await findRunningDatabase(dataDir)
  if (place === undefined) throw new Error('no database runs there')
  const sql = await openDatabase(place, { max: 1 })
  try {
    return await run(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/**
 * Sites with only a part of their connectors, applied rows without a site, sites without an applied row, and sites with
 * the same reference.
 */
const findTorn = (dataDir: string, id: string): Promise<string[]> =>
  database(dataDir, async (sql) => {
    const rows = await sql<{ problem: string }[]>`
      select 'a site with ' || count(c.id) || ' connectors' as problem
        from sites s left join connectors c on c.site = s.id where s.reference <> ''
        group by s.id having count(c.id) <> 2
      union all select 'an applied row without its site' from import_rows r
        where r.import = ${id} and r.state = 'APPLIED' and not exists (select from sites s where s.id = r.site)
      union all select 'a site without an applied row' from sites s
        where s.reference <> '' and not exists (
          select from import_rows r where r.site = s.id and r.state = 'APPLIED')
      union all select 'two sites of one reference' from sites s where s.reference <> ''
        group by s.reference having count(*) > 1`
    return rows.map(({ problem }) => problem)
  })

/** The final data, without the parts that always differ. */
const readEnd = (dataDir: string): Promise<unknown> =>
  database(
    dataDir,
    (sql) => sql`
      select s.reference, s.name, s.cost, s.latitude, s.status, array_agg(c.reference order by c.reference) as plugs
      from sites s left join connectors c on c.site = s.id where s.reference <> '' group by s.id order by 1`,
  )

test('after killing the server at any time, every batch of an import is complete, and the import finishes', async () => {
  const dataDir = join(await testFolder(), 'data')
  let run = await start(dataDir)
  const { client } = run
  await client
    .collection('businesses')
    .create({ name: 'Harbour Lane Hotels', user: client.authStore.record?.id })

  const problems: string[] = []
  let kills = 0
  /** Waits until an import is idle, and kills the server a number of times meanwhile. */
  const disturb = async (id: string, count: number): Promise<Import> => {
    for (let left = count; ;) {
      const found = await run.client.collection(IMPORTS).getOne<Import>(id)
      const isOver = !['READING', 'RUNNING', 'UNDOING'].includes(found.state)
      if (isOver) return found
      if (left === 0) {
        await sleep(50)
        continue
      }
      left -= 1
      await sleep(randomInt(MAX_PAUSE_MS))
      run.server.child.kill('SIGKILL')
      await run.server.ended()
      kills += 1
      run = await start(dataDir)
      problems.push(...(await findTorn(dataDir, id)))
      // As if the lease had expired.
      await database(dataDir, (sql) => sql`update import_work set leased_until = now()`)
    }
  }
  const act = (id: string, path: (id: string) => string) =>
    run.client.send(path(id), { method: 'POST' })
  const bring = async (cost: string): Promise<string> => {
    const body = new FormData()
    body.set('file', fileOf(stations(cost)))
    return (await run.client.send<Import>(IMPORT_API.imports, { method: 'POST', body })).id
  }

  const ends: unknown[] = []
  for (const isDisturbed of [false, true]) {
    const ofEach = isDisturbed ? Math.ceil(KILLS / 4) : 0
    const first = await bring('free')
    expect(await disturb(first, ofEach)).toMatchObject({
      state: 'PLANNED',
      counts: { NEW: STATIONS, included: STATIONS },
    })
    await act(first, IMPORT_API.importRun)
    expect(await disturb(first, ofEach)).toMatchObject({
      state: 'DONE',
      counts: { APPLIED: STATIONS, FAILED: 0 },
    })
    const second = await bring('0.59 a kWh')
    expect(await disturb(second, ofEach)).toMatchObject({ counts: { CHANGED: STATIONS } })
    await act(second, IMPORT_API.importRun)
    await disturb(second, 0)
    ends.push(await readEnd(dataDir))
    await act(second, IMPORT_API.importUndo)
    expect(await disturb(second, ofEach)).toMatchObject({
      state: 'UNDONE',
      counts: { UNDONE: STATIONS, KEPT: 0 },
    })
    ends.push(await readEnd(dataDir))
    await database(dataDir, (sql) => sql`delete from sites`)
  }

  await report('Killed imports', { failures: problems.length, kills, stations: STATIONS })
  expect(problems).toEqual([])
  expect(kills).toBeGreaterThan(0)
  expect(ends.slice(2)).toEqual(ends.slice(0, 2))
})
