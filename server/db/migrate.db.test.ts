import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { CONNECTORS, SITES } from '#domain/collection.ts'
import { createSchema, SCHEMA } from '#domain/collections.ts'
import { postgresSocketFolder } from '../../tests/support/postgres.ts'
import { StartupError } from '../problem.ts'
import { openDatabase } from './open.ts'
import type { Sql } from './sql.ts'
import { migrate, MIGRATIONS, readMigrations, upgrade } from './migrate.ts'

const emptyDatabase = async (): Promise<Sql> => {
  const folder = await postgresSocketFolder()
  const place = { socketPath: join(folder, '.s.PGSQL.5432'), user: 'voltleaf' }
  const admin = await openDatabase({ ...place, database: 'postgres' }, { max: 1 })
  const database = `migrate_${randomBytes(6).toString('hex')}`
  await admin`create database ${admin(database)}`
  const sql = await openDatabase({ ...place, database })
  onTestFinished(async () => {
    await sql.end()
    await admin`drop database ${admin(database)} with (force)`
    await admin.end()
  })
  return sql
}

const folderOf = async (files: Record<string, string>): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'voltleaf-migrations-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

const FIRST = 'create table a (n int); insert into a values (1);'

test('files run in order, each once', async () => {
  const sql = await emptyDatabase()
  const folder = await folderOf({ '0002-b.sql': 'insert into a values (2)', '0001-a.sql': FIRST })
  expect(await migrate(sql, folder)).toEqual(['0001-a.sql', '0002-b.sql'])
  expect(await migrate(sql, folder)).toEqual([])
  expect(await sql`select n from a order by n`).toEqual([{ n: 1 }, { n: 2 }])
})

test.each([
  [
    'may make no tables',
    'revoke create on schema public from public; set role pg_monitor',
    'owner',
  ],
  ['takes no writes', 'set default_transaction_read_only = on', 'primary'],
])('a database that %s is reported with what to do', async (_, make, remedy) => {
  const sql = await emptyDatabase()
  const session = await sql.reserve()
  await session.unsafe(make)
  const alone = Object.assign(Object.create(sql) as Sql, { reserve: async () => session })
  await expect(migrate(alone, await folderOf({ '0001-a.sql': FIRST }))).rejects.toThrow(
    new RegExp(`^The database tables cannot be created \\(.*\\): .*${remedy}`),
  )
})

test('an empty folder is valid', async () => {
  expect(await migrate(await emptyDatabase(), await folderOf({}))).toEqual([])
})

test('concurrent migrations run each file once', async () => {
  const sql = await emptyDatabase()
  const folder = await folderOf({ '0001-a.sql': FIRST })
  const ran = await Promise.all([1, 2, 3].map(() => migrate(sql, folder)))
  expect(ran.flat()).toEqual(['0001-a.sql'])
})

test('a migration that fails is rolled back, and earlier ones stay', async () => {
  const sql = await emptyDatabase()
  const folder = await folderOf({
    '0001-a.sql': FIRST,
    '0002-b.sql': 'insert into a values (2); select nonsense;',
  })
  await expect(migrate(sql, folder)).rejects.toThrow(/^The migration 0002-b\.sql failed: /)
  expect(await sql`select n from a`).toEqual([{ n: 1 }])
  await writeFile(join(folder, '0002-b.sql'), 'insert into a values (2)')
  expect(await migrate(sql, folder)).toEqual(['0002-b.sql'])
})

test('an unknown migration in the database means that a newer version wrote it', async () => {
  const sql = await emptyDatabase()
  const folder = await folderOf({ '0001-a.sql': FIRST, '0002-b.sql': '' })
  await migrate(sql, folder)
  await rename(join(folder, '0002-b.sql'), join(folder, 'b.txt'))
  await expect(migrate(sql, folder)).rejects.toThrow(/written by a newer version.*0002-b\.sql/)
})

test('a file that was changed after it ran is refused; other line endings do not count as a change', async () => {
  const sql = await emptyDatabase()
  const folder = await folderOf({ '0001-a.sql': `${FIRST}\n` })
  await migrate(sql, folder)
  await writeFile(join(folder, '0001-a.sql'), `${FIRST}\r\n`)
  expect(await migrate(sql, folder)).toEqual([])
  await writeFile(join(folder, '0001-a.sql'), `${FIRST} `)
  await expect(migrate(sql, folder)).rejects.toThrow(/0001-a\.sql was changed/)
})

test('a file whose name does not match the pattern is refused', async () => {
  const folder = await folderOf({ 'later.sql': '' })
  expect(await readdir(folder)).toEqual(['later.sql'])
  await expect(migrate(await emptyDatabase(), folder)).rejects.toThrow('later.sql')
})

test('the code of the database runs once, and again when the declarations have changed', async () => {
  const sql = await emptyDatabase()
  const triggers = () => sql<{ name: string; made: number }[]>`
    select tgname as name, oid::int as made from pg_trigger where not tgisinternal order by 1`
  const names = async () => (await triggers()).map(({ name }) => name)
  await Promise.all([1, 2, 3].map(() => upgrade(sql)))
  const before = await triggers()
  expect(before.map(({ name }) => name)).toContain('connectors_log')
  await upgrade(sql)
  expect(await triggers()).toEqual(before)

  await upgrade(sql, createSchema(SCHEMA.declarations.filter(({ name }) => name !== CONNECTORS)))
  expect(await names()).not.toContain('connectors_log')
  await upgrade(sql)
  expect(await names()).toEqual(before.map(({ name }) => name))
})

/** The declarations with another field of sites, for which there is no column until a test adds it. */
const withSlogan = createSchema(
  SCHEMA.declarations.map((each) =>
    each.name === SITES
      ? { ...each, fields: { ...each.fields, slogan: { kind: 'text', max: 20 } as const } }
      : each,
  ),
)

test.each(['a new', 'an older'])(
  'a declared field without a column is reported with what to do: %s database',
  async (age) => {
    const sql = await emptyDatabase()
    if (age === 'an older') await upgrade(sql)
    const failure: unknown = await upgrade(sql, withSlogan).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(StartupError)
    expect((failure as StartupError).message).toBe(
      'The functions and triggers derived from the declarations failed: column "slogan" does not exist: a declared field needs a column, which a new migration creates.',
    )
    await upgrade(sql)
  },
)

test('the stored JSON follows the declarations, and the table is rewritten only if they change', async () => {
  const sql = await emptyDatabase()
  await upgrade(sql)
  await sql.unsafe(`
    insert into users (id, email) values ('aaaaaaaaaaaaaa1', 'a@example.org');
    insert into businesses (id, name, "user") values ('aaaaaaaaaaaaaa2', 'Quay', 'aaaaaaaaaaaaaa1');
    insert into sites (id, name, address, latitude, longitude, business)
      values ('aaaaaaaaaaaaaa3', 'Pier', 'Here', 1, 2, 'aaaaaaaaaaaaaa2');
    insert into connectors (id, standard, format, current_type, kw_rating, site)
      values ('aaaaaaaaaaaaaa4', 'CHADEMO', 'CABLE', 'DC', 50, 'aaaaaaaaaaaaaa3')`)
  await sql`alter table sites add column slogan text not null default 'Fast'`
  const state = async (collection: string) => {
    const [row] = await sql.unsafe<[{ json: string; version: string; file: number }]>(`
      select json, version, pg_relation_filenode('${collection}')::int as file from ${collection}`)
    return { ...row, json: JSON.parse(row.json) as Record<string, unknown> }
  }
  const [site, connector] = [await state(SITES), await state(CONNECTORS)]
  expect(site.json).not.toHaveProperty('slogan')
  await upgrade(sql)
  expect(await state(SITES)).toEqual(site)

  await upgrade(sql, withSlogan)
  const { file, ...after } = await state(SITES)
  expect(after).toEqual({ json: { ...site.json, slogan: 'Fast' }, version: site.version })
  expect(file).not.toBe(site.file)
  expect(await state(CONNECTORS)).toEqual(connector)
})

test('an upgrade leaves the audit log of an older version unchanged', async () => {
  const sql = await emptyDatabase()
  const all = (await readMigrations(MIGRATIONS)).map(({ name }) => name)
  await migrate(sql, MIGRATIONS, { upTo: all.filter((name) => name < '0060') })
  await sql.unsafe(`
    insert into users (id, email) values ('aaaaaaaaaaaaaa1', 'a@example.org');
    insert into businesses (id, name, "user") values ('aaaaaaaaaaaaaa2', 'Quay', 'aaaaaaaaaaaaaa1');
    insert into sites (id, name, address, latitude, longitude, business)
      values ('aaaaaaaaaaaaaa3', 'Pier', 'Here', 1, 2, 'aaaaaaaaaaaaaa2');
    update sites set cost = '9', photos = '{a.jpg}';
    delete from sites`)
  const entries = () => sql`
    select id, owner, business, site, action, before, after, created, version from changes order by id`
  const before = await entries()
  expect(before).toHaveLength(5)
  await upgrade(sql)
  expect(await entries()).toEqual(before)
})

test('older sites without a time zone or a country are queued to be filled in', async () => {
  const sql = await emptyDatabase()
  const all = (await readMigrations(MIGRATIONS)).map(({ name }) => name)
  await migrate(sql, MIGRATIONS, { upTo: all.filter((name) => name < '0067') })
  await sql.unsafe(`
    insert into users (id, email) values ('aaaaaaaaaaaaaa1', 'a@example.org');
    insert into businesses (id, name, "user") values ('aaaaaaaaaaaaaa2', 'Quay', 'aaaaaaaaaaaaaa1');
    insert into sites (id, name, address, latitude, longitude, business, time_zone, country) values
      ('aaaaaaaaaaaaaa3', 'Pier', 'Here', 1, 2, 'aaaaaaaaaaaaaa2', '', 'FRA'),
      ('aaaaaaaaaaaaaa4', 'Mole', 'Here', 1, 2, 'aaaaaaaaaaaaaa2', 'Europe/Paris', ''),
      ('aaaaaaaaaaaaaa5', 'Quay', 'Here', 1, 2, 'aaaaaaaaaaaaaa2', 'Europe/Paris', 'FRA')`)
  await upgrade(sql)
  expect(await sql`select * from unfilled order by record`).toEqual([
    { collection: SITES, record: 'aaaaaaaaaaaaaa3' },
    { collection: SITES, record: 'aaaaaaaaaaaaaa4' },
  ])
})
