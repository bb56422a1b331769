import { expect, test } from 'vitest'

import { scrub, scrubError } from './scrub.ts'

test.each([
  ['no account for ada@example.org here', 'no account for [email] here'],
  ['https://x.example/login?code=abc&state=9#top failed', 'https://x.example/login failed'],
  ['/api/users?filter=email%3D%22ada%40example.org%22', '/api/users'],
  ['bearer eyJhbGciOiJIUzI1NiJ9.eyJpZCI6ImEifQ.c2lnbmF0dXJl1', 'bearer [id]'],
  ['GET /api/collections/sites/records/a1b2c3d4e5f6g7h', 'GET /api/collections/sites/records/[id]'],
  ['to=ada%40example.org', 'to=[email]'],
])('%s becomes: %s', (text, told) => {
  expect(scrub(text)).toBe(told)
})

test.each([
  'TypeError: Cannot read properties of undefined (reading "connectorsOfEverySite")',
  '    at render (https://x.example/ev/assets/confirm-address-B4k1_x9Z.js:1:20345)',
])('%s is unchanged', (text) => {
  expect(scrub(text)).toBe(text)
})

test('an error keeps its name, and its stack is scrubbed', () => {
  const clean = scrubError(new TypeError('nothing of ada@example.org'))
  expect(clean.name).toBe('TypeError')
  expect(clean.message).toBe('nothing of [email]')
  expect(clean.stack).toMatch(/^TypeError: nothing of \[email\]\n\s+at /)
  expect(scrubError('ada@example.org').message).toBe('[email]')
  expect(scrubError(undefined).message).toBe('undefined')
})
