import { expect, test } from 'vitest'

import { pickLanguage } from './language.ts'

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['DE-at', 'de'],
  ['pt-BR, es;q=0.7, fr;q=0.8', 'fr'],
  ['fr;q=0, de;q=0.1', 'de'],
  ['fr, de', 'fr'],
  ['*', 'en'],
  ['nonsense;;q=x,,', 'en'],
  ['deutsch', 'en'],
])('%s selects %s', (header, language) => {
  expect(pickLanguage(header)).toBe(language)
})
