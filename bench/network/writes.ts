import { join } from 'node:path'

import { CONNECTORS, SITES } from '../../domain/collection.ts'
import { API } from '../../domain/paths.ts'
import { connect } from '../../server/db/connect.ts'
import { findRunningDatabase } from '../../server/db/embedded.ts'
import type { Sql } from '../../server/db/sql.ts'
import type { LoadClient } from '../load/client.ts'
import { estimate } from '../measure/stats.ts'
import { find, format, type Finding } from '../measure/verdict.ts'
import type { PartRun, Report } from '../part.ts'
import { measure, underLoad, type Measurement } from '../server/measure.ts'
import type { Parts } from '../server/workloads.ts'
import { siteIdOf, type Owner } from '../sides/data.ts'
import type { Side } from '../sides/side.ts'
import { describe } from './describe.ts'

const CONNECTIONS = 4
const MAX_RATIO = 1.25
/** The tables whose triggers maintain the public data. */
const WRITTEN = [SITES, CONNECTORS]

interface Write {
  readonly title: string
  readonly operations: readonly Parts[]
}

const writesOf = async (sql: Sql, side: Side, owner: Owner): Promise<readonly Write[]> => {
  const headers = { authorization: side.tokenOf(owner), 'content-type': 'application/json' }
  const change = (collection: string, id: string, fields: object): Parts => [
    {
      method: 'PATCH',
      path: `${API.records(collection)}/${id}`,
      headers,
      body: JSON.stringify(fields),
    },
  ]
  const sites = Array.from({ length: owner.sites }, (_, index) => siteIdOf(owner, index))
  const connectors = await sql<{ id: string }[]>`
    select distinct on (site) id from connectors where site = any(${sites}) order by site, id`
  // Two rounds of values, so that every write changes something.
  return [
    {
      title: 'the status of a site',
      operations: ['AVAILABLE', 'OUTOFORDER'].flatMap((status) =>
        sites.map((id) => change(SITES, id, { status })),
      ),
    },
    {
      title: 'the power of a connector',
      operations: [150, 175].flatMap((kw) =>
        connectors.map(({ id }) => change(CONNECTORS, id, { kw_rating: kw })),
      ),
    },
  ]
}

/** Sends writes of one owner, alternately with and without the public tables. */
export const measureWrites = async (
  side: Side,
  owner: Owner,
  {
    sites,
    folder,
    client,
  }: { readonly sites: number; readonly folder: string; readonly client: LoadClient },
  options: PartRun,
): Promise<Pick<Report, 'findings' | 'details'>> => {
  const place = await findRunningDatabase(join(folder, 'data'))
  if (place === undefined) throw new Error('The server has no database.')
  const sql = connect(place, { max: 1 })
  const findings: Finding[] = []
  const details: Report['details'][number][] = []
  try {
    for (const { title, operations } of await writesOf(sql, side, owner)) {
      const contender = underLoad(client, side, operations, { connections: CONNECTIONS })
      await contender.perform(options.effort.warmUpMs)
      const rounds: { readonly with: Measurement; readonly without: Measurement }[] = []
      for (let round = 0; round < options.effort.pairs; round += 1) {
        const kept = await measure(contender, options.effort.ms)
        await switchTriggers(sql, 'disable')
        rounds.push({ with: kept, without: await measure(contender, options.effort.ms) })
        await switchTriggers(sql, 'enable')
      }
      for (const [name, of] of Object.entries(FIGURES))
        findings.push(
          find({
            part: 'network',
            what: `write of ${title}, of ${format(sites)} sites: ${name} with what travellers read, by that without`,
            estimate: estimate(rounds.map((each) => of(each.with) / of(each.without))),
            target: { atMost: MAX_RATIO },
            unit: 'x',
            doubt: options.doubt,
          }),
        )
      for (const how of ['with', 'without'] as const)
        details.push(
          describe(
            `write of ${title}, ${how} public tables`,
            sites,
            rounds.map((each) => each[how]),
          ),
        )
      for (const { what, measured } of findings.slice(-2)) options.say(`${what}: ${measured}`)
    }
  } finally {
    await sql.end({ timeout: 1 })
  }
  return { findings, details }
}

const FIGURES = {
  CPU: ({ cpuMsEach }: Measurement) => cpuMsEach,
  p50: ({ p50Ms }: Measurement) => p50Ms,
}

const switchTriggers = async (sql: Sql, how: 'enable' | 'disable'): Promise<void> => {
  const triggers = await sql<{ table: string; name: string }[]>`
    select tgrelid::regclass::text as table, tgname as name from pg_trigger
    where tgrelid = any(${WRITTEN}::regclass[]) and tgname like '%_places_%'`
  for (const { table, name } of triggers)
    await sql.unsafe(`alter table "${table}" ${how} trigger "${name}"`)
}
