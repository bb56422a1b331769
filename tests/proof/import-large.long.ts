import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'

import { countFailures, report } from './figures.ts'

const { failures } = countFailures()
const SCRIPT = fileURLToPath(new URL('../support/read-generated.ts', import.meta.url))
let stations = 0

const MAX_HEAP_MIB = 96

test.each([
  ['ocpi', 1024],
  ['csv', 1024],
  ['geojson', 256],
  ['osm', 256],
  ['ocpi.gz', 256],
])('%s of %i MiB is read with 96 MiB of heap', async (kind, mebibytes) => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [`--max-old-space-size=${MAX_HEAP_MIB}`, SCRIPT, kind, String(mebibytes)],
    { maxBuffer: 1024 * 1024 },
  )
  const result = JSON.parse(stdout) as {
    readonly stations: number
    readonly refused: number
    readonly problems: readonly string[]
  }
  expect(result).toMatchObject({ refused: 0, problems: [] })
  expect(result.stations).toBeGreaterThan(mebibytes * 1000)
  stations += result.stations
})

afterAll(() => report('import of large sources', { stations, failures: failures() }))
