import { randomBytes } from 'node:crypto'

import { afterEach, expect, test, vi } from 'vitest'

import { createTokens } from './token.ts'

const CLAIMS = { id: 'abcdefghijklmno', sessionId: 'session12345678', superuser: false }
const TERM = { lifetimeS: 60, refreshable: true }

afterEach(() => void vi.useRealTimers())

test('a cached token is valid until it expires', async () => {
  const tokens = createTokens(randomBytes(32))
  const token = await tokens.sign(CLAIMS, TERM)
  expect(await tokens.verify(token)).toEqual(CLAIMS)
  expect(tokens.verify(token)).toEqual(CLAIMS)
  vi.useFakeTimers({ now: Date.now() + 61_000, toFake: ['Date'] })
  expect(await tokens.verify(token)).toBeUndefined()
  expect(await tokens.verify(token)).toBeUndefined()
})

test('the cache entry of one token does not verify another', async () => {
  const tokens = createTokens(randomBytes(32))
  const token = await tokens.sign(CLAIMS, TERM)
  await tokens.verify(token)
  const other = await createTokens(randomBytes(32)).sign(CLAIMS, TERM)
  const [head, body] = token.split('.')
  for (const forged of [other, `${head}.${body}.`, `${head}.${body}.${other.split('.')[2]}`])
    expect(await tokens.verify(forged)).toBeUndefined()
  // Only session tokens are cached: a file token is none.
  const file = await tokens.signFile(CLAIMS)
  expect(await tokens.verify(file)).toBeUndefined()
  expect(await tokens.verifyFile(token)).toBeUndefined()
})
