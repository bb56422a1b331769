import { describe, expect, test } from 'vitest'
// Preloads the SDK, which the store imports lazily: that is slow on a busy machine.
import 'pocketbase'

import { TARIFFS } from '#domain/collection.ts'
import type { Connector } from '#domain/connector.ts'
import type { Site } from '#domain/site.ts'
import {
  FakePage,
  makeToken,
  makeUser,
  newDevice,
  settle,
  storeSession,
  type Device,
} from '../../tests/support/fake-page.ts'
import { makeBusiness, makeConnector, makeSite } from '../../tests/support/make.ts'
import { recordsIn } from './log.ts'

// Deletes of prices and the references to them; deletes of sites are in store.test.ts.

const ada = makeUser('ada000000000000')
const BATCH = '/api/batch'
const PRICES = '/api/collections/tariffs/records'
const list = (items: readonly unknown[]) => ({ page: 1, perPage: 500, totalPages: 1, items })
const price = (id: string) => ({ id, name: `Price ${id}` })

interface Stored {
  readonly sites?: readonly Site[]
  readonly connectors?: readonly Connector[]
  readonly prices?: readonly string[]
}

const answerLoad = async (
  page: FakePage,
  { sites = [], connectors = [], prices = ['old', 'new'] }: Stored,
): Promise<void> => {
  const expand = { 'sites(business)': sites, 'tariffs(business)': prices.map(price) }
  const read = await page.next('GET', '/api/collections/businesses/records')
  await read.answer(200, list([{ ...makeBusiness(), expand }]))
  const connected = await page.next('GET', '/api/collections/connectors/records')
  await connected.answer(200, list(connectors))
}
const answerRefresh = async (page: FakePage): Promise<void> => {
  const token = makeToken(ada.id, page.device.now + 1e9, 'r')
  const refresh = await page.next('POST', '/api/collections/users/auth-refresh')
  await refresh.answer(200, { token, record: ada })
}
const begin = async (stored: Stored, device: Device): Promise<FakePage> => {
  storeSession(device, ada)
  const page = new FakePage(device)
  void page.store.start()
  await answerRefresh(page)
  await answerLoad(page, stored)
  await settle()
  return page
}
const open = async (stored: Stored, device: Device = newDevice()): Promise<FakePage> => {
  const page = await begin(stored, device)
  page.sent.length = 0
  return page
}

/** The requests of a batch, as `METHOD path body`. */
const requestsIn = (body: Readonly<Record<string, unknown>>): readonly string[] => {
  const [payload] = (body['@jsonPayload'] ?? []) as readonly string[]
  const { requests } = (payload === undefined ? body : JSON.parse(payload)) as {
    readonly requests: readonly { method: string; url: string; body?: object }[]
  }
  return requests.map(({ method, url, body: fields }) =>
    [
      method,
      url.replace(/^\/api\/collections\/(\w+)\/records\/(\w+).*$/, '$1 $2'),
      ...(fields === undefined || Object.keys(fields).length === 0 ? [] : [JSON.stringify(fields)]),
    ].join(' '),
  )
}
const answers = (count: number) =>
  Array.from({ length: count }, () => ({ status: 200, body: { id: 'x' } }))

const used: Stored = {
  sites: [makeSite('a', { tariff: 'old' }), makeSite('b', { tariff: 'new' })],
  connectors: [makeConnector('1', 'b', { tariff: 'old' }), makeConnector('2', 'b')],
}
const names = (page: FakePage) =>
  recordsIn(page.store.getState().data, TARIFFS).map(({ name }) => name)
/** The tariff of each site, and of its connectors. */
const prices = (page: FakePage) =>
  page.store
    .getState()
    .data?.sites.map(({ tariff, connectors }) => [tariff, ...connectors.map((each) => each.tariff)])

const REFUSED_USE = {
  status: 400,
  message: 'Failed to delete record.',
  data: { id: { code: 'validation_record_in_use', message: 'In use.' } },
}
const refusedBatch = (index: number, response: object) => ({
  status: 400,
  message: 'Batch transaction failed.',
  data: { requests: { [index]: { code: 'batch_request_failed', response } } },
})

describe('deleting a price', () => {
  test('is shown immediately, and sent with its references after the undo period', async () => {
    const page = await open(used)
    page.store.deleteRecord(TARIFFS, 'old', 'new')
    expect(names(page)).toEqual(['Price new'])
    expect(prices(page)).toEqual([['new'], ['new', 'new', '']])
    expect(page.store.pendingDeletes()).toEqual([
      { id: 'old', name: 'Price old', until: page.device.now + 8000 },
    ])
    await page.advance(7999)
    expect(page.sent).toEqual([])
    await page.advance(1)
    const batch = await page.next('POST', BATCH)
    expect(requestsIn(batch.body)).toEqual([
      'PATCH sites a {"tariff":"new"}',
      'PATCH connectors 1 {"tariff":"new"}',
      'DELETE tariffs old',
    ])
    expect(names(page)).toEqual(['Price new'])
    await batch.answer(200, answers(3))
    expect(names(page)).toEqual(['Price new'])
    expect(prices(page)).toEqual([['new'], ['new', 'new', '']])
    expect(page.store.unsent().changes).toBe(0)
    expect(page.log()).toEqual([`POST ${BATCH}`])
  })

  test('without references is one request; 404 counts as deleted', async () => {
    const page = await open({ sites: [makeSite('a')] })
    page.store.deleteRecord(TARIFFS, 'old')
    await page.advance(8000)
    await (await page.next('DELETE', `${PRICES}/old`)).answer(404, {})
    await answerRefresh(page)
    expect(names(page)).toEqual(['Price new'])
    expect(page.store.getNotices()).toEqual([])
    expect(page.store.unsent().changes).toBe(0)
  })

  test('is sent before all sessions are ended, which would lose it', async () => {
    const page = await open({ sites: [makeSite('a')] })
    page.store.deleteRecord(TARIFFS, 'old')
    const ended = page.store.endSessions()
    await (await page.next('DELETE', `${PRICES}/old`)).answer(204)
    await (await page.next('POST', '/api/collections/users/end-sessions')).answer(204)
    expect((await ended).problem).toBeUndefined()
    expect(page.log()).toEqual([`DELETE ${PRICES}/old`, 'POST /api/collections/users/end-sessions'])
  })

  test('can be paused and undone, with its references', async () => {
    const page = await open(used)
    page.store.deleteRecord(TARIFFS, 'old', '')
    expect(prices(page)).toEqual([[''], ['new', '', '']])
    page.store.pauseDelete('old', true)
    await page.advance(60_000)
    page.store.pauseDelete('old', false)
    page.store.undoDelete('old')
    await page.advance(60_000)
    expect(page.sent).toEqual([])
    expect(names(page)).toEqual(['Price old', 'Price new'])
    expect(prices(page)).toEqual([['old'], ['new', 'old', '']])
    expect(page.store.unsent().changes).toBe(0)
  })

  test('with hundreds of references is sent in chunks, the last with the delete', async () => {
    const ids = Array.from({ length: 250 }, (_, index) => `site${String(index).padStart(11, '0')}`)
    const page = await open({ sites: ids.map((id) => makeSite(id, { tariff: 'old' })) })
    page.store.deleteRecord(TARIFFS, 'old', 'new')
    await page.advance(8000)
    for (const count of [100, 100, 51]) {
      const batch = await page.next('POST', BATCH)
      const requests = requestsIn(batch.body)
      expect(requests).toHaveLength(count)
      expect(requests.includes('DELETE tariffs old')).toBe(count === 51)
      await batch.answer(200, answers(count))
    }
    expect(new Set(prices(page)?.flat())).toEqual(new Set(['new']))
    expect(page.store.unsent().changes).toBe(0)
  })

  test('is retried with the references that another device has added', async () => {
    const page = await open(used)
    page.store.deleteRecord(TARIFFS, 'old', 'new')
    await page.advance(8000)
    await (await page.next('POST', BATCH)).answer(400, refusedBatch(2, REFUSED_USE))
    await answerLoad(page, {
      sites: [makeSite('c', { tariff: 'old' })],
      connectors: [],
    })
    const batch = await page.next('POST', BATCH)
    expect(requestsIn(batch.body)).toEqual(['PATCH sites c {"tariff":"new"}', 'DELETE tariffs old'])
    await batch.answer(200, answers(2))
    expect(names(page)).toEqual(['Price new'])
    expect(page.store.getNotices()).toEqual([])
  })

  test('without references is refused if another device has added one', async () => {
    const page = await open({})
    page.store.deleteRecord(TARIFFS, 'old')
    await page.advance(8000)
    await (await page.next('DELETE', `${PRICES}/old`)).answer(400, REFUSED_USE)
    await settle()
    expect(names(page)).toEqual(['Price old', 'Price new'])
    expect(page.waiting('POST', BATCH)).toEqual([])
    const [notice] = page.store.getNotices()
    expect(notice).toMatchObject({ action: 'removeRecord', collection: TARIFFS, subject: 'old' })
    expect(page.store.unsent().changes).toBe(0)
  })

  test('twice in a row is sent in that order by the next page', async () => {
    const device = newDevice()
    const stored = { ...used, prices: ['old', 'new', 'last'] }
    const page = await open(stored, device)
    page.store.deleteRecord(TARIFFS, 'old', 'new')
    page.store.deleteRecord(TARIFFS, 'new', 'last')
    expect(prices(page)).toEqual([['last'], ['last', 'last', '']])
    page.crash()
    device.now += 60_000
    const next = await begin(stored, device)
    const first = await next.next('POST', BATCH)
    expect(requestsIn(first.body).at(-1)).toBe('DELETE tariffs old')
    expect(next.waiting('POST', BATCH)).toEqual([])
    await first.answer(200, answers(3))
    const second = await next.next('POST', BATCH)
    expect(requestsIn(second.body)).toEqual([
      'PATCH sites a {"tariff":"last"}',
      'PATCH sites b {"tariff":"last"}',
      'PATCH connectors 1 {"tariff":"last"}',
      'DELETE tariffs new',
    ])
    await second.answer(200, answers(4))
    expect(names(next)).toEqual(['Price last'])
    expect(next.store.unsent().changes).toBe(0)
  })

  test('that fails restores the price and adds a notice with a retry', async () => {
    const page = await open(used)
    page.store.deleteRecord(TARIFFS, 'old', 'new')
    await page.advance(8000)
    await (await page.next('POST', BATCH)).answer(500, {})
    expect(names(page)).toEqual(['Price old', 'Price new'])
    expect(prices(page)).toEqual([['old'], ['new', 'old', '']])
    const [notice] = page.store.getNotices()
    expect(notice).toMatchObject({ action: 'removeRecord', collection: TARIFFS, subject: 'old' })
    notice?.retry?.()
    expect(names(page)).toEqual(['Price new'])
    await (await page.next('POST', BATCH)).answer(200, answers(3))
    expect(page.store.getNotices()).toEqual([])
    expect(names(page)).toEqual(['Price new'])
  })

  test('is sent in one keepalive request when the page is left', async () => {
    const page = await open(used)
    page.store.deleteRecord(TARIFFS, 'old', 'new')
    page.emit('hide')
    const [request] = page.sent
    expect(request).toMatchObject({ method: 'POST', path: BATCH, keepalive: true })
    expect(requestsIn(request?.body ?? {})).toEqual([
      'PATCH sites a {"tariff":"new"}',
      'PATCH connectors 1 {"tariff":"new"}',
      'DELETE tariffs old',
    ])
    const unused = await open({})
    unused.store.deleteRecord(TARIFFS, 'old')
    unused.emit('hide')
    expect(unused.log()).toEqual([`DELETE ${PRICES}/old`])
  })

  test('of a crashed page is sent by the next one', async () => {
    const device = newDevice()
    const page = await open(used, device)
    page.store.deleteRecord(TARIFFS, 'old', 'new')
    page.crash()
    device.now += 60_000
    const next = await begin(used, device)
    const batch = await next.next('POST', BATCH)
    expect(requestsIn(batch.body)).toHaveLength(3)
    await batch.answer(200, answers(3))
    expect(names(next)).toEqual(['Price new'])
    expect(next.store.unsent().changes).toBe(0)
  })

  test('of a price that was never sent drops its creation', async () => {
    const page = await open({})
    page.device.isOnline = false
    await page.store.createRecord(TARIFFS, 'fresh', { name: 'Fresh' } as never, { queue: true })
    page.store.deleteRecord(TARIFFS, 'fresh')
    await page.advance(8000)
    expect(names(page)).toEqual(['Price old', 'Price new'])
    page.device.isOnline = true
    page.emit('online')
    await answerLoad(page, {})
    await settle()
    expect(page.waiting('POST', PRICES)).toEqual([])
    expect(page.store.unsent().changes).toBe(0)
  })

  test('is queued offline, and sent after the saves before it', async () => {
    const page = await open(used)
    page.device.isOnline = false
    await page.store.updateSite('b', { fields: { name: 'B', tariff: 'old' } }, { queue: true })
    page.store.deleteRecord(TARIFFS, 'old', 'new')
    await page.advance(8000)
    expect(names(page)).toEqual(['Price new'])
    page.device.isOnline = true
    page.emit('online')
    await answerLoad(page, used)
    const site = '/api/collections/sites/records/b'
    const current = makeSite('b', { tariff: 'new' })
    await (await page.next('GET', site)).answer(200, current, { ETag: '"1"' })
    expect(page.waiting('POST', BATCH)).toEqual([])
    const update = await page.next('PATCH', site)
    await update.answer(200, { ...current, name: 'B', tariff: 'old' })
    const batch = await page.next('POST', BATCH)
    expect(requestsIn(batch.body)).toEqual([
      'PATCH sites a {"tariff":"new"}',
      'PATCH sites b {"tariff":"new"}',
      'PATCH connectors 1 {"tariff":"new"}',
      'DELETE tariffs old',
    ])
    await batch.answer(200, answers(4))
    expect(page.store.unsent().changes).toBe(0)
  })
})
