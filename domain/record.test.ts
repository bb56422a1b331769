import { expect, test } from 'vitest'

import { AUTODATES, OWNERS, type Collection } from './collection.ts'
import {
  requestedFields,
  inputNames,
  inputOf,
  shapeOf,
  type InputOf,
  type RecordOf,
} from './record.ts'

const chargers = {
  id: 'pbc_0',
  name: 'sites',
  owner: 'business.user',
  access: OWNERS,
  fields: {
    label: { kind: 'text', max: 10, required: true },
    color: { kind: 'select', values: ['red', 'blue'] },
    power: { kind: 'number' },
    spare: { kind: 'bool' },
    serial: { kind: 'text', max: 10, managed: true },
    image: { kind: 'files', single: true, maxCount: 1, maxBytes: 1 },
    manuals: { kind: 'files', maxCount: 2, maxBytes: 1 },
    business: { kind: 'relation', to: 'businesses', required: true },
    ...AUTODATES,
  },
} as const satisfies Collection

test('the types and lists of a record follow from its declaration', () => {
  const record: RecordOf<typeof chargers, 'business'> = {
    id: 'a',
    collectionName: 'sites',
    label: 'A',
    color: '',
    power: 1,
    spare: false,
    serial: '',
    image: '',
    manuals: ['m.pdf'],
  }
  const requested = requestedFields(chargers, { first: ['label'], without: ['business'] })
  expect(requested.toSorted()).toEqual(Object.keys(record).toSorted())
  expect(requested.slice(0, 3)).toEqual(['label', 'id', 'color'])

  const input: InputOf<typeof chargers> = { label: 'A', power: 0, spare: true }
  expect(inputNames(chargers)).toEqual(['label', 'color', 'power', 'spare'])
  expect(inputOf(chargers, input)).toEqual({ ...input, color: '' })
  expect(inputOf(chargers, record)).toEqual({ label: 'A', color: '', power: 1, spare: false })
})

test('another field, or a field of another kind, changes the shape', () => {
  const { spare, ...fields } = chargers.fields
  const shapes = [fields, { ...fields, spare }, { ...fields, spare: chargers.fields.power }]
  expect(new Set(shapes.map((each) => shapeOf({ ...chargers, fields: each }))).size).toBe(3)
})
