import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'

import { groupConnectors } from '#domain/connector.ts'
import type { BusinessView, SiteView } from '../../data/state.ts'
import { loadMessages } from '../../messages/messages.ts'
import { makeBusiness, makeConnector, makeSite } from '../../../tests/support/make.ts'
import { csv, csvStyle } from '../../format/csv.ts'
import { sitesAsCsv } from './export.ts'
import { findHint } from './hints.ts'
import { DEFAULT_VIEW, readView, writeView, type ListView } from './list-view.ts'
import {
  countLacks,
  countStatuses,
  needsAttention,
  adjacentSite,
  priceOf,
  sortSites,
  totalsOf,
  withLack,
  withStatus,
} from './overview.ts'

const connector = (id: string, kw = 150, changes: object = {}) =>
  makeConnector(id, 'quay', {
    standard: 'IEC_62196_T2_COMBO',
    format: 'CABLE',
    current_type: 'DC',
    kw_rating: kw,
    ...changes,
  })

const site = (id: string, changes: Partial<SiteView> = {}): SiteView => ({
  ...makeSite(id, { name: id, address: '12 Quay Street, Portrush', ...QUAY }),
  photos: [],
  connectors: [connector(`${id}1`)],
  ...changes,
})
const business: BusinessView = {
  ...makeBusiness(),
  fileSrc: '',
  sites: [],
  records: {
    tariffs: [
      { id: 'day', name: 'Day' },
      { id: 'ac', name: 'AC' },
    ],
  },
}
const QUAY = { latitude: 55.2044, longitude: -6.6531 }
const names = (sites: readonly SiteView[]) => sites.map(({ name }) => name)

describe('the query of the list', () => {
  test.each<[string, Partial<ListView>]>([
    ['', {}],
    ['?q=quay+street', { query: 'quay street' }],
    [
      '?status=OUTOFORDER&sort=-power&view=table',
      {
        status: 'OUTOFORDER',
        sort: '-power',
        layout: 'table',
      },
    ],
    ['?status=attention&lacks=photo', { status: 'attention', lack: 'photo' }],
  ])('%s is parsed and formatted symmetrically', (search, part) => {
    const view = { ...DEFAULT_VIEW, ...part }
    expect(readView(search)).toEqual(view)
    expect(writeView('', view)).toBe(search)
  })

  test('invalid values fall back to the defaults, and other parameters stay', () => {
    expect(readView('?status=SLEEPING&lacks=luck&sort=-colour&view=globe')).toEqual(DEFAULT_VIEW)
    expect(writeView('?lang=en&q=old', { ...DEFAULT_VIEW, sort: 'name' })).toBe(
      '?lang=en&sort=name',
    )
  })
})

describe('an overview', () => {
  const broken = site('Broken', { status: 'OUTOFORDER' })
  const bare = site('Bare', { connectors: [] })
  const planned = site('Planned', { status: 'PLANNED', connectors: [] })
  const strong = site('Strong', { connectors: [connector('a', 300), connector('b', 22)] })
  const sites = [strong, bare, planned, broken]

  test('totals', () => {
    expect(totalsOf(sites)).toEqual({ sites: 4, connectors: 3, kw: 472, attention: 2 })
    expect(totalsOf(sites, new Set([strong.id])).attention).toBe(3)
  })

  test('a site needs attention if it is broken or has no connectors', () => {
    expect(names(sites.filter(needsAttention))).toEqual(['Bare', 'Broken'])
    expect(names(withStatus(sites, 'attention', new Set([strong.id])))).toEqual([
      'Strong',
      'Bare',
      'Broken',
    ])
    expect(names(withStatus(sites, 'PLANNED'))).toEqual(['Planned'])
  })

  test.each([
    ['created', ['Strong', 'Bare', 'Planned', 'Broken']],
    ['-created', ['Broken', 'Planned', 'Bare', 'Strong']],
    ['name', ['Bare', 'Broken', 'Planned', 'Strong']],
    ['-power', ['Strong', 'Broken', 'Bare', 'Planned']],
    ['status', ['Broken', 'Planned', 'Strong', 'Bare']],
  ] as const)('sorts by %s', (sort, order) => {
    expect(names(sortSites({ ...business, sites }, sort, 'en'))).toEqual(order)
  })

  test('filters by missing parts, and counts them among the search results', () => {
    const priced = site('Priced', { cost: '0.45', contact_phone: '1', connectors: [] })
    const all = [priced, strong]
    expect(names(withLack(all, 'cost'))).toEqual(['Strong'])
    expect(names(withLack(all, 'contact'))).toEqual(['Strong'])
    expect(names(withLack(all, 'connectors'))).toEqual(['Priced'])
    expect(names(withLack(all, 'photo'))).toEqual(['Priced', 'Strong'])
    expect(countLacks([strong], [])).toEqual(
      new Map([
        ['photo', 0],
        ['cost', 0],
        ['contact', 0],
      ]),
    )
    expect(countStatuses(sites, [planned])).toEqual(
      new Map([
        ['AVAILABLE', 0],
        ['PLANNED', 1],
        ['OUTOFORDER', 0],
      ]),
    )
  })

  test('finds the site in place of a removed one', () => {
    expect(adjacentSite(bare.id, [strong, broken], sites)).toBe(broken)
    expect(adjacentSite(broken.id, [strong, planned], sites)).toBe(planned)
    expect(adjacentSite(strong.id, [], sites)).toBeUndefined()
  })

  test('sorts names by locale', () => {
    const counted = ['Bay 10', 'bay 2', 'Äußere Bay', 'Zoo'].map((name) => site(name))
    expect(names(sortSites({ ...business, sites: counted }, 'name', 'de'))).toEqual([
      'Äußere Bay',
      'bay 2',
      'Bay 10',
      'Zoo',
    ])
  })

  test('the price of a site includes the prices of its connectors', () => {
    const named = site('Named', { tariff: 'day', cost: 'old' })
    const mixed = site('Mixed', {
      cost: '0.45',
      connectors: [connector('a'), connector('b', 22, { tariff: 'ac' })],
    })
    const worded = site('Worded', { cost: '0.45' })
    const all = [named, mixed, worded, strong]
    expect(all.map((each) => priceOf(each, business))).toEqual(['Day', '0.45, AC', '0.45', ''])
    expect(names(withLack(all, 'cost'))).toEqual(['Strong'])
    expect(names(sortSites({ ...business, sites: all }, 'cost', 'en'))).toEqual([
      'Strong',
      'Worded',
      'Mixed',
      'Named',
    ])
  })

  test('groups equal connectors', () => {
    const list = [
      connector('a'),
      connector('b', 22),
      connector('c'),
      connector('d', 150, { format: 'SOCKET' }),
    ]
    expect(groupConnectors(list).map(({ first: { id }, all }) => [id, all.length])).toEqual([
      ['a', 2],
      ['b', 1],
      ['d', 1],
    ])
  })
})

test('shows one hint at a time, of a kind that is not dismissed', () => {
  const sites = [
    site('Closed', { status: 'REMOVED' }),
    site('Quay', { cost: 'Free' }),
    site('Pier'),
  ]
  expect(findHint(sites, [])).toEqual({ kind: 'photo', siteId: 'Quay' })
  expect(findHint(sites, ['photo'])).toEqual({ kind: 'cost', siteId: 'Pier' })
  expect(findHint(sites, ['photo', 'cost'])).toEqual({ kind: 'contact', siteId: 'Quay' })
  expect(findHint(sites, ['photo', 'cost', 'contact'])).toBeUndefined()
})

describe('CSV', () => {
  test('quotes special characters, and begins with a byte order mark', () => {
    expect(csv([['a "b"', 'c,d\ne', 1.5]], csvStyle('en'))).toBe('\uFEFF"a ""b""","c,d\ne",1.5\r\n')
  })

  test.each(['=1+1', '+44 28', '-1', '@SUM(A1)', ' =1', '\tx', '\rx', '＝1', '\n=1'])(
    'escapes the formula %j',
    (text) => {
      expect(csv([[text]], csvStyle('en'))).toBe(`\uFEFF"'${text}"\r\n`)
    },
  )

  test('keeps numbers, formatted by locale', () => {
    expect(csv([[-6.6531, 'a;b']], csvStyle('de'))).toBe('\uFEFF-6,6531;"a;b"\r\n')
  })

  test('has a row per site, in the words of the language', async () => {
    const one = site('Quay', {
      connectors: [connector('a'), connector('b')],
      cost: '0.45',
      tariff: 'day',
      opening_hours: { twentyfourseven: true },
    })
    const english = await loadMessages('en', ['core', 'owner', 'choices', 'hours'])
    const german = await loadMessages('de', ['core', 'owner', 'choices', 'hours'])
    const text = sitesAsCsv([one], business, { messages: english, locale: 'en' })
    const [head, line, end] = text.split('\r\n')
    const [record] = parse(text, { bom: true, columns: true }) as Record<string, string>[]
    expect(record?.[english.fields.sites.max_height_m], 'not set').toBe('')
    expect(head).toContain('"Site","Address","Latitude"')
    expect(line).toMatch(
      /^"Quay","12 Quay Street, Portrush",55.2044,-6.6531,"Open",2,"0.45","","",/,
    )
    expect(line).toMatch(/,2,"2 × CCS2 150 kW",300,"Quay"$/)
    expect(line).toContain('"Open 24 hours, every day"')
    expect(line).toContain(',"Day",')
    expect(end).toBe('')
    expect(
      sitesAsCsv([one], business, { messages: german, locale: 'de' }).split('\r\n')[1],
    ).toContain(';55,2044;-6,6531;"Geöffnet";2;')
  })
})
