import { expect, test } from 'vitest'

import { en } from '../../../tests/support/english.ts'
import type { Conflict } from '../../data/merge.ts'
import { describeConflicts } from './describe-conflicts.tsx'
import { BLANK_SITE } from './site-values.ts'

test('the coordinates of a position are one choice', () => {
  const conflict = (name: string, mine: string, theirs: string) => ({
    conflict: { kind: 'field', name, mine, theirs } satisfies Conflict,
    chosen: undefined,
  })
  const remote = {
    at: 0,
    conflicts: [
      conflict('latitude', '55.2', '55.3'),
      conflict('name', 'Quay', 'Pier'),
      conflict('longitude', '-6.6', '-6.7'),
    ],
    mergedFields: [],
    mergedRows: 0,
    mergedPhotos: 0,
  }
  expect(describeConflicts(en, remote, BLANK_SITE)).toMatchObject([
    { keys: ['latitude', 'longitude'], label: 'Latitude, Longitude' },
    { keys: ['name'], label: 'Site name' },
  ])
})
