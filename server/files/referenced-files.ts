import { COLLECTIONS, SCHEMA } from '#domain/collections.ts'
import { fileFields, type FilesField } from '#domain/field.ts'

import type { Runner, Sql } from '../db/sql.ts'
import { LOCKS } from '../db/locks.ts'
import { hasTable } from '../db/migrate.ts'
import type { FileKey } from './files.ts'

/** Held while files are copied, to defer removals; the number must be the same in every version. */
const LOCK = LOCKS.files
const PAGE = 500

/** The file fields of the named collection; none if there is no such collection. */
export const filesOf = (name: string): readonly (readonly [string, FilesField])[] =>
  fileFields(SCHEMA.find(name) ?? { fields: {} })

/** The files of a collection that its records reference, as `record/name`. */
export const findReferencedFiles = async (
  sql: Runner,
  name: string,
  keys: readonly FileKey[],
): Promise<ReadonlySet<string>> => {
  const columns = filesOf(name).map(([field, { single }]) =>
    single ? sql`t.${sql(field)} = f.name` : sql`f.name = any(t.${sql(field)})`,
  )
  // Files of an unknown collection are left alone.
  if (columns.length === 0) return new Set(keys.map((key) => `${key.record}/${key.name}`))
  const rows = await sql<{ path: string }[]>`
    select f.record || '/' || f.name as path
    from unnest(${keys.map(({ record }) => record)}::text[], ${keys.map((key) => key.name)}::text[])
      as f(record, name)
    join ${sql(name)} t on t.id = f.record
    where ${columns.reduce((all, one) => sql`${all} or ${one}`)}`
  return new Set(rows.map(({ path }) => path))
}

/** All files that records reference, some hundred records at a time. The database may belong to an older version. */
export const namedFiles = async function* (sql: Runner): AsyncIterable<readonly FileKey[]> {
  for (const { name: collection } of Object.values(COLLECTIONS)) {
    if (!(await hasTable(sql, collection))) continue
    for (const [field, { single }] of filesOf(collection)) {
      const names = single ? sql`array[${sql(field)}]` : sql(field)
      const empty = single ? sql`''` : sql`'{}'`
      for (let last: string | undefined = ''; last !== undefined;) {
        const rows: { record: string; names: string[] }[] = await sql<
          { record: string; names: string[] }[]
        >`
          select id as record, ${names} as names from ${sql(collection)}
          where id > ${last} and ${sql(field)} <> ${empty} order by id limit ${PAGE}`
        yield rows.flatMap((row) =>
          row.names.map((name) => ({ collection, record: row.record, name })),
        )
        last = rows.at(-1)?.record
      }
    }
  }
}

/**
 * Defers the removal of files for the lifetime of the connection: every file that a snapshot of the database
 * references can be copied. Waits for running removals.
 */
export const keepFiles = async (connection: Sql): Promise<void> => {
  await connection`select pg_advisory_lock(${LOCK})`
}

/**
 * Removes files that no record references, on a connection that blocks `keepFiles` in the meantime.
 * @returns false if removals are deferred; a later pass will remove the files
 */
export const withCleanupLock = async (
  pool: Sql,
  remove: (connection: Runner) => Promise<void>,
): Promise<boolean> => {
  const connection = await pool.reserve()
  try {
    const [row] = await connection<[{ granted: boolean }]>`
      select pg_try_advisory_lock_shared(${LOCK}) as granted`
    if (!row.granted) return false
    try {
      await remove(connection)
    } finally {
      // A broken connection has already released the lock.
      await connection`select pg_advisory_unlock_shared(${LOCK})`.catch(() => {})
    }
    return true
  } finally {
    connection.release()
  }
}
