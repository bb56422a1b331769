import { expect, test } from 'vitest'

import { hostOf } from './web-address.ts'

test.each([
  ['https://www.voltleaf.example/sites?q=1', 'voltleaf.example'],
  ['Voltleaf.example:8443', 'voltleaf.example:8443'],
  ['https://München.de/laden', 'münchen.de'],
  ['bäckerei.example', 'bäckerei.example'],
  ['https://xn--mnchen-3ya.de', 'xn--mnchen-3ya.de'],
  ['https://bank.example@evil.example', 'evil.example'],
  ['https://bank.example\\@evil.example', 'bank.example'],
  ['not an address', 'not an address'],
])('%s is shown as %s', (website, host) => {
  expect(hostOf(website)).toBe(host)
})
