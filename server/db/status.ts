import { setTimeout as sleep } from 'node:timers/promises'

import { APPLICATION_NAME } from './dialer.ts'
import type { Sql } from './sql.ts'

/** Settings of the database without which a power cut takes back what was answered (record interface 9.5). */
const LASTING = ['fsync', 'full_page_writes', 'synchronous_commit']

/** Which of the settings that make answered writes last are off: by name, none of them as a rule. */
export const settingsThatLose = async (sql: Sql): Promise<readonly string[]> => {
  const rows = await sql<{ name: string }[]>`
    select name from pg_settings where name = any(${LASTING}) and setting = 'off' order by name`
  return rows.map(({ name }) => name)
}

/** How it stands with the database: its connections of ours by state, and how long this took. */
export interface State {
  readonly connections: readonly { readonly state: string; readonly count: number }[]
  readonly seconds: number
}

const STATE_TIMEOUT_MS = 500

/** Looks at the connections of all our processes; undefined when there is no answer soon. */
export const askState = async (sql: Sql): Promise<State | undefined> => {
  const start = performance.now()
  const limit = new AbortController()
  const asked = sql<{ state: string; count: number }[]>`
    select coalesce(state, 'unknown') as state, count(*)::int as count from pg_stat_activity
    where application_name = ${APPLICATION_NAME} and datname = current_database() group by 1 order by 1`
  try {
    const late = sleep(STATE_TIMEOUT_MS, undefined, { signal: limit.signal })
    const connections = await Promise.race([asked, late])
    return connections && { connections, seconds: (performance.now() - start) / 1000 }
  } catch {
    return undefined
  } finally {
    limit.abort()
  }
}
