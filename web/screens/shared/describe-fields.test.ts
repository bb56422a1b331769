import { expect, it } from 'vitest'

import { sites } from '#domain/site.ts'
import { en } from '../../../tests/support/english.ts'
import { summariseFields } from './describe-fields.ts'

it('omits unknown values, which mean nothing without their label', () => {
  const names = ['access', 'wheelchair', 'two_wheelers']
  expect(summariseFields(en, sites, names, ['PUBLIC', 'UNKNOWN', 'true'])).toBe(
    'Everybody · For bikes and scooters',
  )
})
