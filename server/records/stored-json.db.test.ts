import { array, date as anyDate, double, record, sample, string } from 'fast-check'
import { expect, test } from 'vitest'

import { CONNECTORS, SITES } from '#domain/collection.ts'

import { newOwnerWithSite } from '../../tests/support/owner.ts'
import { withStack } from '../../tests/support/fixtures.ts'

// The stored JSON of a row must equal the JSON that a read would build from its columns, for any values.

const stack = await withStack({ env: { RATE_LIMITS: 'off' } })
const owner = await newOwnerWithSite(stack.url)

const ROWS = 500

/** Any text that PostgreSQL stores: no U+0000, no lone surrogates. */
const text = string({ unit: 'binary' }).map(
  (value) => value.replaceAll('\0', '') || '"\\\b\f\n\r\t\u001f',
)
const number = double({ noNaN: true, noDefaultInfinity: true })
const date = anyDate({
  min: new Date('1970-01-01'),
  max: new Date('9999-12-31'),
  noInvalidDate: true,
})

const site = record({
  name: text,
  address: text,
  latitude: double({ min: -90, max: 90, noNaN: true }),
  longitude: double({ min: -180, max: 180, noNaN: true }),
  contact_email: text,
  contact_phone: text,
  cost: text,
  vehicle_capacity: number,
  photos: array(text, { maxLength: 3 }),
  status: text,
  created: date,
  updated: date,
})
const connector = record({
  standard: text,
  format: text,
  current_type: text,
  kw_rating: double({ min: Number.MIN_VALUE, noDefaultInfinity: true, noNaN: true }),
  created: date,
  updated: date,
})

const idOf = (index: number): string => `kept${String(index).padStart(11, '0')}`

/** The records of a response, as raw text. */
const itemsOf = async (path: string): Promise<string> => {
  const answer = await fetch(`${stack.url}/api/collections/${path}`, {
    headers: { authorization: owner.client.authStore.token },
  })
  expect(answer.status).toBe(200)
  return (await answer.text()).replace(/,"page":1.*$/s, '')
}

const expectKeptAsPut = async (
  collection: string,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> => {
  const path = `${collection}/records?perPage=1000&sort=id&filter=${encodeURIComponent('id~"kept"')}`
  const kept = await itemsOf(path)
  expect(kept).toBe(await itemsOf(`${path}&fields=*`))
  const { items } = JSON.parse(`${kept}}`) as { items: object[] }
  expect(items).toEqual(
    rows.map((row, index) => {
      const dates = Object.entries(row).flatMap(([name, value]) =>
        value instanceof Date ? [[name, value.toISOString().replace('T', ' ')]] : [],
      )
      // JSON has no negative zero.
      const values = JSON.parse(JSON.stringify(row)) as object
      return expect.objectContaining({
        ...values,
        ...(Object.fromEntries(dates) as object),
        id: idOf(index),
      }) as object
    }),
  )
}

/** Creates a row, or updates the one with its id. */
const write = async (table: string, row: Readonly<Record<string, unknown>>): Promise<void> => {
  const names = Object.keys(row)
  await stack.sql.unsafe(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})
    on conflict (id) do update set ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    Object.values(row),
  )
}

test('the stored JSON of sites, created and updated', async () => {
  const rows = sample(site, ROWS)
  const put = (row: (typeof rows)[number], index: number) =>
    write(SITES, { ...row, id: idOf(index), business: owner.business.id })
  for (const [index, row] of rows.entries()) await put(row, index)
  await expectKeptAsPut(SITES, rows)
  const changed = rows.toReversed()
  for (const [index, row] of changed.entries()) await put(row, index)
  await expectKeptAsPut(SITES, changed)
})

test('the stored JSON of connectors', async () => {
  const rows = sample(connector, ROWS)
  for (const [index, row] of rows.entries())
    await write(CONNECTORS, { ...row, id: idOf(index), site: owner.site.id })
  await expectKeptAsPut(CONNECTORS, rows)
})

test('expanded records are appended', async () => {
  const { client, site: shown } = owner
  const [plain, wide] = await Promise.all([
    client.collection(SITES).getOne(shown.id, { requestKey: null }),
    client.collection(SITES).getOne(shown.id, { expand: 'business', requestKey: null }),
  ])
  const { expand, ...rest } = wide
  expect(rest).toEqual({ ...plain })
  expect(Object.keys(wide).at(-1)).toBe('expand')
  expect(expand).toMatchObject({ business: { id: owner.business.id } })
})
