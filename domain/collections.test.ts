import { crc32 } from 'node:zlib'

import { expect, test } from 'vitest'

import { COLLECTIONS, findBackRelation, SCHEMA } from './collections.ts'
import { STANDARDS } from './connector.ts'
import { FIELD_ERRORS, fieldError } from './error.ts'
import { readValue } from './schema.ts'
import { SITE_STATUSES } from './site-values.ts'
import { OWNER_STATUSES } from './site.ts'

test('the ids of collections match those of a new PocketBase installation', () => {
  for (const { id, name, ...rest } of Object.values(COLLECTIONS))
    expect(id).toBe(
      name === 'users'
        ? '_pb_users_auth_'
        : `pbc_${crc32(`${'auth' in rest ? 'auth' : 'base'}${name}`)}`,
    )
})

test('a collection is found by its name in any case or by its exact id', () => {
  expect(SCHEMA.find('SITES')).toBe(COLLECTIONS.sites)
  expect(SCHEMA.find('pbc_2001081480')).toBe(COLLECTIONS.sites)
  expect(SCHEMA.find('PBC_2001081480')).toBeUndefined()
  expect(SCHEMA.find('constructor')).toBeUndefined()
})

test('both spellings of a back relation find the same records', () => {
  const expected = { collection: COLLECTIONS.sites, field: 'business', single: false }
  expect(findBackRelation(COLLECTIONS.businesses, 'sites(business)')).toEqual(expected)
  expect(findBackRelation(COLLECTIONS.businesses, 'sites_via_business')).toEqual(expected)
  expect(findBackRelation(COLLECTIONS.users, 'businesses_via_user')).toMatchObject({ single: true })
  expect(findBackRelation(COLLECTIONS.users, 'sites_via_business')).toBeUndefined()
  expect(findBackRelation(COLLECTIONS.businesses, 'sites(name)')).toBeUndefined()
})

test('the value sets of OCPI are complete and have no duplicates', () => {
  expect(new Set(STANDARDS).size).toBe(42)
  expect(new Set(SITE_STATUSES).size).toBe(9)
  expect(SITE_STATUSES.slice(0, OWNER_STATUSES.length)).toEqual(OWNER_STATUSES)
})

test('every parameter of an error message is filled in', () => {
  for (const code of Object.keys(FIELD_ERRORS) as (keyof typeof FIELD_ERRORS)[]) {
    const names = [...FIELD_ERRORS[code].matchAll(/<(\w+)>/g)].map(([, name]) => name ?? '')
    const { message } = fieldError(code, Object.fromEntries(names.map((name) => [name, 'X'])))
    expect(message).not.toMatch(/[<>]/)
  }
})

test.each([
  ['55.2044', 55.2044],
  [' -7 ', -7],
  ['1e1', 10],
  [true, 1],
  [-0, 0],
])('the number %j is read as %d', (input, value) => {
  expect(readValue({ kind: 'number' }, input)).toEqual({ value })
})

test.each(['1,5', '5 kW', '0x1F', 'NaN', '1e999', '--1', '1.2.3'])(
  '%j is not a number',
  (input) => {
    expect(readValue({ kind: 'number' }, input).error?.code).toBe('validation_not_a_number')
  },
)
