import { describe, expect, it } from 'vitest'

import { en } from '../../../tests/support/english.ts'
import fr from '../../messages/fr/imports.ts'
import { describeFindings, describeProblem } from './describe.ts'

describe('wordProblem', () => {
  it('names countries, not their codes', () => {
    const params = { found: 'FRA', stated: 'ESP' }
    expect(describeProblem(en, { code: 'position_outside_country', params }, 'en-GB')).toBe(
      'The position is in France, but the country is Spain.',
    )
    expect(
      describeProblem({ ...en, ...fr }, { code: 'position_at_sea', params }, 'fr').replaceAll(
        '\u00a0',
        ' ',
      ),
    ).toBe('La position est en mer, mais « Espagne » est indiqué comme pays.')
  })

  it('formats sizes as file managers do', () => {
    const params = { max: 64 * 1024 * 1024 }
    expect(describeProblem(en, { code: 'archive_too_large', params }, 'en-GB')).toBe(
      'Unpacked, it is larger than 67\u00a0MB.',
    )
  })

  it('keeps a character that does not belong in a file', () => {
    const params = { found: 'FRA', position: 3 }
    expect(describeProblem(en, { code: 'json_unexpected', params }, 'en-GB')).toContain('“FRA”')
  })

  it('separates the errors of several fields', () => {
    const fields = {
      vehicle_capacity: {
        code: 'validation_min_number_constraint',
        message: '',
        params: { min: 0 },
      },
      contact_email: { code: 'validation_is_email', message: '' },
    } as const
    expect(describeProblem(en, { code: 'fields_invalid', fields }, 'en-GB')).toBe(
      'Some values cannot be saved. Cars at a time: Enter 0 or more; Contact email: Enter an email address such as name@example.com',
    )
  })
})

it('distinguishes values that are left out from values that are moved', () => {
  const vocabulary = { messages: en, locale: 'en-GB', data: null }
  const afterOf = (findings: Parameters<typeof describeFindings>[1]) =>
    describeFindings(vocabulary, findings).map(({ after }) => after)
  const { notImported, nothing } = en.imports
  expect(
    afterOf([
      { rule: 'value_unknown', field: 'facilities', before: ['x'], after: [] },
      { rule: 'value_unknown', field: 'opening_hours', before: 'always', after: null },
    ]),
  ).toEqual([notImported, notImported])
  const rule = 'power_in_voltage'
  expect(
    afterOf([
      { rule, field: 'connectors[0].voltage', before: 50, after: null },
      { rule, field: 'connectors[0].kw_rating', before: 0, after: 50 },
    ]),
  ).toEqual([nothing, expect.stringContaining('50')])
})

it('names the prices of a station, and what of them changed', () => {
  const rule = 'url_cleaned'
  const vocabulary = { messages: en, locale: 'en-GB', data: null }
  expect(
    describeFindings(vocabulary, [
      {
        rule,
        field: 'tariffs[0].url',
        before: 'see https://a.example',
        after: 'https://a.example',
      },
      { rule: 'tariff_left_out', field: 'tariffs[1]', before: { name: 'Night' }, after: null },
    ]),
  ).toEqual([
    {
      field: 'tariffs[0].url',
      label: 'Price: Web page about the price',
      before: 'see https://a.example',
      after: 'https://a.example',
    },
    { field: 'tariffs[1]', label: 'Price', before: 'Night', after: en.imports.notImported },
  ])
})
