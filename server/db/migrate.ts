import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Schema } from '#domain/collection.ts'
import { SCHEMA } from '#domain/collections.ts'
import { codeOf, StartupError } from '../problem.ts'
import type { Runner, Sql } from './sql.ts'
import { declaredCode, type Code } from './declared-code.ts'
import { LOCKS } from './locks.ts'

/** The folder of the migrations of this software. */
export const MIGRATIONS = join(import.meta.dirname, 'migrations')

const FILE_NAME = /^\d{4}-[a-z0-9-]+\.sql$/
/** Prevents concurrent migrations; the number must be the same in every version. */
const LOCK = LOCKS.migrations

/**
 * Migrates the database: runs every pending `NNNN-name.sql` of the folder in order, each in its own transaction.
 * Several processes may call it concurrently. The code of the database runs in the transaction of the last file, or
 * alone if it has changed since its last run; never with `upTo`.
 * @param options `upTo`: the names of the files to run, for data of an older version
 * @returns the names of the files that ran
 * @throws {StartupError} with one sentence if the database was written by a newer version, if a file was changed after
 * it ran, or if one fails; earlier files stay applied
 */
export const migrate = async (
  sql: Sql,
  folder: string,
  options: { readonly upTo?: readonly string[]; readonly code?: Code } = {},
): Promise<string[]> => {
  const all = await readMigrations(folder)
  const known = all.filter(({ name }) => options.upTo?.includes(name) ?? true)
  const connection = await sql.reserve()
  try {
    await connection`set statement_timeout = 0`
    await connection`select pg_advisory_lock(${LOCK})`
    await connection`
      create table if not exists migrations (
        name text primary key,
        checksum text not null,
        applied timestamptz not null default now()
      )`.catch((error: unknown) => {
      throw explainUnwritable(error)
    })
    const applied = await connection<{ name: string; checksum: string }[]>`
      select name, checksum from migrations order by name`
    const pending = new Map(known.map((migration) => [migration.name, migration]))
    for (const { name, checksum } of applied) {
      const migration = pending.get(name)
      if (migration === undefined) {
        throw new StartupError(
          `The data was written by a newer version of this software (it has the migration ${name}, which is unknown here): start that version, or choose another DATA_DIR or DATABASE_URL.`,
        )
      }
      if (migration.checksum !== checksum) {
        throw new StartupError(
          `The migration ${name} was changed after it had been applied to this database: restore the file, or choose another DATA_DIR or DATABASE_URL.`,
        )
      }
      pending.delete(name)
    }
    const code = options.upTo === undefined ? options.code : undefined
    const last = [...pending.keys()].at(-1)
    for (const { name, checksum, text } of pending.values()) {
      try {
        await connection`begin`
        await connection.unsafe(text)
        if (name === last && code !== undefined) await runCode(connection, code)
        await connection`insert into migrations (name, checksum) values (${name}, ${checksum})`
        await connection`commit`
      } catch (error) {
        await connection`rollback`
        if (error instanceof StartupError) throw error
        throw new StartupError(
          `The migration ${name} failed: ${error instanceof Error ? error.message : String(error)}.`,
          { cause: error },
        )
      }
    }
    if (last === undefined && code !== undefined) {
      const [there] = await connection<[{ checksum: string | null }]>`
        select obj_description(to_regproc('log_change')::oid, 'pg_proc') as checksum`
      // Several statements in one query are one transaction.
      if (there.checksum !== code.checksum) await runCode(connection, code)
    }
    return [...pending.keys()]
  } finally {
    await connection`select pg_advisory_unlock(${LOCK})`.catch(() => {})
    await connection`reset statement_timeout`.catch(() => {})
    connection.release()
  }
}

/** The remedy for a database in which no tables can be created, by error code. */
const REMEDIES: Readonly<Record<string, string>> = {
  42501:
    'make the role of DATABASE_URL the owner of its database ("alter database NAME owner to ROLE")',
  25006: 'point DATABASE_URL at the primary, not at a replica',
}

const explainUnwritable = (error: unknown): unknown => {
  const remedy = REMEDIES[codeOf(error) ?? '']
  if (!(error instanceof Error) || remedy === undefined) return error
  return new StartupError(`The database tables cannot be created (${error.message}): ${remedy}.`, {
    cause: error,
  })
}

/** What the declarations need and no migration has created, by error code. */
const MISSING: Readonly<Record<string, string>> = {
  '42703': 'a declared field needs a column',
  '42P01': 'a declared collection needs a table',
}

const runCode = async (runner: Runner, code: Code): Promise<void> => {
  await runner.unsafe(withMark(code)).catch((error: unknown) => {
    const missing = MISSING[codeOf(error) ?? '']
    if (!(error instanceof Error) || missing === undefined) throw error
    throw new StartupError(
      `The functions and triggers derived from the declarations failed: ${error.message}: ${missing}, which a new migration creates.`,
      { cause: error },
    )
  })
}

/** Marks the database with the checksum of its code; backups do not contain the mark. */
const withMark = ({ text, checksum }: Code): string =>
  `${text}\ncomment on function log_change() is '${checksum}';`

/** Upgrades the database: its tables, and its code for the declared collections. */
export const upgrade = (sql: Sql, { declarations }: Schema = SCHEMA): Promise<string[]> =>
  migrate(sql, MIGRATIONS, { code: declaredCode(declarations) })

/** Whether a table exists: the database may be empty, or belong to another version. */
export const hasTable = async (runner: Runner, name: string): Promise<boolean> => {
  const [row] = await runner<[{ exists: boolean }]>`
    select to_regclass(${name}) is not null as exists`
  return row.exists
}

/** Whether the database responds and has all migrations of this software. */
export const isMigrated = async (sql: Sql, folder: string): Promise<boolean> => {
  const names = (await readdir(folder)).filter((name) => FILE_NAME.test(name))
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from migrations where name = any(${names})`
  return row.count === names.length
}

/** The migrations of a folder in order, with their checksums. */
export const readMigrations = async (
  folder: string,
): Promise<{ name: string; checksum: string; text: string }[]> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  const misnamed = names.find((name) => !FILE_NAME.test(name))
  if (misnamed !== undefined)
    throw new StartupError(`A migration must be called NNNN-name.sql: ${misnamed}.`)
  return Promise.all(
    names.map(async (name) => {
      // A checkout may have other line endings than the one that ran the file first.
      const text = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}
