import { IDEMPOTENCY } from '#domain/limits.ts'
import { ApiError } from '#domain/error.ts'

import type { Caller } from '../caller.ts'
import { retryConflicts } from '../db/conflicts.ts'
import { isRefusal } from '../db/errors.ts'
import type { Runner, Sql } from '../db/sql.ts'
import type { WriteKey } from '../http/body.ts'

/** The response to a write. */
export interface Reply {
  readonly status: 200 | 204
  /** JSON; null with 204. */
  readonly body: string | null
  readonly etag: string | null
  /** Whether it is the stored response to the first request with this key. */
  readonly replayed?: boolean
}

/** A write that is ready: its files are stored, its rows are not written yet. */
export interface PreparedWrite {
  /** The write takes more than one statement. */
  readonly needsTransaction: boolean
  /** The write may release stored files. */
  readonly mayReleaseFiles: boolean
  /** Writes the rows. A second attempt follows a conflict with another write. */
  run(runner: Runner, attempt: number): Promise<Reply>
  /** Deletes the files that no row references: all files of the write if it was not committed. */
  cleanUp(happened: boolean): Promise<void>
}

export interface CommitDeps {
  readonly sql: Sql
  /** Called after a write that may have released files. */
  readonly onFilesRemoved: () => void
}

/** Performs a write atomically, and once per key (record interface 9.10). */
export type Commit = (
  caller: Caller,
  key: WriteKey | undefined,
  prepare: () => Promise<PreparedWrite>,
) => Promise<Reply>

/**
 * Stores the response to a write with a key in the transaction of the write, so that either both exist or neither does.
 * A second request with the key waits for the first, in any process: the database lets only one of them insert the key.
 * Failed writes are not stored, and may be retried with the same key.
 */
export const createCommit =
  ({ sql, onFilesRemoved }: CommitDeps): Commit =>
  async (caller, key, prepare) => {
    // Before files are processed, which is most of the work.
    const first = key && (await findStoredReply(sql, caller, key))
    if (first !== undefined) return first
    const work = await prepare()
    try {
      const reply = await retryConflicts(ATTEMPTS, (attempt) =>
        key !== undefined
          ? sql.begin((transaction) => runOnce(transaction, caller, key, work, attempt))
          : work.needsTransaction
            ? sql.begin((transaction) => work.run(transaction, attempt))
            : work.run(sql, attempt),
      )
      // The collector of orphans finds the files that cannot be deleted now.
      await work.cleanUp(reply.replayed !== true).catch(() => {})
      if (work.mayReleaseFiles) onFilesRemoved()
      return reply
    } catch (error) {
      if (provesNothingWritten(error)) await work.cleanUp(false).catch(() => {})
      throw error
    }
  }

const runOnce = async (
  runner: Runner,
  caller: Caller,
  key: WriteKey,
  work: PreparedWrite,
  attempt: number,
): Promise<Reply> => {
  const [claimed] = await runner<{ id: string }[]>`
    insert into idempotency_keys (key, "user", superuser, fingerprint)
    select ${key.value}, s."user", s.superuser, ${key.fingerprint}
    from sessions s where s.id = ${caller.sessionId} and s.expires > now()
    on conflict do nothing returning id`
  if (claimed === undefined) {
    // Without a valid session nothing will be written, and no answer is stored.
    const first = await findStoredReply(runner, caller, key)
    return first ?? work.run(runner, attempt)
  }
  const reply = await work.run(runner, attempt)
  await runner`
    update idempotency_keys set status = ${reply.status}, body = ${reply.body}, etag = ${reply.etag}
    where id = ${claimed.id}`
  return reply
}

/** @throws ApiError 422 if the key was used for another request */
const findStoredReply = async (
  runner: Runner,
  caller: Caller,
  key: WriteKey,
): Promise<Reply | undefined> => {
  const [kept] = await runner<(Reply & { fingerprint: string })[]>`
    select k.fingerprint, k.status, k.body, k.etag
    from idempotency_keys k join sessions s
      on s."user" is not distinct from k."user" and s.superuser is not distinct from k.superuser
    where k.key = ${key.value} and s.id = ${caller.sessionId} and s.expires > now()`
  if (kept === undefined) return undefined
  if (kept.fingerprint !== key.fingerprint)
    throw new ApiError(422, 'The Idempotency-Key was used for another request.')
  return { status: kept.status, body: kept.body, etag: kept.etag, replayed: true }
}

/** Deletes expired responses. */
export const sweepKeys = async (sql: Sql): Promise<void> => {
  await sql`
    delete from idempotency_keys
    where created < now() - ${IDEMPOTENCY.keptHours} * interval '1 hour'`
}

const ATTEMPTS = 3

/**
 * Whether an error proves that nothing was written. If a connection breaks, the rows may have been written, and a row
 * without its file must be impossible (record interface 9.5).
 */
const provesNothingWritten = (error: unknown): boolean =>
  error instanceof ApiError || isRefusal(error)
