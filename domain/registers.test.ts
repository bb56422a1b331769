import { expect, test } from 'vitest'

import { makeBusiness, makeConnector, makeSite } from '../tests/support/make.ts'
import { OPEN_FORMATS } from './open-data.ts'
import { belongsIn, lackingFor, REGISTER_NAMES, REGISTERS, registerOf } from './registers.ts'
import type { Field } from './field.ts'
import { sites, type Site } from './site.ts'

const connectors = [makeConnector('c1', 's'), makeConnector('c2', 's', { evse_id: 'FR*ABC*E1' })]
const bare = { ...makeSite('s', { vehicle_capacity: 0 }), connectors }

test('lists the missing fields of a site, its connectors and its business', () => {
  expect(lackingFor('ocpi', bare, makeBusiness())).toEqual([
    { on: 'sites', field: 'city', isNeeded: true, count: 1 },
    { on: 'sites', field: 'country', isNeeded: true, count: 1 },
    { on: 'sites', field: 'time_zone', isNeeded: true, count: 1 },
    { on: 'businesses', field: 'country_code', isNeeded: true, count: 1 },
    { on: 'businesses', field: 'party_id', isNeeded: true, count: 1 },
    { on: 'connectors', field: 'evse_id', isNeeded: false, count: 1 },
  ])
})

test('lists, numbers and JSON can be missing, too', () => {
  const lacking = (site: object) =>
    lackingFor('osm', { ...bare, ...site }, makeBusiness()).map(({ field }) => field)
  expect(lacking({})).toEqual(['opening_hours', 'access', 'payment', 'vehicle_capacity'])
  expect(
    lacking({
      opening_hours: { twentyfourseven: true },
      access: 'PUBLIC',
      payment: ['APP'],
      vehicle_capacity: 2,
    }),
  ).toEqual([])
})

test.each(REGISTER_NAMES)('%s: a site with all fields lacks none', (name) => {
  const { needed, recommended } = REGISTERS[name]
  const filled = (on: 'sites' | 'connectors' | 'businesses') =>
    Object.fromEntries([...needed[on], ...recommended[on]].map((field) => [field, 'filled']))
  const site = { ...bare, ...filled('sites'), connectors: [filled('connectors')] }
  expect(lackingFor(name, site, filled('businesses'))).toEqual([])
})

test('a site belongs in the registers of its country and in worldwide ones', () => {
  const registersOf = (country: string, status: Site['status'] = 'AVAILABLE') =>
    REGISTER_NAMES.filter((name) => belongsIn(name, { country, status }))
  expect(registersOf('FRA')).toEqual(['irve', 'ocpi', 'afir', 'osm', 'ocm'])
  expect(registersOf('DEU')).toEqual(['ocpi', 'afir', 'osm', 'ocm'])
  expect(registersOf('USA')).toEqual(['ocpi', 'osm', 'ocm'])
  expect(registersOf('')).toEqual(['ocpi', 'osm', 'ocm'])
  // The other registers cannot represent planned sites.
  expect(registersOf('FRA', 'PLANNED')).toEqual(['ocpi', 'osm', 'ocm'])
})

test('the general outputs belong to no register', () => {
  const free = OPEN_FORMATS.filter((format) => registerOf(format) === undefined)
  expect(free).toEqual(['geojson', 'csv', 'xlsx'])
})

test('a required field of sites can be set for many sites, or follows from their position', () => {
  const declared: Readonly<Record<string, Field>> = sites.fields
  const settable = (name: string): boolean => {
    const { bulk, fromPosition } = declared[name] as Field & { readonly fromPosition?: string }
    return bulk === true || fromPosition !== undefined
  }
  const needed = REGISTER_NAMES.flatMap((name): readonly string[] => REGISTERS[name].needed.sites)
  expect(needed.filter((name) => !settable(name))).toEqual([])
})
