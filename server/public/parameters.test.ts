import { expect, test } from 'vitest'

import { PUBLIC_PARAMETERS, readParameters } from './parameters.ts'

test('a question mark in what is searched for does not end the query', () => {
  const { q } = readParameters('/api/places?q=quay?north', PUBLIC_PARAMETERS.suggest)
  expect(q).toEqual(['quay', 'north'])
})
