import { expect, test } from 'vitest'
// Preloads the SDK, which the store imports lazily: that is slow on a busy machine.
import 'pocketbase'

import {
  FakePage,
  makeToken,
  makeUser,
  newDevice,
  storeSession,
} from '../../tests/support/fake-page.ts'
import type { Imports } from './state.ts'

const ada = makeUser('ada000000000000')

const open = async (): Promise<{ page: FakePage; calls: Imports }> => {
  const device = newDevice()
  storeSession(device, ada)
  const page = new FakePage(device)
  void page.store.start()
  const token = makeToken(ada.id, device.now + 1e9, 'r')
  const refresh = await page.next('POST', '/api/collections/users/auth-refresh')
  await refresh.answer(200, { token, record: ada })
  return { page, calls: await page.store.openImports() }
}

const feed = {
  name: '',
  url: 'https://feed.example/',
  token: '',
  missing: 'KEEP',
  apply: [],
} as const
const table = (text = 'name') => new File([text], 'stations.csv', { lastModified: 1 })

test.for([
  [
    'a feed',
    'feeds',
    (calls: Imports, isOther: boolean) =>
      calls.addFeed(isOther ? { ...feed, name: 'Other' } : feed),
  ],
  [
    'a file',
    'imports',
    (calls: Imports, isOther: boolean) =>
      calls.begin({ file: table(isOther ? 'names' : 'name') }, () => {}),
  ],
] as const)(
  '%s that is sent again after a lost answer counts once; another one, or one after a success, is new',
  async ([, path, send]) => {
    const { page, calls } = await open()
    const sendOne = async (outcome: 'lost' | 'refused' | 'done', isOther = false) => {
      page.sent.length = 0
      const answer = send(calls, isOther)
      const request = await page.next('POST', `/api/${path}`)
      if (outcome === 'lost') await request.fail()
      else await request.answer(outcome === 'done' ? 200 : 422, { id: 'x', data: {} })
      await answer
      return request.headers.get('Idempotency-Key')
    }
    const first = await sendOne('lost')
    expect(first).toMatch(/^[a-z0-9]{15}$/)
    expect(await sendOne('lost')).toBe(first)
    const other = await sendOne('lost', true)
    expect(other).not.toBe(first)
    expect(await sendOne('refused', true)).toBe(other)
    const second = await sendOne('done', true)
    expect(second).not.toBe(other)
    expect(await sendOne('done', true)).not.toBe(second)
  },
)

test.for([
  ['a list', 'GET', '/api/collections/imports/records', (calls: Imports) => calls.list()],
  ['an import', 'GET', '/api/collections/imports/records/x', (calls: Imports) => calls.read('x')],
  [
    'a feed',
    'PATCH',
    '/api/collections/feeds/records/x',
    (calls: Imports) => calls.changeFeed('x', { is_active: false }),
  ],
] as const)(
  'a second request for %s does not cancel the first one',
  async ([, method, path, send]) => {
    const { page, calls } = await open()
    const first = send(calls)
    const one = await page.next(method, path)
    const second = send(calls)
    const other = await page.next(method, path)
    await other.answer(200, { id: 'x', items: [] })
    await one.answer(200, { id: 'x', items: [] })
    expect((await first).problem).toBeUndefined()
    expect((await second).problem).toBeUndefined()
  },
)

test('the changes of a plan and its run are sent one after the other', async () => {
  const { page, calls } = await open()
  page.sent.length = 0
  const answers = [
    calls.changeRow('x', 1, { included: false }),
    calls.change('x', { included: true }),
    calls.run('x'),
  ]
  const change = await page.next('PATCH', '/api/imports/x/rows/1')
  await page.advance(1000)
  expect(page.log()).toEqual(['PATCH /api/imports/x/rows/1'])
  await change.fail()
  await (await page.next('PATCH', '/api/imports/x')).answer(200, { id: 'x' })
  await (await page.next('POST', '/api/imports/x/run')).answer(200, { id: 'x' })
  const failed = (await Promise.all(answers)).map(({ problem }) => problem !== undefined)
  expect(failed).toEqual([true, false, false])
})
