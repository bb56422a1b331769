import type { Sql } from '../db/sql.ts'
import type { FileStore } from './files.ts'
import { withCleanupLock } from './referenced-files.ts'

const BATCH = 200

/** Removes the files that records no longer name, in the background and again until it succeeds. */
export interface RemovedFiles {
  /** Starts a pass unless one is under way; problems wait for the next one. */
  collect(): void
  /** Resolves when nothing is under way. */
  settled(): Promise<void>
}

/**
 * What to remove is noted in the database by the write itself, so that nothing is forgotten when
 * the process ends in between, and nothing is removed for a write that did not happen.
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
