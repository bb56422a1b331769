import type { Sql } from '../db/sql.ts'
import { LOCKS } from '../db/locks.ts'

/** The channel on which the processes of one database announce changes. */
const CHANNEL = 'realtime'
/** The same number as in the migration: a concurrent write either sees this listener or waits for it. */
const LOCK = LOCKS.listeners
const TIMEOUT_MS = 10_000

/** A connection that receives announcements until it is lost. */
export interface Listener {
  /** Checks that the connection still receives announcements; otherwise it counts as lost. */
  check(): Promise<void>
  close(): Promise<void>
}

export interface ListenerEvents {
  readonly heard: (text: string) => void
  /** Called once, when the connection is lost, and with it later announcements. */
  readonly lost: () => void
}

/**
 * Opens a dedicated connection and listens on it. Every write that is committed after this resolves is announced,
 * in commit order.
 */
export const openListener = async (
  pool: Sql,
  { heard, lost }: ListenerEvents,
): Promise<Listener> => {
  let open = false
  const gone = (): void => {
    if (open) lost()
    open = false
  }
  const connection = pool.openSession({ notified: (text) => open && heard(text), closed: gone })
  const close = async (): Promise<void> => {
    open = false
    await connection.end({ timeout: 1 })
  }
  try {
    await connection.unsafe(`listen ${CHANNEL}`)
    await connection.begin(async (transaction) => {
      await transaction.unsafe(`set local lock_timeout = ${TIMEOUT_MS}`)
      await transaction`select pg_advisory_xact_lock(${LOCK})`
      // Entries of killed processes.
      await transaction`
        delete from listeners where pid not in (select pid from pg_stat_activity)`
      await transaction`insert into listeners (pid) values (pg_backend_pid()) on conflict do nothing`
    })
    open = true
  } catch (error) {
    await close().catch(() => {})
    throw error
  }
  return {
    check: async () => {
      const timer = setTimeout(gone, TIMEOUT_MS).unref()
      try {
        const [row] = await connection`select 1 from listeners where pid = pg_backend_pid()`
        if (row === undefined) gone()
      } catch {
        gone()
      } finally {
        clearTimeout(timer)
      }
    },
    close: async () => {
      if (open) await connection`delete from listeners where pid = pg_backend_pid()`.catch(() => {})
      await close()
    },
  }
}

/** Announces a text to every listening process, including this one. */
export const announce = async (sql: Sql, text: string): Promise<void> => {
  await sql`select pg_notify(${CHANNEL}, ${text})`
}
