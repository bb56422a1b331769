import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { text } from 'node:stream/consumers'
import { Readable } from 'node:stream'

import { expect, test } from 'vitest'

// Records of some hundred kilobytes whose parts a careless reader would multiply: one of them took gigabytes of memory.

const SCRIPT = fileURLToPath(new URL('../../tests/support/read-source.ts', import.meta.url))
const MAX_HEAP_MIB = 384

/** Reads a source in a process with limited memory; without a result, the process has crashed. */
const readApart = async (source: Iterable<string>): Promise<unknown> => {
  const program = [`--max-old-space-size=${MAX_HEAP_MIB}`, SCRIPT]
  const child = spawn(process.execPath, program, { stdio: ['pipe', 'pipe', 'ignore'] })
  // A crashed process stops reading.
  child.stdin.on('error', () => {})
  Readable.from(source).pipe(child.stdin)
  const result = await text(child.stdout)
  return result === '' ? 'crashed' : JSON.parse(result)
}

const repeated = (each: string, count: number): string => Array(count).fill(each).join()
const numbered = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join()

test('a table in JSON: very many charge points with very many values and plugs', async () => {
  const values = numbered(900, (index) => `"value ${index}":1`)
  const point = `{${values},"connectors":[${repeated('{"plug type":"CCS"}', 950)}]}`
  const table = `[{"name":"A","address":"B","plug type":"CCS"},{"name":"C","points":[${repeated(point, 33)}]}]`
  expect(await readApart([table])).toEqual({ stations: 1002, connectors: 1002, problems: [] })
})

test('a table: very many columns that name very many plugs', async () => {
  const plugs = Array(277).fill('100x CCS').join('/')
  const headings = numbered(400, (index) => `plug type ${index + 1},power ${index + 1}`)
  const row = numbered(400, () => `${plugs},50`)
  const table = `name,address,latitude,longitude,${headings}\nA,B,48,2,${row}\n`
  expect(await readApart([table])).toEqual({ stations: 1, connectors: 1001, problems: [] })
})

test('OCPI: very many large tariffs, and references to others', async () => {
  const long = 'x'.repeat(90_000)
  const source = function* (): Generator<string> {
    yield '[{"id":"A","name":"A","evses":[{"connectors":[{"tariff_ids":["T1"]}]}]}'
    for (let index = 0; index < 6000; index++)
      yield `,{"id":"T${index}","currency":"EUR","elements":[],"tariff_alt_url":"${index}${long}"}`
    for (let index = 0; index < 100; index++)
      yield `,{"id":"${index}${' '.repeat(3_000_000)}","name":"A","evses":[{"connectors":[{"tariff_ids":["U"]}]}]}`
    yield ']'
  }
  expect(await readApart(source())).toEqual({ stations: 102, connectors: 101, problems: [] })
})
