import { expect, test } from 'vitest'

import { PLAN_PROBLEMS } from './import.ts'
import { IMPORT_PROBLEMS, type Answers, type Question } from './repair.ts'

test('an answer is about a rule', () => {
  const question: Question = {
    rule: 'coordinates_sign',
    field: 'longitude',
    before: 122.6,
    after: -122.6,
  }
  const answers: Answers = { coordinates_sign: true }
  expect(answers[question.rule]).toBe(true)
})

test('what is put into a sentence is a number, a name or a code: no words of one language', () => {
  const sentences = Object.values({ ...IMPORT_PROBLEMS, ...PLAN_PROBLEMS })
  const names = sentences.flatMap((sentence) => sentence.match(/<\w+>/g) ?? [])
  // Of them, what is found and stated are the codes of countries, or a character.
  const put =
    'count field found host latitude line longitude max position sheet stated status total value'
  expect([...new Set(names)].toSorted()).toEqual(put.split(' ').map((name) => `<${name}>`))
})
