import { createConcurrencyLimiter } from '../concurrency.ts'

/** Runs a task once it is its turn. @throws ApiError 503 if too many wait */
type Take = <T>(task: () => Promise<T>) => Promise<T>

/**
 * Public reads take turns: a flood of them occupies part of the connections to the database, so that the statement of an
 * owner waits for few others. Admission bounds how many wait.
 *
 * A long line through a city with thousands of sites can take as long as a statement may, so lines have half of the turns, and few of
 * them wait: the map and the lists never wait for them.
 */
export const createPublicTurns = (): { readonly read: Take; readonly readLine: Take } => {
  const turns = createConcurrencyLimiter({ concurrency: 4, maxQueue: Infinity })
  const lines = createConcurrencyLimiter({ concurrency: 2, maxQueue: 30 })
  return {
    read: (task) => turns.run(task),
    readLine: (task) => lines.run(() => turns.run(task)),
  }
}
