import { expect } from 'vitest'

import type { Sql, Transaction } from '../../server/db/sql.ts'

/** Keeps the locks of a transaction. @returns a function that releases them */
export const holdLock = async (
  sql: Sql,
  lock: (transaction: Transaction) => Promise<unknown>,
): Promise<() => Promise<void>> => {
  const taken = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const holding = sql.begin(async (transaction) => {
    await lock(transaction)
    taken.resolve()
    await released.promise
  })
  await Promise.race([taken.promise, holding])
  return async () => {
    released.resolve()
    await holding
  }
}

/** Waits until a statement that contains this text waits for a lock. */
export const waitForLock = async (sql: Sql, text: string): Promise<void> => {
  const waiting = () => sql`
    select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
      and strpos(query, ${text}) > 0 and pid <> pg_backend_pid()`
  await expect.poll(waiting).toHaveLength(1)
}
