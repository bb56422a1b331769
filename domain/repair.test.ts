import { expect, test } from 'vitest'

import { problemSentence, type Answers, type Question } from './repair.ts'

test('the sentence of a problem has its parameters filled in', () => {
  expect(
    problemSentence({
      code: 'position_outside_country',
      params: { found: 'ESP', stated: 'FRA' },
    }),
  ).toBe('The position is in ESP, but the country is FRA.')
  expect(problemSentence({ code: 'position_missing' })).toBe('No position is given.')
})

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
