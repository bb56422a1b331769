import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'

import { DEFAULT_PER_PAGE, MAX_PER_PAGE } from '#domain/api.ts'
import { ID_LENGTH, ID_PATTERN, type Collection } from '#domain/collection.ts'
import { COLLECTIONS } from '#domain/collections.ts'
import { ApiError, fieldError, SOMETHING_WENT_WRONG, type FieldError } from '#domain/error.ts'
import type { Value } from '#domain/schema.ts'

import type { Caller } from '../auth/auth.ts'
import type { Sql } from '../db/db.ts'
import { randomText } from '../db/random.ts'
import { storedName, type FileStore } from '../files/files.ts'
import { rewriteImage } from '../files/images.ts'
import type { Submission } from '../http/body.ts'
import {
  emptyColumn,
  readChanges,
  readFileNames,
  uploadTarget,
  type Row,
  type Stored,
} from './changes.ts'
import { filterCondition, sortOrder } from './filter.ts'
import { projectRecord, readExpands, type Picks } from './projection.ts'
import {
  callerId,
  columnType,
  identifier,
  relationTarget,
  Scope,
  Statement,
  type Lazy,
  type Runner,
} from './sql.ts'

export { picksBelow, readPicks } from './projection.ts'

/** What of a record an answer holds. */
export interface View {
  readonly picks: Picks | undefined
  readonly expand: string
}

/** A page of a list (record interface 1.3). */
export interface Page extends View {
  readonly filter: string
  readonly sort: string
  readonly page: string | undefined
  readonly perPage: string | undefined
  readonly skipTotal: string | undefined
}

/** JSON as the database built it, and the version of the rows in it. */
export interface Answer {
  readonly body: string
  readonly etag: string
}

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
  list: (caller, collection, page) => list(sql, caller, collection, page),
  get: (caller, collection, id, view) => get(sql, caller, collection, id, view),
  create: async (caller, collection, submission, view) => {
    if (collection.create === 'superuser')
      throw new ApiError(403, 'Only superusers can perform this action.')
    const changes = readChanges(collection, submission, undefined)
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
    if (!isId(id)) throw new ApiError(404)
    const failed = 'Failed to update record.'
    const uploads = await storeUploads({ files, tempDir }, collection, id, submission)
    const answer = await keepOrDiscard(files, uploads, () =>
      sql
        .begin(async (transaction) => {
          const current = await lock(transaction, caller, collection, id)
          if (ifMatch !== undefined && !matches(ifMatch, current)) throw new ApiError(412)
          const changes = readChanges(collection, submission, current)
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
    const statement = new Statement()
    const scope = new Scope(collection, 't')
    const owned = scope.ownedBy(callerId(statement, caller))
    const table = identifier(collection.name)
    const removed = await statement.run(
      sql,
      `delete from ${table} where id in (select t.id from ${table} t${scope.joins}` +
        ` where t.id = ${statement.bind(plainText(id), 'text')} and ${owned}) returning id`,
    )
    if (removed.length === 0) throw new ApiError(404)
    onFilesRemoved()
  },
})

const isId = (id: string): boolean => id.length === ID_LENGTH && ID_PATTERN.test(id)

/** PostgreSQL refuses U+0000 in text; no id holds it, so what does is nobody's. */
const plainText = (id: string): string => (isId(id) ? id : '')

const list = async (
  runner: Runner,
  caller: Caller,
  collection: Collection,
  query: Page,
): Promise<Answer> => {
  const page = Math.max(1, readInteger(query.page, 'page') || 1)
  const asked = readInteger(query.perPage, 'perPage')
  const perPage = asked > 0 ? Math.min(asked, MAX_PER_PAGE) : DEFAULT_PER_PAGE
  const skipTotal = readBoolean(query.skipTotal, 'skipTotal')
  const statement = new Statement()
  const scope = new Scope(collection, 't')
  const me = callerId(statement, caller)
  const filter = filterCondition(statement, scope, query.filter)
  const where = [scope.ownedBy(me), ...(filter === undefined ? [] : [filter])].join(' and ')
  const order = sortOrder(scope, query.sort)
  const expands = readExpands(collection, query.expand)
  const projection = projectRecord(statement, collection, 't', me, query.picks, expands)
  const from = `${identifier(collection.name)} t${scope.joins}`
  const offset = statement.bind(String((page - 1) * perPage), 'bigint')
  const rows =
    `select ${projection.json} as json, ${projection.versions} as versions` +
    ` from ${from}${projection.joins} where ${where}` +
    ` order by ${order} limit ${statement.bind(String(perPage), 'bigint')} offset ${offset}`
  const total = skipTotal ? '(-1)' : `(select count(*) from ${from} where ${where})`
  const [row] = await statement.run<{ items: string; versions: string; total: string }>(
    runner,
    `select coalesce(json_agg(r.json), '[]')::text as items,` +
      ` coalesce(md5(string_agg(r.versions, ',')), '') as versions,` +
      ` ${total}::text as total from (${rows}) r`,
  )
  if (row === undefined) throw new TypeError('an aggregate without a row')
  const totalItems = Number(row.total)
  const totalPages = skipTotal ? -1 : Math.ceil(totalItems / perPage)
  return {
    body: `{"items":${row.items},"page":${page},"perPage":${perPage},"totalItems":${totalItems},"totalPages":${totalPages}}`,
    etag: `"${row.versions}-${totalItems}-${SCHEMA_REVISION}"`,
  }
}

const get = async (
  runner: Runner,
  caller: Caller,
  collection: Collection,
  id: string,
  view: View,
): Promise<Answer> => {
  const statement = new Statement()
  const scope = new Scope(collection, 't')
  const me = callerId(statement, caller)
  const owned = scope.ownedBy(me)
  const place = statement.bind(plainText(id), 'text')
  const from = `${identifier(collection.name)} t${scope.joins}`
  return selectOne(runner, statement, collection, me, view, from, `t.id = ${place} and ${owned}`)
}

/** Reads the one row that `from` and `where` lead to. @throws ApiError 404 */
const selectOne = async (
  runner: Runner,
  statement: Statement,
  collection: Collection,
  me: Lazy,
  view: View,
  from: string,
  where: string,
  before = '',
): Promise<Answer> => {
  const expands = readExpands(collection, view.expand)
  const projection = projectRecord(statement, collection, 't', me, view.picks, expands)
  const [row] = await statement.run<{ body: string; versions: string }>(
    runner,
    `${before}select ${projection.json}::text as body, ${projection.versions} as versions` +
      ` from ${from}${projection.joins} where ${where}`,
  )
  if (row === undefined) throw new ApiError(404)
  return { body: row.body, etag: recordEtag(row.versions) }
}

/** Changes when the declaration of the records does, so that an old answer is not taken for a new one. */
const SCHEMA_REVISION = crc32(JSON.stringify(COLLECTIONS)).toString(36)

/**
 * A record's own version, then those of what was expanded in it, then the schema's. What a write
 * is matched against is the first part.
 */
const recordEtag = (versions: string): string => {
  const [own = '', ...expanded] = versions.split('(')
  const below = expanded.length === 0 ? '' : `.${crc32(expanded.join('(')).toString(36)}`
  return `"${own}${below}-${SCHEMA_REVISION}"`
}

const matches = (ifMatch: string, row: Row): boolean =>
  ifMatch.trim() === '*' ||
  ifMatch.split(',').some((etag) => /^\s*"(\d+)[.-]/.exec(etag)?.[1] === String(row['version']))

const insert = async (
  sql: Sql,
  caller: Caller,
  collection: Collection,
  id: string,
  values: ReadonlyMap<string, Value | readonly string[]>,
  view: View,
): Promise<Answer> => {
  const statement = new Statement()
  const me = callerId(statement, caller)
  const columns = ['id']
  const expressions = [statement.bind(id, 'text')]
  for (const [name, field] of Object.entries(collection.fields)) {
    if (field.kind === 'autodate') continue
    columns.push(identifier(name))
    const value = values.get(name) ?? emptyColumn(collection, name)
    expressions.push(statement.bind(value, columnType(field)))
  }
  const allowed = ownerAllows(statement, collection, me, values)
  const inserted =
    `with t as (insert into ${identifier(collection.name)} (${columns.join(', ')})` +
    ` select ${expressions.join(', ')} where ${allowed} returning *) `
  try {
    return await selectOne(sql, statement, collection, me, view, 't', 'true', inserted)
  } catch (error) {
    // Not the caller's parent, or not there at all: the two look alike.
    if (error instanceof ApiError && error.status === 404)
      throw new ApiError(400, 'Failed to create record.')
    throw error
  }
}

/** True when a record with these values would belong to the caller. */
const ownerAllows = (
  statement: Statement,
  collection: Collection,
  me: Lazy,
  values: ReadonlyMap<string, Value | readonly string[]>,
): string => {
  const [relation = '', ...rest] = collection.owner.split('.')
  const value = statement.bind(values.get(relation) ?? '', 'text')
  const parent = relationTarget(collection, relation)
  if (rest.length === 0 || parent === undefined) return `${value} = ${me()}`
  const scope = new Scope(parent, 'p')
  const owned = scope.ownedBy(me)
  return `exists (select 1 from ${identifier(parent.name)} p${scope.joins} where p.id = ${value} and ${owned})`
}

/** Reads the stored row and keeps others from changing it. @throws ApiError 404 */
const lock = async (
  runner: Runner,
  caller: Caller,
  collection: Collection,
  id: string,
): Promise<Row> => {
  const statement = new Statement()
  const scope = new Scope(collection, 't')
  const owned = scope.ownedBy(callerId(statement, caller))
  const [row] = await statement.run<Row>(
    runner,
    `select t.* from ${identifier(collection.name)} t${scope.joins}` +
      ` where t.id = ${statement.bind(id, 'text')} and ${owned} for update of t`,
  )
  if (row === undefined) throw new ApiError(404)
  return row
}

const change = async (
  runner: Runner,
  caller: Caller,
  collection: Collection,
  id: string,
  values: ReadonlyMap<string, Value | readonly string[]>,
  view: View,
): Promise<Answer> => {
  const statement = new Statement()
  const me = callerId(statement, caller)
  const assignments = [`version = nextval('record_version')`, 'updated = now()']
  for (const [name, value] of values) {
    const field = collection.fields[name]
    if (field === undefined) throw new TypeError(`no field: ${name}`)
    assignments.push(`${identifier(name)} = ${statement.bind(value, columnType(field))}`)
  }
  // A record that is moved must stay the caller's.
  const [relation = ''] = collection.owner.split('.')
  const allowed = values.has(relation) ? ownerAllows(statement, collection, me, values) : 'true'
  const updated =
    `with t as (update ${identifier(collection.name)} set ${assignments.join(', ')}` +
    ` where id = ${statement.bind(id, 'text')} and ${allowed} returning *) `
  return selectOne(runner, statement, collection, me, view, 't', 'true', updated)
}

interface Uploads {
  readonly stored: readonly (Stored & { readonly key: Parameters<FileStore['remove']>[0] })[]
  readonly errors: Readonly<Record<string, FieldError>>
}

/** Rewrites and stores the images of a request, before the row that names them is written. */
const storeUploads = async (
  { files, tempDir }: Pick<RecordsDeps, 'files' | 'tempDir'>,
  collection: Collection,
  id: string,
  submission: Submission,
): Promise<Uploads> => {
  const stored: Uploads['stored'][number][] = []
  const errors: Record<string, FieldError> = {}
  for (const upload of submission.uploads) {
    const target = uploadTarget(collection, upload)
    if (target === undefined || errors[target.name] !== undefined) continue
    const { name: field, place } = target
    const { maxBytes, maxCount } = target.field
    if (upload.truncated || upload.bytes > maxBytes) {
      errors[field] = fieldError('validation_file_size_limit', {
        file: upload.filename,
        maxSize: maxBytes,
      })
      continue
    }
    if (
      stored.filter((other) => other.field === field).length >= maxCount &&
      !target.field.single
    ) {
      errors[field] = fieldError('validation_too_many_files', { maxSelect: maxCount })
      continue
    }
    const path = join(tempDir, randomUUID())
    try {
      const written = await rewriteImage(upload.path, upload.filename, path)
      if ('error' in written) {
        errors[field] = written.error
        continue
      }
      const name = storedName(upload.filename, written.type)
      const key = { collection: collection.name, record: id, name }
      await files.put(key, path)
      stored.push({ field, place, name, key })
    } finally {
      await rm(path, { force: true })
    }
  }
  return { stored, errors }
}

/** Runs a write; when it fails, the files that were stored for it go again. */
const keepOrDiscard = async <T>(
  files: FileStore,
  uploads: Uploads,
  write: () => Promise<T>,
): Promise<T> => {
  try {
    return await write()
  } catch (error) {
    await Promise.all(uploads.stored.map(({ key }) => files.remove(key)))
    throw error
  }
}

const fileColumns = (
  collection: Collection,
  submission: Submission,
  stored: readonly Stored[],
  current: Row | undefined,
): { values: Map<string, Value | readonly string[]>; errors: Record<string, FieldError> } => {
  const values = new Map<string, Value | readonly string[]>()
  const errors: Record<string, FieldError> = {}
  for (const [name, field] of Object.entries(collection.fields)) {
    if (field.kind !== 'files') continue
    const before = [current?.[name] ?? []]
      .flat()
      .filter((held) => typeof held === 'string' && held !== '')
    const result = readFileNames(name, field, submission, stored, before as string[])
    if (result === undefined) continue
    if ('error' in result) errors[name] = result.error
    else values.set(name, field.single ? (result.names[0] ?? '') : result.names)
  }
  return { values, errors }
}

const refuse = (message: string, errors: Readonly<Record<string, FieldError>>): void => {
  if (Object.keys(errors).length > 0) throw new ApiError(400, message, errors)
}

const UNIQUE_VIOLATION = '23505'
const FOREIGN_KEY_VIOLATION = '23503'

/** What the database refuses is the caller's to mend: it names the field. */
const asFieldError = (error: unknown, collection: Collection, message: string): unknown => {
  const { code, constraint_name: constraint = '' } = error as {
    code?: string
    constraint_name?: string
  }
  const field =
    constraint === `${collection.name}_pkey`
      ? 'id'
      : Object.keys(collection.fields).find((name) =>
          constraint.startsWith(`${collection.name}_${name}_`),
        )
  if (field === undefined) return error
  if (code === UNIQUE_VIOLATION)
    return new ApiError(400, message, { [field]: fieldError('validation_not_unique') })
  if (code === FOREIGN_KEY_VIOLATION)
    return new ApiError(400, message, { [field]: fieldError('validation_missing_rel_records') })
  return error
}

const readInteger = (text: string | undefined, name: string): number => {
  if (text === undefined || text === '') return 0
  const value = Number(text)
  if (/^[+-]?\d+$/.test(text) && Number.isSafeInteger(value) && Math.abs(value) < 2 ** 31)
    return value
  throw new ApiError(400, SOMETHING_WENT_WRONG, { [name]: fieldError('validation_not_a_number') })
}

const readBoolean = (text: string | undefined, name: string): boolean => {
  if (text === undefined || text === '') return false
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true
  if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text)) return false
  throw new ApiError(400, SOMETHING_WENT_WRONG, {
    [name]: fieldError('validation_invalid_value', { value: text.slice(0, 100) }),
  })
}
