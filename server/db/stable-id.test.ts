import { expect, test } from 'vitest'

import { ID_LENGTH, ID_PATTERN } from '#domain/collection.ts'

import { neighbourId, orderedId } from './stable-id.ts'

test('ids of a set sort by number, and ids of dependent records sort beside them', () => {
  const numbers = [0, 1, 35, 36, 1295, 999_999, 60_000_000]
  const ids = numbers.map((number) => orderedId('a run', number))
  expect(ids.toSorted()).toEqual(ids)
  for (const [index, id] of ids.entries()) {
    const parts = [0, 1, 2].map((number) => neighbourId(id, number))
    expect(new Set([id, ...parts]).size).toBe(4)
    for (const each of [id, ...parts]) {
      expect(each).toHaveLength(ID_LENGTH)
      expect(each).toMatch(ID_PATTERN)
      const others = ids.filter((_, other) => other !== index)
      expect([...others, each].toSorted().indexOf(each)).toBe(index)
    }
  }
  expect(orderedId('a run', 1)).toBe(ids[1])
  expect(orderedId('another', 1)).not.toBe(ids[1])
})
