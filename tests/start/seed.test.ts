import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

import { root } from '../../scripts/process.ts'
import { signInThroughPage } from '../../scripts/provider/sign-in.ts'
import type { DatabasePlace } from '../../server/db/connect.ts'
import { findRunningDatabase } from '../../server/db/embedded.ts'
import { openDatabase } from '../../server/db/open.ts'
import { launch, postmasterOf, signalGroup, testFolder, until, usedDataDir } from './launch.ts'

const FILE = join(root, 'tests/support/fixtures/irve-small.jsonl')
const OPERATOR = 'Bornes du Littoral'

const seed = async (
  dataDir: string,
  ...args: string[]
): Promise<{ output: string; code: number }> => {
  const run = promisify(execFile)(process.execPath, ['scripts/bootstrap.js', 'seed', ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: '0' },
  })
  return run.then(
    ({ stdout }) => ({ output: stdout, code: 0 }),
    (error: { stdout: string; stderr: string; code: number }) => ({
      output: error.stdout + error.stderr,
      code: error.code,
    }),
  )
}

test('an operator of the register is registered once', async () => {
  const dataDir = await usedDataDir()
  // No server runs on the folder, so one is started temporarily.
  const first = await seed(dataDir, FILE, '--operator', OPERATOR)
  expect(first).toMatchObject({ code: 0 })
  expect(first.output).toContain('3 sites (3 new) and 6 connectors (6 new)')
  expect(first.output).toContain('because their plug type is not known: 2')
  expect(first.output).toContain('contact@littoral.example')

  // A server runs on the folder and is used.
  const server = launch({ env: { DATA_DIR: dataDir } })
  const url = await server.ready()
  const second = await seed(dataDir, FILE, '--operator', OPERATOR)
  expect(second.output).toContain('3 sites (0 new) and 6 connectors (0 new)')
  expect(second.output).toContain(url)

  const { client } = await signInThroughPage(url, {
    name: OPERATOR,
    email: 'contact@littoral.example',
  })
  const [business, ...others] = await client.collection('businesses').getFullList()
  expect(others).toEqual([])
  expect(business).toMatchObject({ name: OPERATOR, contact_email: 'contact@littoral.example' })
  const sites = await client.collection('sites').getFullList({ sort: 'name' })
  expect(sites.map((site) => [site['name'], site['vehicle_capacity'], site['cost']])).toEqual([
    ['Gare', 1, ''],
    ['Mairie', 3, ''],
    ['Port de pêche', 2, '0,35 € / kWh'],
  ])
  expect(sites[2]).toMatchObject({
    address: '1 quai des Embruns, 22430 Erquy, France',
    latitude: 48.632222,
    longitude: -2.463611,
    contact_phone: '+33-2-99-00-00-00',
    status: 'AVAILABLE',
    reference: 'FRLITP0001',
    postal_code: '22430',
    city: 'Erquy',
    country: 'FRA',
    time_zone: 'Europe/Paris',
    access: 'PUBLIC',
    payment: ['CREDIT_CARD_PAYABLE', 'DEBIT_CARD_PAYABLE'],
    parking_type: 'PARKING_LOT',
    max_height_m: 2.1,
    wheelchair: 'RESERVED',
    two_wheelers: false,
    published: true,
  })
  expect(sites[2]?.['opening_hours']).toMatchObject({
    twentyfourseven: false,
    regular_hours: expect.arrayContaining([
      { weekday: 5, period_begin: '08:00', period_end: '19:30' },
      { weekday: 6, period_begin: '09:00', period_end: '12:00' },
    ]),
  })
  expect(sites[0]?.['opening_hours'], 'the register says nothing').toBe(null)
  const connectors = await client
    .collection('connectors')
    .getFullList({ sort: 'site.name,standard,-kw_rating' })
  expect(connectors.at(-1)).toMatchObject({ evse: 'FRLITE00012', evse_id: 'FRLITE00012' })
  const described = connectors.map((each) =>
    [each['standard'], each['format'], each['current_type'], each['kw_rating']].join(' '),
  )
  expect(described).toEqual([
    'CHADEMO CABLE DC 150',
    'IEC_62196_T2_COMBO CABLE DC 150',
    'DOMESTIC_E SOCKET AC_1_PHASE 3',
    'DOMESTIC_E SOCKET AC_1_PHASE 3.7',
    'IEC_62196_T2 SOCKET AC_3_PHASE 22',
    'IEC_62196_T2 CABLE AC_1_PHASE 7.4',
  ])
})

test('if a server and its database are killed meanwhile, seeding continues with its own', async () => {
  const dataDir = await usedDataDir()
  const server = launch({ env: { DATA_DIR: dataDir } })
  await server.ready()
  const sql = await openDatabase(await placeOf(dataDir), { max: 2 })
  const session = await sql.reserve()
  // The lock prevents all writes.
  await session`begin`
  await session`lock table connectors in exclusive mode`
  const seeded = seed(dataDir, FILE, '--operator', OPERATOR)
  const isWaiting = async (): Promise<boolean> => {
    // Outside the transaction, which only sees the activity at its beginning.
    const [row] = await sql<[{ count: number }]>`
      select count(*)::int as count from pg_stat_activity
      where wait_event_type = 'Lock' and query like '%insert into%connectors%'`
    return row.count > 0
  }
  while (!(await isWaiting())) await sleep(50)
  const postmaster = await postmasterOf(dataDir)
  server.child.kill('SIGKILL')
  if (postmaster !== undefined) process.kill(postmaster, 'SIGKILL')
  await sql.end({ timeout: 0 }).catch(() => {})
  const { code, output } = await seeded
  expect(output).toContain('The database does not answer; retrying.')
  expect(output).toContain('3 sites (3 new) and 6 connectors (6 new)')
  expect(output).not.toMatch(/\n +at /)
  expect(code).toBe(0)
})

const placeOf = async (dataDir: string): Promise<DatabasePlace> => {
  const place = await findRunningDatabase(dataDir)
  if (place === undefined) throw new Error('no database runs there')
  return place
}

test('one command registers all operators of a register, each with an account', async () => {
  const dataDir = await usedDataDir()
  const { code, output } = await seed(dataDir, FILE, '--all-operators')
  expect(output).toContain(`${OPERATOR}: 3 sites (3 new) and 6 connectors (6 new).`)
  expect(output).toMatch(/Autre Réseau.*: 1 site \(1 new\)/)
  expect(code).toBe(0)
})

test.each([
  ['an operator that the file does not hold', [FILE, '--operator', 'Nobody'], 'check the spelling'],
  ['no operator', [FILE], '--operator "NAME"'],
  ['an operator without an email', [FILE, '--operator', 'Autre Réseau'], '--email EMAIL'],
])('%s is reported in one sentence', async (_name, args, sentence) => {
  const { code, output } = await seed(join(await testFolder(), 'data'), ...args)
  expect(code).toBe(1)
  expect(output).toContain(sentence)
  expect(output.trim().split('\n').length).toBeLessThan(3)
})

test('Ctrl-C stops the database of a command, and leaves no temporary files', async () => {
  const dataDir = await usedDataDir()
  const folder = join(dataDir, '..')
  const temporary = join(folder, 'tmp')
  await mkdir(temporary)
  const file = join(folder, 'long.jsonl')
  const [line = ''] = (await readFile(FILE, 'utf8')).split('\n')
  const points = Array.from({ length: 10_000 }, (_, at) =>
    line.replaceAll('FRLIT', `FR${String(at).padStart(5, '0')}`),
  )
  await writeFile(file, points.join('\n'))
  const child = spawn(
    process.execPath,
    ['scripts/bootstrap.js', 'seed', file, '--operator', OPERATOR],
    {
      cwd: root,
      env: { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: '0', TMPDIR: temporary },
      stdio: 'ignore',
      detached: true,
    },
  )
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  await until(() => existsSync(join(dataDir, 'server.json')))
  signalGroup(child, 'SIGINT')
  expect(await ended).toBe(130)
  expect(await postmasterOf(dataDir)).toBeUndefined()
  expect(await readdir(temporary)).toEqual([])
})

test('a register that does not exist is reported in one sentence, relative to the folder of the user', async () => {
  const folder = await testFolder()
  const run = promisify(execFile)(
    'npm',
    ['--prefix', root, 'run', '--silent', 'seed', '--', 'none.jsonl', '--all-operators'],
    { cwd: folder, env: { PATH: process.env['PATH'], DATA_DIR: join(folder, 'data') } },
  )
  await expect(run).rejects.toMatchObject({
    code: 1,
    stderr: `There is no file ${join(folder, 'none.jsonl')}.\n`,
  })
})
