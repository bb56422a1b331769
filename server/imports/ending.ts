import type { ImportProblem } from '#domain/import.ts'

import type { Sql, Transaction } from '../db/sql.ts'
import { noteCounts } from './counts.ts'
import { settleFeed } from './feeds.ts'
import { batch, forgetSecrets, moveOn, type Work } from './work.ts'

/**
 * Ends the reading of a source. The feed changes in the same transaction, so a client that sees the end also sees the
 * state of the feed.
 */
export const endReading = async (
  transaction: Transaction,
  work: Work,
  state: 'PLANNED' | 'MAPPING',
): Promise<void> => {
  await moveOn(transaction, work, state)
  await settleFeed(transaction, work, state)
}

/** Ends an import that cannot continue. Anything already written can be undone. */
export const fail = async (sql: Sql, work: Work, problem: ImportProblem): Promise<void> =>
  batch(sql, work, async (transaction) => {
    // The orphan collector deletes the file.
    await transaction`
      update imports set file = '', problem = ${JSON.stringify(problem)}::jsonb where id = ${work.import}`
    await forgetSecrets(transaction, work)
    await moveOn(transaction, work, 'FAILED')
    if (work.state === 'READING') await settleFeed(transaction, work, 'FAILED', problem)
    else await noteCounts(transaction, work.import)
  })
