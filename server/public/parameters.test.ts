import { expect, test } from 'vitest'

import { readParameters } from '../http/parameters.ts'
import { PUBLIC_PARAMETERS } from './parameters.ts'

test('a search text may contain a question mark', () => {
  const { q } = readParameters('/api/places?q=quay?north', PUBLIC_PARAMETERS.suggest)
  expect(q).toEqual(['quay', 'north'])
})
