import { expect, test } from 'vitest'

import { API } from '#domain/paths.ts'
import { BUSINESSES, CONNECTORS } from '#domain/collection.ts'

import { FakePage, makeUser, storeSession } from '../../tests/support/fake-page.ts'
import { makeBusiness } from '../../tests/support/make.ts'
import { createCore } from './core.ts'
import { createLoading } from './loading.ts'

const business = makeBusiness({})

/** A page that has read its data: a business and some pages of connectors. */
const openLoaded = async ({ hasEtags = true, pages = 2 } = {}) => {
  const page = new FakePage()
  storeSession(page.device, makeUser('ada'))
  const core = createCore(page.environment(), () => {})
  const loading = createLoading(core, [])
  const answerReads = async (found = [business]): Promise<void> => {
    for (const [name, items] of Object.entries({ [BUSINESSES]: found, [CONNECTORS]: [] })) {
      const totalPages = name === CONNECTORS ? pages : 1
      for (let number = 1; number <= totalPages; number++) {
        const read = await page.next('GET', API.records(name))
        const etag = `"${name}-${number}"`
        await read.answer(200, { items, totalPages }, hasEtags ? { ETag: etag } : {})
      }
    }
  }
  const loaded = loading.load()
  await answerReads()
  await loaded
  page.sent.length = 0
  /** Answers the checks of the lists, in order; returns the ETags that they ask for. */
  const answerChecks = async (...statuses: readonly (number | 'failure')[]) => {
    const etags: (string | null)[] = []
    for (const status of statuses) {
      const check = await page.next('HEAD', /records$/)
      etags.push(check.headers.get('If-None-Match'))
      await (status === 'failure' ? check.fail() : check.answer(status))
    }
    return etags
  }
  const reads = () => page.log().filter((each) => each.startsWith('GET'))
  return { page, core, loading, answerReads, answerChecks, reads }
}

test('data is not read again if all lists have the ETags of the last read', async () => {
  const { page, loading, answerChecks, reads } = await openLoaded()
  await page.advance(60_000)
  const caughtUp = loading.catchUp()
  expect(await answerChecks(304, 304, 304)).toEqual([
    '"businesses-1"',
    '"connectors-1"',
    '"connectors-2"',
  ])
  expect(await caughtUp).toBe(true)
  // The check also counts as a read for changes that need recent data.
  expect(await loading.refresh()).toBe(true)
  expect(reads()).toEqual([])
})

test.for([
  [200, 304, 304],
  [304, 200, 304],
  [304, 304, 200],
  [304, 405, 304],
])('data is read again after %j', async (statuses) => {
  const { loading, answerReads, answerChecks, reads } = await openLoaded()
  const caughtUp = loading.catchUp()
  await answerChecks(...statuses)
  await answerReads()
  expect(await caughtUp).toBe(true)
  expect(reads()).toHaveLength(3)
})

test('many lists are checked a few at a time, until one has changed', async () => {
  const { page, loading, answerReads, answerChecks } = await openLoaded({ pages: 20 })
  const caughtUp = loading.catchUp()
  await answerChecks(304, 304, 304, 304, 304, 304)
  await answerChecks(304, 304, 304, 304, 304, 200)
  await answerReads()
  expect(await caughtUp).toBe(true)
  expect(page.waiting('HEAD', /records$/)).toEqual([])
  expect(page.log().filter((each) => each.startsWith('HEAD'))).toHaveLength(12)
})

test.for(['failure', 429, 500, 503])('after %j, nothing is read yet', async (status) => {
  const { loading, answerChecks, reads } = await openLoaded()
  const caughtUp = loading.catchUp()
  await answerChecks(304, status as number | 'failure', 304)
  expect(await caughtUp).toBe(false)
  expect(reads()).toEqual([])
})

type Opened = Awaited<ReturnType<typeof openLoaded>>

const SUPERSEDING: Record<string, (opened: Opened) => void> = {
  'a change': ({ core }) => core.scope().confirm((base) => base && { ...base, name: 'Harbour' }),
  'the end of the session': ({ loading }) => loading.forget(),
}

test.for(Object.entries(SUPERSEDING))(
  'after %s, data is read again without a check',
  async ([, act]) => {
    const opened = await openLoaded()
    act(opened)
    const caughtUp = opened.loading.catchUp()
    await opened.answerReads()
    expect(await caughtUp).toBe(true)
    expect(opened.reads()).toHaveLength(3)
    expect(opened.page.log()).toEqual(opened.reads())
  },
)

test('data without ETags is read again without a check', async () => {
  const { page, loading, answerReads, reads } = await openLoaded({ hasEtags: false })
  const caughtUp = loading.catchUp()
  await answerReads()
  expect(await caughtUp).toBe(true)
  expect(page.log()).toEqual(reads())
})

test('after a read of nothing with a session that may be revoked, data is read again', async () => {
  const { page, loading, answerReads } = await openLoaded()
  const reloaded = loading.reload()
  await answerReads([])
  await (await page.next('POST', /auth-refresh$/)).fail()
  expect(await reloaded).toBe(true)
  page.sent.length = 0
  const caughtUp = loading.catchUp()
  await answerReads()
  expect(await caughtUp).toBe(true)
})

test('a session that has expired is not sent', async () => {
  const { page, loading } = await openLoaded()
  await page.advance(6 * 24 * 60 * 60 * 1000)
  page.sent.length = 0
  expect(await loading.catchUp()).toBe(false)
  expect(page.sent).toEqual([])
})

test.for(Object.entries(SUPERSEDING))('%s during a check makes it void', async ([, act]) => {
  const opened = await openLoaded()
  const caughtUp = opened.loading.catchUp()
  await opened.answerChecks(304, 304)
  act(opened)
  await opened.answerChecks(304)
  await opened.answerReads()
  expect(await caughtUp).toBe(true)
  expect(opened.reads()).toHaveLength(3)
})

test('a check of unchanged data removes the notice of a failed load', async () => {
  const { page, core, loading, answerChecks } = await openLoaded()
  const failed = loading.load()
  await (await page.next('GET', API.records(BUSINESSES))).fail()
  await failed
  expect(core.getNotices()).toHaveLength(1)
  const caughtUp = loading.catchUp()
  await answerChecks(304, 304, 304)
  expect(await caughtUp).toBe(true)
  expect(core.getNotices()).toEqual([])
})

test('a check of unchanged data renews the time of the cached data', async () => {
  const { page, loading, answerChecks } = await openLoaded()
  await page.advance(1000)
  await page.advance(60 * 60 * 1000)
  const caughtUp = loading.catchUp()
  await answerChecks(304, 304, 304)
  await caughtUp
  await page.advance(1000)
  const [cached] = page.device.objects.values() as MapIterator<{ readonly at: number }>
  expect(cached?.at).toBe(page.device.now)
})
