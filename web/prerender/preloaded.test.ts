import { afterEach, beforeEach, expect, test } from 'vitest'

import { takePreloaded } from './preloaded.ts'

const URL = 'http://app/api/collections/businesses/records?page=1'
const by = (id: string, issued = 1) => ({
  headers: { Authorization: `e30.${btoa(JSON.stringify({ id, issued }))}.signature` },
})
const ASKED = by('ada')

const keep = (changes: object = {}) => {
  const answers = new Map([[URL, Promise.resolve(new Response('the business'))]])
  globalThis.early = {
    errors: [],
    preloaded: { userId: 'ada', at: Date.now(), answers, ...changes },
  }
}
beforeEach(() => keep())
afterEach(() => (globalThis.early = undefined))

test('a response is given once, to the same request', async () => {
  expect(await (await takePreloaded(URL, ASKED))?.text()).toBe('the business')
  expect(takePreloaded(URL, ASKED)).toBeUndefined()
})

test('a renewed session still matches', () => {
  expect(takePreloaded(URL, by('ada', 2))).toBeDefined()
})

test.each([
  ['another address', () => takePreloaded(`${URL}&perPage=1`, ASKED)],
  ['a change', () => takePreloaded(URL, { ...ASKED, method: 'PATCH' })],
  ['somebody else', () => takePreloaded(URL, by('charles'))],
  ['a guest', () => takePreloaded(URL)],
])('none is given to %s', (_, take) => {
  expect(take()).toBeUndefined()
})

test('an old response is never given, and a page without requests has none', () => {
  keep({ at: Date.now() - 60_000 })
  expect(takePreloaded(URL, ASKED)).toBeUndefined()
  globalThis.early = { errors: [] }
  expect(takePreloaded(URL, ASKED)).toBeUndefined()
})

test('an aborted request rejects, and a failure is passed on', async () => {
  const signal = AbortSignal.abort('gone')
  await expect(takePreloaded(URL, { ...ASKED, signal })).rejects.toBe('gone')
  const later = new AbortController()
  keep({ answers: new Map([[URL, new Promise(() => undefined)]]) })
  const taken = takePreloaded(URL, { ...ASKED, signal: later.signal })
  later.abort('gone later')
  await expect(taken).rejects.toBe('gone later')
  keep({ answers: new Map([[URL, Promise.reject(new TypeError('offline'))]]) })
  await expect(takePreloaded(URL, ASKED)).rejects.toThrow('offline')
})
