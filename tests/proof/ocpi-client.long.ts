import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'

import { BUSINESSES } from '#domain/collection.ts'
import { IMPORT_API } from '#domain/import-paths.ts'
import { MiB } from '#domain/limits.ts'
import { OPEN } from '#domain/open-data.ts'

import { withStack } from '../support/fixtures.ts'
import { bringIn, settled } from '../support/imports.ts'
import { newOwner } from '../support/owner.ts'
import { countFailures, report } from './figures.ts'

// The OCPI Sender, read by a third-party client: OCPI_CLIENT names the program "ocpi" of ocpi-kit ("cargo install
// ocpi-kit --features cli"), and REAL_DATA a folder whose subfolder "ocpi" has feeds of real operators.

const { OCPI_CLIENT = '', REAL_DATA = '' } = process.env
const FEEDS = join(REAL_DATA, 'ocpi')

const { failures } = countFailures()
const stack = await withStack()
const counts = { locations: 0, tariffs: 0, checks: 0 }

const run = async (...args: readonly string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(OCPI_CLIENT, ['--insecure', ...args], {
    env: { ...process.env, OCPI_TOKEN: 'none' },
    maxBuffer: 512 * MiB,
  })
  return stdout
}

interface Pulled {
  readonly id: string
}
const pull = async (module: string): Promise<readonly Pulled[]> =>
  (await run('pull', module, stack.url + OPEN.ocpiVersions()))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Pulled)

/** An operator with the stations of a feed. */
const importFeed = async (name: string, partyId: string): Promise<void> => {
  const { client, id: user } = await newOwner(stack.url)
  const { id } = await client.collection(BUSINESSES).create({ name: partyId, user })
  await client.collection(BUSINESSES).update(id, { country_code: 'NL', party_id: partyId })
  const planned = await bringIn(client, new File([readFileSync(join(FEEDS, name))], name))
  expect([name, planned.state]).toEqual([name, 'PLANNED'])
  await client.send(IMPORT_API.importRun(planned.id), { method: 'POST' })
  expect((await settled(client, planned.id)).state).toBe('DONE')
}

test('a third-party client finds every Location and Tariff once, by version discovery and Link', async () => {
  for (const [index, name] of readdirSync(FEEDS).entries())
    await importFeed(name, `P${String(index).padStart(2, '0')}`)
  const [expected] = await stack.sql<{ sites: string[] }[]>`
    select array_agg(id order by id) as sites from place_numbers where roaming`
  const locations = await pull('locations')
  expect(locations.map(({ id }) => id).toSorted()).toEqual(expected?.sites)
  counts.locations = locations.length
  const tariffs = await pull('tariffs')
  expect(new Set(tariffs.map(({ id }) => id)).size).toBe(tariffs.length)
  counts.tariffs = tariffs.length
}, 600_000)

/** Findings that are intended: open data needs no credentials (docs/api.md), so no request has any. */
const WITHOUT_CREDENTIALS = ['endpoints.credentials', 'auth.empty', 'auth.wrong']

test('a third-party client finds nothing else that violates the standard', async () => {
  const found = await run('conformance', '--no-fail', stack.url + OPEN.ocpiVersions())
  const failed = [...found.matchAll(/^\[x\] (\S+)/gm)].map(([, check]) => check)
  expect(failed).toEqual(WITHOUT_CREDENTIALS)
  counts.checks = found.match(/^\[\+\]/gm)?.length ?? 0
}, 600_000)

afterAll(() => report('OCPI client of another make', { ...counts, failures: failures() }))
