import { expect, test } from 'vitest'

import { FairShares, type Share } from './fair-shares.ts'

const FAST = 100_000
const SLOW = 10

const open = () => {
  const shares = new FairShares({ total: 6, perCaller: 4, perAddress: 5, slowBytesPerS: 1000 })
  const lost: string[] = []
  const share = (caller: string, address: string, pace: () => number | undefined): Share => ({
    caller,
    address,
    pace,
    abort: () => lost.push(`${caller} at ${address}`),
  })
  return { shares, lost, share }
}

test('an account and an address each have a limit', () => {
  const { shares, share } = open()
  const taken = Array.from({ length: 5 }, () =>
    shares.take(
      share('a', '1', () => FAST),
      1,
    ),
  )
  expect(taken).toEqual([undefined, undefined, undefined, undefined, 'caller'])
  expect(
    shares.take(
      share('b', '1', () => FAST),
      1,
    ),
  ).toBeUndefined()
  expect(
    shares.take(
      share('c', '2', () => FAST),
      1,
    ),
  ).toBeUndefined()
  expect(shares.used).toBe(6)
})

test('a new body replaces one of the account that uses most, by account and by address', () => {
  const { shares, lost, share } = open()
  for (const address of ['1', '2', '3', '4'])
    shares.take(
      share('a', address, () => FAST),
      1,
    )
  for (const caller of ['b', 'c'])
    shares.take(
      share(caller, '5', () => FAST),
      1,
    )
  expect(
    shares.take(
      share('d', '6', () => FAST),
      1,
    ),
  ).toBeUndefined()
  expect(lost).toEqual(['a at 1'])
  // A caller with an equal share gets nothing from the others.
  expect(
    shares.take(
      share('a', '7', () => FAST),
      3,
    ),
  ).toBe('caller')
})

test('slow bodies are aborted first, complete ones never', () => {
  const { shares, lost, share } = open()
  const paces: Record<string, number | undefined> = { b: SLOW, c: undefined }
  for (const caller of ['a', 'b', 'c', 'd', 'e', 'f'])
    shares.take(
      share(caller, caller, () => (caller in paces ? paces[caller] : FAST)),
      1,
    )
  expect(
    shares.take(
      share('g', 'g', () => FAST),
      1,
    ),
  ).toBeUndefined()
  expect(lost).toEqual(['b at b'])
  expect(
    shares.take(
      share('h', 'h', () => FAST),
      1,
    ),
  ).toBe('all')
})

test('a released share can be reused, once', () => {
  const { shares, share } = open()
  const first = share('a', '1', () => FAST)
  expect(shares.take(first, 4)).toBeUndefined()
  shares.release(first)
  shares.release(first)
  expect(shares.used).toBe(0)
  expect(
    shares.take(
      share('a', '1', () => FAST),
      4,
    ),
  ).toBeUndefined()
})
