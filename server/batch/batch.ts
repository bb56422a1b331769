import type { Schema } from '#domain/collection.ts'
import { BATCH_LIMITS, MAX_ANSWER_BYTES } from '#domain/limits.ts'
import { ApiError, fieldError, type FieldError } from '#domain/error.ts'

import type { Caller } from '../caller.ts'
import { LOCKS } from '../db/locks.ts'
import type { Runner } from '../db/sql.ts'
import type { Submission, Upload, WriteKey } from '../http/body.ts'
import {
  parseFields,
  tooLarge,
  type WriteCommand,
  type Records,
  type Reply,
  type PreparedWrite,
} from '../records/records.ts'

/**
 * Performs several writes in order and in one transaction, all or none (record interface 7.1); later writes see
 * earlier ones. Returns the responses that each would have had on its own, with their ETags.
 * @throws ApiError 400 with the first failed request, or with the error of the list
 */
export type PerformBatch = (
  caller: Caller,
  submission: Submission,
  key: WriteKey | undefined,
) => Promise<Reply>

export const createBatch =
  ({ prepare, commit }: Pick<Records, 'prepare' | 'commit'>, schema: Schema): PerformBatch =>
  async (caller, submission, key) => {
    const requests = readRequests(submission)
    return commit(caller, key, async () => {
      const works: PreparedWrite[] = []
      try {
        for (const request of requests) {
          const command = readCommand(schema, request)
          works.push(
            command instanceof ApiError ? refusal(command) : await prepare(caller, command),
          )
          // Requests after a failed one are not prepared.
          if (command instanceof ApiError) break
        }
      } catch (error) {
        await cleanUpAll(works, false)
        throw error
      }
      return inOrder(caller, works)
    })
  }

/** Combines writes into one; the first failure ends all of them. */
const inOrder = (caller: Caller, works: readonly PreparedWrite[]): PreparedWrite => ({
  needsTransaction: true,
  mayReleaseFiles: works.some((work) => work.mayReleaseFiles),
  run: async (runner, attempt) => {
    await lockAccount(runner, caller, attempt)
    const end = Date.now() + BATCH_LIMITS.durationMs
    const answers: string[] = []
    let length = 0
    for (const [index, work] of works.entries()) {
      if (Date.now() > end) throw new ApiError(400, FAILED)
      const { body, status, etag } = await work.run(runner, attempt).catch((error: unknown) => {
        throw error instanceof ApiError ? failure(index, error) : error
      })
      length += body?.length ?? 0
      if (length > MAX_ANSWER_BYTES) throw failure(index, tooLarge())
      const version = etag === null ? '' : `,"etag":${JSON.stringify(etag)}`
      answers.push(`{"body":${body ?? 'null'},"status":${status}${version}}`)
    }
    return { status: 200, body: `[${answers.join(',')}]`, etag: null }
  },
  cleanUp: (happened) => cleanUpAll(works, happened),
})

/**
 * Batches of an account run concurrently. They lock records in the order of their client, so two batches can deadlock.
 * A batch that the database has aborted waits for the others and then runs alone: an immediate retry would meet the
 * same batch again.
 */
const lockAccount = async (runner: Runner, caller: Caller, attempt: number): Promise<void> => {
  const account = caller.id ?? ''
  if (attempt === 1)
    await runner`select pg_advisory_xact_lock_shared(${LOCKS.batches}, hashtext(${account}))`
  else await runner`select pg_advisory_xact_lock(${LOCKS.batches}, hashtext(${account}))`
}

const cleanUpAll = async (works: readonly PreparedWrite[], happened: boolean): Promise<void> => {
  await Promise.all(works.map((work) => work.cleanUp(happened)))
}

const refusal = (error: ApiError): PreparedWrite => ({
  needsTransaction: false,
  mayReleaseFiles: false,
  run: async () => {
    throw error
  },
  cleanUp: async () => {},
})

const FAILED = 'Batch transaction failed.'

const failure = (index: number, error: ApiError): ApiError =>
  new ApiError(400, FAILED, {
    requests: {
      [index]: {
        code: 'batch_request_failed',
        message: 'Batch request failed.',
        response: error.body,
      },
    },
  })

/** One request of a batch, as received. */
interface Request {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly submission: Submission
}

/** The error of an unreadable batch. */
export const unreadable = (cause?: unknown): ApiError =>
  new ApiError(400, 'Failed to read the submitted batch data.', {}, { cause })

const readRequests = ({ fields, uploads }: Submission): readonly Request[] => {
  const sent = fields.get('requests') ?? []
  if (!Array.isArray(sent)) throw unreadable()
  if (sent.length === 0) throw invalid(fieldError('validation_required'))
  if (sent.length > BATCH_LIMITS.requests) throw invalid(tooLong(BATCH_LIMITS.requests))
  const files = Map.groupBy(uploads.flatMap(ownerOfUpload), ({ index }) => index)
  const items = sent.map((item, index) => {
    const { method = '', url = '', headers, body } = toObject(item)
    if (typeof method !== 'string' || typeof url !== 'string') throw unreadable()
    const uploaded = files.get(index)?.map(({ upload }) => upload) ?? []
    const submission = { fields: new Map(Object.entries(toObject(body))), uploads: uploaded }
    return { method: method.toUpperCase(), url, headers: toObject(headers), submission }
  })
  const problems = items.flatMap((item, index) => {
    const found = itemProblems(item)
    return Object.keys(found).length > 0 ? [[index, found] as const] : []
  })
  if (problems.length > 0) throw invalid(Object.fromEntries(problems))
  return items
}

const toObject = (sent: unknown): Readonly<Record<string, unknown>> => {
  if (sent === undefined || sent === null) return {}
  if (typeof sent !== 'object' || Array.isArray(sent)) throw unreadable()
  return { ...sent }
}

/** Files arrive as `requests.N.field` or `requests[N].field`. */
const UPLOAD_KEY = /^requests(?:\.(\d{1,4})|\[(\d{1,4})\])\.(.+)$/

const ownerOfUpload = (upload: Upload): { index: number; upload: Upload }[] => {
  const [, dotted, bracketed, key] = UPLOAD_KEY.exec(upload.key) ?? []
  if (key === undefined) return []
  return [{ index: Number(dotted ?? bracketed), upload: { ...upload, key } }]
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

const itemProblems = ({ method, url, headers }: Request): Readonly<Record<string, FieldError>> => ({
  ...(method === '' && { method: fieldError('validation_required') }),
  ...(method !== '' &&
    !METHODS.includes(method) && {
      method: fieldError('validation_in_invalid'),
    }),
  ...(url === '' && { url: fieldError('validation_required') }),
  ...(url.length > BATCH_LIMITS.urlLength && { url: tooLong(BATCH_LIMITS.urlLength) }),
  // The requests succeed or fail together, so a key of one of them could not be kept.
  ...(readHeader(headers, 'idempotency-key') !== undefined && {
    headers: fieldError('validation_json_shape', {
      path: 'headers.Idempotency-Key',
      reason: 'send the key with the batch',
    }),
  }),
})

const tooLong = (max: number): FieldError =>
  fieldError('validation_length_too_long', { min: 0, max })

const invalid = (requests: unknown): ApiError =>
  new ApiError(400, 'Invalid batch request data.', { requests })

const RECORD_URL = /^\/api\/collections\/([^/?#]+)\/records(?:\/([^/?#]+))?(?:\?([^#]*))?$/

/** The error of one request, as outside of a batch. */
const readCommand = (
  schema: Schema,
  { method, url, headers, submission }: Request,
): WriteCommand | ApiError => {
  try {
    const [, name, recordId, query] = RECORD_URL.exec(url) ?? []
    if (name === undefined) return new ApiError(400)
    const action = ACTIONS[`${method}${recordId === undefined ? '' : ' id'}`]
    if (action === undefined) return new ApiError(400)
    const collection = schema.find(decode(name))
    const id = decode(recordId ?? '')
    if (collection === undefined)
      return new ApiError(
        404,
        action === 'remove'
          ? 'Missing collection context.'
          : 'Missing or invalid collection context.',
      )
    const sentIfMatch = readHeader(headers, 'if-match')
    const ifMatch = typeof sentIfMatch === 'string' ? sentIfMatch : undefined
    if (action === 'remove') return { action, collection, id, ifMatch }
    const options = new URLSearchParams(query)
    const view = {
      picks: parseFields(options.get('fields') ?? ''),
      expand: options.get('expand') ?? '',
    }
    if (action === 'create') return { action, collection, submission, view }
    if (action === 'upsert') return { action, collection, submission, view, ifMatch }
    return { action, collection, id, submission, view, ifMatch }
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

const ACTIONS: Readonly<Record<string, WriteCommand['action']>> = {
  POST: 'create',
  PUT: 'upsert',
  'PATCH id': 'update',
  'DELETE id': 'remove',
}

const decode = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch (cause) {
    throw new ApiError(400, undefined, {}, { cause })
  }
}

const readHeader = (headers: Request['headers'], lowerCaseName: string): unknown =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === lowerCaseName)?.[1]
