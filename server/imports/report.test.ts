import { expect, test } from 'vitest'

import { sentenceOf } from './report.ts'

test('the message of a problem contains its parameters', () => {
  expect(
    sentenceOf({
      code: 'position_outside_country',
      params: { found: 'ESP', stated: 'FRA' },
    }),
  ).toBe('The position is in ESP, but the country is FRA.')
  expect(sentenceOf({ code: 'record_too_large', params: { max: 1_048_576 } })).toBe(
    'This is larger than 1048576 bytes.',
  )
  expect(sentenceOf({ code: 'position_missing' })).toBe('No position is given.')
})
