import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import PocketBase from 'pocketbase'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

import { API } from '#domain/paths.ts'

import { writeBackup, type BackedUp } from '../../server/backup/backup.ts'
import { readBackup } from '../../server/backup/folder.ts'
import { restoreBackup } from '../../server/backup/restore.ts'
import { quote, readTables } from '../../server/backup/schema.ts'
import { readConfig } from '../../server/config.ts'
import { openDatabase } from '../../server/db/open.ts'
import type { Sql } from '../../server/db/sql.ts'
import { migrate, MIGRATIONS, readMigrations, upgrade } from '../../server/db/migrate.ts'
import { pathOf, type FileStore } from '../../server/files/files.ts'
import { openFileStore } from '../../server/files/store.ts'
import { DependencyError } from '../../server/problem.ts'
import { makePhoto } from '../support/images.ts'
import { newOwnerWithSite } from '../support/owner.ts'
import { postgresSocketFolder } from '../support/postgres.ts'
import { newStoredFiles } from '../support/stored.ts'
import { directUrlOf, startStack, type Stack } from '../support/stack.ts'

// Backup and restore with files on disk and, in a second run, in S3; tests/start/backup.test.ts tests the commands.

/* oxlint-disable vitest/no-conditional-tests -- what does not depend on the store need not be repeated */

/** Whether this is the run with S3. */
const isRepeated = process.env['VOLTLEAF_TEST_STORE'] === 's3'

let stack: Stack
let owner: Awaited<ReturnType<typeof newOwnerWithSite>>
let store: FileStore
let photos: string[]
beforeAll(async () => {
  stack = await startStack()
  store = await openFileStore(stack.config, () => {})
  owner = await newOwnerWithSite(stack.url)
  const { client, site, business } = owner
  const changed = await client.collection('sites').update(site.id, {
    name: 'Tab\there, "quotes", back\\slash,\nnew line and €',
    photos: [await makePhoto('a.jpg'), await makePhoto('b.png', { type: 'png' })],
  })
  photos = changed['photos'] as string[]
  await fetch(client.files.getURL(changed, photos[0] ?? '', { thumb: '100x100' }))
  await client
    .collection('businesses')
    .update(business.id, { logo: await makePhoto('logo.webp', { type: 'webp' }) })
})
afterAll(() => stack.close())

const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'voltleaf-backup-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'backup')
}

const backUp = async (folder: string, files = store): Promise<BackedUp> => {
  const sql = await openDatabase({ url: directUrlOf(stack) }, { max: 1 })
  try {
    return await writeBackup({ sql, files, version: '1.2.3' }, folder)
  } finally {
    await sql.end()
  }
}

/** An empty database with an empty store. */
const newPlace = async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'voltleaf-place-'))
  const stored = await newStoredFiles(dataDir, false)
  const socketFolder = await postgresSocketFolder()
  const name = `place_${randomBytes(6).toString('hex')}`
  await stack.sql`create database ${stack.sql(name)}`
  const databaseUrl = `postgres://voltleaf@localhost/${name}?host=${encodeURIComponent(socketFolder)}`
  const env = { ...stored.env, DATA_DIR: dataDir, DATABASE_URL: databaseUrl }
  onTestFinished(async () => {
    await stored.clear()
    await stack.sql`drop database ${stack.sql(name)} with (force)`
    await rm(dataDir, { recursive: true, force: true })
  })
  const withSql = async <T>(run: (sql: Sql) => Promise<T>): Promise<T> => {
    const sql = await openDatabase({ url: databaseUrl }, { max: 1 })
    try {
      return await run(sql)
    } finally {
      await sql.end()
    }
  }
  return {
    env,
    stored,
    withSql,
    restore: async (folder: string, change = (files: FileStore): FileStore => files) => {
      const files = change(await openFileStore(readConfig(env), () => {}))
      const backup = await readBackup(folder)
      const tempDir = join(dataDir, 'tmp')
      await withSql((sql) => restoreBackup({ sql, files, tempDir }, backup))
    },
  }
}

/** A restore derives the data about places again, which gives each a new version. */
const COMPARED: Readonly<Record<string, string>> = {
  place_numbers: '(t.id, t.number, t.business, t.updated, t.roaming, t.listed, t.rest)::text',
}

/** Every row of every table, as text. */
const allRows = async (sql: Sql): Promise<Record<string, string[]>> => {
  const tables: Record<string, string[]> = {}
  for (const { name } of await readTables(sql)) {
    const table = quote(name)
    const rows = await sql.unsafe<{ row: string }[]>(
      `select ${COMPARED[name] ?? 't::text'} as row from ${table} t ${name === 'settings' ? "where name = 'token_secret'" : ''} order by 1`,
    )
    tables[name] = rows.map(({ row }) => row)
  }
  return tables
}

test('files that are removed during a backup are included, and are deleted afterwards', async () => {
  const folder = await newFolder()
  const { client, business } = owner
  const doomed = await client.collection('sites').create({
    name: 'Doomed',
    address: '12 Quay Street',
    latitude: 1,
    longitude: 1,
    business: business.id,
    photos: [await makePhoto('doomed.jpg')],
  })
  const [name = ''] = doomed['photos'] as string[]
  /** Runs after the snapshot: deletes the record and the file that it refers to. */
  const deleteMeanwhile = async (): Promise<void> => {
    await client.collection('sites').delete(doomed.id)
    await expect.poll(() => stack.sql`select 1 from removed_files`).toHaveLength(1)
    // A server runs the collector when it starts; it must not remove the file.
    const beside = await startStack({ beside: stack })
    await beside.close()
    expect(await stack.stored.names(`sites/${doomed.id}`)).toEqual([name])
    requested += 1
  }
  let requested = 0
  const slow: FileStore = {
    ...store,
    open: async (key) => {
      if (key.name === name) await deleteMeanwhile()
      return store.open(key)
    },
  }
  const done = await backUp(folder, slow)
  expect(requested).toBe(1)
  expect(done).toMatchObject({ files: 4, missing: [] })
  const files = await readdir(join(folder, 'files'), { recursive: true, withFileTypes: true })
  const names = files.filter((entry) => entry.isFile()).map((entry) => entry.name)
  expect(names.toSorted()).toEqual(expect.arrayContaining([name, ...photos].toSorted()))
  // Thumbnails are not backed up, because they can be created again.
  expect(names).toHaveLength(4)
  expect(await readFile(join(folder, 'tables/sites.copy'), 'utf8')).toContain('Doomed')
  const beside = await startStack({ beside: stack })
  await expect.poll(() => stack.stored.names(`sites/${doomed.id}`)).toEqual([])
  await beside.close()
  expect(stack.logged).toEqual([])
})

if (!isRepeated)
  test('tables larger than one read are copied completely', async () => {
    await stack.sql`
      insert into settings (name, value)
      select 'ballast ' || n, repeat('x', 4000) from generate_series(1, 400) n`
    onTestFinished(async () => {
      await stack.sql`delete from settings where name like 'ballast %'`
    })
    // The end may arrive together with the last rows, depending on timing.
    for (let round = 0; round < 5; round++) {
      const { rows, bytes } = await backUp(await newFolder())
      expect(rows).toBeGreaterThan(400)
      expect(bytes).toBeGreaterThan(400 * 4000)
    }
  })

test('a restore into an empty installation restores everything, including sessions', async () => {
  const folder = await newFolder()
  await backUp(folder)
  const place = await newPlace()
  await place.restore(folder)
  const [before, after] = [await allRows(stack.sql), await place.withSql(allRows)]
  expect(before['sites']).toHaveLength(1)
  expect(before['sessions']?.length).toBeGreaterThan(0)
  expect(before['change_log']?.length).toBeGreaterThan(0)
  expect(after).toEqual(before)
  const restored = await startStack({
    env: place.env,
    beside: { ...stack, stored: place.stored },
  })
  // The session from before the backup is still valid.
  const client = new PocketBase(restored.url)
  client.authStore.save(owner.client.authStore.token, owner.client.authStore.record)
  await client.collection('users').authRefresh()
  const site = await client.collection('sites').getOne(owner.site.id)
  expect(site['photos']).toEqual(photos)
  for (const name of photos) {
    const path = `/api/files/sites/${site.id}/${name}`
    const read = async (url: string): Promise<Buffer> =>
      Buffer.from(await (await fetch(url + path)).arrayBuffer())
    expect((await read(restored.url)).equals(await read(stack.url))).toBe(true)
  }
  // Data derived from records is derived again.
  const publicSite = async (url: string) =>
    (await fetch(`${url}/api/public/sites/${site.id}`)).json() as Promise<object>
  expect(await publicSite(restored.url)).toEqual(await publicSite(stack.url))
  const grown = await client
    .collection('sites')
    .update(site.id, { photos: [await makePhoto('after.jpg')] })
  expect(grown['photos']).toHaveLength(3)
  // The collector accepts the files as its own.
  await expect.poll(() => place.stored.names('_database')).toHaveLength(1)
  expect(restored.logged).toEqual([])
  await restored.close()

  // A restore overwrites neither rows nor files.
  await expect(place.restore(folder)).rejects.toThrow('The database is not empty')
  const other = await newPlace()
  await other.stored.write('sites/someone0000000/photo.jpg', 'x')
  await expect(other.restore(folder)).rejects.toThrow(/^There are files in the .+ already/)
  expect(await other.stored.names('')).toEqual(['sites'])
  expect(await other.withSql((sql) => readTables(sql))).toEqual([])
})

if (!isRepeated)
  test('after a restore, versions that were given after the backup are not given again', async () => {
    const folder = await newFolder()
    await backUp(folder)
    /** @returns the version in its ETag */
    const rename = async (url: string, name: string): Promise<number> => {
      const answer = await fetch(url + API.record('sites', owner.site.id), {
        method: 'PATCH',
        headers: {
          authorization: owner.client.authStore.token,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ name }),
      })
      expect(answer.status).toBe(200)
      return Number(/^"(\d+)/.exec(answer.headers.get('etag') ?? '')?.[1])
    }
    let lost = 0
    for (let count = 0; count < 20; count += 1) lost = await rename(stack.url, `Lost Quay ${count}`)
    const place = await newPlace()
    await place.restore(folder)
    const restored = await startStack({
      env: place.env,
      beside: { ...stack, stored: place.stored },
    })
    expect(await rename(restored.url, 'Other Quay')).toBeGreaterThan(lost)
    await restored.close()
  })

test('an unwritable folder is not mistaken for a full one', async ({ skip }) => {
  const place = await newFolder()
  await mkdir(join(place, 'empty'), { recursive: true })
  if (process.getuid?.() === 0) {
    // Root may write to any folder, but not to a read-only file system.
    const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', place])
    skip(mount.status !== 0, 'Nothing can be mounted here.')
    onTestFinished(() => void spawnSync('umount', [place]))
  } else {
    await chmod(place, 0o500)
    onTestFinished(() => chmod(place, 0o700))
  }
  await expect(backUp(join(place, 'empty'))).rejects.toThrow(/^(EROFS|EACCES)/)
})

test('a damaged backup is refused before anything is changed', async () => {
  const folder = await newFolder()
  await backUp(folder)
  await expect(backUp(folder)).rejects.toThrow('already contains something')
  expect((await readdir(join(folder, '..'))).toSorted()).toEqual(['backup'])
  const place = await newPlace()
  const damages: readonly (readonly [string, (bytes: Buffer) => Buffer | undefined])[] = [
    [`files/sites/${owner.site.id}/${photos[0] ?? ''}`, flip],
    [`files/sites/${owner.site.id}/${photos[1] ?? ''}`, () => undefined],
    ['tables/sites.copy', flip],
    ['tables/users.copy', () => Buffer.alloc(0)],
    ['manifest.json', flip],
    ['SHA256SUMS', (bytes) => bytes.subarray(0, bytes.length / 2)],
    ['SHA256SUMS', (bytes) => bytes.subarray(0, bytes.lastIndexOf('\n', bytes.length - 2) + 1)],
    ['SHA256SUMS', (bytes) => bytes.subarray(bytes.indexOf('\n') + 1)],
    ['SHA256SUMS', () => undefined],
  ]
  for (const [path, damage] of damages) {
    const file = join(folder, path)
    const bytes = await readFile(file)
    const damaged = damage(bytes)
    if (damaged === undefined) await rm(file)
    else await writeFile(file, damaged)
    await expect(place.restore(folder), path).rejects.toThrow(
      /is damaged: .+|does not contain a backup/,
    )
    await writeFile(file, bytes)
  }
  expect(await place.stored.names('')).toEqual([])
  expect(await place.withSql((sql) => readTables(sql))).toEqual([])

  // The intact backup can be restored into a database that a server has migrated and left, with a listener still
  // registered. Restored rows cause no events, and nothing else is derived from them again.
  await place.withSql(async (sql) => {
    await upgrade(sql)
    await sql`insert into listeners (pid) values (1)`
  })
  await place.restore(folder)
  await place.withSql(async (sql) => {
    expect(await allRows(sql)).toEqual(await allRows(stack.sql))
    expect(await sql`select 1 from change_log where not kept`).toHaveLength(0)
    await sql`update users set updated = now() where id = ${owner.id}`
    expect(await sql`select 1 from change_log where not kept`).toHaveLength(1)
  })
})

const flip = (bytes: Buffer): Buffer => {
  const changed = Buffer.from(bytes)
  const middle = Math.floor(bytes.length / 2)
  changed[middle] = (changed[middle] ?? 0) ^ 1
  return changed
}

test('an interrupted restore leaves no rows and can be repeated', async () => {
  const folder = await newFolder()
  await backUp(folder)
  const place = await newPlace()
  let left = 2
  const failing = (files: FileStore): FileStore => ({
    ...files,
    put: (key, path) =>
      key.collection === 'sites' && (left -= 1) === 0
        ? Promise.reject(new Error('the power went'))
        : files.put(key, path),
  })
  await expect(place.restore(folder, failing)).rejects.toThrow('the power went')
  expect(await place.withSql((sql) => readTables(sql))).toEqual([])
  expect(await place.stored.names('')).not.toEqual([])
  await place.restore(folder)
  expect(await place.withSql(allRows)).toEqual(await allRows(stack.sql))
  expect(await place.stored.names(`sites/${owner.site.id}`)).toEqual(photos.toSorted())
  expect(await place.stored.names('_restoring')).toEqual([])
})

if (!isRepeated)
  test('a backup of an older version is migrated, and one of a newer version is refused', async () => {
    const names = (await readMigrations(MIGRATIONS)).map(({ name }) => name)
    const old = await newPlace()
    const folder = await newFolder()
    await old.withSql(async (sql) => {
      await migrate(sql, MIGRATIONS, { upTo: names.slice(0, 2) })
      await sql`insert into users (id, name) values ('olduser00000000', 'Old')`
      await writeBackup({ sql, files: store, version: '0.0.1' }, folder)
    })
    const place = await newPlace()
    await place.restore(folder)
    await place.withSql(async (sql) => {
      const applied = await sql<{ name: string }[]>`select name from migrations order by name`
      expect(applied.map(({ name }) => name)).toEqual(names)
      expect(await sql`select name, version from users`).toMatchObject([{ name: 'Old' }])
      // Versions that were already given are not given again.
      const [next] = await sql<[{ fresh: boolean }]>`
        select nextval('record_version') > (select max(version) from users) as fresh`
      expect(next).toEqual({ fresh: true })
    })

    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as object
    const backup = await readBackup(folder)
    const newer = [{ name: '9999-later.sql', checksum: 'x' }]
    const empty = await newPlace()
    await expect(
      empty.withSql(async (sql) =>
        restoreBackup(
          { sql, files: store, tempDir: folder },
          { ...backup, manifest: { ...backup.manifest, ...manifest, migrations: newer } },
        ),
      ),
    ).rejects.toThrow('restore with that version or a newer one')
  })

test('if a file is missing, it is reported and the rest is backed up; if the store is down, there is no backup', async () => {
  const folder = await newFolder()
  const lost = pathOf({ collection: 'sites', record: owner.site.id, name: photos[0] ?? '' })
  const done = await backUp(folder, {
    ...store,
    open: async (key) => (pathOf(key) === lost ? undefined : store.open(key)),
  })
  expect(done).toMatchObject({ files: 2, missing: [lost] })
  const place = await newPlace()
  await place.restore(folder)

  const other = await newFolder()
  const down = { ...store, open: () => Promise.reject(new DependencyError('It is down.')) }
  await expect(backUp(other, down)).rejects.toThrow('It is down.')
  expect(await readdir(join(other, '..'))).toEqual([])
})
