import type { Sql } from '../db/sql.ts'
import type { FileStore } from './files.ts'
import { withCleanupLock } from './referenced-files.ts'

const BATCH = 200

/** Removes the files that records no longer reference, in the background, with retries. */
export interface RemovedFiles {
  /** Starts a pass unless one is running; errors are left to the next pass. */
  collect(): void
  /** Resolves when no pass is running. */
  settled(): Promise<void>
}

/**
 * The write itself records the removals in the database, so that none is lost if the process ends in between, and none
 * happens if the write is rolled back.
 */
export const createRemovedFiles = (
  sql: Sql,
  files: FileStore,
  onProblem: (error: unknown) => void,
): RemovedFiles => {
  let running: Promise<void> | undefined
  let again = false
  const pass = async (): Promise<void> => {
    do {
      again = false
      const rows = await sql<{ collection: string; record: string; name: string }[]>`
        select collection, record, name from removed_files order by removed limit ${BATCH}`
      if (rows.length === 0) break
      await withCleanupLock(sql, async (connection) => {
        for (const row of rows) {
          await files.remove(row)
          await connection`
            delete from removed_files
            where collection = ${row.collection} and record = ${row.record} and name = ${row.name}`
        }
        again ||= rows.length === BATCH
      })
    } while (again)
  }
  return {
    collect: () => {
      again = true
      running ??= pass()
        .catch(onProblem)
        .finally(() => {
          running = undefined
        })
    },
    settled: async () => {
      await running
    },
  }
}
