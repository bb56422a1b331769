import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { actFor } from '../../server/auth/auth.ts'
import { startEmbeddedDatabase } from '../../server/db/embedded.ts'
import { upgrade } from '../../server/db/migrate.ts'
import { openDatabase } from '../../server/db/open.ts'
import { randomText } from '../../server/db/random.ts'
import type { Sql } from '../../server/db/sql.ts'
import { openFileStore } from '../../server/files/store.ts'
import { createImports, type Progress } from '../../server/imports/imports.ts'
import { readCpuMs } from '../measure/process-tree.ts'
import { find, format } from '../measure/verdict.ts'
import type { Part, PartRun, Report } from '../part.ts'

const SITES = 100_000
const QUICK_SITES = 5_000
/** 4.4 per site, as in the French register. */
const CONNECTORS = [4, 4, 5, 4, 5]
/** Target for reading, planning and applying together (docs/performance.md). */
const TARGET_S = 90

/** An import as the server runs it, but without HTTP: a process that reads, plans and applies, and its database. */
export const importPart: Part = {
  name: 'import',
  topics: [],
  run: async (options): Promise<Report> => {
    const sites = options.doubt === undefined ? SITES : QUICK_SITES
    const dataDir = join(options.folder, 'import')
    const tempDir = join(dataDir, 'tmp')
    await mkdir(tempDir, { recursive: true })
    const file = join(tempDir, 'locations.json')
    await pipeline(Readable.from(locations(sites)), createWriteStream(file))
    const database = await startEmbeddedDatabase({ dataDir })
    try {
      const sql = await openDatabase(database.place, { max: 4 })
      await upgrade(sql)
      const report = await measure(sql, { dataDir, tempDir, file, sites }, options)
      await sql.end({ timeout: 1 })
      return report
    } finally {
      await database.stop()
    }
  },
}

interface Place {
  readonly dataDir: string
  readonly tempDir: string
  readonly file: string
  readonly sites: number
}

const measure = async (sql: Sql, place: Place, options: PartRun): Promise<Report> => {
  const [user, business] = [randomText(15), randomText(15)]
  await sql`insert into users (id, name, email) values (${user}, 'Ada', 'ada@example.org')`
  await sql`insert into businesses (id, name, "user") values (${business}, 'Quay', ${user})`
  const imports = createImports({
    sql,
    files: await openFileStore({ dataDir: place.dataDir }, () => {}),
    tempDir: place.tempDir,
    fetching: { allowsPrivate: false, userAgent: 'bench' },
    lease: randomText(15),
    onProblem: (error) => options.say(String(error)),
  })
  const caller = await actFor(sql, user, 'bench')
  const { id } = await imports.create(caller, { path: place.file, name: 'locations.json' })
  const seconds: Record<string, number> = {}
  const timed = async (name: string, work: () => Promise<Progress>): Promise<Progress> => {
    const began = performance.now()
    const progress = await work()
    seconds[name] = (performance.now() - began) / 1000
    options.say(`${name}: ${seconds[name].toFixed(1)} s, ${JSON.stringify(progress.counts)}`)
    return progress
  }
  const cpu = process.cpuUsage()
  const tree = await readCpuMs(process.pid)
  await timed('planned', () => imports.finish(id, () => {}))
  await timed('applied', async () => {
    await actFor(sql, user, 'bench', caller)
    await imports.run(caller, id)
    return imports.finish(id, () => {})
  })
  const used = process.cpuUsage(cpu)
  const own = (used.user + used.system) / 1000
  const database = (await readCpuMs(process.pid)) - tree - own
  const { planned = 0, applied = 0 } = seconds
  await timed('undone', async () => {
    await actFor(sql, user, 'bench', caller)
    await imports.undo(caller, id)
    return imports.finish(id, () => {})
  })
  const total = planned + applied
  return {
    findings: [
      find({
        part: 'import',
        what: `${format(place.sites)} sites with ${format(countOf(place.sites))} connectors, read, planned and applied`,
        estimate: { value: total, low: total, high: total },
        target: { atMost: TARGET_S },
        unit: ' s',
        doubt: options.doubt,
      }),
    ],
    details: [
      {
        sites: format(place.sites),
        'read and planned': `${planned.toFixed(1)} s`,
        applied: `${applied.toFixed(1)} s`,
        undone: `${(seconds['undone'] ?? 0).toFixed(1)} s`,
        'processor time of the process': `${(own / 1000).toFixed(1)} s`,
        'processor time of PostgreSQL': `${(database / 1000).toFixed(1)} s`,
        'memory of the process': `${Math.round(process.memoryUsage().rss / 2 ** 20)} MiB`,
      },
    ],
    notes: [],
  }
}

const connectorsOf = (site: number): number => CONNECTORS[site % CONNECTORS.length] ?? 4

const countOf = (sites: number): number =>
  Array.from({ length: sites }, (_, site) => connectorsOf(site)).reduce(
    (sum, each) => sum + each,
    0,
  )

/** OCPI 2.2.1 locations, spread over France. */
const locations = function* (count: number): Iterable<string> {
  for (let site = 0; site < count; site += 1)
    yield `${site === 0 ? '[' : ','}${JSON.stringify({
      country_code: 'FR',
      party_id: 'QUA',
      id: `LOC${site}`,
      publish: true,
      name: `Parking ${site} du Quai`,
      address: `${(site % 90) + 1} rue de la Gare`,
      city: 'Lyon',
      postal_code: String(10_000 + (site % 80_000)),
      country: 'FRA',
      coordinates: {
        latitude: (43.5 + ((site * 7919) % 100_000) / 18_000).toFixed(6),
        longitude: (0.5 + ((site * 104_729) % 100_000) / 20_000).toFixed(6),
      },
      time_zone: 'Europe/Paris',
      evses: Array.from({ length: connectorsOf(site) }, (_, plug) => ({
        uid: `${site}-${plug}`,
        evse_id: `FR*QUA*E${site}*${plug}`,
        status: 'AVAILABLE',
        connectors: [
          {
            id: '1',
            standard: plug % 2 === 0 ? 'IEC_62196_T2' : 'IEC_62196_T2_COMBO',
            format: plug % 2 === 0 ? 'SOCKET' : 'CABLE',
            power_type: plug % 2 === 0 ? 'AC_3_PHASE' : 'DC',
            max_voltage: plug % 2 === 0 ? 230 : 920,
            max_amperage: plug % 2 === 0 ? 32 : 125,
            max_electric_power: plug % 2 === 0 ? 22_000 : 115_000,
            last_updated: '2026-11-01T00:00:00Z',
          },
        ],
        last_updated: '2026-11-01T00:00:00Z',
      })),
      last_updated: '2026-11-01T00:00:00Z',
    })}\n`
  yield ']'
}
