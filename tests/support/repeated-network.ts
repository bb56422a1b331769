import type { Sql } from '../../server/db/sql.ts'

// Multiplies the network in a database with a few statements: copies its rows to other places under other ids.

/** The offset of a copy from the original network, in degrees. */
export interface Shift {
  readonly latitude: number
  readonly longitude: number
}

/**
 * Ids of a copy begin with its two-digit number, and drop the letter of their kind and their last character. The ids of
 * the bench stay unique and ordered.
 */
const MAX_COPIES = 99
const prefixOf = (copy: number): string => `'${String(copy).padStart(2, '0')}'`

/** For each table, the columns in which a copy differs from its row `t`. */
type Copied = Readonly<Record<string, Readonly<Record<string, string>>>>

const NEXT_VERSION = "nextval('record_version')"

/** The tables of owners, and the tables derived from them; the two groups are independent. */
const copiedAs = (copy: number, { latitude, longitude }: Shift): readonly Copied[] => {
  const prefix = prefixOf(copy)
  const moved = (column: string): string => `${prefix} || substr(t.${column}, 2, 13)`
  const east = `round((t.longitude + ${longitude})::numeric, 6)::float8`
  const position = {
    latitude: `round((t.latitude + ${latitude})::numeric, 6)::float8`,
    longitude: `case when ${east} > 180 then ${east} - 360 else ${east} end`,
  }
  const toText = `'"latitude":' || ${position.latitude} || ',"longitude":' || ${position.longitude}`
  return [
    {
      users: { id: moved('id'), email: `${prefix} || t.email` },
      businesses: { id: moved('id'), user: moved('"user"'), version: NEXT_VERSION },
      sites: {
        id: moved('id'),
        business: moved('business'),
        ...position,
        version: NEXT_VERSION,
      },
      connectors: { id: moved('id'), site: moved('site'), version: NEXT_VERSION },
    },
    {
      places: {
        id: moved('id'),
        business: moved('business'),
        ...position,
        cell: `cell_of(${position.latitude}, ${position.longitude})`,
      },
      place_docs: {
        id: moved('id'),
        doc: `replace(replace(t.doc, chr(1), ${prefix}), chr(2), ${toText})`,
        version: NEXT_VERSION,
      },
      place_numbers: {
        id: moved('id'),
        business: moved('business'),
        number: NEXT_VERSION,
        version: NEXT_VERSION,
      },
    },
  ]
}

/** The rows of the original network, without its copies; in documents, control characters mark the differing parts. */
const rowsOf = (table: string): string => `first_${table}`
const SELECTED: Readonly<Record<string, string>> = {
  place_docs: `select d.id, d.updated, d.version, p.latitude, p.longitude,
      regexp_replace(regexp_replace(d.doc, '"id":".([a-z0-9]{13}).', '"id":"' || chr(1) || '\\1', 'g'),
        '"latitude":[^,]*,"longitude":[^,]*', chr(2)) as doc
    from place_docs d join places p using (id)`,
}

/**
 * Adds copies of all data, as a role that may disable triggers and foreign keys. Indexes are dropped and recreated at
 * the end. Summaries for travellers are not refreshed.
 * @param connect opens a session that stays open; two are used concurrently
 * @param shifts the offset of each copy
 */
export const repeatNetwork = async (
  connect: () => Sql,
  shifts: readonly Shift[],
  say: (sentence: string) => void,
): Promise<void> => {
  if (shifts.length > MAX_COPIES) throw new Error(`It can be repeated ${MAX_COPIES} times.`)
  const groups = copiedAs(0, { latitude: 0, longitude: 0 }).map(Object.keys)
  await Promise.all(
    groups.map(async (tables, group) => {
      const sql = connect()
      try {
        for (const setting of SETTINGS) await sql.unsafe(`set ${setting}`)
        const columns = new Map<string, readonly string[]>()
        for (const table of tables) {
          columns.set(table, await columnsOf(sql, table))
          await sql.unsafe(
            `create unlogged table ${rowsOf(table)} as ${SELECTED[table] ?? `table ${table}`}`,
          )
        }
        const indexes = await dropIndexes(sql, tables)
        for (const [index, shift] of shifts.entries()) {
          for (const [table, expressions] of Object.entries(
            copiedAs(index + 1, shift)[group] ?? {},
          ))
            await copy(sql, table, columns.get(table) ?? [], expressions)
          if ((index + 1) % 10 === 0) say(`${tables.join(', ')}: ${index + 1} copies`)
        }
        for (const definition of indexes) await sql.unsafe(definition)
        for (const table of tables) await sql.unsafe(`drop table ${rowsOf(table)}`)
        for (const table of tables) await sql.unsafe(`vacuum analyze ${table}`)
        say(`${tables.join(', ')}: done`)
      } finally {
        await sql.end({ timeout: 5 })
      }
    }),
  )
}

const SETTINGS = [
  'statement_timeout = 0',
  'session_replication_role = replica',
  'synchronous_commit = off',
  "maintenance_work_mem = '1GB'",
]

/** The columns of a table that are not generated. */
const columnsOf = async (sql: Sql, table: string): Promise<readonly string[]> => {
  const rows = await sql<{ name: string }[]>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
    order by attnum`
  return rows.map(({ name }) => name)
}

/** @returns the statements that recreate them */
const dropIndexes = async (sql: Sql, tables: readonly string[]): Promise<readonly string[]> => {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index i
    where indrelid = any(${[...tables]}::regclass[])
      and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`
  for (const { name } of indexes) await sql.unsafe(`drop index ${name}`)
  return indexes.map(({ definition }) => definition)
}

const copy = async (
  sql: Sql,
  table: string,
  columns: readonly string[],
  expressions: Readonly<Record<string, string>>,
): Promise<void> => {
  const names = columns.map((name) => `"${name}"`).join(', ')
  const values = columns.map((name) => expressions[name] ?? `t."${name}"`).join(', ')
  await sql.unsafe(`insert into ${table} (${names}) select ${values} from ${rowsOf(table)} t`)
}
