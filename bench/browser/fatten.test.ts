import { brotliCompressSync } from 'node:zlib'

import { expect, test } from 'vitest'

import { unusedScript } from './fatten.ts'

test('the added script has the stated compressed size and contains only functions', () => {
  const script = unusedScript(100_000)
  expect(brotliCompressSync(script).length).toBeGreaterThan(100_000)
  const lines = script.split('\n')
  expect(lines.filter((line) => !/^const unused\d+ = \(\) => '[\w+/=]+'$/.test(line))).toEqual([])
})
