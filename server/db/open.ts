import { setTimeout as sleep } from 'node:timers/promises'

import { StartupError } from '../problem.ts'
import { connect, nameOf, type ConnectionOptions, type DatabasePlace } from './connect.ts'
import type { Sql } from './sql.ts'

const OLDEST_MAJOR = 15

export interface OpenOptions extends ConnectionOptions {
  /** The timeout for a database that is not up yet; by default, the call does not wait. */
  readonly waitMs?: number
  /** Called once, with a sentence, if the call has to wait. */
  readonly onWait?: (sentence: string) => void
}

/**
 * Opens the pool and verifies that the server responds and is recent enough.
 * @throws {StartupError} with one sentence if it cannot be reached or used
 */
export const openDatabase = async (
  place: DatabasePlace,
  options: OpenOptions = {},
): Promise<Sql> => {
  const sql = connect(place, options)
  try {
    const row = await firstAnswer(sql, nameOf(place), options)
    if (row.version < OLDEST_MAJOR) {
      throw new StartupError(
        `The database is PostgreSQL ${row.version}; DATABASE_URL must point at ${OLDEST_MAJOR} or newer.`,
      )
    }
    if (row.encoding !== 'UTF8') {
      throw new StartupError(
        `The database stores text as ${row.encoding}; create one with "encoding 'UTF8'" and point DATABASE_URL at it.`,
      )
    }
    return sql
  } catch (error) {
    void sql.end({ timeout: 0 })
    if (!('url' in place) || !isConnectionError(error)) throw error
    throw new StartupError(
      `The database at DATABASE_URL (${nameOf(place)}) cannot be used: ${error.message || error.code}.`,
      { cause: error },
    )
  }
}

/** Errors of a database or host that is still starting. */
const NOT_YET =
  /^(57P0[123]|53300|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|CONNECT_TIMEOUT|CONNECT_READ_ONLY)$/
const RETRY_MS = 500

/** Retries until the database responds, fails for good, or the timeout expires. */
const firstAnswer = async (
  sql: Sql,
  shown: string,
  { waitMs = 0, onWait }: OpenOptions,
): Promise<{ version: number; encoding: string }> => {
  const deadline = performance.now() + waitMs
  for (let isFirst = true; ; isFirst = false) {
    try {
      const [row] = await sql<[{ version: number; encoding: string }]>`
        select current_setting('server_version_num')::int / 10000 as version,
          current_setting('server_encoding') as encoding`
      return row
    } catch (error) {
      const isLate = performance.now() >= deadline
      if (isLate || !isConnectionError(error) || !NOT_YET.test(error.code)) throw error
      if (isFirst)
        onWait?.(
          `The database at DATABASE_URL (${shown}) does not answer yet (${error.code}); waiting for it, ${waitMs / 1000} s at most.`,
        )
      await sleep(RETRY_MS)
    }
  }
}

const isConnectionError = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && 'code' in error
