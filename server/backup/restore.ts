import { createReadStream } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'

import { APPLICATION_NAME } from '../db/connect.ts'
import type { Runner, Sql } from '../db/sql.ts'
import { hasTable, migrate, MIGRATIONS, readMigrations, upgrade } from '../db/migrate.ts'
import { keyOf, type FileKey, type FileStore } from '../files/files.ts'
import { STORE_OWNER } from '../files/store-owner.ts'
import { makePrivateFolder } from '../local-file.ts'
import { StartupError } from '../problem.ts'
import { filePath, tablePath, writeWhole, type Backup } from './folder.ts'
import { forEachConcurrently } from '../concurrency.ts'
import { quote, readTables } from './schema.ts'

export interface RestoreDeps {
  /** A single connection: any other connection to the database belongs to a server. */
  readonly sql: Sql
  readonly files: FileStore
  /** The folder for temporary files; on the same file system as a store on disk. */
  readonly tempDir: string
}

/** Data that a server creates at its first start, and that belongs to its environment. */
const OWN_NOTES = ['files_mark', 'file_store']

/**
 * Restores a backup into an empty installation: first the files, then all rows in one transaction, then the
 * migrations of a newer version. If it is interrupted, the same backup may be restored again.
 * @throws {StartupError} if the installation is not empty, or the backup is of a newer version
 */
export const restoreBackup = async (deps: RestoreDeps, backup: Backup): Promise<void> => {
  const { sql, files } = deps
  const { manifest } = backup
  const known = new Map((await readMigrations(MIGRATIONS)).map((one) => [one.name, one.checksum]))
  const foreign = manifest.migrations.find(({ name, checksum }) => known.get(name) !== checksum)
  if (foreign !== undefined)
    throw new StartupError(
      `The backup was written by version ${manifest.version} of this software, which this one does not know (it holds the migration ${foreign.name}): restore with that version or a newer one.`,
    )
  await refuseUsers(sql)
  await refuseRows(sql, manifest.migrations)
  const marks = await refuseFiles(sql, files, backup)

  const mark: FileKey = { collection: RESTORING, record: backup.id, name: 'mark' }
  await putText(deps, mark)
  for (const each of marks) await files.remove(each)
  await forEachConcurrently(backup.files, ([path, sum]) => putFile(deps, backup, path, sum))
  await migrate(sql, MIGRATIONS, { upTo: manifest.migrations.map(({ name }) => name) })
  await loadTables(sql, backup)
  await files.remove(mark)
  await upgrade(sql)
  // The upgrade rebuilds the places, unless the software has already run on the empty database.
  await sql.begin(async (transaction) => {
    await transaction`set local statement_timeout = 0`
    await transaction`select rebuild_places() where not exists (select from places)`
  })
}

/** A running server keeps its secrets in memory, and would continue to use them. */
const refuseUsers = async (sql: Sql): Promise<void> => {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and application_name = ${APPLICATION_NAME}
      and pid <> pg_backend_pid()`
  if (row.count > 0)
    throw new StartupError('A server runs on this database: stop it, and restore again.')
}

const refuseRows = async (sql: Runner, migrations: Backup['manifest']['migrations']) => {
  for (const { name } of await readTables(sql)) {
    if (name === 'settings') continue
    const [found] = await sql.unsafe<{ one: number }[]>(
      `select 1 as one from ${quote(name)} limit 1`,
    )
    if (found !== undefined)
      throw new StartupError(
        `The database is not empty (there are rows in "${name}"): restore into a new one. Nothing was changed.`,
      )
  }
  if (!(await hasTable(sql, 'migrations'))) return
  const applied = await sql<{ name: string }[]>`select name from migrations`
  const wanted = new Set(migrations.map(({ name }) => name))
  if (applied.some(({ name }) => !wanted.has(name)))
    throw new StartupError(
      'The database was prepared by a newer version than the one that wrote the backup: restore into a new one. Nothing was changed.',
    )
}

/** Marks in the store that this backup is being restored into it. */
const RESTORING = '_restoring'

/** @returns the marks of the replaced database, which is empty */
const refuseFiles = async (sql: Sql, files: FileStore, backup: Backup): Promise<FileKey[]> => {
  const resumed = await files.open({ collection: RESTORING, record: backup.id, name: 'mark' })
  const marks: FileKey[] = []
  const own = await readFilesMark(sql)
  for await (const key of files.list()) {
    if (key.collection === STORE_OWNER && key.record === own) marks.push(key)
    else if (resumed === undefined)
      throw new StartupError(
        `There are files in ${files.place} already: restore into an empty one. Nothing was changed.`,
      )
  }
  return marks
}

const readFilesMark = async (sql: Sql): Promise<string | undefined> => {
  if (!(await hasTable(sql, 'settings'))) return undefined
  const [row] = await sql<{ value: string }[]>`select value from settings where name = 'files_mark'`
  return row?.value
}

const putFile = async (
  deps: RestoreDeps,
  backup: Backup,
  path: string,
  sum: string,
): Promise<void> => {
  const key = keyOf(path)
  if (key === undefined) throw new TypeError(`${path} is not a file of a record`)
  const temporary = join(deps.tempDir, `restore-${backup.id}-${path.replaceAll('/', '-')}`)
  await rm(temporary, { force: true })
  try {
    const source = createReadStream(join(backup.folder, filePath(path)))
    const { sha256 } = await writeWhole(temporary, source as AsyncIterable<Buffer>)
    if (sha256 !== sum)
      throw new StartupError(`The backup changed while it was being read (${path}).`)
    await deps.files.put(key, temporary)
  } finally {
    await rm(temporary, { force: true })
  }
}

const putText = async ({ files, tempDir }: RestoreDeps, key: FileKey): Promise<void> => {
  const path = join(tempDir, `restore-${key.record}`)
  await makePrivateFolder(dirname(path))
  try {
    await writeFile(path, '')
    await files.put(key, path)
  } finally {
    await rm(path, { force: true })
  }
}

/**
 * More version numbers than an installation assigns after its backup. Browsers and caches keep versions from that time:
 * if a number were reused, they would mistake another record for the cached one.
 */
const NUMBERS_SINCE = 2 ** 32

/** Loads all rows, or none. */
const loadTables = async (sql: Sql, { folder, manifest }: Backup): Promise<void> => {
  await sql.begin(async (transaction) => {
    await transaction`set local statement_timeout = 0`
    await transaction`set local idle_in_transaction_session_timeout = 0`
    // A server may have started to use the database meanwhile.
    await refuseRows(transaction, manifest.migrations)
    const tables = manifest.tables.map(({ name }) => quote(name))
    for (const table of tables) {
      await transaction.unsafe(`lock table ${table} in access exclusive mode`)
      await transaction.unsafe(`delete from ${table}`)
      // Triggers are off: their effects are part of the backup.
      await transaction.unsafe(`alter table ${table} disable trigger user`)
    }
    for (const { name, columns, rows } of manifest.tables) {
      const table = quote(name)
      const list = columns.map((column) => quote(column)).join(', ')
      const target = transaction.copyIn(`copy ${table} (${list}) from stdin`)
      await pipeline(createReadStream(join(folder, tablePath(name))), target)
      const [found] = await transaction.unsafe<{ count: string }[]>(`select count(*) from ${table}`)
      if (Number(found?.count) !== rows)
        throw new StartupError(
          `The backup is damaged: "${name}" does not have the stated number of rows.`,
        )
    }
    // A table with pending constraint checks cannot be altered.
    await transaction`set constraints all immediate`
    for (const table of tables) await transaction.unsafe(`alter table ${table} enable trigger user`)
    for (const { name, value } of manifest.sequences)
      await transaction`select setval(${quote(name)}::regclass, ${value}::bigint + ${NUMBERS_SINCE}::bigint)`
    await transaction`delete from settings where name = any(${OWN_NOTES})`
  })
  await sql`analyze`
}
