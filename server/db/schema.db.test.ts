import { expect, test } from 'vitest'

import { CHANGES } from '#domain/collection.ts'
import { COLLECTIONS } from '#domain/collections.ts'
import { OWNED } from '#domain/owned.ts'

import { withStack } from '../../tests/support/fixtures.ts'
import { columnType, mayBeNull } from './columns.ts'
import { isLogged } from './declared-code.ts'

const stack = await withStack()

const TYPES: Readonly<Record<string, string>> = {
  text: 'text',
  'text[]': 'text[]',
  float8: 'double precision',
  boolean: 'boolean',
  jsonb: 'jsonb',
  timestamptz: 'timestamp with time zone',
}

test.each(Object.values(COLLECTIONS))(
  'the table of $name matches its declaration',
  async (collection) => {
    const columns = await stack.sql<{ name: string; type: string; required: boolean }[]>`
    select attname as name, format_type(atttypid, null) as type, attnotnull as required
    from pg_attribute where attrelid = ${collection.name}::regclass and attnum > 0 and not attisdropped`
    const found = Object.fromEntries(columns.map(({ name, type }) => [name, type]))
    const declared = Object.entries(collection.fields).map(([name, field]) => [
      name,
      TYPES[columnType(field)],
    ])
    expect(found).toEqual({
      id: 'text',
      version: 'bigint',
      ...(collection.storesJson && { json: 'text' }),
      ...Object.fromEntries(declared),
    })
    // The columns of a view are always reported as nullable.
    const nullable = Object.entries(collection.fields).filter(([, field]) => mayBeNull(field))
    expect(
      collection.name === CHANGES ||
        columns.filter(({ required }) => !required).map(({ name }) => name),
    ).toEqual(collection.name === CHANGES || nullable.map(([name]) => name))
  },
)

test('unique fields of the declaration are unique in the database', async () => {
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

test('every relation is a foreign key that cascades or restricts as declared, and has an index', async () => {
  const keys = await stack.sql<{ table: string; definition: string }[]>`
    select conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f'`
  for (const { name, fields } of Object.values(COLLECTIONS))
    for (const [field, declared] of Object.entries(fields)) {
      if (declared.kind !== 'relation') continue
      const key = keys.find(({ table, definition }) => table === name && definition.includes(field))
      expect(key?.definition).toMatch(
        new RegExp(
          `REFERENCES ${declared.to}\\(id\\)${declared.onDelete === 'restrict' ? '( DEFERRABLE INITIALLY DEFERRED)?$' : ' ON DELETE CASCADE'}`,
        ),
      )
      const indexes = await stack.sql`
        select 1 from pg_indexes
        where tablename = ${name} and indexdef ~ ${`\\("?${field}"?[,)]`}`
      expect([name, field, indexes.length > 0]).toEqual([name, field, true])
    }
})

test('every change of an owned record is logged', async () => {
  const owned = Object.values(COLLECTIONS).filter(isLogged)
  expect(owned.map(({ name }) => name)).toEqual(OWNED.map(({ name }) => name))
  const triggers = await stack.sql<{ table: string; on: string[] }[]>`
    select tgrelid::regclass::text as table, array_agg(event order by event) as on
    from pg_trigger, unnest('{insert,delete,update}'::text[], '{4,8,16}'::int[]) e(event, bit)
    where tgfoid::regproc::text ~ '^log_(change$|created_)' and tgtype::int & bit <> 0
    group by 1`
  expect(Object.fromEntries(triggers.map(({ table, on }) => [table, on]))).toEqual(
    Object.fromEntries(OWNED.map(({ name }) => [name, ['delete', 'insert', 'update']])),
  )
})
