import { describe, expect, test } from 'vitest'
// Preloads the SDK, which the store imports lazily: that is slow on a busy machine.
import 'pocketbase'

import { FULL_LIST_BATCH } from '#domain/limits.ts'
import { BUSINESS_FIELDS } from '#domain/business.ts'
import { CONNECTOR_FIELDS, CONNECTOR_TRAITS, type Connector } from '#domain/connector.ts'
import { NOT_FOUND } from '#domain/error.ts'
import { SITE_FIELDS, type Site } from '#domain/site.ts'
import {
  FakePage,
  makeToken,
  makeUser,
  newDevice,
  settle,
  storeSession,
  type Device,
  type Request,
} from '../../tests/support/fake-page.ts'
import { makeBusiness, makeConnector, makeSite } from '../../tests/support/make.ts'
import { SESSION_KEY } from './session.ts'
import { REQUEST_TIMEOUT_MS, STALL_AFTER_MS } from './stalls.ts'
import type { ConnectorInput, SiteInput, State } from './state.ts'

const RECORDS = {
  users: '/api/collections/users/records',
  businesses: '/api/collections/businesses/records',
  sites: '/api/collections/sites/records',
  connectors: '/api/collections/connectors/records',
}
const REFRESH = '/api/collections/users/auth-refresh'
const AUTH_METHODS = '/api/collections/users/auth-methods'
const SIGN_IN = '/api/collections/users/auth-with-oauth2'
const DAY_MS = 24 * 60 * 60 * 1000

const ada = makeUser('ada000000000000')
const bob = makeUser('bob000000000000', { name: 'Bob' })

const business = makeBusiness()
const connectorInput = (id: string): ConnectorInput => {
  const { site: _, ...input } = makeConnector(id, '')
  return input
}
const siteInput: SiteInput = {
  name: 'Quay',
  address: '12 Quay Street',
  latitude: 0,
  longitude: -6.65,
  vehicle_capacity: 2,
  status: 'AVAILABLE',
}

const REPORT_FIELDS = [
  'id',
  'site',
  'reason',
  'message',
  'wants_answer',
  'received',
  'state',
  'answer',
]
const TARIFF_FIELDS = [
  'id',
  'name',
  'currency',
  'tax_included',
  'elements',
  'min_price',
  'max_price',
  'url',
] as const

const NO_BUSINESS = { page: 1, perPage: 1, totalItems: -1, totalPages: -1, items: [] }
const notFound = { status: 404, message: NOT_FOUND, data: {} }
const ownIdTaken = {
  status: 400,
  message: 'Failed to create record.',
  data: { id: { code: 'validation_not_unique', message: 'Value must be unique.' } },
}

const dashboard = (sites: readonly Site[]) => ({
  ...NO_BUSINESS,
  items: [{ ...business, expand: { 'sites(business)': sites } }],
})
const listOf = (items: readonly unknown[]) => ({
  page: 1,
  perPage: FULL_LIST_BATCH,
  totalItems: items.length,
  totalPages: 1,
  items,
})

const answerLoad = async (
  page: FakePage,
  sites: readonly Site[],
  connectors: readonly Connector[] = [],
): Promise<void> => {
  await (await page.next('GET', RECORDS.businesses)).answer(200, dashboard(sites))
  await (await page.next('GET', RECORDS.connectors)).answer(200, listOf(connectors))
}
const answerRefresh = async (page: FakePage, user = ada): Promise<void> => {
  const token = makeToken(user.id, page.device.now + 5 * DAY_MS, 'r')
  await (await page.next('POST', REFRESH)).answer(200, { token, record: user })
}

/** A page on which Ada is signed in and sees these sites. */
const openPage = async (
  sites: readonly Site[],
  connectors: readonly Connector[] = [],
  device: Device = newDevice(),
): Promise<FakePage> => {
  storeSession(device, ada)
  const page = new FakePage(device)
  const started = page.store.start()
  await answerRefresh(page)
  await answerLoad(page, sites, connectors)
  await started
  page.sent.length = 0
  return page
}
const siteNames = (page: FakePage): readonly string[] =>
  page.store.getState().data?.sites.map(({ name }) => name) ?? []
const connectorIds = (page: FakePage): readonly string[] =>
  page.store.getState().data?.sites.flatMap(({ connectors }) => connectors.map(({ id }) => id)) ??
  []
const kinds = (page: FakePage): string[] =>
  page.store.getNotices().map(({ action, problem }) => `${action} ${problem.kind}`)

describe('loading', () => {
  test('starts true, and ends immediately for guests', async () => {
    const page = new FakePage()
    expect(page.store.getState()).toEqual({ data: null, user: null, loading: true })
    await page.store.start()
    expect(page.store.getState()).toEqual({ data: null, user: null, loading: false })
    expect(page.sent).toEqual([])
  })

  test('starts true, and ends when the data has arrived', async () => {
    const device = newDevice()
    storeSession(device, ada)
    const page = new FakePage(device)
    const seen: boolean[] = [page.store.getState().loading]
    page.store.subscribe(() => seen.push(page.store.getState().loading))
    const started = page.store.start()
    await answerRefresh(page)
    expect(page.store.getState().loading).toBe(true)
    await answerLoad(page, [makeSite('a')])
    await started
    expect(page.store.getState().loading).toBe(false)
    expect(seen.join().replaceAll(/(true,)+/g, 'true,')).toBe('true,false')
  })

  test.each([
    [400, 'unexpected'],
    [403, 'unexpected'],
    [404, 'notFound'],
    [500, 'unexpected'],
    [503, 'unavailable'],
  ])('ends after a %i, which leaves the state unchanged', async (status, kind) => {
    const page = await openPage([makeSite('a')])
    const before = page.store.getState()
    const loaded = page.store.load()
    expect(page.store.getState().loading).toBe(true)
    await (await page.next('GET', RECORDS.businesses)).answer(status, {})
    // A revoked session looks like missing data, so the session is checked.
    if (status < 500) await answerRefresh(page)
    expect((await loaded).value).toBeUndefined()
    expect(page.store.getState()).toEqual(before)
    expect(page.store.getState().data).toBe(before.data)
    expect(kinds(page)).toEqual([`load ${kind}`])
  })

  test('is raised by creating a business, but not by updating it', async () => {
    const page = await openPage([])
    const updated = page.store.updateBusiness({ name: 'New' })
    expect(page.store.getState().loading).toBe(false)
    await (await page.next('PATCH', /businesses/)).answer(200, { ...business, name: 'New' })
    await updated
    const created = page.store.createBusiness({ name: 'Other' })
    expect(page.store.getState().loading).toBe(true)
    await (await page.next('POST', RECORDS.businesses)).fail()
    expect((await created).value).toBeUndefined()
    expect(page.store.getState().loading).toBe(false)
  })
})

describe('the dashboard', () => {
  test('requests the business of the user, its sites, and connectors in batches', async () => {
    const device = newDevice()
    storeSession(device, ada)
    const page = new FakePage(device)
    void page.store.start()
    const lookup = await page.next('GET', RECORDS.businesses)
    expect(lookup.query.get('filter')).toBe(`user="${ada.id}"`)
    expect(lookup.query.get('expand')).toBe(
      'sites(business),tariffs(business),sites(business).reports(site)',
    )
    expect(lookup.query.get('perPage')).toBe('1')
    expect(lookup.query.get('fields')?.split(',')).toEqual([
      ...BUSINESS_FIELDS,
      ...SITE_FIELDS.map((field) => `expand.sites(business).${field}`),
      ...TARIFF_FIELDS.map((field) => `expand.tariffs(business).${field}`),
      ...REPORT_FIELDS.map((field) => `expand.sites(business).expand.reports(site).${field}`),
    ])
    expect(lookup.headers.get('Accept-Language')).toBe('de')
    expect(lookup.headers.get('Authorization')).toContain('.')
    const list = await page.next('GET', RECORDS.connectors)
    expect(list.query.get('filter')).toBe(`site.business.user="${ada.id}"`)
    expect(list.query.get('perPage')).toBe('500')
    expect(list.query.get('fields')).toBe(CONNECTOR_FIELDS.join())
  })

  test('reads further pages of connectors in parallel, each connector once', async () => {
    const device = newDevice()
    storeSession(device, ada)
    const page = new FakePage(device)
    void page.store.start()
    await (await page.next('GET', RECORDS.businesses)).answer(200, dashboard([makeSite('a')]))
    const first = await page.next('GET', RECORDS.connectors)
    const [one, two, three] = ['1', '2', '3'].map((id) => makeConnector(id, 'a'))
    await first.answer(200, { ...listOf([one]), totalPages: 3, totalItems: 1100 })
    const rest = page.waiting('GET', RECORDS.connectors)
    expect(rest.map(({ query }) => query.get('page'))).toEqual(['2', '3'])
    for (const { query } of rest) expect(query.get('skipTotal')).toBe('true')
    await rest[1]?.answer(200, listOf([three]))
    await rest[0]?.answer(200, listOf([one, two]))
    const [site] = page.store.getState().data?.sites ?? []
    expect(site?.connectors.map(({ id }) => id)).toEqual(['1', '2', '3'])
    expect(rest.some(({ aborted }) => aborted)).toBe(false)
  })

  test('a missing business is not a failure', async () => {
    const device = newDevice()
    storeSession(device, ada)
    const page = new FakePage(device)
    const started = page.store.start()
    await answerRefresh(page)
    await (await page.next('GET', RECORDS.businesses)).answer(200, NO_BUSINESS)
    await (await page.next('GET', RECORDS.connectors)).answer(200, listOf([]))
    await started
    expect(page.store.getState()).toMatchObject({ data: null, loading: false })
    expect(page.store.getNotices()).toEqual([])
  })

  test('a missing business leaves the data unchanged if the session was revoked', async () => {
    const page = await openPage([makeSite('a')])
    const loaded = page.store.load()
    await (await page.next('GET', RECORDS.businesses)).answer(200, NO_BUSINESS)
    await (await page.next('GET', RECORDS.connectors)).answer(200, listOf([]))
    await (await page.next('POST', REFRESH)).answer(401, {})
    await loaded
    expect(siteNames(page)).toEqual(['Site a'])
    expect(page.store.isExpired()).toBe(true)
    expect(page.store.isSignedIn()).toBe(false)
  })

  test('has photos and the logo as URLs', async () => {
    const photos = { photos: ['p 1.webp'], photo_categories: { 'p 1.webp': 'ENTRANCE' } } as const
    const page = await openPage([makeSite('a', { ...photos, photos: [...photos.photos] })])
    expect(page.store.getState().data?.sites[0]?.photos).toEqual([
      {
        name: 'p 1.webp',
        src: 'http://app.test/api/files/sites/a/p%201.webp',
        category: 'ENTRANCE',
      },
    ])
    expect(page.store.getState().data?.fileSrc).toBe('')
  })

  test('a load that began before a delete does not bring the site back', async () => {
    const page = await openPage([makeSite('a'), makeSite('b')])
    void page.store.load()
    const lookup = await page.next('GET', RECORDS.businesses)
    const list = await page.next('GET', RECORDS.connectors)
    page.store.deleteSite('a')
    await page.advance(8000)
    await (await page.next('DELETE', `${RECORDS.sites}/a`)).answer(204)
    await lookup.answer(200, dashboard([makeSite('a'), makeSite('b')]))
    await list.answer(200, listOf([]))
    expect(siteNames(page)).toEqual(['Site b'])
    await answerLoad(page, [makeSite('b')])
    expect(siteNames(page)).toEqual(['Site b'])
    expect(page.store.getState().loading).toBe(false)
  })

  test('a newer load cancels the older one without a notice', async () => {
    const page = await openPage([makeSite('a')])
    const older = page.store.load()
    const first = await page.next('GET', RECORDS.businesses)
    await page.next('GET', RECORDS.connectors)
    const newer = page.store.load()
    await settle()
    expect(first.aborted).toBe(true)
    expect((await older).value).toBeUndefined()
    await answerLoad(page, [makeSite('b')])
    expect((await newer).value?.sites[0]?.id).toBe('b')
    expect(page.store.getNotices()).toEqual([])
    expect(page.store.getState().loading).toBe(false)
  })

  test('is retried after Retry-After', async () => {
    const page = await openPage([])
    const loaded = page.store.load()
    await (await page.next('GET', RECORDS.connectors)).answer(200, listOf([]))
    await (await page.next('GET', RECORDS.businesses)).answer(429, {}, { 'Retry-After': '3' })
    await page.advance(2999)
    expect(page.waiting('GET', RECORDS.businesses)).toEqual([])
    await page.advance(1)
    await (await page.next('GET', RECORDS.businesses)).answer(200, dashboard([makeSite('a')]))
    expect((await loaded).value?.sites).toHaveLength(1)
  })

  test('is not retried after a long Retry-After', async () => {
    const page = await openPage([])
    const loaded = page.store.load()
    await (await page.next('GET', RECORDS.connectors)).answer(200, listOf([]))
    await (await page.next('GET', RECORDS.businesses)).answer(429, {}, { 'Retry-After': '3600' })
    expect((await loaded).value).toBeUndefined()
    expect(kinds(page)).toEqual(['load tooMany'])
  })
})

describe('optimistic changes', () => {
  test('a failed delete restores the site in its place', async () => {
    const page = await openPage([makeSite('a'), makeSite('b'), makeSite('c')])
    const before = page.store.getState()
    page.store.deleteSite('b')
    expect(siteNames(page)).toEqual(['Site a', 'Site c'])
    await page.advance(8000)
    await (await page.next('DELETE', `${RECORDS.sites}/b`)).answer(500, {})
    expect(siteNames(page)).toEqual(['Site a', 'Site b', 'Site c'])
    expect(page.store.getState().data).toBe(before.data)
    expect(kinds(page)).toEqual(['deleteSite unexpected'])
  })

  test('an edit that fails late does not undo one that has succeeded since', async () => {
    const page = await openPage([makeSite('a')])
    const first = page.store.updateSite('a', { fields: { name: 'A' } })
    const second = page.store.updateSite('a', { fields: { cost: 'Free' } })
    const name = await page.next('PATCH', `${RECORDS.sites}/a`)
    const cost = await page.next('PATCH', `${RECORDS.sites}/a`)
    expect(name.aborted).toBe(false)
    expect(page.store.getState().data?.sites[0]).toMatchObject({ name: 'A', cost: 'Free' })
    await cost.answer(200, makeSite('a', { cost: 'Free' }))
    await name.answer(500, {})
    expect((await first).value).toBeUndefined()
    expect((await second).problem).toBeUndefined()
    expect(page.store.getState().data?.sites[0]).toMatchObject({ name: 'Site a', cost: 'Free' })
  })

  test('responses in reverse order do not revert each other', async () => {
    const page = await openPage([makeSite('a')])
    void page.store.updateSite('a', { fields: { name: 'A' } })
    void page.store.updateSite('a', { fields: { cost: 'Free' } })
    const name = await page.next('PATCH', `${RECORDS.sites}/a`)
    const cost = await page.next('PATCH', `${RECORDS.sites}/a`)
    await cost.answer(200, makeSite('a', { name: 'A', cost: 'Free' }))
    // The server answered this one first, before the cost was written.
    await name.answer(200, makeSite('a', { name: 'A' }))
    expect(page.store.getState().data?.sites[0]).toMatchObject({ name: 'A', cost: 'Free' })
  })

  test('a response to a position includes the fields that the server derived from it', async () => {
    const page = await openPage([makeSite('a', { time_zone: 'Europe/London', country: 'GBR' })])
    const site = () => page.store.getState().data?.sites[0]
    const stored = { time_zone: 'Europe/Paris', country: 'FRA', cost: 'Free' }
    void page.store.updateSite('a', { fields: { name: 'A' } })
    const name = await page.next('PATCH', `${RECORDS.sites}/a`)
    await name.answer(200, makeSite('a', { ...stored, name: 'A' }))
    expect(site()).toMatchObject({ name: 'A', time_zone: 'Europe/London', cost: '' })
    void page.store.updateSite('a', { fields: { latitude: 45.76 } })
    const move = await page.next('PATCH', `${RECORDS.sites}/a`)
    expect(move.body).toEqual({ latitude: 45.76 })
    await move.answer(200, makeSite('a', { ...stored, latitude: 45.76 }))
    expect(site()).toMatchObject({ ...stored, latitude: 45.76, cost: '' })
  })

  test('the newer of two identical updates cancels the older', async () => {
    const page = await openPage([makeSite('a')])
    const older = page.store.updateSite('a', { fields: { name: 'A' } })
    const first = await page.next('PATCH', `${RECORDS.sites}/a`)
    const newer = page.store.updateSite('a', { fields: { name: 'A' } })
    const second = await page.next('PATCH', `${RECORDS.sites}/a`)
    expect(first.aborted).toBe(true)
    await second.answer(200, makeSite('a', { name: 'A' }))
    expect((await older).value).toBeUndefined()
    expect((await newer).problem).toBeUndefined()
    expect(siteNames(page)).toEqual(['A'])
    expect(page.store.getNotices()).toEqual([])
  })

  test('nothing is sent for an unknown site or without changes', async () => {
    const page = await openPage([makeSite('a', { contact_phone: '1' })])
    expect((await page.store.updateSite('nobody', { fields: { name: 'X' } })).value).toBeUndefined()
    expect((await page.store.updateSite('a', {})).problem).toBeUndefined()
    const same = { name: 'Site a', contact_phone: '1' }
    expect((await page.store.updateSite('a', { fields: same })).problem).toBeUndefined()
    expect(
      (await page.store.updateSite('nobody', { removedPhotos: ['x.png'] })).value,
    ).toBeUndefined()
    const sameBusiness = { name: business.name, logo: null }
    expect((await page.store.updateBusiness(sameBusiness)).problem).toBeUndefined()
    await page.store.updateSite('nobody', { connectors: [] })
    await settle()
    expect(page.sent).toEqual([])
    expect(page.store.getNotices()).toEqual([])
  })

  test('restoring the stored value while another is in flight is a change', async () => {
    const page = await openPage([makeSite('a')])
    void page.store.updateSite('a', { fields: { name: 'X' } })
    await page.next('PATCH', `${RECORDS.sites}/a`)
    void page.store.updateSite('a', { fields: { name: 'Site a' } })
    expect((await page.next('PATCH', `${RECORDS.sites}/a`)).body).toEqual({ name: 'Site a' })
  })
})

describe('request bodies', () => {
  const photo = new File(['x'], 'quay.png', { type: 'image/png' })

  test('a new business: non-empty values, the user, a logo as multipart', async () => {
    const page = await openPage([])
    void page.store.createBusiness({ name: 'H', website: '', description: 'D', logo: null })
    const json = await page.next('POST', RECORDS.businesses)
    expect(json.multipart).toBe(false)
    expect(json.body).toEqual({ id: expect.any(String), user: ada.id, name: 'H', description: 'D' })
    expect(json.query.get('fields')).toBe(BUSINESS_FIELDS.join())
    await json.fail()
    void page.store.createBusiness({ name: 'H', logo: photo })
    const multipart = await page.next('POST', RECORDS.businesses)
    expect(multipart.multipart).toBe(true)
    expect(multipart.body).toMatchObject({ id: [json.body['id']], name: ['H'], user: [ada.id] })
    expect(multipart.body['logo']).toHaveLength(1)
  })

  test('a business is not created twice if the response was lost', async () => {
    const page = await openPage([])
    void page.store.createBusiness({ name: 'H' })
    await (await page.next('POST', RECORDS.businesses)).fail()
    const again = page.store.createBusiness({ name: 'H2' })
    const { body, answer } = await page.next('POST', RECORDS.businesses)
    const id = String(body['id'])
    await answer(400, ownIdTaken)
    await (
      await page.next('GET', `${RECORDS.businesses}/${id}`)
    ).answer(200, { ...business, id, name: 'H' })
    const patch = await page.next('PATCH', `${RECORDS.businesses}/${id}`)
    expect(patch.body).toEqual({ name: 'H2' })
    await patch.answer(200, { ...business, id, name: 'H2' })
    expect((await again).problem).toBeUndefined()
    expect(page.store.getState().data?.name).toBe('H2')
    expect(page.store.getNotices()).toEqual([])
  })

  test('a change of the business: only differences, emptied texts and the removed logo as ""', async () => {
    const page = await openPage([])
    void page.store.updateBusiness({ name: '', website: '', logo: photo })
    const first = await page.next('PATCH', `${RECORDS.businesses}/${business.id}`)
    expect(first.body).toEqual({ name: [''], logo: [expect.any(File)] })
    await first.answer(200, { ...business, name: '', logo: 'logo.png' })
    expect(page.store.getState().data?.fileSrc).toContain('/logo.png')
    void page.store.updateBusiness({ logo: null })
    const second = await page.next('PATCH', `${RECORDS.businesses}/${business.id}`)
    expect(second.body).toEqual({ logo: '' })
    await second.answer(200, { ...business, name: '' })
    expect(page.store.getState().data?.fileSrc).toBe('')
  })

  test('a new site as JSON: required fields always, zero included; optional ones with a value', async () => {
    const page = await openPage([])
    void page.store.createSite('s', { ...siteInput, cost: '', contact_phone: '1' }, [], [])
    const { body, query, multipart } = await page.next('POST', RECORDS.sites)
    expect(page.store.getState().loading).toBe(false)
    expect(multipart).toBe(false)
    expect(body).toEqual({ id: 's', ...siteInput, contact_phone: '1', business: business.id })
    expect(query.get('fields')).toBe(SITE_FIELDS.join())
  })

  test('a new site with photos as multipart: capacity under `vehicle`, photos repeated', async () => {
    const page = await openPage([])
    void page.store.createSite('s', siteInput, [], [photo, photo])
    const { body, multipart } = await page.next('POST', RECORDS.sites)
    expect(multipart).toBe(true)
    const { vehicle_capacity: vehicle, ...rest } = siteInput
    const sent = { id: 's', ...rest, vehicle, business: business.id } as object
    const texts = Object.entries(sent) as [string, string | number][]
    expect(body).toEqual({
      ...Object.fromEntries(texts.map(([name, value]) => [name, [String(value)]])),
      photos: [expect.any(File), expect.any(File)],
    })
  })

  test('a change of a site: capacity by its two names, emptied values, If-Match', async () => {
    const page = await openPage([makeSite('a', { cost: 'Free' })])
    const fields = { cost: '', contact_phone: '', vehicle_capacity: 3 }
    void page.store.updateSite('a', { fields }, { etag: '"v1"' })
    const json = await page.next('PATCH', `${RECORDS.sites}/a`)
    expect(page.store.getState().loading).toBe(false)
    expect(json.body).toEqual({ cost: '', vehicle_capacity: 3 })
    expect(json.headers.get('If-Match')).toBe('"v1"')
    expect(json.headers.has('Idempotency-Key')).toBe(false)
    await json.answer(200, makeSite('a', { vehicle_capacity: 3 }))
    void page.store.updateSite('a', { fields: { vehicle_capacity: 4 }, newPhotos: [photo] })
    const upload = await page.next('PATCH', `${RECORDS.sites}/a`)
    expect(upload.body).toEqual({ vehicle: ['4'], photos: [expect.any(File)] })
    expect(upload.headers.has('If-Match')).toBe(false)
    await upload.fail()
    // The retry of an upload is the same upload.
    page.store.getNotices()[0]?.retry?.()
    const retried = await page.next('PATCH', `${RECORDS.sites}/a`)
    const key = upload.headers.get('Idempotency-Key')
    expect(key).toBeTruthy()
    expect(retried.headers.get('Idempotency-Key')).toBe(key)
    await retried.answer(200, makeSite('a', { vehicle_capacity: 4, photos: ['p.webp'] }))
    expect(page.store.getNotices()).toEqual([])
    void page.store.updateSite('a', { fields: {}, newPhotos: [photo] })
    const another = await page.next('PATCH', `${RECORDS.sites}/a`)
    expect(another.headers.get('Idempotency-Key')).not.toBe(key)
  })

  test('a conflict becomes a notice without a retry, which could only fail again', async () => {
    const page = await openPage([makeSite('a')])
    const updated = page.store.updateSite('a', { fields: { name: 'A' } }, { etag: '"old"' })
    await (await page.next('PATCH', `${RECORDS.sites}/a`)).answer(412, {})
    const theirs = makeSite('a', { name: 'Theirs' })
    await answerLoad(page, [theirs])
    await (await page.next('GET', `${RECORDS.sites}/a`)).answer(200, theirs, { ETag: '"new"' })
    expect(await updated).toMatchObject({
      problem: { kind: 'conflict' },
      newer: { site: { name: 'Theirs' }, etag: '"new"' },
    })
    expect((await updated).value).toBeUndefined()
    expect(kinds(page)).toEqual(['updateSite conflict'])
    expect(page.store.getNotices()[0]?.retry).toBeUndefined()
  })

  test('photos are removed by their stored names, also concurrently', async () => {
    const page = await openPage([makeSite('a', { photos: ['1.webp', '2.webp', '3.webp'] })])
    void page.store.updateSite('a', { removedPhotos: ['1.webp'] })
    void page.store.updateSite('a', { removedPhotos: ['3.webp'] })
    const first = await page.next('PATCH', `${RECORDS.sites}/a`)
    const second = await page.next('PATCH', `${RECORDS.sites}/a`)
    expect([first.body, second.body]).toEqual([
      { 'photos-': ['1.webp'] },
      { 'photos-': ['3.webp'] },
    ])
    expect(first.aborted).toBe(false)
    const photos = (): string[] =>
      page.store.getState().data?.sites[0]?.photos.map(({ name }) => name) ?? []
    expect(photos()).toEqual(['2.webp'])
    await second.answer(200, makeSite('a', { photos: ['2.webp'] }))
    await first.answer(404, notFound)
    await answerRefresh(page)
    expect(photos()).toEqual(['1.webp', '2.webp'])
  })

  test('reading a site returns its ETag and updates the data', async () => {
    const page = await openPage([makeSite('a')], [makeConnector('c', 'a')])
    const read = page.store.readSite('a')
    const request = await page.next('GET', `${RECORDS.sites}/a`)
    expect(request.query.get('fields')).toBe(SITE_FIELDS.join())
    await request.answer(200, makeSite('a', { name: 'Newer' }), { ETag: '"v7"' })
    expect((await read).value).toMatchObject({
      etag: '"v7"',
      site: { name: 'Newer', connectors: [{ id: 'c' }] },
    })
    expect(siteNames(page)).toEqual(['Newer'])
    expect(page.sent).toHaveLength(1)
  })
})

describe('connectors', () => {
  test('one request each, in parallel, with the differences only', async () => {
    const page = await openPage(
      [makeSite('a')],
      ['same', 'changed', 'gone'].map((id) => makeConnector(id, 'a')),
    )
    const saved = page.store.updateSite('a', {
      connectors: [
        connectorInput('same'),
        { ...connectorInput('changed'), kw_rating: 7.4 },
        connectorInput('new1'),
        connectorInput('new2'),
      ],
    })
    await settle()
    expect(page.log()).toEqual([
      `POST ${RECORDS.connectors}`,
      `POST ${RECORDS.connectors}`,
      `PATCH ${RECORDS.connectors}/changed`,
      `DELETE ${RECORDS.connectors}/gone`,
    ])
    expect(page.store.getState().loading).toBe(false)
    expect(page.sent[0]?.body).toEqual({
      ...Object.fromEntries(
        CONNECTOR_TRAITS.map((name) => [name, makeConnector('new1', 'a')[name]]),
      ),
      id: 'new1',
      site: 'a',
    })
    expect(page.sent[0]?.query.get('fields')).toBe(CONNECTOR_FIELDS.join())
    expect(page.sent[2]?.body).toEqual({ kw_rating: 7.4 })
    await page.sent[3]?.answer(204)
    await page.sent[2]?.answer(200, { ...makeConnector('changed', 'a'), kw_rating: 7.4 })
    await page.sent[1]?.answer(200, makeConnector('new2', 'a'))
    await page.sent[0]?.answer(400, {
      data: { kw_rating: { code: 'validation_required', message: '' } },
    })
    expect([...((await saved).failures ?? [])]).toMatchObject([['new1', { kind: 'invalid' }]])
    const [site] = page.store.getState().data?.sites ?? []
    expect(site?.connectors.map(({ id, kw_rating: kw }) => `${id} ${kw}`)).toEqual([
      'same 22',
      'changed 7.4',
      'new2 22',
    ])
    expect(kinds(page)).toEqual(['saveConnectors invalid'])
    expect([...(page.store.getNotices()[0]?.failures?.keys() ?? [])]).toEqual(['new1'])
  })

  test('a connector that was saved before is not a failure', async () => {
    const page = await openPage([makeSite('a')])
    const saved = page.store.updateSite('a', { connectors: [connectorInput('c')] })
    await (await page.next('POST', RECORDS.connectors)).answer(400, ownIdTaken)
    await (await page.next('GET', `${RECORDS.connectors}/c`)).answer(200, makeConnector('c', 'a'))
    expect((await saved).problem).toBeUndefined()
    expect(page.store.getState().data?.sites[0]?.connectors).toHaveLength(1)
  })
})

describe('a new site', () => {
  const photo = new File(['x'], 'quay.png')

  test('first the site, then its connectors in parallel, then the user is onboarded', async () => {
    const device = newDevice()
    const newcomer = { ...ada, onboarded: false }
    storeSession(device, newcomer)
    const page = new FakePage(device)
    const started = page.store.start()
    await answerRefresh(page, newcomer)
    await answerLoad(page, [])
    await started
    page.sent.length = 0
    const created = page.store.createSite(
      's',
      siteInput,
      [connectorInput('1'), connectorInput('2')],
      [],
    )
    expect(page.store.unsent().changes).toBe(1)
    const site = await page.next('POST', RECORDS.sites)
    await settle()
    expect(page.sent).toHaveLength(1)
    await site.answer(200, makeSite('s'))
    expect(page.waiting('POST', RECORDS.connectors)).toHaveLength(2)
    const user = await page.next('PATCH', `${RECORDS.users}/${ada.id}`)
    expect(user.body).toEqual({ onboarded: true })
    await user.answer(200, ada)
    expect(page.store.getState().user?.onboarded).toBe(true)
    for (const id of ['1', '2'])
      await (await page.next('POST', RECORDS.connectors)).answer(200, makeConnector(id, 's'))
    expect((await created).problem).toBeUndefined()
    expect(connectorIds(page)).toHaveLength(2)
    expect(page.store.unsent().changes).toBe(0)
    expect([...device.storage.keys()]).toEqual([SESSION_KEY])
  })

  test('if the update of the user fails, the next site repeats it', async () => {
    const device = newDevice()
    const newcomer = { ...ada, onboarded: false }
    storeSession(device, newcomer)
    const page = new FakePage(device)
    void page.store.start()
    await answerRefresh(page, newcomer)
    await answerLoad(page, [])
    const create = async (id: string): Promise<void> => {
      void page.store.createSite(id, siteInput, [], [])
      await (await page.next('POST', RECORDS.sites)).answer(200, makeSite(id))
    }
    await create('s')
    await (await page.next('PATCH', /users/)).answer(500)
    expect(page.store.getState().user?.onboarded).toBe(false)
    await create('t')
    await (await page.next('PATCH', /users/)).answer(200, ada)
    expect(page.store.getState().user?.onboarded).toBe(true)
    await create('u')
    expect(page.waiting('PATCH', /users/)).toEqual([])
  })

  test('a second attempt creates neither the site nor a connector twice', async () => {
    const page = await openPage([])
    const connectors = [connectorInput('1'), connectorInput('2')]
    const first = page.store.createSite('s', siteInput, connectors, [photo])
    await (
      await page.next('POST', RECORDS.sites)
    ).answer(200, makeSite('s', { ...siteInput, photos: ['p.webp'] }))
    await (await page.next('POST', RECORDS.connectors)).answer(200, makeConnector('1', 's'))
    await (await page.next('POST', RECORDS.connectors)).fail()
    expect([...((await first).failures?.keys() ?? [])]).toEqual(['2'])
    expect(connectorIds(page)).toEqual(['1'])
    expect(kinds(page)).toEqual(['saveConnectors offline'])
    const sentBefore = page.sent.length
    const second = page.store.createSite('s', { ...siteInput, name: 'Better' }, connectors, [photo])
    const patch = await page.next('PATCH', `${RECORDS.sites}/s`)
    expect(patch.body).toEqual({ name: 'Better' })
    await patch.answer(200, makeSite('s', { ...siteInput, name: 'Better', photos: ['p.webp'] }))
    await (await page.next('POST', RECORDS.connectors)).answer(200, makeConnector('2', 's'))
    expect((await second).problem).toBeUndefined()
    expect(connectorIds(page)).toEqual(['1', '2'])
    expect(page.sent.slice(sentBefore).map(({ method }) => method)).toEqual(['PATCH', 'POST'])
    expect(page.store.getNotices()).toEqual([])
  })

  test('a site whose response was lost is found, and its photos are not sent twice', async () => {
    const page = await openPage([])
    const first = page.store.createSite('s', siteInput, [], [photo])
    await (await page.next('POST', RECORDS.sites)).fail()
    expect((await first).value).toBeUndefined()
    expect(kinds(page)).toEqual(['createSite offline'])
    const other = new File(['y'], 'other.png')
    const second = page.store.createSite('s', siteInput, [], [photo, other])
    await (await page.next('POST', RECORDS.sites)).answer(400, ownIdTaken)
    const read = await page.next('GET', `${RECORDS.sites}/s`)
    await read.answer(200, makeSite('s', { ...siteInput, photos: ['p.webp'] }))
    const upload = await page.next('PATCH', `${RECORDS.sites}/s`)
    expect((upload.body['photos'] as File[]).map(({ name }) => name)).toEqual(['other.png'])
    await upload.answer(200, makeSite('s', { ...siteInput, photos: ['p.webp', 'o.webp'] }))
    expect((await second).problem).toBeUndefined()
    const [site] = page.store.getState().data?.sites ?? []
    expect(site?.photos.map(({ name }) => name)).toEqual(['p.webp', 'o.webp'])
    expect(page.store.getNotices()).toEqual([])
  })

  test('a site that was stored before keeps the fields that the server filled in', async () => {
    const page = await openPage([])
    const filledIn = { time_zone: 'Europe/London', country: 'GBR' }
    const created = page.store.createSite('s', siteInput, [connectorInput('1')], [])
    await (await page.next('POST', RECORDS.sites)).answer(400, ownIdTaken)
    const read = await page.next('GET', `${RECORDS.sites}/s`)
    await read.answer(200, makeSite('s', { ...siteInput, ...filledIn }))
    await (
      await page.next('POST', RECORDS.connectors)
    ).answer(200, { ...connectorInput('1'), site: 's' })
    expect((await created).problem).toBeUndefined()
    expect(page.store.getState().data?.sites[0]).toMatchObject(filledIn)
    expect(page.sent.filter(({ method }) => method === 'PATCH')).toEqual([])
  })

  test('a photo taken out of the form before the second attempt is removed', async () => {
    const page = await openPage([])
    const other = new File(['y'], 'other.png')
    const connectors = [connectorInput('1')]
    void page.store.createSite('s', siteInput, connectors, [photo, other])
    const stored = makeSite('s', { ...siteInput, photos: ['p.webp', 'o.webp'] })
    await (await page.next('POST', RECORDS.sites)).answer(200, stored)
    await (await page.next('POST', RECORDS.connectors)).fail()
    void page.store.createSite('s', siteInput, connectors, [other])
    const removal = await page.next('PATCH', `${RECORDS.sites}/s`)
    expect(removal.body).toEqual({ 'photos-': ['p.webp'] })
  })

  test('a refused site leaves nothing behind and reports the reason', async () => {
    const page = await openPage([])
    const created = page.store.createSite('s', siteInput, [connectorInput('1')], [])
    await (
      await page.next('POST', RECORDS.sites)
    ).answer(400, {
      status: 400,
      message: 'Failed to create record.',
      data: { cost: { code: 'validation_max_text_constraint', message: '', params: { max: 200 } } },
    })
    expect((await created).value).toBeUndefined()
    expect(siteNames(page)).toEqual([])
    expect(page.store.getNotices()[0]).toMatchObject({
      action: 'createSite',
      subject: 's',
      problem: {
        kind: 'invalid',
        fields: { cost: { code: 'validation_max_text_constraint', params: { max: 200 } } },
      },
    })
    expect(page.store.unsent().changes).toBe(0)
    expect(page.sent).toHaveLength(1)
  })

  test('an unfinished site is finished by the next page', async () => {
    const device = newDevice()
    const page = await openPage([], [], device)
    void page.store.createSite('s', siteInput, [connectorInput('1'), connectorInput('2')], [photo])
    await (await page.next('POST', RECORDS.sites)).answer(200, makeSite('s'))
    await (await page.next('POST', RECORDS.connectors)).answer(200, makeConnector('1', 's'))
    page.crash()

    const next = new FakePage(device)
    const started = next.store.start()
    await answerRefresh(next)
    await answerLoad(next, [makeSite('s')], [makeConnector('1', 's')])
    const missing = await next.next('POST', RECORDS.connectors)
    expect(missing.body['id']).toBe('2')
    await missing.answer(200, makeConnector('2', 's'))
    await started
    expect(next.store.unsent().changes).toBe(0)
    expect(next.sent.filter(({ path }) => path === RECORDS.sites)).toEqual([])
  })

  test('a site in flight when its page ended is sent by the next page', async () => {
    const device = newDevice()
    const page = await openPage([], [], device)
    void page.store.createSite('s', siteInput, [connectorInput('1')], [])
    await page.next('POST', RECORDS.sites)
    page.crash()

    const next = new FakePage(device)
    void next.store.start()
    await answerRefresh(next)
    await answerLoad(next, [])
    const site = await next.next('POST', RECORDS.sites)
    expect(site.body['id']).toBe('s')
    await site.answer(200, makeSite('s'))
    await (await next.next('POST', RECORDS.connectors)).answer(200, makeConnector('1', 's'))
    expect(next.store.unsent().changes).toBe(0)
  })
})

describe('a stalled connection', () => {
  const photo = (name: string): File => new File([name], name, { type: 'image/jpeg' })

  test('is reported, and later times out the requests in flight', async () => {
    const page = await openPage([makeSite('a')])
    const photos = ['1.jpg', '2.jpg', '3.jpg'].map(photo)
    const saved = page.store.updateSite('a', { fields: { name: 'A' }, newPhotos: photos })
    const request = await page.next('PATCH', `${RECORDS.sites}/a`)
    expect(page.store.isStalled()).toBe(false)
    await page.advance(STALL_AFTER_MS)
    expect(page.store.isStalled()).toBe(true)
    await page.advance(REQUEST_TIMEOUT_MS - STALL_AFTER_MS)
    expect((await saved).value).toBeUndefined()
    expect(request.aborted).toBe(true)
    expect(page.store.isStalled()).toBe(false)
    expect(kinds(page)).toEqual(['updateSite timeout'])
    // The other photos would fail in the same way.
    expect(page.log()).toEqual([`PATCH ${RECORDS.sites}/a`])
    expect(siteNames(page)).toEqual(['Site a'])
  })

  test('recovers with every progress of an upload, however slow', async () => {
    const page = await openPage([])
    const saved = page.store.createSite('new', siteInput, [], [photo('1.jpg')])
    const request = await page.next('POST', RECORDS.sites)
    for (const fraction of [0.1, 0.2, 0.3, 0.4]) {
      await page.advance(REQUEST_TIMEOUT_MS - 1)
      expect(page.store.isStalled()).toBe(true)
      request.progress(fraction)
      expect(page.store.isStalled()).toBe(false)
    }
    await request.answer(200, makeSite('new', { photos: ['1.jpg'] }))
    expect((await saved).problem).toBeUndefined()
  })

  test('can be given up', async () => {
    const page = await openPage([])
    const saved = page.store.createSite('new', siteInput, [], [])
    await page.next('POST', RECORDS.sites)
    page.store.abortRequests()
    expect((await saved).value).toBeUndefined()
    expect(kinds(page)).toEqual(['createSite timeout'])
  })

  test('times out a load, which can be retried', async () => {
    const device = newDevice()
    storeSession(device, ada)
    const page = new FakePage(device)
    const started = page.store.start()
    await answerRefresh(page)
    await page.next('GET', RECORDS.businesses)
    await page.next('GET', RECORDS.connectors)
    await page.advance(REQUEST_TIMEOUT_MS)
    await started
    expect(kinds(page)).toEqual(['load timeout'])
    page.store.getNotices()[0]?.retry?.()
    await answerLoad(page, [makeSite('a')])
    expect(siteNames(page)).toEqual(['Site a'])
  })

  test('is not assumed after a response with Retry-After', async () => {
    const page = await openPage([makeSite('a')])
    const saved = page.store.updateSite('a', { fields: { name: 'A' } })
    const refused = await page.next('PATCH', `${RECORDS.sites}/a`)
    await refused.answer(429, {}, { 'Retry-After': '60' })
    await page.advance(60_000)
    const again = await page.next('PATCH', `${RECORDS.sites}/a`)
    await again.answer(200, makeSite('a', { name: 'A' }))
    expect((await saved).problem).toBeUndefined()
    expect(siteNames(page)).toEqual(['A'])
  })
})

describe('deleting a site', () => {
  test('is sent after the undo period, connectors before the site', async () => {
    const page = await openPage([makeSite('a')], [makeConnector('1', 'a'), makeConnector('2', 'a')])
    page.store.deleteSite('a')
    expect(page.store.pendingDeletes()).toEqual([
      { id: 'a', name: 'Site a', until: page.device.now + 8000 },
    ])
    expect(page.store.unsent().changes).toBe(1)
    await page.advance(7999)
    expect(page.sent).toEqual([])
    await page.advance(1)
    expect(page.store.pendingDeletes()).toEqual([])
    const one = await page.next('DELETE', `${RECORDS.connectors}/1`)
    const two = await page.next('DELETE', `${RECORDS.connectors}/2`)
    await one.answer(204)
    expect(page.waiting('DELETE', /sites/)).toEqual([])
    // Already gone: after a check of the session, it counts as deleted.
    await two.answer(404, notFound)
    await answerRefresh(page)
    await (await page.next('DELETE', `${RECORDS.sites}/a`)).answer(204)
    expect(siteNames(page)).toEqual([])
    expect(page.store.unsent().changes).toBe(0)
    expect(page.store.getNotices()).toEqual([])
  })

  test('stops when a connector could not be deleted', async () => {
    const page = await openPage([makeSite('a')], [makeConnector('1', 'a'), makeConnector('2', 'a')])
    page.store.deleteSite('a')
    await page.advance(8000)
    await (await page.next('DELETE', `${RECORDS.connectors}/1`)).answer(204)
    await (await page.next('DELETE', `${RECORDS.connectors}/2`)).fail()
    expect(page.waiting('DELETE', /sites/)).toEqual([])
    expect(page.store.getState().data?.sites[0]?.connectors.map(({ id }) => id)).toEqual(['2'])
    page.store.getNotices()[0]?.retry?.()
    expect(siteNames(page)).toEqual([])
    await (await page.next('DELETE', `${RECORDS.connectors}/2`)).answer(204)
    await (await page.next('DELETE', `${RECORDS.sites}/a`)).answer(204)
    expect(page.store.getNotices()).toEqual([])
  })

  test('can be undone, and paused', async () => {
    const page = await openPage([makeSite('a'), makeSite('b')])
    page.store.deleteSite('a')
    page.store.pauseDelete('a', true)
    await page.advance(60_000)
    expect(page.sent).toEqual([])
    page.store.pauseDelete('a', false)
    await page.advance(7999)
    page.store.undoDelete('a')
    await page.advance(60_000)
    expect(page.sent).toEqual([])
    expect(siteNames(page)).toEqual(['Site a', 'Site b'])
    expect(page.store.pendingDeletes()).toEqual([])
    expect(page.store.unsent().changes).toBe(0)
  })

  test('is sent in one keepalive request when the page is left', async () => {
    const page = await openPage([makeSite('a')], [makeConnector('1', 'a')])
    page.store.deleteSite('a')
    page.emit('hide')
    expect(page.log()).toEqual([`DELETE ${RECORDS.sites}/a`])
    expect(page.sent[0]?.keepalive).toBe(true)
    expect(page.sent[0]?.headers.get('Authorization')).toContain('.')
  })

  test('left pending is done by the next page, which never shows the site', async () => {
    const device = newDevice()
    const page = await openPage([makeSite('a')], [makeConnector('1', 'a')], device)
    page.store.deleteSite('a')
    device.pages.length = 0
    device.now += 60_000

    const next = new FakePage(device)
    const seen = new Set<string>()
    next.store.subscribe(() => next.store.getState().data?.sites.forEach(({ id }) => seen.add(id)))
    void next.store.start()
    await answerRefresh(next)
    await answerLoad(next, [makeSite('a'), makeSite('b')], [makeConnector('1', 'a')])
    await (await next.next('DELETE', `${RECORDS.connectors}/1`)).answer(204)
    await (await next.next('DELETE', `${RECORDS.sites}/a`)).answer(204)
    expect([...seen]).toEqual(['b'])
    expect(next.store.unsent().changes).toBe(0)
  })

  test('in its undo period is left to the tab that began it', async () => {
    const device = newDevice()
    const page = await openPage([makeSite('a')], [], device)
    page.store.deleteSite('a')
    const other = new FakePage(device)
    void other.store.start()
    await answerRefresh(other)
    await answerLoad(other, [makeSite('a')])
    expect(siteNames(other)).toEqual([])
    page.store.undoDelete('a')
    await page.advance(20_000)
    await answerLoad(other, [makeSite('a')])
    expect([...page.log(), ...other.log()].filter((line) => line.startsWith('DELETE'))).toEqual([])
    expect(siteNames(other)).toEqual(['Site a'])
  })
})

describe('signing in', () => {
  const provider = {
    name: 'oidc',
    state: 'STATE',
    codeVerifier: 'VERIFIER',
    authURL: 'http://idp.test/auth?client_id=x&redirect_uri=',
  }
  const methods = { oauth2: { enabled: true, providers: [provider] } }

  /** Redirects to the provider and back, in a new page of the same tab. */
  const comeBack = async (returnTo = '/site/add'): Promise<FakePage> => {
    const page = new FakePage()
    await page.store.start()
    void page.store.beginSignIn(returnTo)
    await (await page.next('GET', AUTH_METHODS)).answer(200, methods)
    return new FakePage(page.device, page.sessionStorage)
  }
  const answerSignIn = async (page: FakePage, name: string | undefined): Promise<Request> => {
    const exchange = await page.next('POST', SIGN_IN)
    const token = makeToken(ada.id, page.device.now + 5 * DAY_MS)
    await exchange.answer(200, { token, record: ada, meta: { name, isNew: false } })
    return exchange
  }

  test('redirects to the provider, with a redirect URL of this origin', async () => {
    const page = new FakePage()
    storeSession(page.device, ada, -1)
    await page.store.start()
    void page.store.beginSignIn('/site/add')
    expect(page.store.getState().loading).toBe(true)
    expect(page.device.storage.has(SESSION_KEY)).toBe(false)
    await (await page.next('GET', AUTH_METHODS)).answer(200, methods)
    expect(page.left).toBe(provider.authURL + encodeURIComponent('http://app.test/login'))
  })

  test.each([
    ['http://idp.test', []],
    ['http://evil.test', ['signIn mismatch']],
  ])('a response of the issuer %s', async (iss, refused) => {
    const page = new FakePage()
    await page.store.start()
    void page.store.beginSignIn('/site/add')
    const oauth2 = { enabled: true, providers: [{ ...provider, issuer: 'http://idp.test' }] }
    await (await page.next('GET', AUTH_METHODS)).answer(200, { oauth2 })
    const back = new FakePage(page.device, page.sessionStorage)
    await back.store.start()
    void back.store.completeSignIn(`?code=CODE&state=STATE&iss=${encodeURIComponent(iss)}`)
    await expect.poll(() => kinds(back).length + back.waiting('POST', SIGN_IN).length).toBe(1)
    expect(kinds(back)).toEqual(refused)
  })

  test('stores the user, reads the data, and does not send an equal name', async () => {
    const page = await comeBack()
    await page.store.start()
    const completed = page.store.completeSignIn('?code=CODE&state=STATE&iss=x')
    expect(page.store.getState().loading).toBe(true)
    const { body } = await answerSignIn(page, 'Ada')
    expect(body).toEqual({
      provider: 'oidc',
      code: 'CODE',
      codeVerifier: 'VERIFIER',
      redirectURL: 'http://app.test/login',
    })
    expect(await completed).toBe('/site/add')
    expect(page.store.getState()).toMatchObject({ user: { id: ada.id }, loading: true })
    expect(page.store.isSignedIn()).toBe(true)
    await answerLoad(page, [makeSite('a')])
    expect(siteNames(page)).toEqual(['Site a'])
    expect(page.store.getState().loading).toBe(false)
    expect(page.waiting('PATCH', /users/)).toEqual([])
    expect(page.sent.some(({ path }) => path === REFRESH)).toBe(false)
  })

  test('an expired session is not stored', async () => {
    const page = await comeBack()
    const completed = page.store.completeSignIn('?code=CODE&state=STATE')
    const token = makeToken(ada.id, page.device.now - 1000)
    await (await page.next('POST', SIGN_IN)).answer(200, { token, record: ada, meta: {} })
    expect(await completed).toBeUndefined()
    expect(kinds(page)).toEqual(['signIn clock'])
    expect(page.store.isSignedIn()).toBe(false)
    expect(page.device.storage.has(SESSION_KEY)).toBe(false)
    expect(page.waiting('GET', /records/)).toEqual([])
  })

  test('adopts the name of the profile if there is a different one', async () => {
    const page = await comeBack()
    void page.store.completeSignIn('?code=CODE&state=STATE')
    await answerSignIn(page, 'Ada Byron')
    const update = await page.next('PATCH', `${RECORDS.users}/${ada.id}`)
    expect(update.body).toEqual({ name: 'Ada Byron' })
    await update.answer(200, { ...ada, name: 'Ada Byron' })
    expect(page.store.getState().user?.name).toBe('Ada Byron')
    expect(page.device.storage.get(SESSION_KEY)).toContain('Ada Byron')
    const nameless = await comeBack()
    void nameless.store.completeSignIn('?code=CODE&state=STATE')
    await answerSignIn(nameless, '')
    expect(nameless.waiting('PATCH', /users/)).toEqual([])
  })

  test('a response is used once, even if requested twice', async () => {
    const page = await comeBack()
    const first = page.store.completeSignIn('?code=CODE&state=STATE')
    const second = page.store.completeSignIn('?code=CODE&state=STATE')
    await answerSignIn(page, 'Ada')
    expect([await first, await second]).toEqual(['/site/add', '/site/add'])
    const again = new FakePage(page.device, page.sessionStorage)
    // As when the user goes back to it, or a browser restores the page.
    expect(await again.store.completeSignIn('?code=CODE&state=STATE')).toBe('/dashboard')
    expect(again.store.isSignedIn()).toBe(true)
    expect(again.waiting('POST', SIGN_IN)).toEqual([])
  })

  test.each(['?code=CODE&state=OTHER', '?error=access_denied'])(
    '%s, to which any page can link, ends no session',
    async (search) => {
      const device = newDevice()
      storeSession(device, ada)
      const page = new FakePage(device)
      void page.store.start()
      expect(await page.store.completeSignIn(search)).toBe('/dashboard')
      expect(page.store.isSignedIn()).toBe(true)
      expect(page.store.getState().user?.id).toBe(ada.id)
      expect(kinds(page)).toEqual([])
    },
  )

  test.each(['access_denied', 'login_required'])(
    'the error %s of the provider keeps the session of a tab that has signed in meanwhile',
    async (error) => {
      const { device, sessionStorage } = await comeBack()
      const other = new FakePage(device)
      storeSession(device, ada)
      const page = new FakePage(device, sessionStorage)
      void page.store.start()
      expect(await page.store.completeSignIn(`?error=${error}&state=STATE`)).toBe('/site/add')
      other.emit('visible')
      for (const { store } of [page, other]) expect(store.getState().user?.id).toBe(ada.id)
      expect(device.storage.has(SESSION_KEY)).toBe(true)
      expect(kinds(page)).toEqual([])
    },
  )

  test('a code that cannot be exchanged keeps the session of a tab that has signed in meanwhile', async () => {
    const { device, sessionStorage } = await comeBack()
    storeSession(device, ada)
    const page = new FakePage(device, sessionStorage)
    void page.store.start()
    const completed = page.store.completeSignIn('?code=CODE&state=STATE')
    await (
      await page.next('POST', SIGN_IN)
    ).answer(400, { message: 'Failed to fetch OAuth2 token.' })
    expect(await completed).toBe('/site/add')
    expect(page.store.getState().user?.id).toBe(ada.id)
    expect(device.storage.has(SESSION_KEY)).toBe(true)
    expect(kinds(page)).toEqual(['signIn provider'])
  })

  test.each([
    ['?code=CODE&state=OTHER', 'mismatch'],
    ['?error=access_denied&state=STATE', 'cancelled'],
    ['?error=access_denied', 'mismatch'],
  ])('%s is reported as %s', async (search, kind) => {
    const page = await comeBack()
    expect(await page.store.completeSignIn(search)).toBeUndefined()
    expect(kinds(page)).toEqual([`signIn ${kind}`])
    expect(page.sent).toEqual([])
    expect(page.store.getState()).toEqual({ data: null, user: null, loading: false })
  })

  test.each([
    [
      'invalid_scope',
      400,
      { provider: { code: 'sign_in_misconfigured' } },
      'provider sign_in_misconfigured',
    ],
    ['login_required', 400, {}, 'provider '],
    ['temporarily_unavailable', 503, {}, 'unavailable undefined'],
  ])(
    'the error %s of the provider is sent to the server, which reports who can fix it',
    async (error, status, data, told) => {
      const page = await comeBack()
      const completed = page.store.completeSignIn(`?error=${error}&state=STATE`)
      const report = await page.next('POST', SIGN_IN)
      expect(report.body).toEqual({ provider: 'oidc', error })
      await report.answer(status, { message: '', data })
      expect(await completed).toBeUndefined()
      const [notice] = page.store.getNotices()
      expect(`${notice?.problem.kind} ${notice?.problem.fields['provider']?.code}`).toBe(told)
    },
  )

  test('a visit without a response does nothing', async () => {
    const page = await comeBack()
    expect(await page.store.completeSignIn('?x=1')).toBeUndefined()
    expect(page.store.getNotices()).toEqual([])
    expect(page.sessionStorage.size).toBe(1)
  })

  test('an unreachable provider, and one that refuses the code, are reported', async () => {
    const page = new FakePage()
    await page.store.start()
    const begun = page.store.beginSignIn('/')
    const problem = 'sign_in_misconfigured'
    await (await page.next('GET', AUTH_METHODS)).answer(200, { oauth2: { providers: [], problem } })
    await begun
    expect(kinds(page)).toEqual(['signIn provider'])
    expect(page.store.getNotices()[0]?.problem.fields).toEqual({ provider: { code: problem } })
    expect(page.store.getState().loading).toBe(false)
    const back = await comeBack()
    const completed = back.store.completeSignIn('?code=CODE&state=STATE')
    await (
      await back.next('POST', SIGN_IN)
    ).answer(400, { message: 'Failed to fetch OAuth2 token.' })
    expect(await completed).toBeUndefined()
    expect(kinds(back)).toEqual(['signIn provider'])
    expect(back.store.isSignedIn()).toBe(false)
  })

  test.each([
    ['https://evil.test/x', '/dashboard'],
    ['//evil.test/x', '/dashboard'],
    ['/\\evil.test', '/dashboard'],
    ['/.//evil.test', '/dashboard'],
    ['', '/dashboard'],
    ['/site/edit/abc?x=1#y', '/site/edit/abc?x=1#y'],
  ])('the return path %s leads to %s', async (returnTo, path) => {
    const page = await comeBack(returnTo)
    const completed = page.store.completeSignIn('?code=CODE&state=STATE')
    await answerSignIn(page, 'Ada')
    expect(await completed).toBe(path)
  })
})

describe('deleting the account', () => {
  const account = `${RECORDS.users}/${ada.id}`
  const begin = async (page: FakePage) => {
    const deleted = page.store.deleteAccount()
    await answerRefresh(page)
    return { deleted, request: await page.next('DELETE', account) }
  }
  const expectDone = (page: FakePage): void => {
    expect(page.store.getState().user).toBeNull()
    expect(page.store.isExpired()).toBe(false)
    expect(page.device.storage.has(SESSION_KEY)).toBe(false)
    expect(page.store.getNotices()).toEqual([])
  }

  test.each([
    ['was lost', (request: Request) => request.fail()],
    // Browsers repeat a request whose connection broke.
    ['is that of a second request', (request: Request) => request.answer(404, {})],
  ])('succeeds even if the answer %s', async (_name, lose) => {
    const page = await openPage([makeSite('a')])
    const { deleted, request } = await begin(page)
    await lose(request)
    await (await page.next('POST', REFRESH)).answer(401, {})
    expect((await deleted).problem).toBeUndefined()
    expectDone(page)
  })

  test('waits until the server has deleted many records', async () => {
    const page = await openPage([makeSite('a')])
    const { deleted, request } = await begin(page)
    await page.advance(2 * REQUEST_TIMEOUT_MS)
    await request.answer(204)
    expect((await deleted).problem).toBeUndefined()
    expectDone(page)
  })

  test('succeeds when repeated after the session has ended', async () => {
    const page = await openPage([makeSite('a')])
    const { deleted, request } = await begin(page)
    await request.fail()
    await (await page.next('POST', REFRESH)).fail()
    expect((await deleted).problem?.kind).toBe('offline')
    const again = page.store.deleteAccount()
    await (await page.next('POST', REFRESH)).answer(401, {})
    expect((await again).problem).toBeUndefined()
    expectDone(page)
  })

  test('fails while the session is valid, and if it had ended before', async () => {
    const page = await openPage([makeSite('a')])
    const { deleted, request } = await begin(page)
    await request.answer(503, {})
    await answerRefresh(page)
    expect((await deleted).problem?.kind).toBe('unavailable')
    const other = await openPage([makeSite('a')])
    const refused = other.store.deleteAccount()
    await (await other.next('POST', REFRESH)).answer(401, {})
    expect((await refused).problem?.kind).toBe('signedOut')
    expect(other.store.isExpired()).toBe(true)
  })
})

describe('the session', () => {
  test('responses that arrive after the sign-out are ignored', async () => {
    const page = await openPage([makeSite('a')])
    void page.store.load()
    const lookup = await page.next('GET', RECORDS.businesses)
    const list = await page.next('GET', RECORDS.connectors)
    const updated = page.store.updateSite('a', { fields: { name: 'A' } })
    const patch = await page.next('PATCH', `${RECORDS.sites}/a`)
    const states: State[] = []
    page.store.signOut()
    page.store.subscribe(() => states.push(page.store.getState()))
    const empty = { data: null, user: null, loading: false }
    expect(page.store.getState()).toEqual(empty)
    await lookup.answer(200, dashboard([makeSite('a')]))
    await list.answer(200, listOf([]))
    await patch.answer(500, {})
    expect((await updated).value).toBeUndefined()
    expect(page.store.getState()).toEqual(empty)
    expect(states).toEqual([])
    expect(page.store.getNotices()).toEqual([])
    expect([...page.device.storage.keys()]).toEqual([])
  })

  test('a renewal answered after the sign-out does not sign in again', async () => {
    const device = newDevice()
    storeSession(device, ada)
    const page = new FakePage(device)
    void page.store.start()
    const refresh = await page.next('POST', REFRESH)
    page.store.signOut()
    await refresh.answer(200, { token: makeToken(ada.id, device.now + DAY_MS), record: ada })
    expect(device.storage.has(SESSION_KEY)).toBe(false)
    expect(page.store.isSignedIn()).toBe(false)
  })

  test('a renewal answered after another user has signed in, in another tab, keeps their session', async () => {
    const device = newDevice()
    storeSession(device, ada)
    const page = new FakePage(device)
    void page.store.start()
    const refresh = await page.next('POST', REFRESH)
    // The event of the other tab is still on its way.
    storeSession(device, bob)
    await refresh.answer(200, { token: makeToken(ada.id, device.now + DAY_MS), record: ada })
    expect(device.storage.get(SESSION_KEY)).toContain(bob.id)
    expect(page.store.getState().user).toEqual(bob)
  })

  test('renewed on a full device, it continues in its tab', async () => {
    const device = newDevice()
    storeSession(device, ada, DAY_MS / 2)
    const page = new FakePage(device)
    void page.store.start()
    device.isFull = true
    await answerRefresh(page)
    device.now += DAY_MS - 1
    page.emit('visible')
    expect(page.store.isSignedIn()).toBe(true)
  })

  test('signing out sends the pending deletes, and drops all other work', async () => {
    const page = await openPage([makeSite('a'), makeSite('b')])
    page.store.deleteSite('a')
    page.store.signOut()
    expect(page.log()).toEqual([`DELETE ${RECORDS.sites}/a`])
    expect(page.sent[0]?.headers.get('Authorization')).toContain('.')
    expect(page.store.pendingDeletes()).toEqual([])
    expect([...page.device.storage.keys()]).toEqual([])
    await page.advance(60_000)
    expect(page.sent).toHaveLength(1)
  })

  test('is renewed at the start and daily, without starting a new generation', async () => {
    const page = await openPage([makeSite('a')])
    const before = page.device.storage.get(SESSION_KEY)
    await page.advance(DAY_MS)
    void page.store.updateSite('a', { fields: { name: 'A' } })
    const patch = await page.next('PATCH', `${RECORDS.sites}/a`)
    await answerRefresh(page)
    expect(page.device.storage.get(SESSION_KEY)).not.toBe(before)
    await patch.answer(200, makeSite('a', { name: 'A' }))
    expect(siteNames(page)).toEqual(['A'])
    expect(page.log()).toEqual([`POST ${REFRESH}`, `PATCH ${RECORDS.sites}/a`])
  })

  test('refused at the start, it ends, and nothing is shown', async () => {
    const device = newDevice()
    storeSession(device, ada)
    const page = new FakePage(device)
    void page.store.start()
    await (await page.next('POST', REFRESH)).answer(401, {})
    expect(page.store.isSignedIn()).toBe(false)
    expect(page.store.isExpired()).toBe(false)
    expect(page.store.getState()).toEqual({ data: null, user: null, loading: false })
    expect(device.storage.has(SESSION_KEY)).toBe(false)
  })

  test('expiring under an open page, it leaves the state unchanged and asks for a sign-in', async () => {
    const device = newDevice()
    storeSession(device, ada, DAY_MS / 2)
    const page = new FakePage(device)
    let told = 0
    page.store.subscribe(() => told++)
    void page.store.start()
    await (await page.next('POST', REFRESH)).fail()
    await answerLoad(page, [makeSite('a')])
    const before = told
    await page.advance(DAY_MS / 2)
    expect(told).toBeGreaterThan(before)
    expect(page.store.isExpired()).toBe(true)
    expect(page.store.isSignedIn()).toBe(false)
    expect(siteNames(page)).toEqual(['Site a'])
    const sent = page.sent.length
    expect((await page.store.updateSite('a', { fields: { name: 'A' } })).value).toBeUndefined()
    expect(kinds(page)).toEqual(['updateSite signedOut'])
    expect(page.sent).toHaveLength(sent)
  })

  test('is found to have expired when a sleeping page wakes', async () => {
    const page = await openPage([makeSite('a')])
    page.device.now += 6 * DAY_MS
    page.emit('visible')
    expect(page.store.isExpired()).toBe(true)
  })

  test('an expired one in storage is ignored', async () => {
    const device = newDevice()
    storeSession(device, ada, -1)
    const page = new FakePage(device)
    await page.store.start()
    expect(page.store.isSignedIn()).toBe(false)
    expect(page.store.getState()).toEqual({ data: null, user: null, loading: false })
    expect(page.sent).toEqual([])
  })

  test('an invalid one in storage is ignored', async () => {
    for (const rubbish of [
      '',
      '{',
      'null',
      '[]',
      '{"token":1}',
      '{"token":"a.b.c","record":{"id":"x"}}',
    ]) {
      const device = newDevice()
      device.storage.set(SESSION_KEY, rubbish)
      expect(new FakePage(device).store.isSignedIn()).toBe(false)
    }
  })

  test('a sign-out in another tab is followed', async () => {
    const device = newDevice()
    const page = await openPage([makeSite('a')], [], device)
    const other = new FakePage(device)
    other.store.signOut()
    expect(page.store.getState()).toEqual({ data: null, user: null, loading: false })
    expect(page.store.isSignedIn()).toBe(false)
    expect(page.store.isExpired()).toBe(false)
  })

  test('another user signing in in another tab replaces all state', async () => {
    const device = newDevice()
    const page = await openPage([makeSite('a')], [], device)
    void page.store.updateSite('a', { fields: { name: 'A' } })
    const patch = await page.next('PATCH', `${RECORDS.sites}/a`)
    storeSession(device, bob)
    page.emit('visible')
    expect(page.store.getState()).toMatchObject({ data: null, user: { id: bob.id }, loading: true })
    await patch.answer(200, makeSite('a', { name: 'A' }))
    const lookup = await page.next('GET', RECORDS.businesses)
    expect(lookup.query.get('filter')).toContain(bob.id)
    expect(page.store.getState().data).toBeNull()
  })

  test('a renewal in another tab changes nothing else', async () => {
    const device = newDevice()
    const page = await openPage([makeSite('a')], [], device)
    const other = new FakePage(device)
    void page.store.updateSite('a', { fields: { name: 'A' } })
    const patch = await page.next('PATCH', `${RECORDS.sites}/a`)
    void other.store.start()
    await answerRefresh(other)
    await patch.answer(200, makeSite('a', { name: 'A' }))
    expect(siteNames(page)).toEqual(['A'])
    expect(page.store.getState().loading).toBe(false)
  })

  test('a refusal caused by a revoked session is reported as such', async () => {
    const page = await openPage([makeSite('a')])
    const updated = page.store.updateSite('a', { fields: { name: 'A' } })
    await (await page.next('PATCH', `${RECORDS.sites}/a`)).answer(404, notFound)
    await (await page.next('POST', REFRESH)).answer(401, {})
    expect((await updated).value).toBeUndefined()
    expect(kinds(page)).toEqual(['updateSite signedOut'])
    expect(page.store.isExpired()).toBe(true)
    expect(siteNames(page)).toEqual(['Site a'])
  })
})
