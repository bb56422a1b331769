import { expect, it } from 'vitest'

import { sites } from '#domain/site.ts'
import { en } from '../../../tests/support/english.ts'
import { sayFields } from './field-words.ts'

it('does not say that something is not known, which is about nothing without its label', () => {
  const names = ['access', 'wheelchair', 'two_wheelers']
  expect(sayFields(en, sites, names, ['PUBLIC', 'UNKNOWN', 'true'])).toBe(
    'Everybody · For bikes and scooters',
  )
})
