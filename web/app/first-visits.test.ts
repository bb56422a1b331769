import { expect, test } from 'vitest'

import { FIRST_VISITS } from './first-visits.ts'
import { ROUTES } from './routes.ts'

test('of every screen but those that mails lead to it is known what it needs at once', () => {
  const routes = ROUTES.filter(({ viewedAs }) => viewedAs === undefined)
  expect(Object.keys(FIRST_VISITS)).toEqual(routes.map(({ path }) => path))
  expect(Object.values(FIRST_VISITS).map(({ start }) => start)).toEqual(
    routes.map(({ start }) => start),
  )
})
