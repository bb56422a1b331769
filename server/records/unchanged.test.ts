import { expect, test } from 'vitest'

import { createUnchanged } from './unchanged.ts'

const answerOf = (etag: string) => async () => ({ etag })

/** A read that is answered when the test says so. */
const heldRead = (etag: string) => {
  const { promise, resolve } = Promise.withResolvers<{ etag: string }>()
  return { read: () => promise, answer: () => resolve({ etag }) }
}

test('a version is known until something is written, and while nothing is', async () => {
  const unchanged = createUnchanged(() => true)
  await unchanged.read('a', answerOf('"1"'))
  expect(unchanged.find('a')).toBe('"1"')
  expect(unchanged.find('b')).toBeUndefined()
  const end = unchanged.begin()
  expect(unchanged.find('a')).toBeUndefined()
  // It may have been read before the write, and be kept after it.
  await unchanged.read('a', answerOf('"1"'))
  expect(unchanged.find('a')).toBeUndefined()
  end()
  end()
  expect(unchanged.find('a')).toBeUndefined()
  await unchanged.read('a', answerOf('"2"'))
  expect(unchanged.find('a')).toBe('"2"')
})

test('what was read across the beginning or the end of a write is not kept', async () => {
  const unchanged = createUnchanged(() => true)
  const [before, during] = [heldRead('"1"'), heldRead('"1"')]
  const first = unchanged.read('a', before.read)
  const end = unchanged.begin()
  const second = unchanged.read('a', during.read)
  end()
  before.answer()
  during.answer()
  await Promise.all([first, second])
  expect(unchanged.find('a')).toBeUndefined()
})

test('one write that has ended says nothing of another', async () => {
  const unchanged = createUnchanged(() => true)
  const [one, other] = [unchanged.begin(), unchanged.begin()]
  one()
  one()
  await unchanged.read('a', answerOf('"1"'))
  expect(unchanged.find('a')).toBeUndefined()
  other()
  await unchanged.read('a', answerOf('"1"'))
  expect(unchanged.find('a')).toBe('"1"')
})

test('nothing is known while others may write, nor of what was read then', async () => {
  let isSole = true
  const unchanged = createUnchanged(() => isSole)
  await unchanged.read('a', answerOf('"1"'))
  isSole = false
  unchanged.forget()
  expect(unchanged.find('a')).toBeUndefined()
  const across = heldRead('"1"')
  const read = unchanged.read('a', across.read)
  isSole = true
  across.answer()
  await read
  expect(unchanged.find('a')).toBeUndefined()
})
