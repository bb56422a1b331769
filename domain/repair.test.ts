import { expect, test } from 'vitest'

import { PLAN_PROBLEMS } from './import.ts'
import { IMPORT_PROBLEMS, type Answers, type Question } from './repair.ts'

test('an answer refers to a rule', () => {
  const question: Question = {
    rule: 'coordinates_sign',
    field: 'longitude',
    before: 122.6,
    after: -122.6,
  }
  const answers: Answers = { coordinates_sign: true }
  expect(answers[question.rule]).toBe(true)
})

test('parameters of sentences are numbers, names or codes, not words of a language', () => {
  const sentences = Object.values({ ...IMPORT_PROBLEMS, ...PLAN_PROBLEMS })
  const names = sentences.flatMap((sentence) => sentence.match(/<\w+>/g) ?? [])
  // `found` and `stated` are country codes, or a character.
  const put =
    'count field found host latitude line longitude max position sheet stated status total value'
  expect([...new Set(names)].toSorted()).toEqual(put.split(' ').map((name) => `<${name}>`))
})
