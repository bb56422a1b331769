import { mkdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { hasTable } from '../db/migrate.ts'
import type { Sql } from '../db/sql.ts'
import { pathOf, type FileKey, type FileStore } from '../files/files.ts'
import { keepFiles, namedFiles } from '../files/referenced-files.ts'
import { flush } from '../local-file.ts'
import { StartupError } from '../problem.ts'
import { filePath, finish, FORMAT, tablePath, writeWhole, type Manifest } from './folder.ts'
import { forEachConcurrently } from '../concurrency.ts'
import { quote, readSequences, readTables } from './schema.ts'

export interface BackupDeps {
  /** A single connection, which is never closed in between: it holds a lock. */
  readonly sql: Sql
  readonly files: FileStore
  /** The version of this software. */
  readonly version: string
}

/** Counts of a backup. */
export interface BackedUp {
  readonly rows: number
  readonly files: number
  readonly bytes: number
  /** Files that a row references but the store lacks. */
  readonly missing: readonly string[]
}

const ATTEMPTS = 3

/**
 * Writes a backup while servers keep writing: a snapshot of all tables and exactly the files that it references. Defers
 * the removal of files until the end. The folder appears complete or not at all.
 * @throws {StartupError} if the folder is not empty, or there is nothing to back up
 */
export const writeBackup = async (deps: BackupDeps, folder: string): Promise<BackedUp> => {
  const { sql, files } = deps
  await sql`set statement_timeout = 0`
  await sql`set idle_in_transaction_session_timeout = 0`
  // A second backup waits here, so an unfinished folder is left over from a killed one.
  await keepFiles(sql)
  await claim(folder)
  const unfinished = `${folder}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { mode: 0o700 })
  try {
    const holder = await connectionOf(sql)
    const sums = new Map<string, string>()
    const database = await copyTables(sql, unfinished, sums)
    const { missing, bytes } = await copyFiles(files, database.named, unfinished, sums)
    if ((await connectionOf(sql)) !== holder)
      throw new StartupError('The connection to the database was lost: start the backup again.')
    const { named, migrations, tables, sequences } = database
    const manifest: Manifest = {
      format: FORMAT,
      version: deps.version,
      created: new Date().toISOString(),
      migrations,
      tables,
      sequences,
      files: named.length - missing.length,
      missing,
    }
    await finish(unfinished, manifest, sums)
    await rename(unfinished, folder)
    await flush(dirname(folder))
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    return { rows, files: manifest.files, bytes: bytes + database.bytes, missing }
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw error
  }
}

/** Ensures that the folder name is free. */
const claim = async (folder: string): Promise<void> => {
  await mkdir(dirname(folder), { recursive: true })
  await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return
    if (error.code === 'EROFS' || error.code === 'EACCES' || error.code === 'EPERM') throw error
    throw new StartupError(
      `${folder} already contains something: name a folder that does not exist yet.`,
      { cause: error },
    )
  })
}

const connectionOf = async (sql: Sql): Promise<number> => {
  const [row] = await sql<[{ pid: number }]>`select pg_backend_pid() as pid`
  return row.pid
}

/** Copies all tables at one moment. */
const copyTables = (
  sql: Sql,
  folder: string,
  sums: Map<string, string>,
): Promise<
  Pick<Manifest, 'migrations' | 'tables' | 'sequences'> & {
    readonly bytes: number
    readonly named: readonly FileKey[]
  }
> =>
  sql.begin(async (snapshot) => {
    if (!(await hasTable(snapshot, 'migrations')))
      throw new StartupError('The database is empty: there is nothing to back up.')
    const migrations = await snapshot<{ name: string; checksum: string }[]>`
      select name, checksum from migrations order by name`
    const tables: Manifest['tables'][number][] = []
    let bytes = 0
    for (const { name, columns } of await readTables(snapshot)) {
      const list = columns.map((column) => quote(column)).join(', ')
      const content = snapshot.copyOut(`copy ${quote(name)} (${list}) to stdout`)
      const written = await writeWhole(join(folder, tablePath(name)), content)
      sums.set(tablePath(name), written.sha256)
      tables.push({ name, columns, rows: written.lines })
      bytes += written.bytes
    }
    const named: FileKey[] = []
    for await (const some of namedFiles(snapshot)) named.push(...some)
    // Read after the rows, so that no row has a number that the sequence has yet to assign.
    const sequences = await readSequences(snapshot)
    return { migrations: [...migrations], tables, sequences: [...sequences], bytes, named }
  }, 'isolation level repeatable read read only')

const copyFiles = async (
  store: FileStore,
  named: readonly FileKey[],
  folder: string,
  sums: Map<string, string>,
): Promise<{ missing: readonly string[]; bytes: number }> => {
  const missing: string[] = []
  let bytes = 0
  const copy = async (key: FileKey): Promise<void> => {
    const path = pathOf(key) ?? ''
    const target = join(folder, filePath(path))
    for (let attempt = 1; ; attempt += 1) {
      try {
        const file = await store.open(key)
        if (file === undefined) return void missing.push(path)
        const written = await writeWhole(target, (await file.read()) as AsyncIterable<Buffer>)
        if (written.bytes !== file.bytes || (file.sha256 ?? written.sha256) !== written.sha256)
          throw new Error(`${path} was not read whole from ${store.place}.`)
        sums.set(filePath(path), written.sha256)
        bytes += written.bytes
        return
      } catch (error) {
        await rm(target, { force: true })
        if (attempt === ATTEMPTS) throw error
      }
    }
  }
  await forEachConcurrently(named, copy)
  return { missing: missing.toSorted(), bytes }
}
