import { describe, expect, test } from 'vitest'
// Preloads the SDK, which the store imports lazily: that is slow on a busy machine.
import 'pocketbase'
import PocketBase from 'pocketbase'

import type { Change } from '#domain/change.ts'
import { AUTODATES, BUSINESSES, OWNERS } from '#domain/collection.ts'
import { OWNED } from '#domain/owned.ts'
import type { PlainCollection } from '#domain/plain.ts'
import {
  FakePage,
  makeToken,
  makeUser,
  newDevice,
  settle,
  storeSession,
  type Device,
} from '../../tests/support/fake-page.ts'
import { makeBusiness } from '../../tests/support/make.ts'
import { findRevert } from '../screens/changes/revert.ts'
import { recordsIn } from './log.ts'
import { applyEvents } from './live.ts'

// A plain collection that only this test declares; its server side is in tests/contract/declarations.contract.ts.

const lots = {
  id: 'pbc_lots',
  name: 'lots',
  owner: 'business.user',
  access: OWNERS,
  fields: {
    name: { kind: 'text', max: 20, required: true },
    spaces: { kind: 'number', min: 0 },
    note: { kind: 'text', max: 100 },
    business: { kind: 'relation', to: BUSINESSES, required: true },
    ...AUTODATES,
  },
} as const satisfies PlainCollection
const plain = [lots]
const LOTS = 'lots'

const RECORDS = '/api/collections/lots/records'
const ada = makeUser('ada000000000000')
const business = makeBusiness()
const lot = (id: string, changes: object = {}) => ({
  id,
  name: `Lot ${id}`,
  spaces: 4,
  note: '',
  ...changes,
})
type Lot = ReturnType<typeof lot>
const ID = 'lot000000000001'
const input = { name: 'North', spaces: 4 }
const idTaken = { data: { id: { code: 'validation_not_unique', message: '' } } }

const answerLoad = async (page: FakePage, found: readonly Lot[]): Promise<void> => {
  const list = (items: readonly unknown[]) => ({ page: 1, perPage: 500, totalPages: 1, items })
  const expand = { 'sites(business)': [], 'lots(business)': found }
  const read = await page.next('GET', '/api/collections/businesses/records')
  expect(read.query.get('expand')).toBe('sites(business),lots(business)')
  expect(read.query.get('fields')).toContain(
    'expand.lots(business).id,expand.lots(business).name,expand.lots(business).spaces',
  )
  await read.answer(200, list([{ ...business, expand }]))
  await (await page.next('GET', '/api/collections/connectors/records')).answer(200, list([]))
}
const begin = async (device: Device): Promise<FakePage> => {
  storeSession(device, ada)
  const page = new FakePage(device, undefined, { plain })
  void page.store.start()
  const token = makeToken(ada.id, device.now + 1e9, 'r')
  const refresh = await page.next('POST', '/api/collections/users/auth-refresh')
  await refresh.answer(200, { token, record: ada })
  return page
}
const open = async (found: readonly Lot[] = [], device = newDevice()): Promise<FakePage> => {
  const page = await begin(device)
  await answerLoad(page, found)
  await settle()
  page.sent.length = 0
  return page
}
const shown = (page: FakePage) => recordsIn(page.store.getState().data, LOTS)
const goOnline = async (page: FakePage): Promise<void> => {
  page.device.isOnline = true
  page.emit('online')
  await settle()
}

describe('online', () => {
  test('records are read with the business', async () => {
    expect(shown(await open([lot('a'), lot('b')]))).toEqual([lot('a'), lot('b')])
  })

  test('a record is created, updated with the changed fields only, and deleted', async () => {
    const page = await open()
    const created = page.store.createRecord(LOTS, ID, input)
    const create = await page.next('POST', RECORDS)
    expect(create.body).toEqual({ id: ID, name: 'North', spaces: 4, business: business.id })
    await create.answer(200, lot(ID, { name: 'North' }))
    expect((await created).value).toEqual({ isQueued: false })
    expect(shown(page)).toEqual([lot(ID, { name: 'North' })])

    const updated = page.store.updateRecord(LOTS, ID, { name: 'North', spaces: 6 })
    expect(shown(page)).toEqual([lot(ID, { name: 'North', spaces: 6 })])
    const update = await page.next('PATCH', `${RECORDS}/${ID}`)
    expect(update.body).toEqual({ spaces: 6 })
    await update.answer(200, lot(ID, { name: 'North', spaces: 6 }))
    expect((await updated).value).toEqual({ isQueued: false })
    await page.store.updateRecord(LOTS, ID, { spaces: 6 })

    const removed = page.store.removeRecord(LOTS, ID)
    await (await page.next('DELETE', `${RECORDS}/${ID}`)).answer(204)
    expect((await removed).problem).toBeUndefined()
    expect(shown(page)).toEqual([])
    expect(page.store.unsent().changes).toBe(0)
    expect(page.sent).toHaveLength(3)
  })

  test('a refusal reverts the change, and becomes a notice unless it is awaited', async () => {
    const page = await open([lot(ID)])
    const refused = page.store.updateRecord(LOTS, ID, { name: '' })
    await (
      await page.next('PATCH', `${RECORDS}/${ID}`)
    ).answer(400, {
      data: { name: { code: 'validation_required', message: '' } },
    })
    expect(await refused).toMatchObject({
      action: 'updateRecord',
      collection: 'lots',
      problem: { kind: 'invalid', fields: { name: { code: 'validation_required' } } },
    })
    expect(shown(page)).toEqual([lot(ID)])
    expect(page.store.getNotices()).toMatchObject([
      { action: 'updateRecord', subject: ID, collection: 'lots' },
    ])
    const removed = page.store.removeRecord(LOTS, ID)
    await (await page.next('DELETE', `${RECORDS}/${ID}`)).answer(500, {})
    expect((await removed).problem?.kind).toBe('unexpected')
    expect(shown(page)).toEqual([lot(ID)])
    expect(page.store.getNotices()).toHaveLength(1)
  })

  test('a create whose response was lost is found by its id', async () => {
    const page = await open()
    const lost = page.store.createRecord(LOTS, ID, input)
    await (await page.next('POST', RECORDS)).fail()
    expect((await lost).problem?.kind).toBe('offline')
    const again = page.store.createRecord(LOTS, ID, { name: 'South', spaces: 4 })
    await (await page.next('POST', RECORDS)).answer(400, idTaken)
    await (await page.next('GET', `${RECORDS}/${ID}`)).answer(200, lot(ID, { name: 'North' }))
    const update = await page.next('PATCH', `${RECORDS}/${ID}`)
    expect(update.body).toEqual({ name: 'South' })
    await update.answer(200, lot(ID, { name: 'South' }))
    expect((await again).value).toEqual({ isQueued: false })
    expect(shown(page)).toEqual([lot(ID, { name: 'South' })])
  })

  test('writes of one record are sent sequentially', async () => {
    const page = await open([lot(ID)])
    void page.store.updateRecord(LOTS, ID, { spaces: 5 })
    void page.store.updateRecord(LOTS, ID, { note: 'shaded' })
    const update = await page.next('PATCH', `${RECORDS}/${ID}`)
    expect(page.waiting('PATCH', `${RECORDS}/${ID}`)).toEqual([])
    await update.answer(200, lot(ID, { spaces: 5 }))
    const second = await page.next('PATCH', `${RECORDS}/${ID}`)
    await second.answer(200, lot(ID, { spaces: 5, note: 'shaded' }))
    expect(shown(page)).toEqual([lot(ID, { spaces: 5, note: 'shaded' })])
  })
})

describe('offline', () => {
  const values = { name: 'typed' }

  test('the cached data is shown before the response', async () => {
    const page = await open([lot('a')])
    await page.advance(1000)
    const next = await begin(page.device)
    await settle()
    expect(shown(next)).toEqual([lot('a')])
  })

  test('a queued write is shown immediately, outlives the page, and is sent once', async () => {
    const page = await open()
    page.device.isOnline = false
    const kept = await page.store.createRecord(LOTS, ID, input, { queue: true, values })
    expect(kept.value).toEqual({ isQueued: true })
    // The update is merged into the queued create.
    await page.store.updateRecord(LOTS, ID, { spaces: 9 })
    expect(shown(page)).toMatchObject([{ id: ID, name: 'North', spaces: 9 }])
    expect(page.store.queuedWrites()).toMatchObject([{ id: ID, action: 'createRecord' }])
    expect(await page.store.draft(`lots:${ID}`).read()).toMatchObject({
      values,
      isNew: true,
      isQueued: true,
    })
    expect(page.sent).toEqual([])
    page.crash()

    page.device.isOnline = true
    const next = await begin(page.device)
    await answerLoad(next, [])
    const create = await next.next('POST', RECORDS)
    expect(create.body).toMatchObject({ id: ID, name: 'North', spaces: 9 })
    await create.answer(200, lot(ID, { name: 'North', spaces: 9 }))
    expect(next.store.unsent().changes).toBe(0)
    expect(shown(next)).toEqual([lot(ID, { name: 'North', spaces: 9 })])
    expect(next.waiting('POST', RECORDS)).toEqual([])
  })

  test('a queued update is merged with the change of another device', async () => {
    const page = await open([lot(ID)])
    page.device.isOnline = false
    await page.store.updateRecord(LOTS, ID, { spaces: 5 }, { queue: true })
    await page.store.updateRecord(LOTS, ID, { spaces: 6 })
    await page.advance(60_000)
    await goOnline(page)
    await answerLoad(page, [lot(ID, { note: 'elsewhere' })])
    const update = await page.next('PATCH', `${RECORDS}/${ID}`)
    expect(update.body).toEqual({ spaces: 6 })
    await update.answer(200, lot(ID, { spaces: 6, note: 'elsewhere' }))
    expect(shown(page)).toEqual([lot(ID, { spaces: 6, note: 'elsewhere' })])
  })

  test('a queued update that conflicts with another device returns to its form', async () => {
    const page = await open([lot(ID)])
    page.device.isOnline = false
    await page.store.updateRecord(LOTS, ID, { spaces: 5 }, { queue: true, values })
    await page.advance(60_000)
    await goOnline(page)
    await answerLoad(page, [lot(ID, { spaces: 7 })])
    await settle()
    expect(page.waiting('PATCH', `${RECORDS}/${ID}`)).toEqual([])
    expect(shown(page)).toEqual([lot(ID, { spaces: 7 })])
    expect(page.store.drafts()).toMatchObject([{ form: `lots:${ID}`, isNew: false, values }])
    const form = { name: `lots:${ID}`, isNew: false }
    expect(page.store.getNotices()).toMatchObject([{ problem: { kind: 'conflict' }, form }])
  })
})

test('an event adds or removes a record', async () => {
  const { data } = (await open([lot('a')])).store.getState()
  const client = new PocketBase('http://app.test')
  const after = (record: Lot, isDeleted: boolean) =>
    applyEvents(client, data, [{ collection: 'lots', record, isDeleted, etag: '' }])
  expect(after(lot('a'), false)).toBe(data)
  expect(after(lot('b'), true)).toBe(data)
  expect(after(lot('b'), false)).toMatchObject({ records: { lots: [lot('a'), lot('b')] } })
  expect(after(lot('a', { spaces: 1 }), false)).toMatchObject({
    records: { lots: [{ spaces: 1 }] },
  })
  expect(after(lot('a'), true)).toMatchObject({ records: { lots: [] } })
})

test('the history reverts an update and restores a deleted record', async () => {
  const { data } = (await open([lot('a')])).store.getState()
  const collection = LOTS
  const change = (changed: object) =>
    ({ collection, record: 'a', business: business.id, site: '', ...changed }) as unknown as Change
  const find = (changed: object) => findRevert(change(changed), data, [...OWNED, ...plain])
  expect(find({ action: 'update', before: { spaces: 3 }, after: { spaces: 4 } })).toEqual({
    kind: 'record',
    collection,
    id: 'a',
    fields: { spaces: 3 },
  })
  const before = { name: 'Gone', spaces: 1, note: '', business: business.id }
  expect(find({ action: 'delete', record: 'b', before, after: {} })).toEqual({
    kind: 'deletedRecord',
    collection,
    id: 'b',
    fields: { name: 'Gone', spaces: 1, note: '' },
  })
  expect(find({ action: 'delete', before, after: {} })).toBeUndefined()
  expect(find({ action: 'create', before: {}, after: before })).toBeUndefined()
})
