import { expect, test } from 'vitest'

import { FIRST_VISITS } from './first-visits.ts'
import { NOT_FOUND, ROUTES } from './routes.ts'

test('of every screen it is known what it needs at once', () => {
  expect(Object.keys(FIRST_VISITS)).toEqual([...ROUTES, NOT_FOUND].map(({ path }) => path))
})
