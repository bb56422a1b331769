import { setTimeout as sleep } from 'node:timers/promises'

import { isWorkedOn, type ImportPatch, type ImportRowPatch } from '#domain/import.ts'
import type { Mapping } from '#domain/import-source.ts'

import type { Caller } from '../caller.ts'
import { randomText } from '../db/random.ts'
import type { WriteKey } from '../http/body.ts'
import type { Mailer } from '../mail/mail.ts'
import { createCommit } from '../records/records.ts'
import { fail } from './ending.ts'
import { fetchFile, type FetchingDeps } from './fetching.ts'
import { makePlan } from './plan.ts'
import { forgetParts, readSource } from './reading.ts'
import { change, changeRow } from './decisions.ts'
import {
  prepareFeed,
  readDueFeeds,
  readFeedNow,
  sendFeedMails,
  setFeedToken,
  type FeedInput,
} from './feeds.ts'
import { readProgress, type Progress } from './progress.ts'
import {
  businessOf,
  move,
  prepareImport,
  type ImportSource,
  type RequestsDeps,
} from './requests.ts'
import { readReport } from './report.ts'
import { runPlan } from './run.ts'
import { evictOldImports, sweepImports } from './sweep.ts'
import { undoRun } from './undo.ts'
import {
  isToFetch,
  LeaseLost,
  MAX_INTERRUPTIONS,
  release,
  releaseAfterPause,
  takeOver,
  withLeaseRenewal,
  type Kind,
  type ResumedImport,
  type Work,
} from './work.ts'

export type { Progress } from './progress.ts'
export type { ImportSource } from './requests.ts'
export { sentenceOf } from './report.ts'

/** A created import or feed, or the one that an earlier request with the same idempotency key created. */
export interface Created {
  readonly id: string
  readonly isReplayed: boolean
}

/** The service for imports and feeds (decision 0114). */
export interface Imports {
  /** @throws ApiError 401 without a live session, 403 for a caller without a business */
  demandBusiness(caller: Caller): Promise<void>
  /** Creates an import and starts to read it, once per idempotency key. @throws ApiError 400, 401, 403, 422 */
  create(caller: Caller, source: ImportSource, key?: WriteKey): Promise<Created>
  /** Reads a table with the user's column mapping. @throws ApiError 401, 403, 404, 409 */
  map(caller: Caller, id: string, mapping: Mapping): Promise<void>
  /**
   * Answers questions for all rows, sets the action for missing sites, and includes or excludes rows. @throws ApiError
   * 401, 403, 404, 409
   */
  change(caller: Caller, id: string, patch: ImportPatch): Promise<void>
  /** Applies a decision about one row. @returns the ID of its record. @throws ApiError 400, 401, 403, 404, 409 */
  changeRow(caller: Caller, id: string, number: number, patch: ImportRowPatch): Promise<string>
  /** Starts to apply a plan. @throws ApiError 401, 403, 404, 409 */
  run(caller: Caller, id: string): Promise<void>
  /** Starts to undo a run, even one that failed midway. @throws ApiError 401, 403, 404, 409 */
  undo(caller: Caller, id: string): Promise<void>
  /** Writes the planned action and the result of every row as CSV. @throws ApiError 401, 403, 404 */
  report(caller: Caller, id: string): Promise<AsyncIterable<string>>
  /**
   * Works on one import, or waits while another process does, until it needs the user or has ended.
   * @param onProgress called periodically
   */
  finish(id: string, onProgress: (progress: Progress) => void): Promise<Progress>
  /** Creates a feed and starts to read it, once per idempotency key. @throws ApiError 400, 401, 403, 422 */
  createFeed(caller: Caller, input: FeedInput, key?: WriteKey): Promise<Created>
  /** Replaces the token of a feed. @throws ApiError 401, 403, 404 */
  setFeedToken(caller: Caller, id: string, token: string): Promise<void>
  /** Starts to read a feed. @returns the ID of the import. @throws ApiError 401, 403, 404, 409 */
  readFeed(caller: Caller, id: string): Promise<string>
  /** Continues waiting imports, reads feeds that are due and sends their mails, in the background. */
  workOn(): void
  /** Deletes expired imports, and data that ended imports no longer need. */
  sweep(): Promise<void>
  /** Finishes the current batches, then leaves the imports of this process to others. */
  stop(): Promise<void>
}

export interface ImportsDeps extends RequestsDeps, FetchingDeps {
  /** Sends mails about feeds; `link` is the page that they link to. */
  readonly mails?: { readonly mailer: Mailer; readonly link: string }
  /**
   * If set, only imports passed to `finish` are processed, under this lease. A process that reconnects passes its old
   * lease.
   */
  readonly lease?: string
  readonly onProblem: (error: unknown) => void
}

/**
 * Concurrent imports per process, and concurrent downloads besides them: a slow remote server must not delay the files
 * of other owners.
 */
const MAX_CONCURRENT: Readonly<Record<Kind, number>> = { work: 2, fetch: 8 }
const KINDS = ['work', 'fetch'] as const satisfies readonly Kind[]
/** Interval at which `finish` checks an import that another process works on. */
const POLL_MS = 200

export const createImports = (deps: ImportsDeps): Imports => {
  const { sql, onProblem } = deps
  const working = { work: new Set<Promise<void>>(), fetch: new Set<Promise<void>>() }
  const stopping = new AbortController()
  let polling = Promise.resolve()

  const workOnNext = async (which: Kind | ResumedImport): Promise<void> => {
    for (;;) {
      const work = await takeOver(sql, stopping.signal, which)
      if (work === undefined) return
      await workOnOne(deps, work)
      // The downloaded file is ready to be read.
      if (which === 'fetch') begin()
    }
  }
  const begin = (): void => {
    if (deps.lease !== undefined) return
    for (const kind of KINDS) {
      if (working[kind].size >= MAX_CONCURRENT[kind]) continue
      const next = workOnNext(kind).catch(onProblem)
      working[kind].add(next)
      void next.finally(() => working[kind].delete(next))
    }
  }
  const commit = createCommit({ sql, onFilesRemoved: () => {} })
  const create = async (...parameters: Parameters<typeof commit>): Promise<Created> => {
    const { body, replayed = false } = await commit(...parameters)
    begin()
    return { id: JSON.parse(body ?? '') as string, isReplayed: replayed }
  }
  /** Changes the state of an import, and starts to work on it. */
  const moveOn = async (...parameters: DropFirst<Parameters<typeof move>>): Promise<void> => {
    await move(sql, ...parameters)
    begin()
  }
  return {
    demandBusiness: async (caller) => {
      await businessOf(sql, caller)
    },
    create: (caller, source, key) => create(caller, key, () => prepareImport(deps, caller, source)),
    map: (caller, id, mapping) => moveOn(caller, id, ['MAPPING', 'PLANNED'], 'READING', mapping),
    change: (caller, id, patch) => change(sql, caller, id, patch),
    changeRow: (caller, id, number, patch) => changeRow(sql, caller, id, number, patch),
    report: (caller, id) => readReport(sql, caller, id),
    run: (caller, id) => moveOn(caller, id, ['PLANNED'], 'RUNNING'),
    undo: (caller, id) => moveOn(caller, id, ['DONE', 'FAILED'], 'UNDOING'),
    finish: async (id, onProgress) => {
      for (;;) {
        await workOnNext({ import: id, lease: deps.lease ?? randomText(15) })
        const progress = await readProgress(sql, id)
        onProgress(progress)
        if (!isWorkedOn(progress.state)) return progress
        await sleep(POLL_MS)
      }
    },
    createFeed: (caller, input, key) =>
      create(caller, key, () => Promise.resolve(prepareFeed(caller, input))),
    setFeedToken: (caller, id, token) => setFeedToken(sql, caller, id, token),
    readFeed: async (caller, id) => {
      const begun = await readFeedNow(sql, caller, id)
      begin()
      return begun
    },
    workOn: () => {
      polling = polling
        .then(() => pollFeeds(deps))
        .catch(onProblem)
        .finally(begin)
    },
    sweep: () => sweepImports(sql),
    stop: async () => {
      stopping.abort()
      // A claimed mail is already in the mailer's queue.
      await polling
      await Promise.all(KINDS.flatMap((kind) => [...working[kind]]))
    },
  }
}

type DropFirst<T extends readonly unknown[]> = T extends readonly [unknown, ...infer R] ? R : never

/** Starts to read feeds that are due, and sends mails about feeds. */
const pollFeeds = async ({ sql, mails }: ImportsDeps): Promise<void> => {
  await readDueFeeds(sql)
  if (mails !== undefined) await sendFeedMails(sql, mails.mailer, mails.link)
}

const workOnOne = async (deps: ImportsDeps, work: Work): Promise<void> => {
  try {
    await workThrough(deps, work)
    await release(deps.sql, work)
  } catch (error) {
    const isLeaseLost = error instanceof LeaseLost
    // If the database is unreachable, the lease expires.
    await (isLeaseLost ? release : releaseAfterPause)(deps.sql, work).catch(() => {})
    if (!isLeaseLost) throw error
  }
}

const workThrough = async (deps: ImportsDeps, work: Work): Promise<void> => {
  if (work.hasTooManyInterruptions)
    await fail(deps.sql, work, { code: 'interrupted', params: { count: MAX_INTERRUPTIONS } })
  else if (work.state === 'RUNNING') {
    await runPlan(deps.sql, work)
    await forgetParts(deps.sql, work)
  } else if (work.state === 'UNDOING') await undoRun(deps.sql, work)
  else if (isToFetch(work)) await fetchFile(deps, work)
  else await readAndPlan(deps, work)
}

const readAndPlan = async (deps: ImportsDeps, work: Work): Promise<void> => {
  await withLeaseRenewal(deps.sql, work, () => evictOldImports(deps.sql, work.business))
  const read = work.total > 0 ? work : await readSource(deps, work)
  if (read !== undefined) await makePlan(deps.sql, read)
}
