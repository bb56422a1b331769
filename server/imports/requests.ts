import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { ID_LENGTH, IMPORTS } from '#domain/collection.ts'
import { ApiError, fieldError } from '#domain/error.ts'
import { ENDED, type ImportState } from '#domain/import.ts'
import type { Mapping } from '#domain/import-source.ts'
import { IMPORT_LIMITS } from '#domain/limits.ts'

import { unauthorized, type Caller } from '../caller.ts'
import { randomText } from '../db/random.ts'
import { LOCKS } from '../db/locks.ts'
import type { Runner, Sql } from '../db/sql.ts'
import { storedName, type FileStore } from '../files/files.ts'
import type { PreparedWrite } from '../records/records.ts'
import { nowText } from './work.ts'

/** The source of a new import: a received file, a text, or an address. */
export type ImportSource =
  | { readonly name: string; readonly path: string }
  | { readonly text: string }
  | { readonly url: string; readonly token?: string }

export interface RequestsDeps {
  readonly sql: Sql
  readonly files: FileStore
  /** Must be on the same file system as the store. */
  readonly tempDir: string
}

/**
 * Returns the business of the caller.
 * @throws ApiError 401 without a live session, 403 for a caller without a business
 */
export const businessOf = async (runner: Runner, { sessionId }: Caller): Promise<string> => {
  const [row] = await runner<{ business: string | null }[]>`
    select b.id as business from sessions s left join businesses b on b."user" = s."user"
    where s.id = ${sessionId} and s.expires > now()`
  if (row === undefined) throw unauthorized()
  if (row.business === null) throw new ApiError(403, 'Imports belong to a business.')
  return row.business
}

/**
 * Stores the file of an import and creates the import, which any free process picks up. The response is the ID of the
 * import. The write throws ApiError 401, 403; 400 if the business has too many open imports.
 */
export const prepareImport = async (
  deps: RequestsDeps,
  caller: Caller,
  source: ImportSource,
): Promise<PreparedWrite> => {
  const id = randomText(ID_LENGTH)
  const file = 'url' in source ? '' : await keep(deps, id, source)
  return {
    needsTransaction: true,
    mayReleaseFiles: false,
    run: async (runner) => {
      const business = await businessOf(runner, caller)
      await lockBusiness(runner, business)
      await insert(runner, { id, business, file }, source)
      return { status: 200, body: JSON.stringify(id), etag: null }
    },
    cleanUp: async (happened) => {
      if (!happened && file !== '')
        await deps.files.remove({ collection: IMPORTS, record: id, name: file })
    },
  }
}

/** Serialises what a business creates at the same time, so that the counts stay valid. */
export const lockBusiness = async (transaction: Runner, business: string): Promise<void> => {
  await transaction`select pg_advisory_xact_lock(${LOCKS.importsOfBusiness}, hashtext(${business}))`
}

const keep = async (
  { files, tempDir }: RequestsDeps,
  id: string,
  source: { readonly name: string; readonly path: string } | { readonly text: string },
): Promise<string> => {
  const isText = 'text' in source
  const path = isText ? join(tempDir, randomUUID()) : source.path
  if (isText) await writeFile(path, source.text, { flag: 'wx', mode: 0o600 })
  const name = storedName(isText ? 'text' : source.name, '')
  await files.put({ collection: IMPORTS, record: id, name }, path)
  return name
}

export const TOO_MANY_OPEN = 'Too many imports are open: run or delete one of them first.'

const insert = async (
  sql: Runner,
  { id, business, file }: { readonly id: string; readonly business: string; readonly file: string },
  source: ImportSource,
): Promise<void> => {
  const [row] = await sql<{ taken: number }[]>`
    with taken as (
      insert into imports (id, business, source, file)
      select ${id}, ${business}, ${sourceOf(source)}, ${file}
      where ${IMPORT_LIMITS.openPerBusiness} > (select count(*) from imports i
        where i.business = ${business} and i.state <> all(${[...ENDED]}))
      returning id),
    work as (
      insert into import_work (import, url, token)
      select id, ${'url' in source ? source.url : ''}, ${'url' in source ? (source.token ?? '') : ''}
      from taken)
    select count(*)::int as taken from taken`
  if (row?.taken === 0)
    throw new ApiError(400, TOO_MANY_OPEN, {
      file: fieldError('validation_max_less_equal_than_required', {
        threshold: IMPORT_LIMITS.openPerBusiness,
      }),
    })
}

/** The displayed name of a source: for an address, without query and credentials, which may be secret. */
const sourceOf = (source: ImportSource): string => {
  if ('text' in source) return ''
  if ('name' in source) return storable(source.name)
  const { origin, pathname } = new URL(source.url)
  return storable(origin + pathname)
}

const MAX_STORED_LENGTH = 500

/** A text of a source as stored: without control characters, and truncated. */
export const storable = (text: string): string =>
  text
    .replaceAll(/\p{Cc}/gu, '')
    .toWellFormed()
    .slice(0, MAX_STORED_LENGTH)

/**
 * Moves an import of the caller from one of the states `from` to the state `to`.
 * @throws ApiError 401, 403; 404 for an import of another owner; 409 if it is in another state, or another import of
 * the business is running
 */
export const move = async (
  sql: Sql,
  caller: Caller,
  id: string,
  from: readonly ImportState[],
  to: ImportState,
  mapping?: Mapping,
): Promise<void> => {
  const business = await businessOf(sql, caller)
  if (await moveImport(sql, { id, business, from, to, mapping, isReview: true })) return
  const [found] = await sql<{ state: string }[]>`
    select state from imports where id = ${id} and business = ${business}`
  if (found === undefined) throw new ApiError(404)
  throw new ApiError(409, `The import is ${found.state}.`)
}

interface Move {
  readonly id: string
  readonly business: string
  readonly from: readonly ImportState[]
  readonly to: ImportState
  readonly mapping?: Mapping | undefined
  /** The user requested the change, not the rules of a feed. */
  readonly isReview?: boolean
}

/**
 * Moves an import to another state, in which any free process picks it up.
 * @returns false if it is in another state
 * @throws ApiError 409 if another import of the business is running
 */
export const moveImport = async (
  sql: Runner,
  { id, business, from, to, mapping, isReview = false }: Move,
): Promise<boolean> => {
  const moved = await sql`
    with moved as (
      update imports set state = ${to}, done = 0, total = 0, columns = 'null', problem = 'null', version = nextval('record_version'),
        started = case when ${to} = 'RUNNING' then ${nowText(sql)} else started end,
        finished = '', updated = now()
      where id = ${id} and business = ${business} and state = any(${[...from]})
        -- Of a failed import there is something to undo if it has written anything.
        and (state <> 'FAILED' or exists (
          select from import_rows r where r.import = imports.id and r.state = 'APPLIED'))
      returning id)
    update import_work w set position = 0, lease = '', leased_until = now(), interruptions = 0,
      is_review = w.is_review or ${isReview}, mapping = coalesce(${mapping === undefined ? null : JSON.stringify(mapping)}::jsonb, w.mapping)
    from moved m where w.import = m.id returning w.import`.catch((error: unknown) => {
    throw isRunning(error)
      ? new ApiError(409, 'Another import of this business is running; wait until it has finished.')
      : error
  })
  return moved.length > 0
}

const isRunning = (error: unknown): boolean =>
  (error as { constraint?: string }).constraint === 'imports_running'
