import { describe, expect, it } from 'vitest'

import type { Change } from '#domain/change.ts'
import { SITES } from '#domain/collection.ts'
import { en } from '../../../tests/support/english.ts'
import { makeBusiness } from '../../../tests/support/make.ts'
import { describeChange, describeFields } from './describe-change.ts'

const vocabulary = { messages: en, locale: 'en', user: null, data: null, formerNames: new Map() }

const update = (before: Change['before'], after: Change['after']): Change =>
  ({ action: 'update', collection: SITES, site: 'site', record: 'site', before, after }) as Change

describe('wordFields', () => {
  it('describes a 0 as missing if the number cannot be 0', () => {
    const [line] = describeFields(vocabulary, update({ max_height_m: 0 }, { max_height_m: 2.1 }))
    expect(line).toMatchObject({ before: en.drafts.nothing, after: '2.1\u00a0m' })
  })

  it('keeps a 0 that is a value', () => {
    const [line] = describeFields(
      vocabulary,
      update({ vehicle_capacity: 0 }, { vehicle_capacity: 2 }),
    )
    expect(line).toMatchObject({ before: '0', after: '2' })
  })

  it('removes characters that would reverse the text', () => {
    const [line] = describeFields(vocabulary, update({ cost: '' }, { cost: 'a\u202Egnp.evil' }))
    expect(line?.after).toBe('agnp.evil')
  })

  it('tells prices with the same name apart', () => {
    const price = (id: string, each: number, name = 'DC fast') => ({
      id,
      name,
      currency: 'EUR',
      tax_included: 'YES',
      elements: [{ price_components: [{ type: 'ENERGY', price: each, step_size: 1 }] }],
    })
    const tariffs = [price('old', 0.49), price('new', 0.59), price('ac', 0.29, 'AC')]
    const data = { ...makeBusiness(), fileSrc: '', sites: [], records: { tariffs } }
    const [line] = describeFields(
      { ...vocabulary, data },
      update({ tariff: 'old' }, { tariff: 'new' }),
    )
    expect(line).toMatchObject({
      before: 'DC fast: €0.49 per kWh',
      after: 'DC fast: €0.59 per kWh',
    })
    const [other] = describeFields(
      { ...vocabulary, data },
      update({ tariff: '' }, { tariff: 'ac' }),
    )
    expect(other).toMatchObject({ after: 'AC' })
  })
})

describe('wordChange', () => {
  it('names sites without characters that would reverse the sentence', () => {
    const formerNames = new Map([['site', 'Quay \u202Egnp.evil']])
    const sentence = describeChange({ ...vocabulary, formerNames }, update({}, { cost: 'Free' }))
    expect(sentence).toContain('Quay gnp.evil')
  })
})
