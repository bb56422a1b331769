import { expect, test } from 'vitest'

import type { Change } from '#domain/change.ts'
import type { BusinessView } from '../../data/state.ts'
import { changedSince, findRevert, formerFields } from './revert.ts'

const traits = {
  standard: 'CHADEMO',
  format: 'CABLE',
  current_type: 'DC',
  kw_rating: 50,
} as const
const connector = { ...traits, id: 'connector000001', site: 'site00000000001' }
const input = {
  name: 'Quay',
  address: '12 Quay Street',
  latitude: 55.2,
  longitude: -6.6,
  vehicle_capacity: 2,
  status: 'AVAILABLE',
  contact_email: '',
  contact_phone: '2',
  cost: '',
} as const
const site = { ...input, id: 'site00000000001', photos: [], connectors: [connector] }
const data = {
  id: 'business0000001',
  name: 'Hotels',
  sites: [site],
} as unknown as BusinessView

const change = (changed: Partial<Change>): Change => ({
  id: '000000000000001',
  collection: 'sites',
  record: site.id,
  business: data.id,
  site: site.id,
  action: 'update',
  actor_type: 'user',
  actor: 'user00000000001',
  impersonator: '',
  before: {},
  after: {},
  created: '2026-11-20 10:00:00.000Z',
  ...changed,
})

test('an update restores the former values', () => {
  const phone = change({ before: { contact_phone: '1' }, after: { contact_phone: '2' } })
  expect(findRevert(phone, data)).toEqual({
    kind: 'site',
    id: site.id,
    fields: { contact_phone: '1' },
  })
  const power = change({
    collection: 'connectors',
    record: connector.id,
    before: { kw_rating: 22 },
    after: { kw_rating: 50 },
  })
  expect(findRevert(power, data)).toEqual({
    kind: 'connector',
    site: site.id,
    id: connector.id,
    fields: { kw_rating: 22 },
  })
})

test.each<[string, Partial<Change>]>([
  ['a record that was added', { action: 'create', after: { name: 'Quay' } }],
  ['a value that is as it was', { before: { contact_phone: '2' }, after: { contact_phone: '3' } }],
  ['photos alone', { before: { photos: ['a.jpg'] }, after: { photos: [] } }],
  [
    'a status that only machines set',
    { before: { status: 'CHARGING' }, after: { status: 'AVAILABLE' } },
  ],
  ['a site that is there again', { action: 'delete', before: { name: 'Quay' } }],
  ['a site of another business', { action: 'delete', site: 'gone', business: 'another' }],
  [
    'a connector whose site is gone',
    { action: 'delete', collection: 'connectors', record: 'x', site: 'gone' },
  ],
])('%s cannot be reverted', (_, changed) => {
  expect(findRevert(change(changed), data)).toBeUndefined()
})

test('a deleted site is restored with its fields, with a status that owners may set', () => {
  const gone = change({
    action: 'delete',
    record: 'gone',
    site: 'gone',
    before: { ...input, status: 'CHARGING', photos: ['a.jpg'] },
  })
  expect(findRevert(gone, data)).toEqual({ kind: 'deletedSite', id: 'gone', input })
})

test('a deleted connector is restored to its site', () => {
  const gone = change({
    action: 'delete',
    collection: 'connectors',
    record: 'gone',
    before: { ...connector },
  })
  expect(findRevert(gone, data)).toEqual({
    kind: 'deletedConnector',
    site: site.id,
    connector: { ...traits, id: 'gone' },
  })
})

test('a field changed again since is a conflict', () => {
  const phone = change({ before: { contact_phone: '1' }, after: { contact_phone: '2' } })
  const wanted = { contact_phone: '1' }
  expect(changedSince(phone, wanted, { contact_phone: '2' })).toEqual([])
  expect(changedSince(phone, wanted, { contact_phone: '1' })).toEqual([])
  expect(changedSince(phone, wanted, { contact_phone: '3' })).toEqual(['contact_phone'])
})

test('of a bulk update, only the fields that are still as it left them are reverted', () => {
  const both = change({
    before: { contact_phone: '1', cost: 'Free', status: 'CHARGING' },
    after: { contact_phone: '2', cost: '€1', status: 'AVAILABLE' },
  })
  // The price has changed again, and the former status cannot be chosen by an owner.
  expect(formerFields(both, data.sites[0]!)).toEqual({ contact_phone: '1' })
})
