import type { ImportPatch, ImportRowPatch } from '#domain/import.ts'
import type { Mapping } from '#domain/import-source.ts'

import type { Caller } from '../caller.ts'
import { makePlan } from './plan.ts'
import { forgetParts, readSource } from './reading.ts'
import { change, changeRow } from './decisions.ts'
import { businessOf, move, take, type Brought, type RequestsDeps } from './requests.ts'
import { readReport, type Report } from './report.ts'
import { runPlan } from './run.ts'
import { undoRun } from './undo.ts'
import { LeaseLost, release, retreat, takeOver, type Work } from './work.ts'

export type { Brought } from './requests.ts'

/** What owners bring in from elsewhere (decision 0114). */
export interface Imports {
  /** @throws ApiError 401 without a live session, 403 for a caller without a business */
  demandBusiness(caller: Caller): Promise<void>
  /** Notes an import and begins to read it. @returns its id. @throws ApiError 400, 401, 403 */
  take(caller: Caller, brought: Brought): Promise<string>
  /** Reads a table as a person has mapped its columns. @throws ApiError 401, 403, 404, 409 */
  map(caller: Caller, id: string, mapping: Mapping): Promise<void>
  /** Decides what happens to missing sites, and which rows are left out. @throws ApiError 401, 403, 404, 409 */
  change(caller: Caller, id: string, patch: ImportPatch): Promise<void>
  /** Decides about one row. @returns the id of its record. @throws ApiError 400, 401, 403, 404, 409 */
  changeRow(caller: Caller, id: string, number: number, patch: ImportRowPatch): Promise<string>
  /** Begins to apply a plan. @throws ApiError 401, 403, 404, 409 */
  run(caller: Caller, id: string): Promise<void>
  /** Begins to undo a run. @throws ApiError 401, 403, 404, 409 */
  undo(caller: Caller, id: string): Promise<void>
  /** Says of every row what was planned and what has become of it. @throws ApiError 401, 403, 404 */
  report(caller: Caller, id: string): Promise<Report>
  /** Goes on with the imports that wait, in the background. */
  workOn(): void
  /** Resolves when this process works on nothing; it takes over nothing from now on. */
  stop(): Promise<void>
}

export interface ImportsDeps extends RequestsDeps {
  readonly onProblem: (error: unknown) => void
}

/** Imports that one process works on at a time. */
const MAX_AT_ONCE = 2

export const createImports = (deps: ImportsDeps): Imports => {
  const { sql, onProblem } = deps
  const working = new Set<Promise<void>>()
  let isStopping = false

  const workOnNext = async (): Promise<void> => {
    for (;;) {
      const work = isStopping ? undefined : await takeOver(sql)
      if (work === undefined) return
      await workOnOne(deps, work).catch(async (error: unknown) => {
        if (error instanceof LeaseLost) return
        // Without the database the lease runs out by itself.
        await retreat(sql, work).catch(() => {})
        throw error
      })
    }
  }
  const workOn = (): void => {
    if (working.size >= MAX_AT_ONCE || isStopping) return
    const next = workOnNext().catch(onProblem)
    working.add(next)
    void next.finally(() => working.delete(next))
  }
  return {
    demandBusiness: async (caller) => {
      await businessOf(sql, caller)
    },
    take: async (caller, brought) => {
      const id = await take(deps, caller, brought)
      workOn()
      return id
    },
    map: async (caller, id, mapping) => {
      await move(sql, caller, id, ['MAPPING', 'PLANNED'], 'READING', mapping)
      workOn()
    },
    change: (caller, id, patch) => change(sql, caller, id, patch),
    changeRow: (caller, id, number, patch) => changeRow(sql, caller, id, number, patch),
    report: (caller, id) => readReport(sql, caller, id),
    run: async (caller, id) => {
      await move(sql, caller, id, ['PLANNED'], 'RUNNING')
      workOn()
    },
    undo: async (caller, id) => {
      await move(sql, caller, id, ['DONE'], 'UNDOING')
      workOn()
    },
    workOn,
    stop: async () => {
      isStopping = true
      await Promise.all(working)
    },
  }
}

const workOnOne = async (deps: ImportsDeps, work: Work): Promise<void> => {
  if (work.state === 'READING') {
    const isRead = work.position > 0 || work.total > 0 || (await readSource(deps, work))
    if (isRead) await makePlan(deps.sql, work)
  } else if (work.state === 'RUNNING') {
    await runPlan(deps.sql, work)
    await forgetParts(deps.sql, work)
  }
  if (work.state === 'UNDOING') await undoRun(deps.sql, work)
  await release(deps.sql, work)
}
