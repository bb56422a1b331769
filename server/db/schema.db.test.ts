import { expect, test } from 'vitest'

import { RECORDED } from '#domain/change.ts'
import { CHANGES } from '#domain/collection.ts'
import { COLLECTIONS } from '#domain/collections.ts'

import { withStack } from '../../tests/support/fixtures.ts'
import { keepsJson } from '../records/projection.ts'
import { columnType } from '../records/sql.ts'
import { isLogged } from './triggers.ts'

const stack = await withStack()

const TYPES: Readonly<Record<string, string>> = {
  text: 'text',
  'text[]': 'text[]',
  float8: 'double precision',
  boolean: 'boolean',
  jsonb: 'jsonb',
}

test.each(Object.values(COLLECTIONS))(
  'the table of $name is what is declared',
  async (collection) => {
    const columns = await stack.sql<{ name: string; type: string; required: boolean }[]>`
    select attname as name, format_type(atttypid, null) as type, attnotnull as required
    from pg_attribute where attrelid = ${collection.name}::regclass and attnum > 0 and not attisdropped`
    const found = Object.fromEntries(columns.map(({ name, type }) => [name, type]))
    const declared = Object.entries(collection.fields).map(([name, field]) => [
      name,
      field.kind === 'autodate' ? 'timestamp with time zone' : TYPES[columnType(field)],
    ])
    expect(found).toEqual({
      id: 'text',
      version: 'bigint',
      ...(keepsJson(collection) && { json: 'text' }),
      ...Object.fromEntries(declared),
    })
    // The columns of a view are never said to be required.
    expect(collection.name === CHANGES || columns.every(({ required }) => required)).toBe(true)
  },
)

test('what is unique in the declaration is unique in the database', async () => {
  for (const { name, fields } of Object.values(COLLECTIONS))
    for (const [field, declared] of Object.entries(fields)) {
      const unique = await stack.sql`
        select 1 from pg_indexes where tablename = ${name} and indexname = ${`${name}_${field}_key`}
        and indexdef like 'CREATE UNIQUE%'`
      expect([name, field, unique.length === 1]).toEqual([
        name,
        field,
        declared.unique === true || `${name}.${field}` === 'users.email',
      ])
    }
})

test('every relation is a foreign key that cascades, and has an index', async () => {
  const keys = await stack.sql<{ table: string; definition: string }[]>`
    select conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f'`
  for (const { name, fields } of Object.values(COLLECTIONS))
    for (const [field, declared] of Object.entries(fields)) {
      if (declared.kind !== 'relation') continue
      const key = keys.find(({ table, definition }) => table === name && definition.includes(field))
      expect(key?.definition).toMatch(
        new RegExp(`REFERENCES ${declared.to}\\(id\\) ON DELETE CASCADE`),
      )
      const indexes = await stack.sql`
        select 1 from pg_indexes
        where tablename = ${name} and indexdef ~ ${`\\("?${field}"?[,)]`}`
      expect([name, field, indexes.length > 0]).toEqual([name, field, true])
    }
})

test('every change of what has an owner is recorded', async () => {
  const owned = Object.values(COLLECTIONS).filter(isLogged)
  expect(owned.map(({ name }) => name)).toEqual([...RECORDED])
  const triggers = await stack.sql<{ table: string; on: string[] }[]>`
    select tgrelid::regclass::text as table, array_agg(event order by event) as on
    from pg_trigger, unnest('{insert,delete,update}'::text[], '{4,8,16}'::int[]) e(event, bit)
    where tgfoid in ('log_change'::regproc) and tgtype::int & bit <> 0
    group by 1`
  expect(Object.fromEntries(triggers.map(({ table, on }) => [table, on]))).toEqual(
    Object.fromEntries(RECORDED.map((name) => [name, ['delete', 'insert', 'update']])),
  )
})
