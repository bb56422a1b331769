import PocketBase from 'pocketbase'
import { expect, test } from 'vitest'

import type { Site } from '#domain/site.ts'

import { makeBusiness, makeConnector, makeSite } from '../../tests/support/make.ts'
import { applyEvents, type LiveEvent } from './live.ts'
import type { BusinessView } from './state.ts'
import { businessView, siteView } from './records.ts'
import { etagOf } from './site-etags.ts'

const client = new PocketBase('http://app.test')
const business = makeBusiness({ logo: 'logo.png' })
const site = (id: string, changes: Partial<Site> = {}) =>
  makeSite(id, { photos: ['a.jpg'], ...changes })
const connector = makeConnector
const base: BusinessView = {
  ...businessView(client, business),
  sites: [
    siteView(client, site('one'), [connector('a', 'one')]),
    siteView(client, site('two'), []),
  ],
  records: {},
}

const put = (collection: LiveEvent['collection'], record: object): LiveEvent =>
  ({ collection, record, isDeleted: false }) as LiveEvent
const gone = (collection: LiveEvent['collection'], record: object): LiveEvent =>
  ({ collection, record, isDeleted: true }) as LiveEvent

test('an event with known values leaves the data identical', () => {
  const echoes = [
    put('businesses', business),
    put('sites', site('one')),
    put('connectors', connector('a', 'one')),
    gone('sites', site('three')),
    gone('connectors', connector('b', 'two')),
    gone('businesses', { ...business, id: 'another00000000' }),
  ]
  expect(applyEvents(client, base, echoes)).toBe(base)
  expect(applyEvents(client, null, [gone('sites', site('one'))])).toBe(null)
})

test('a new site and its connectors, in either order', () => {
  const events = [put('connectors', connector('b', 'three')), put('sites', site('three'))]
  expect(applyEvents(client, base, events)).toEqual({
    ...base,
    sites: [...base.sites, siteView(client, site('three'), [connector('b', 'three')])],
  })
})

test('a changed site keeps its connectors, a changed business its sites', () => {
  const events = [
    put('sites', site('one', { name: 'Pier', photos: [] })),
    put('businesses', { ...business, name: 'Harbour' }),
  ]
  expect(applyEvents(client, base, events)).toEqual({
    ...base,
    name: 'Harbour',
    sites: [
      siteView(client, site('one', { name: 'Pier', photos: [] }), [connector('a', 'one')]),
      base.sites[1],
    ],
  })
})

test('moved connectors and deleted records', () => {
  const moved = applyEvents(client, base, [put('connectors', connector('a', 'two'))])
  expect(moved).toEqual({
    ...base,
    sites: [
      siteView(client, site('one'), []),
      siteView(client, site('two'), [connector('a', 'two')]),
    ],
  })
  expect(
    applyEvents(client, base, [
      gone('connectors', connector('a', 'one')),
      gone('sites', site('two')),
    ]),
  ).toEqual({ ...base, sites: [siteView(client, site('one'), [])] })
  expect(applyEvents(client, base, [gone('businesses', business)])).toBe(null)
})

test('an event about an unknown parent requires a reload', () => {
  expect(applyEvents(client, null, [put('businesses', business)])).toBe('unknown')
  expect(applyEvents(client, base, [put('connectors', connector('b', 'three'))])).toBe('unknown')
})

test('a site from an event has an ETag until it changes', () => {
  const told = (record: Site, etag: string) =>
    ({ collection: 'sites', record, isDeleted: false, etag }) as const
  const etagsOf = (data: ReturnType<typeof applyEvents>) =>
    data === null || data === 'unknown' ? [] : data.sites.map(etagOf)
  const once = applyEvents(client, base, [told(site('one', { name: 'Pier' }), '"2-a"')])
  expect(etagsOf(once)).toEqual(['"2-a"', undefined])
  if (once === null || once === 'unknown') throw new Error('no data')
  // A write that changed no value.
  expect(
    etagsOf(applyEvents(client, once, [told(site('one', { name: 'Pier' }), '"3-a"')])),
  ).toEqual(['"3-a"', undefined])
  const changed = put('connectors', connector('b', 'one'))
  expect(etagsOf(applyEvents(client, once, [changed]))).toEqual([undefined, undefined])
})
