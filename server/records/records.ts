import { ID_LENGTH, type Collection } from '#domain/collection.ts'
import { ApiError } from '#domain/error.ts'

import type { Caller } from '../auth/auth.ts'
import type { Sql } from '../db/db.ts'
import { randomText } from '../db/random.ts'
import type { FileStore } from '../files/files.ts'
import type { Submission } from '../http/body.ts'
import { readChanges } from './changes.ts'
import { get, isId, list, type Answer, type Page, type View } from './read.ts'
import { fileColumns, keepOrDiscard, storeUploads } from './uploads.ts'
import { asFieldError, change, insert, lock, matches, refuse, remove } from './write.ts'

export { picksBelow, readPicks } from './projection.ts'
export type { Answer, Page, View } from './read.ts'

/**
 * The five operations on the records of any collection (spec 7). Each sees what belongs to the
 * caller and nothing else: a foreign record is not found.
 */
export interface Records {
  /** One statement. @throws ApiError 400 for a query that cannot be read */
  list(caller: Caller, collection: Collection, page: Page): Promise<Answer>
  /** One statement. @throws ApiError 404 */
  get(caller: Caller, collection: Collection, id: string, view: View): Promise<Answer>
  /** @throws ApiError 400 with the field errors, or with none when the parent is not the caller's */
  create(
    caller: Caller,
    collection: Collection,
    submission: Submission,
    view: View,
  ): Promise<Answer>
  /**
   * Changes what was sent, and only that. `ifMatch` is the version that the caller has seen.
   * @throws ApiError 400 with the field errors, 404, or 412 when the record has changed since
   */
  update(
    caller: Caller,
    collection: Collection,
    id: string,
    submission: Submission,
    view: View,
    ifMatch: string | undefined,
  ): Promise<Answer>
  /** @throws ApiError 404 */
  remove(caller: Caller, collection: Collection, id: string): Promise<void>
}

export interface RecordsDeps {
  readonly sql: Sql
  readonly files: FileStore
  /** On the same file system as the store, so that a file is moved, not copied. */
  readonly tempDir: string
  /** Called after a write that may have let go of files. */
  readonly onFilesRemoved: () => void
}

export const createRecords = ({ sql, files, tempDir, onFilesRemoved }: RecordsDeps): Records => ({
  list: async (caller, collection, page) => {
    if (collection.owner === null) demandSuperuser(caller)
    return list(sql, caller, collection, page)
  },
  get: async (caller, collection, id, view) => {
    if (collection.owner === null) demandSuperuser(caller)
    return get(sql, caller, collection, id, view)
  },
  create: async (caller, collection, submission, view) => {
    if (collection.create === 'superuser') demandSuperuser(caller)
    const changes = readChanges(collection, submission, undefined, caller.superuser)
    const id = changes.id ?? randomText(ID_LENGTH)
    const failed = 'Failed to create record.'
    const uploads = await storeUploads({ files, tempDir }, collection, id, submission)
    return keepOrDiscard(files, uploads, async () => {
      const names = fileColumns(collection, submission, uploads.stored, undefined)
      refuse(failed, { ...names.errors, ...uploads.errors, ...changes.errors })
      const values = new Map([...changes.values, ...names.values])
      return insert(sql, caller, collection, id, values, view).catch((error: unknown) => {
        throw asFieldError(error, collection, failed)
      })
    })
  },
  update: async (caller, collection, id, submission, view, ifMatch) => {
    if (collection.owner === null) demandSuperuser(caller)
    if (!isId(id)) throw new ApiError(404)
    const failed = 'Failed to update record.'
    const uploads = await storeUploads({ files, tempDir }, collection, id, submission)
    const answer = await keepOrDiscard(files, uploads, () =>
      sql
        .begin(async (transaction) => {
          const current = await lock(transaction, caller, collection, id)
          if (ifMatch !== undefined && !matches(ifMatch, current)) throw new ApiError(412)
          const changes = readChanges(collection, submission, current, caller.superuser)
          const names = fileColumns(collection, submission, uploads.stored, current)
          refuse(failed, { ...names.errors, ...uploads.errors, ...changes.errors })
          const values = new Map([...changes.values, ...names.values])
          return change(transaction, caller, collection, id, values, view)
        })
        .catch((error: unknown) => {
          throw asFieldError(error, collection, failed)
        }),
    )
    onFilesRemoved()
    return answer
  },
  remove: async (caller, collection, id) => {
    if (collection.owner === null) demandSuperuser(caller)
    await remove(sql, caller, collection, id)
    onFilesRemoved()
  },
})

/** A locked collection says so to everybody alike (record interface 1.6). */
const demandSuperuser = (caller: Caller): void => {
  if (!caller.superuser) throw new ApiError(403, 'Only superusers can perform this action.')
}
