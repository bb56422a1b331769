import { StartupError } from '../problem.ts'
import { readAddress } from '../database-address.ts'
import { connect } from './connect.ts'
import type { Sql } from './sql.ts'
import { SESSION_TOKEN } from './dialer.ts'
import type { Timeouts } from './dialer.ts'

/** Enough for a pooler that lends its sessions in any order. */
const ROUNDS = 6
const TIMEOUTS: Timeouts = { connectMs: 10_000, answerMs: 10_000 }

/**
 * Verifies that each connection has its own session. A pooler that lends a session for one transaction or statement can
 * send responses to the wrong connection, and loses the state that statements rely on: prepared statements, settings,
 * locks, `listen`. Each connection marks its session. Two connections begin overlapping transactions in one order and
 * end them in both orders, so that such a pooler mixes up the sessions, whether it lends first-in or last-in.
 * @throws {StartupError} with a sentence if sessions are shared, or there is only one for all connections
 */
export const demandDedicatedSessions = async (url: string, timeouts = TIMEOUTS): Promise<void> => {
  const [one, other] = [connectOnce(url, timeouts), connectOnce(url, timeouts)]
  const refuse = (): never => {
    throw sharedSessions(url, 'transaction')
  }
  try {
    const mark = await markOf(one)
    const otherMark = await markOf(other).catch((error: { code?: string }) => {
      throw error.code === 'CONNECT_TIMEOUT' ? singleSession(url) : error
    })
    for (let round = 0; round < ROUNDS; round++) {
      if ((await begin(one)) !== mark) refuse()
      if ((await begin(other)) !== otherMark) refuse()
      const [first, last] = round % 2 === 0 ? [one, other] : [other, one]
      await first.unsafe('commit')
      await last.unsafe('commit')
    }
  } catch (error) {
    if (error instanceof StartupError || !(await refusesTransactions(url, timeouts))) throw error
    throw sharedSessions(url, 'statement')
  } finally {
    await Promise.all([one, other].map((sql) => sql.end({ timeout: 1 })))
  }
}

/** The reason why the server does not work behind a pooler that shares sessions, and the remedy. */
export const sharedSessions = (url: string, mode: 'transaction' | 'statement'): StartupError =>
  new StartupError(
    `The database at DATABASE_URL (${readAddress(url).shown}) is behind a connection pooler in ${mode} mode, which shares one database session between several connections: users could be sent the data of others. Set the pooler to session mode (PgBouncer: pool_mode = session), add DATABASE_DIRECT_URL, or point DATABASE_URL at the direct address of the database.`,
  )

const singleSession = (url: string): StartupError =>
  new StartupError(
    `The database at DATABASE_URL (${readAddress(url).shown}) lets in one connection and keeps the next one waiting: this server needs nine. Raise the limit of the pooler (PgBouncer: default_pool_size), or point DATABASE_URL at the direct address of the database.`,
  )

const connectOnce = (url: string, timeouts: Timeouts): Sql => connect({ url }, { max: 1, timeouts })

const READ_MARK = `select current_setting('${SESSION_TOKEN}', true) as mark`

const markOf = async (sql: Sql): Promise<string> => {
  const [row] = await sql.unsafe<[{ mark: string }]>(READ_MARK)
  return row.mark
}

/** Begins a transaction. @returns the mark of its session */
const begin = async (sql: Sql): Promise<string> => {
  await sql.unsafe('begin')
  return markOf(sql)
}

/** Whether a new connection executes a statement but no transaction: one lost connection proves nothing. */
const refusesTransactions = async (url: string, timeouts: Timeouts): Promise<boolean> => {
  const sql = connectOnce(url, timeouts)
  try {
    await markOf(sql)
    return await begin(sql).then(
      () => false,
      () => true,
    )
  } catch {
    return false
  } finally {
    await sql.end({ timeout: 1 })
  }
}
