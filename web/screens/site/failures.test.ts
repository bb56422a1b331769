import { expect, test } from 'vitest'

import { fieldError } from '#domain/error.ts'

import { en } from '../../../tests/support/english.ts'
import type { Problem } from '../../data/state.ts'
import { describeSiteFailure } from './failures.ts'

test('a connector beyond the limit of its site has an error in its row, not in a detail', () => {
  const site = fieldError('validation_too_many_referring', { max: 1000 })
  const full: Problem = { kind: 'invalid', status: 400, fields: { site } }
  const lost: Problem = { kind: 'offline', status: 0, fields: {} }
  const { rows } = describeSiteFailure(en, {
    action: 'saveConnectors',
    problem: full,
    failures: new Map([
      ['one', full],
      ['other', lost],
    ]),
  })
  expect(rows.get('one')?.text).toBe('You have reached the limit of 1,000')
  expect(rows.get('other')?.text).toBe(en.problems.offline)
})
