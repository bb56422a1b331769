import { withTimeout } from '../timeout.ts'
import { APPLICATION_NAME } from './dialer.ts'
import type { Sql } from './sql.ts'

/** Settings that must be on, or a power cut may lose committed writes (record interface 9.5). */
const DURABILITY_SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit']

/** The names of those settings that are off; normally none. */
export const unsafeDurabilitySettings = async (sql: Sql): Promise<readonly string[]> => {
  const rows = await sql<{ name: string }[]>`
    select name from pg_settings where name = any(${DURABILITY_SETTINGS}) and setting = 'off' order by name`
  return rows.map(({ name }) => name)
}

/** The connections of all processes by state, and the duration of the query. */
interface State {
  readonly connections: readonly { readonly state: string; readonly count: number }[]
  readonly seconds: number
}

const TIMEOUT_MS = 500

/** Counts the connections of all processes; undefined after a timeout. */
export const askState = async (sql: Sql): Promise<State | undefined> => {
  const startMs = performance.now()
  const query = sql<{ state: string; count: number }[]>`
    select coalesce(state, 'unknown') as state, count(*)::int as count from pg_stat_activity
    where application_name = ${APPLICATION_NAME} and datname = current_database()
    group by 1 order by 1`
  const connections = await withTimeout(TIMEOUT_MS, query).catch(() => undefined)
  return connections && { connections, seconds: (performance.now() - startMs) / 1000 }
}
