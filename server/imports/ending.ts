import type { ImportProblem } from '#domain/import.ts'

import type { Sql, Transaction } from '../db/sql.ts'
import { noteCounts } from './counts.ts'
import { settleFeed } from './feeds.ts'
import { batch, forgetSecrets, moveOn, type Work } from './work.ts'

/** Ends a reading. The feed changes in the same transaction: whoever sees that the reading is over sees how the feed is. */
export const endReading = async (
  transaction: Transaction,
  work: Work,
  state: 'PLANNED' | 'MAPPING',
): Promise<void> => {
  await moveOn(transaction, work, state)
  await settleFeed(transaction, work, state)
}

/** Ends an import that cannot go on. What was written until then can be undone. */
export const fail = async (sql: Sql, work: Work, problem: ImportProblem): Promise<void> =>
  batch(sql, work, async (transaction) => {
    // The collector removes the file.
    await transaction`
      update imports set file = '', problem = ${JSON.stringify(problem)}::jsonb where id = ${work.import}`
    await forgetSecrets(transaction, work)
    await moveOn(transaction, work, 'FAILED')
    if (work.state === 'READING') await settleFeed(transaction, work, 'FAILED', problem)
    else await noteCounts(transaction, work.import)
  })
