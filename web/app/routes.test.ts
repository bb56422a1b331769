import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { ROUTES } from './routes.ts'

test('every route names the file that it imports', () => {
  const source = readFileSync(join(import.meta.dirname, 'routes.ts'), 'utf8')
  const named = [
    ...source.matchAll(/page\(\s*'([^']+)',\s*async \(\) => \(await import\('..\/([^']+)'/g),
  ]
  expect(named.map(([, file]) => file)).toEqual(named.map(([, , imported]) => imported))
  // Plus one for the screen of unknown paths.
  expect(named).toHaveLength(ROUTES.length + 1)
})
