import type { ImportCounts, ImportProblem, ImportState } from '#domain/import.ts'

import type { Runner } from '../db/sql.ts'

/** The progress of an import. */
export interface Progress {
  readonly state: ImportState
  readonly done: number
  readonly total: number
  readonly counts: ImportCounts | null
  readonly problem: ImportProblem | null
}

/** @throws if the import no longer exists */
export const readProgress = async (runner: Runner, id: string): Promise<Progress> => {
  const [progress] = await runner<Progress[]>`
    select state, done, total, counts, problem from imports where id = ${id}`
  if (progress === undefined) throw new Error('The import was deleted.')
  return progress
}
