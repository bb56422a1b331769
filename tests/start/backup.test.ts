import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

import PocketBase from 'pocketbase'
import { expect, test } from 'vitest'

import { root } from '../../scripts/process.ts'
import { findRunningDatabase } from '../../server/db/embedded.ts'
import { openDatabase } from '../../server/db/open.ts'
import { startLoad } from '../proof/load.ts'
import { makePhoto } from '../support/images.ts'
import { newOwnerWithSite } from '../support/owner.ts'
import { launch, postmasterOf, testFolder, until, usedDataDir } from './launch.ts'

/** Runs a command of the project. "usage.test.ts" runs them through npm. */
const run = (
  command: 'backup' | 'restore',
  env: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<{ code: number; output: string }> =>
  promisify(execFile)(process.execPath, ['scripts/bootstrap.js', command, ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
  }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      output: error.stdout + error.stderr,
    }),
  )

const QUIET = { RATE_LIMITS: 'off', MAP_STYLE_URL: 'none', GEOCODER_URL: 'none' }

test('a backup of a busy server is restored into an empty installation and works there', async () => {
  const data = { DATA_DIR: await usedDataDir() }
  const folder = dirname(data.DATA_DIR)
  const server = launch({ env: { ...data, ...QUIET } })
  const url = await server.ready()
  const owner = await newOwnerWithSite(url)
  const site = await owner.client
    .collection('sites')
    .update(owner.site.id, { photos: [await makePhoto('kept.jpg')] })
  const photo = `/api/files/sites/${site.id}/${String(site['photos'][0])}`
  const bytes = Buffer.from(await (await fetch(url + photo)).arrayBuffer())

  const { client, business } = await newOwnerWithSite(url)
  const load = await startLoad({ token: client.authStore.token, businessId: business.id })
  load.moveTo(url)
  await until(() => load.promised().answered > 60)
  const backup = join(folder, 'backups', 'first')
  const saved = await run('backup', data, backup)
  expect(saved.output).toMatch(/^Backed up \d+ rows and \d+ files \(.+ MB\) to \S+first\.\n$/)
  expect(saved.code).toBe(0)
  const before = load.promised().answered
  await until(() => load.promised().answered > before + 20)
  await load.stop()
  expect(load.surprises).toEqual([])

  // A restore is refused while a server runs there, and if there is data.
  expect(await run('restore', data, backup)).toEqual({
    code: 1,
    output: `A server is running on ${data.DATA_DIR}: stop it and restore again.\n`,
  })
  server.child.kill('SIGTERM')
  expect(await server.ended()).toBe(0)
  const refused = await run('restore', data, backup)
  expect(refused).toMatchObject({ code: 1 })
  expect(refused.output).toMatch(/^The database is not empty .+ Nothing was changed\.\n$/)

  const fresh = { DATA_DIR: join(folder, 'fresh/data') }
  const restored = await run('restore', fresh, backup)
  expect(restored.output).toMatch(/^Restored \d+ rows and \d+ files of \S+Z\.\n$/)
  expect(await postmasterOf(fresh.DATA_DIR)).toBeUndefined()
  const second = launch({ env: { ...fresh, ...QUIET } })
  const there = await second.ready()
  expect(Buffer.from(await (await fetch(there + photo)).arrayBuffer()).equals(bytes)).toBe(true)
  const session = new PocketBase(there)
  session.authStore.save(client.authStore.token, client.authStore.record)
  await session.collection('users').authRefresh()
  const sites = await session.collection('sites').getFullList({ batch: 500 })
  expect(sites.length).toBeGreaterThan(3)
  // Records that were deleted during the backup exist with their files, and no file is without a row.
  const named = sites.flatMap(({ id, photos }) =>
    (photos as string[]).map((name) => `sites/${id}/${name}`),
  )
  for (const path of named)
    expect([path, (await fetch(`${there}/api/files/${path}`)).status]).toEqual([path, 200])
  const entries = await readdir(join(backup, 'files'), { recursive: true, withFileTypes: true })
  expect(entries.filter((entry) => entry.isFile())).toHaveLength(named.length + 1)
  expect(JSON.parse(await readFile(join(backup, 'manifest.json'), 'utf8'))).toMatchObject({
    files: named.length + 1,
    missing: [],
  })
})

test('a failed command reports the reason in one sentence', async () => {
  const folder = await testFolder()
  const data = { DATA_DIR: join(folder, 'data') }
  const used = join(folder, 'used')
  await mkdir(join(used, 'something'), { recursive: true })
  expect(await run('backup', data)).toEqual({
    code: 1,
    output: 'Use: npm run backup -- FOLDER\n',
  })
  expect(await run('restore', data, used)).toEqual({
    code: 1,
    output: `${used} does not contain a backup (it has no SHA256SUMS).\n`,
  })
  expect(await run('backup', data, join(folder, 'first'))).toEqual({
    code: 1,
    output: `There is no database in ${data.DATA_DIR}: set DATA_DIR or DATABASE_URL as for the server.\n`,
  })
  expect(await readdir(folder)).toEqual(['used'])
})

test('a backup that loses the database reports it in one sentence and leaves no folder', async () => {
  const dataDir = await usedDataDir()
  const server = launch({ env: { DATA_DIR: dataDir, ...QUIET } })
  await server.ready()
  const place = await findRunningDatabase(dataDir)
  if (place === undefined) throw new Error('no database runs there')
  const sql = await openDatabase(place, { max: 2 })
  const session = await sql.reserve()
  // The backup waits for the lock until its session ends.
  await session`begin`
  await session`lock table sites in access exclusive mode`
  const folder = join(dataDir, '..', 'lost')
  const backup = run('backup', { DATA_DIR: dataDir }, folder)
  await until(async () => {
    const ended = await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where wait_event_type = 'Lock' and query like 'copy %'`
    return ended.length > 0
  })
  expect(await backup).toEqual({
    code: 1,
    output:
      'The database does not answer (terminating connection due to administrator command): start again once it does.\n',
  })
  expect(await readdir(join(dataDir, '..'))).toEqual(['data'])
  await sql.end({ timeout: 0 }).catch(() => {})
})
