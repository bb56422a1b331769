import { SUPERUSERS, USERS, type LinkedCollection, type Schema } from '#domain/collection.ts'
import { COLLECTIONS } from '#domain/collections.ts'
import { ApiError } from '#domain/error.ts'
import type { FilesField } from '#domain/field.ts'

import { unauthorized, type Caller } from '../caller.ts'
import type { ReadPassword } from '../auth/auth.ts'
import type { Sql } from '../db/sql.ts'
import type { WriteKey } from '../http/body.ts'
import { readEvents, sweepChanges, type EventQuery, type EventRecord } from './change-log.ts'
import { createCommit, sweepKeys, type Commit, type Reply, type PreparedWrite } from './commit.ts'
import { demandAccess } from './access.ts'
import { backfill } from './filled-in.ts'
import { prepareWrite, type WriteCommand } from './write-command.ts'
import { findFileField, get, list, type Answer, type Page, type View } from './read.ts'
import type { FilePlaces } from './uploads.ts'

export { createCommit, type Reply, type PreparedWrite } from './commit.ts'
export type { EventQuery, EventRecord } from './change-log.ts'
export type { WriteCommand } from './write-command.ts'
export type { BulkOutcome, BulkWrite } from './bulk.ts'
export type { Row } from './values.ts'
export { checkMany, lockMany, removeMany, writeMany } from './bulk.ts'
export { asFieldError } from './write.ts'
export { checkEventQuery } from './change-log.ts'
export { pickFrom, fieldsBelow, parseFields } from './projection.ts'
export { tooLarge, type View } from './read.ts'
export { largestFile } from './uploads.ts'

/** @throws ApiError 401 unless the caller's session is live: it then finds the account's own record */
export const requireAccount = async (
  records: Pick<Records, 'get'>,
  caller: Caller,
): Promise<void> => {
  const accounts = COLLECTIONS[caller.superuser ? SUPERUSERS : USERS]
  try {
    await records.get(caller, accounts, caller.id ?? '', { picks: undefined, expand: '' })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw unauthorized()
  }
}

/**
 * The operations on the records of any collection (spec 7). They see only the caller's records: one of another
 * owner is not found.
 */
export interface Records {
  /** One statement. @throws ApiError 400 for an invalid query */
  list(caller: Caller, collection: LinkedCollection, page: Page): Promise<Answer>
  /** One statement. @throws ApiError 404 */
  get(caller: Caller, collection: LinkedCollection, id: string, view: View): Promise<Answer>
  /**
   * Executes one write, once per idempotency key. An update changes only the submitted fields.
   * @throws ApiError 400 with the field errors, or without any if the parent is not the caller's; 404; 412 if the
   * record has another version than `If-Match`; 422 for a key that was used for another request
   */
  write(caller: Caller, command: WriteCommand, key: WriteKey | undefined): Promise<Reply>
  /** Stores the files of a write and leaves its rows to `commit`, which reports invalid values. */
  prepare(caller: Caller, command: WriteCommand): Promise<PreparedWrite>
  /** Executes prepared writes in one transaction. */
  readonly commit: Commit
  /** The field of a record that references a file, if the caller may read it. One statement. */
  findFileField(
    caller: Caller,
    collection: LinkedCollection,
    id: string,
    name: string,
  ): Promise<FilesField | undefined>
  /**
   * Reads the changes that a subscriber may see and the query matches, with the records after each change. One
   * statement. @throws ApiError 400 for an invalid query
   */
  readEvents(
    caller: Caller,
    collection: LinkedCollection,
    query: EventQuery,
    entries: readonly string[],
  ): Promise<EventRecord[]>
  /** Deletes expired responses of idempotency keys, and expired entries of the audit log. */
  sweep(): Promise<void>
  /** Fills in older records, until none is left or the server stops (decision 0079). */
  backfill(isStopping: () => boolean): Promise<void>
}

export interface RecordsDeps extends FilePlaces {
  readonly sql: Sql
  readonly schema: Schema
  readonly readPassword: ReadPassword
  /** Called after a write that may have released files. */
  readonly onFilesRemoved: () => void
}

export const createRecords = ({ sql, schema, onFilesRemoved, ...places }: RecordsDeps): Records => {
  const commit = createCommit({ sql, onFilesRemoved })
  const prepare = (caller: Caller, command: WriteCommand): Promise<PreparedWrite> =>
    prepareWrite(places, caller, command)
  return {
    list: async (caller, collection, page) => {
      demandAccess(caller, collection, 'read')
      return list(sql, caller, collection, page)
    },
    get: async (caller, collection, id, view) => {
      demandAccess(caller, collection, 'read')
      return get(sql, caller, collection, id, view)
    },
    write: (caller, command, key) => commit(caller, key, () => prepare(caller, command)),
    prepare,
    commit,
    findFileField: (caller, collection, id, name) =>
      findFileField(sql, caller, collection, id, name),
    readEvents: (...parameters) => readEvents(sql, ...parameters),
    sweep: async () => {
      await sweepKeys(sql)
      await sweepChanges(sql)
    },
    backfill: (isStopping) => backfill(sql, schema, isStopping),
  }
}
