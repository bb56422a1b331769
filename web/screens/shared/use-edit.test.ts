import { expect, test } from 'vitest'

import { merge } from '../../data/merge.ts'
import { restoreDraft, type Subject } from './use-edit.ts'

interface Text extends Record<string, string> {
  readonly name: string
  readonly currency: string
}

const SUBJECT: Pick<Subject<Text, undefined, Text>, 'merge' | 'versionOf' | 'textOf'> = {
  merge,
  versionOf: (fields) => ({ fields, rows: [] }),
  textOf: ({ fields }) => fields as Text,
}

const BASE: Text = { name: 'Day', currency: 'EUR' }
const TYPED: Text = { name: 'Night', currency: 'EUR' }
const draftOf = (isNew: boolean) => ({
  at: 0,
  isNew,
  values: {},
  files: [],
  lostFiles: 0,
  isQueued: false,
})

test.each([
  ['the draft of a new record', true],
  ['a form of a new record', false],
])('%s is not merged: nothing is stored', (_, isDraftNew) => {
  const { text, remote } = restoreDraft({
    subject: SUBJECT,
    initial: { name: '', currency: '' },
    start: () => ({ files: undefined, typed: { base: BASE, text: TYPED } }),
    isNew: !isDraftNew,
    draft: draftOf(isDraftNew),
  })
  expect({ text, remote }).toEqual({ text: TYPED, remote: undefined })
})

test('the draft of a stored record is merged with the stored values', () => {
  const { text } = restoreDraft({
    subject: SUBJECT,
    initial: { name: 'Day', currency: 'CHF' },
    start: () => ({ files: undefined, typed: { base: BASE, text: TYPED } }),
    isNew: false,
    draft: draftOf(false),
  })
  expect(text).toEqual({ name: 'Night', currency: 'CHF' })
})
