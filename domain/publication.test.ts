import { expect, test } from 'vitest'

import { publicationOf } from './publication.ts'

const SITE = {
  published: true,
  status: 'AVAILABLE',
  hidden: false,
  hidden_reason: '',
  connectors: [{}],
} as const
const BUSINESS = { name: 'Quay Charging', hidden: false, hidden_reason: '' }
const HIDDEN = { hidden: true, hidden_reason: 'A complaint' }

test.each([
  ['complete', {}, {}, { state: 'public' }],
  ['planned', { status: 'PLANNED' }, {}, { state: 'planned' }],
  ['out of order', { status: 'OUTOFORDER' }, {}, { state: 'public' }],
  ['removed', { status: 'REMOVED' }, {}, { state: 'removed' }],
  ['switched off', { published: false }, {}, { state: 'unpublished' }],
  ['without connectors', { connectors: [] }, {}, { state: 'incomplete', missing: ['connectors'] }],
  [
    'of a business without a name',
    {},
    { name: '' },
    { state: 'incomplete', missing: ['business'] },
  ],
  ['hidden', HIDDEN, {}, { state: 'hidden', reason: 'A complaint' }],
  [
    'of a hidden business',
    { published: false },
    HIDDEN,
    { state: 'hidden', reason: 'A complaint' },
  ],
] as const)('a site that is %s', (_name, site, business, publication) => {
  expect(publicationOf({ ...SITE, ...site }, { ...BUSINESS, ...business })).toEqual(publication)
})
