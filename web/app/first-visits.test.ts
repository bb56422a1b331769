import { expect, test } from 'vitest'

import { FIRST_VISITS } from './first-visits.ts'
import { ROUTES } from './routes.ts'

test('of every screen it is known what it needs at once', () => {
  expect(Object.keys(FIRST_VISITS)).toEqual(ROUTES.map(({ path }) => path))
  expect(Object.values(FIRST_VISITS).map(({ start }) => start)).toEqual(
    ROUTES.map(({ start }) => start),
  )
})
