import { DERIVED_TABLES } from '../db/places.ts'
import type { Runner } from '../db/sql.ts'

/** A table that a backup includes. */
export interface Table {
  readonly name: string
  readonly columns: readonly string[]
}

/**
 * The tables of the schema, each after the tables that its rows reference. Omits unlogged tables, derived tables, and
 * the table of migrations: a restore runs the migrations again.
 */
export const readTables = async (sql: Runner): Promise<readonly Table[]> => {
  const tables = await sql<(Table & { parents: string[] })[]>`
    select c.relname as name,
      array(
        select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        order by a.attnum) as columns,
      array(
        select p.relname::text from pg_constraint k join pg_class p on p.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as parents
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and c.relpersistence = 'p' and c.relname <> all(${['migrations', ...DERIVED_TABLES]})
    order by c.relname`
  const ordered = new Map<string, Table>()
  while (ordered.size < tables.length) {
    const next = tables.filter(
      ({ name, parents }) => !ordered.has(name) && parents.every((parent) => ordered.has(parent)),
    )
    if (next.length === 0) throw new Error('Tables refer to one another in a circle.')
    for (const { name, columns } of next) ordered.set(name, { name, columns })
  }
  return [...ordered.values()]
}

/** The last values of the sequences; unused ones are left out. */
export const readSequences = (sql: Runner): Promise<{ name: string; value: string }[]> =>
  sql<{ name: string; value: string }[]>`
    select sequencename::text as name, last_value::text as value
    from pg_sequences where schemaname = current_schema() and last_value is not null
    order by 1`

/** A quoted identifier. */
export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`
