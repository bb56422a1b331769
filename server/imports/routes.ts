import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { LinkedCollection } from '#domain/collection.ts'
import { COLLECTIONS } from '#domain/collections.ts'
import { ApiError, fieldError, withSentence } from '#domain/error.ts'
import { IMPORT_LIMITS } from '#domain/limits.ts'
import { IMPORT_API } from '#domain/import-paths.ts'
import { readValue } from '#domain/schema.ts'

import { callerOf, type Caller } from '../caller.ts'
import { discardUploads, readSubmission, readWriteKey, type Submission } from '../http/body.ts'
import { sendJson } from '../http/respond.ts'
import type { Records } from '../records/records.ts'
import type { Created, Imports, ImportSource } from './imports.ts'
import {
  IMPORT_INPUT,
  IMPORT_MAPPING,
  IMPORT_PATCH,
  IMPORT_ROW_PATCH,
  invalid,
  isWebAddress,
  readFeedInput,
  FEED_TOKEN_INPUT,
  readInput,
  refuseUnknown,
} from './input.ts'

type Request = FastifyRequest<{ Params: { id: string } }>

type RowRequest = FastifyRequest<{ Params: { id: string; number: string } }>

export interface ImportRoutesDeps {
  readonly imports: Imports
  readonly records: Records
  readonly tempDir: string
}

/** One file with its form fields. */
const BODY_LIMITS = {
  maxFileBytes: IMPORT_LIMITS.fileBytes,
  maxFiles: 1,
  maxTextBytes: IMPORT_LIMITS.textBytes,
}

/** Routes that create, change and run imports and feeds. Reads use the record routes. */
export const importRoutes = (
  app: FastifyInstance,
  { imports, records, tempDir }: ImportRoutesDeps,
): void => {
  /** Responds with the current record. */
  const sendRecord = async (
    reply: FastifyReply,
    caller: Caller,
    collection: LinkedCollection,
    id: string,
  ): Promise<FastifyReply> => {
    const { body } = await records.get(caller, collection, id, WHOLE)
    return sendJson(reply.header('cache-control', 'no-store'), body)
  }

  app.post(
    IMPORT_API.imports,
    { bodyLimit: IMPORT_LIMITS.bodyBytes },
    async (request: FastifyRequest, reply) => {
      const caller = callerOf(request)
      // Refuses the request before a large file is received.
      await imports.demandBusiness(caller)
      const submission = await readSubmission(request, tempDir, BODY_LIMITS)
      try {
        const key = await readWriteKey(request, submission)
        const created = await imports.create(caller, readImportSource(submission), key)
        return await sendRecord(
          markReplayed(reply, created),
          caller,
          COLLECTIONS.imports,
          created.id,
        )
      } finally {
        await discardUploads(submission)
      }
    },
  )

  app.patch(IMPORT_API.import(':id'), async (request: Request, reply) => {
    const patch = readInput(IMPORT_PATCH, await readSubmission(request, tempDir, NO_FILES))
    await imports.change(callerOf(request), request.params.id, patch)
    return sendRecord(reply, callerOf(request), COLLECTIONS.imports, request.params.id)
  })

  app.patch(IMPORT_API.importRow(':id', ':number'), async (request: RowRequest, reply) => {
    const caller = callerOf(request)
    const { id, number } = request.params
    const patch = readInput(IMPORT_ROW_PATCH, await readSubmission(request, tempDir, NO_FILES))
    const row = await imports.changeRow(caller, id, readNumber(number), patch)
    return sendRecord(reply, caller, COLLECTIONS.import_rows, row)
  })

  app.post(IMPORT_API.importMapping(':id'), async (request: Request, reply) => {
    const sent = await readSubmission(request, tempDir, NO_FILES)
    const { mapping } = readInput(IMPORT_MAPPING, sent)
    await imports.map(callerOf(request), request.params.id, mapping)
    return sendRecord(reply, callerOf(request), COLLECTIONS.imports, request.params.id)
  })

  app.post(IMPORT_API.feeds, async (request: FastifyRequest, reply) => {
    const caller = callerOf(request)
    await imports.demandBusiness(caller)
    const sent = await readSubmission(request, tempDir, NO_FILES)
    const key = await readWriteKey(request, sent)
    const created = await imports.createFeed(caller, readFeedInput(sent), key)
    return sendRecord(markReplayed(reply, created), caller, COLLECTIONS.feeds, created.id)
  })

  app.put(IMPORT_API.feedToken(':id'), async (request: Request, reply) => {
    const caller = callerOf(request)
    const sent = await readSubmission(request, tempDir, NO_FILES)
    const { token } = readInput(FEED_TOKEN_INPUT, sent)
    await imports.setFeedToken(caller, request.params.id, token)
    return sendRecord(reply, caller, COLLECTIONS.feeds, request.params.id)
  })

  app.post(IMPORT_API.feedRead(':id'), async (request: Request, reply) => {
    const caller = callerOf(request)
    const started = await imports.readFeed(caller, request.params.id)
    return sendRecord(reply, caller, COLLECTIONS.imports, started)
  })

  for (const [path, act] of [
    [IMPORT_API.importRun(':id'), 'run'],
    [IMPORT_API.importUndo(':id'), 'undo'],
  ] as const)
    app.post(path, async (request: Request, reply) => {
      await imports[act](callerOf(request), request.params.id)
      return sendRecord(reply, callerOf(request), COLLECTIONS.imports, request.params.id)
    })
}

/** A replayed request gets the current record: its first state would be useless to the client. */
const markReplayed = (reply: FastifyReply, { isReplayed }: Created): FastifyReply =>
  isReplayed ? reply.header('idempotency-replayed', 'true') : reply

/** @throws ApiError 404 if the text is not a number */
const readNumber = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new ApiError(404)
  return Number(text)
}

const WHOLE = { picks: undefined, expand: '' }
const NO_FILES = { maxFileBytes: 0, maxFiles: 0, maxTextBytes: 64 * 1024 }

const isGiven = (sent: string | null | undefined): sent is string => (sent ?? '').trim() !== ''

/** @throws ApiError 400 with the errors of the fields */
const readImportSource = (submission: Submission): ImportSource => {
  refuseUnknown(submission, ['file', 'text', 'url', 'token'])
  const [upload] = submission.uploads
  const { text, url, token } = readInput(IMPORT_INPUT, submission)
  const texts = Object.entries({ text, url }).flatMap(([key, sent]) => (isGiven(sent) ? [key] : []))
  const [excess] = upload === undefined ? texts.slice(1) : texts
  if (excess !== undefined) {
    const reason = 'An import has one source: a file, a text or a url.'
    throw invalid([[excess, fieldError('validation_json_shape', { path: excess, reason })]])
  }
  if (upload !== undefined) {
    if (upload.truncated)
      throw new ApiError(413, `A file can have at most ${IMPORT_LIMITS.fileBytes} bytes.`, {
        file: fieldError('validation_file_size_limit', {
          file: upload.filename,
          maxSize: IMPORT_LIMITS.fileBytes,
        }),
      })
    return { name: upload.filename, path: upload.path }
  }
  if (isGiven(text)) {
    // In a multipart form, the parser already refuses a longer text.
    if (Buffer.byteLength(text) > IMPORT_LIMITS.textBytes) throw new ApiError(413)
    return { text }
  }
  return { url: readUrl(url), token: token ?? '' }
}

const MAX_URL_LENGTH = 2048

/** Checks only the form of the URL; the target is checked when it is fetched. */
const readUrl = (sent: unknown): string => {
  const { value, error } = readValue({ kind: 'url', max: MAX_URL_LENGTH, required: true }, sent)
  if (error !== undefined)
    throw invalid([[error.code === 'validation_required' ? 'file' : 'url', withSentence(error)]])
  if (typeof value === 'string' && isWebAddress(value)) return value
  throw invalid([['url', fieldError('validation_invalid_url')]])
}
