import { expect, test } from 'vitest'

import { PUBLIC_PARAMETERS, readParameters } from './parameters.ts'

test('a search text may contain a question mark', () => {
  const { q } = readParameters('/api/places?q=quay?north', PUBLIC_PARAMETERS.suggest)
  expect(q).toEqual(['quay', 'north'])
})
