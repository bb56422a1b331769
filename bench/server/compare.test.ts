import { expect, test } from 'vitest'

import { differences } from './compare.ts'

const answer = (body: unknown, status = 200, type = 'application/json') => ({ status, type, body })

test('equal responses have no differences, in any order of keys', () => {
  const ours = answer({ id: 'a', collectionId: 'pbc_1', list: [{ x: 1, y: 2 }] })
  const theirs = answer({ list: [{ y: 2, x: 1 }], collectionId: 'other', id: 'a' })
  expect(differences(ours, theirs)).toEqual([])
})

test('a different value, key, order, type or status is reported with its path', () => {
  const compare = (ours: unknown, theirs: unknown) => differences(answer(ours), answer(theirs))
  expect(compare({ a: [{ b: 1 }] }, { a: [{ b: 2 }] })).toEqual(['body.a.0.b: 1 here, 2 there'])
  expect(compare({ a: '' }, {})).toEqual(['body.a: "" here, undefined there'])
  expect(compare({ a: 1 }, { a: '1' })).toHaveLength(1)
  expect(compare({ items: ['x', 'y'] }, { items: ['y', 'x'] })).toHaveLength(2)
  expect(compare({ items: [] }, { items: ['y'] })).toHaveLength(1)
  expect(compare([], {})).toHaveLength(1)
  expect(differences(answer({}), answer({}, 200, 'text/html'))[0]).toContain('content-type')
  expect(differences(answer({}), answer({}, 404))[0]).toContain('status')
})

test('only declared differences are allowed', () => {
  const ours = answer({
    id: 'a',
    updated: 1,
    photos: ['q_1.jpg'],
    items: [{ id: '1' }, { id: '2' }],
  })
  const theirs = answer({
    id: 'a',
    updated: 2,
    photos: ['q_2.jpg'],
    items: [{ id: '2' }, { id: '1' }],
  })
  expect(
    differences(ours, theirs, { keys: ['updated'], counted: ['photos'], unordered: ['items'] }),
  ).toEqual([])
  expect(differences(ours, theirs, { keys: ['updated'], unordered: ['items'] })).toHaveLength(1)
  expect(differences(answer({ p: ['a'] }), answer({ p: [] }), { counted: ['p'] })).toHaveLength(1)
  expect(differences(answer(undefined, 304, ''), answer({}), { peerStatus: 200 })).toEqual([])
  expect(
    differences(answer(undefined, 304, ''), answer({}, 500), { peerStatus: 200 }),
  ).toHaveLength(1)
})
