import { randomInt } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { readdir, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'

import { signInThroughPage } from '../../scripts/provider/sign-in.ts'
import { openDatabase } from '../../server/db/open.ts'
import type { Sql } from '../../server/db/sql.ts'
import { findRunningDatabase } from '../../server/db/embedded.ts'
import { launch, postmasterOf, testFolder, until, type Launched } from '../start/launch.ts'
import { photoPath } from './disk-recorder.ts'
import { report, times } from './figures.ts'
import { audit, startLoad } from './load.ts'

// Kills the server, its database, or both at random moments under a mixed load. Afterwards every acknowledged write is
// complete, no write is partial, and no row references a missing file.

const VICTIMS = ['the server', 'the database', 'both'] as const
const KILLS = times(VICTIMS.length, 60)
const MAX_LOAD_MS = 600

const start = async (dataDir: string): Promise<{ server: Launched; url: string; ms: number }> => {
  const began = performance.now()
  const server = launch({
    env: { DATA_DIR: dataDir, RATE_LIMITS: 'off', MAP_STYLE_URL: 'none', GEOCODER_URL: 'none' },
  })
  const url = await server.ready()
  return { server, url, ms: performance.now() - began }
}

const kill = async (
  victim: (typeof VICTIMS)[number],
  server: Launched,
  dataDir: string,
): Promise<void> => {
  const postmaster = await postmasterOf(dataDir)
  if (victim !== 'the database') server.child.kill('SIGKILL')
  if (victim !== 'the server' && postmaster !== undefined) process.kill(postmaster, 'SIGKILL')
  // A server that has lost its database exits.
  await server.ended()
}

const database = async (dataDir: string): Promise<Sql> => {
  const place = await findRunningDatabase(dataDir)
  if (place === undefined) throw new Error('no database runs there')
  return openDatabase(place, { max: 1 })
}

/** The photos below the folder of stored files, without thumbnails. A server may be removing some. */
const storedPhotos = async (dataDir: string): Promise<string[]> => {
  const folder = join(dataDir, 'storage/sites')
  const listed = (await readdir(folder)).map(async (record) => {
    const entries = await readdir(join(folder, record), { withFileTypes: true }).catch(
      noneIfMissing,
    )
    return entries.filter((entry) => entry.isFile()).map(({ name }) => join(folder, record, name))
  })
  return (await Promise.all(listed)).flat()
}

const noneIfMissing = (error: NodeJS.ErrnoException): Dirent[] => {
  if (error.code === 'ENOENT') return []
  throw error
}

test('after killing any process at any time, every acknowledged write is complete, and no other is partial', async () => {
  const dataDir = join(await testFolder(), 'data')
  let { server, url } = await start(dataDir)
  const { client, record: user } = await signInThroughPage(url, {
    name: 'Ada Byron',
    email: 'ada@example.org',
  })
  const business = await client
    .collection('businesses')
    .create({ name: 'Harbour Lane Hotels', user: user.id })
  const load = await startLoad({ token: client.authStore.token, businessId: business.id })

  const problems: string[] = []
  const restartsMs: number[] = []
  for (let round = 0; round < KILLS; round++) {
    load.moveTo(url)
    const goal = load.promised().answered + 10
    while (load.promised().answered < goal) await sleep(5)
    await sleep(randomInt(MAX_LOAD_MS))
    await kill(VICTIMS[round % VICTIMS.length] ?? 'both', server, dataDir)
    load.moveTo(undefined)
    const started = await start(dataDir)
    server = started.server
    url = started.url
    restartsMs.push(started.ms)
    const sql = await database(dataDir)
    const found = await audit(sql, load.promised())
    await sql.end()
    problems.push(...found.problems)
    for (const { record, name } of found.files) {
      const file = await stat(photoPath(dataDir, record, name)).catch(() => undefined)
      if (file === undefined || file.size === 0) problems.push(`${record} has no file ${name}`)
    }
  }
  await load.stop()

  // Orphans are collected once they are old enough; a start makes one pass.
  const sql = await database(dataDir)
  const { files } = await audit(sql, load.promised())
  await sql.end()
  const left = await storedPhotos(dataDir)
  const long = new Date(Date.now() - 2 * 60 * 60 * 1000)
  for (const file of left) await utimes(file, long, long)
  server.child.kill('SIGTERM')
  expect(await server.ended()).toBe(0)
  server = (await start(dataDir)).server
  const named = files.map(({ record, name }) => photoPath(dataDir, record, name)).toSorted()
  await until(async () => (await storedPhotos(dataDir)).length <= named.length)
  const kept = (await storedPhotos(dataDir)).toSorted()

  await report('Kills', {
    failures: problems.length,
    kills: KILLS,
    answered: load.promised().answered,
    unanswered: load.promised().doubts.length,
    photos: named.length,
    'orphans collected': left.length - named.length,
    'orphans left': kept.length - named.length,
    'ms to be ready again, at most': Math.round(Math.max(...restartsMs)),
  })
  expect(problems).toEqual([])
  expect(load.surprises).toEqual([])
  expect(kept).toEqual(named)
})
