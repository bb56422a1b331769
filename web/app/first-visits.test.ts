import { expect, test } from 'vitest'

import { FIRST_VISITS } from './first-visits.ts'
import { ROUTES } from './routes.ts'

test('of every screen but those that mails lead to it is known what it needs at once', () => {
  const paths = ROUTES.filter(({ viewedAs }) => viewedAs === undefined).map(({ path }) => path)
  expect(Object.keys(FIRST_VISITS)).toEqual(paths)
})
