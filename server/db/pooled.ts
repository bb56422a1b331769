import { codeOf, StartupError } from '../problem.ts'
import { readAddress } from '../database-address.ts'
import { connect, sessionSettings } from './connect.ts'
import { LOCKS } from './locks.ts'
import { openDatabase, type OpenOptions } from './open.ts'
import type { Sql } from './sql.ts'

/** The two ways to one database: through a pooler in transaction mode, and directly. */
export interface PooledPlace {
  readonly url: string
  readonly directUrl: string
}

const ROUNDS = 3
const TIMEOUTS = { connectMs: 10_000, answerMs: 10_000 }
/** Errors of a pooler that loses prepared statements, or passes them on under names that another connection uses. */
const NOT_KEPT = /^(26000|42P05|ECONNRESET)$/

/**
 * Prepares a database for connections through a pooler in transaction mode. Sessions get their settings from the role,
 * because no connection through the pooler keeps its own.
 * @param direct a pool that bypasses the pooler
 * @throws {StartupError} with a sentence if the pooler cannot be reached, leads to another database or role, loses
 * prepared statements, or lends only one session
 */
export const preparePooler = async (
  direct: Sql,
  place: PooledPlace,
  { statementMs, timeouts = TIMEOUTS, ...waiting }: OpenOptions = {},
): Promise<void> => {
  const { shown } = readAddress(place.url)
  const other = connect(place, { max: 1, timeouts })
  const opened: Sql[] = [other]
  try {
    const one = await openDatabase(place, { max: 1, timeouts, ...waiting })
    opened.push(one)
    if ((await identify(one)) !== (await identify(direct)))
      throw new StartupError(
        `DATABASE_URL (${shown}) and DATABASE_DIRECT_URL lead to different databases, or to the same database as different roles.`,
      )
    await settleRole(direct, sessionSettings(statementMs))
    await demandPreparedStatements(one, other)
  } catch (error) {
    const code = codeOf(error) ?? ''
    if (NOT_KEPT.test(code))
      throw new StartupError(
        `The pooler at DATABASE_URL (${shown}) does not support prepared statements: PgBouncer must be 1.21 or newer, with max_prepared_statements above 0.`,
        { cause: error },
      )
    if (code === 'ETIMEDOUT')
      throw new StartupError(
        `The pooler at DATABASE_URL (${shown}) allows only one session at a time: raise its limit (PgBouncer: default_pool_size).`,
        { cause: error },
      )
    throw error
  } finally {
    await Promise.all(opened.map((sql) => sql.end({ timeout: 1 })))
  }
}

/** Identifies the server, the database and the role of a connection. */
const identify = async (sql: Sql): Promise<string> => {
  const [row] = await sql<[{ name: string }]>`
    select json_build_array(pg_postmaster_start_time(), current_database(), current_user)::text as name`
  return row.name
}

/** Makes the settings the defaults for sessions of this role in this database. */
const settleRole = (direct: Sql, settings: Readonly<Record<string, string>>): Promise<void> =>
  direct.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(${LOCKS.migrations})`
    const names = Object.keys(settings)
    const missing = await transaction<{ text: string }[]>`
      select format('alter role %I in database %I set %I to %L',
        current_user, current_database(), wanted.name, wanted.value) as text
      from unnest(${names}::text[], ${Object.values(settings)}::text[]) as wanted (name, value)
      where not exists (
        select 1 from pg_db_role_setting s
        join pg_database d on d.oid = s.setdatabase and d.datname = current_database()
        join pg_roles r on r.oid = s.setrole and r.rolname = current_user
        where wanted.name || '=' || wanted.value = any(s.setconfig))`
    for (const { text } of missing) {
      // oxlint-disable-next-line no-await-in-loop -- one row of the catalog
      await transaction.unsafe(text)
    }
  })

/** Prepares a statement of each connection under the same name, and makes the connections swap sessions. */
const demandPreparedStatements = async (one: Sql, other: Sql): Promise<void> => {
  for (let round = 0; round < ROUNDS; round++) {
    for (const [first, last] of [
      [one, other],
      [other, one],
    ] as const) {
      /* oxlint-disable no-await-in-loop -- their order matters */
      await first`select 1 as ${first('first')}, ${round}::int as round`
      await last.unsafe('begin')
      await last`select 2 as ${last('last')}, ${round}::int as round`
      await first`select 1 as ${first('first')}, ${round}::int as round`
      await last.unsafe('commit')
      /* oxlint-enable no-await-in-loop */
    }
  }
}
