import { afterEach, beforeEach, expect, test } from 'vitest'

import { takeEarly } from './take.ts'

const URL = 'http://app/api/collections/businesses/records?page=1'
const by = (id: string, issued = 1) => ({
  headers: { Authorization: `e30.${btoa(JSON.stringify({ id, issued }))}.signature` },
})
const ASKED = by('ada')

const page = globalThis as { earlyReads?: object }
const keep = (changes: object = {}) => {
  const answers = new Map([[URL, Promise.resolve(new Response('the business'))]])
  page.earlyReads = { userId: 'ada', at: Date.now(), answers, ...changes }
}
beforeEach(() => keep())
afterEach(() => delete page.earlyReads)

test('an answer is given to whoever asks the same, once', async () => {
  expect(await (await takeEarly(URL, ASKED))?.text()).toBe('the business')
  expect(takeEarly(URL, ASKED)).toBeUndefined()
})

test('the session may have been renewed meanwhile', () => {
  expect(takeEarly(URL, by('ada', 2))).toBeDefined()
})

test.each([
  ['another address', () => takeEarly(`${URL}&perPage=1`, ASKED)],
  ['a change', () => takeEarly(URL, { ...ASKED, method: 'PATCH' })],
  ['somebody else', () => takeEarly(URL, by('charles'))],
  ['a guest', () => takeEarly(URL)],
])('none is given to %s', (_, take) => {
  expect(take()).toBeUndefined()
})

test('an old one is given to nobody, and a page that has asked nothing has none', () => {
  keep({ at: Date.now() - 60_000 })
  expect(takeEarly(URL, ASKED)).toBeUndefined()
  delete page.earlyReads
  expect(takeEarly(URL, ASKED)).toBeUndefined()
})

test('who no longer waits is told so, and a failure is passed on', async () => {
  const signal = AbortSignal.abort('gone')
  await expect(takeEarly(URL, { ...ASKED, signal })).rejects.toBe('gone')
  const later = new AbortController()
  keep({ answers: new Map([[URL, new Promise(() => undefined)]]) })
  const taken = takeEarly(URL, { ...ASKED, signal: later.signal })
  later.abort('gone later')
  await expect(taken).rejects.toBe('gone later')
  keep({ answers: new Map([[URL, Promise.reject(new TypeError('offline'))]]) })
  await expect(takeEarly(URL, ASKED)).rejects.toThrow('offline')
})
