import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { API } from '#domain/api.ts'
import type { Collection } from '#domain/collection.ts'
import { findCollection } from '#domain/collections.ts'
import { ApiError } from '#domain/error.ts'

import {
  discardUploads,
  FORM_LIMITS,
  NOTHING,
  readSubmission,
  readWriteKey,
  type Submission,
} from '../http/body.ts'
import { callerOf, type Caller } from '../caller.ts'
import { hasVersion, sendUnchanged, sendVersioned, sendWritten } from '../http/respond.ts'
import {
  largestFile,
  parseFields,
  type Answer,
  type Order,
  type Records,
  type View,
} from './records.ts'
import { dependsOnTime } from './steady.ts'
import type { Unchanged } from './unchanged.ts'

type Query = Record<string, string | string[] | undefined>
type Request = FastifyRequest<{ Params: { collection: string; id: string }; Querystring: Query }>

/** Ten thousand answers are kept by their addresses: see `unchanged.ts`. */
const MAX_KEPT_URL_LENGTH = 2000

interface RecordRoutesDeps {
  readonly records: Records
  readonly unchanged: Unchanged
  readonly tempDir: string
}

/** The record interface over HTTP (spec 7, record interface 2). */
export const recordRoutes = (
  app: FastifyInstance,
  { records, unchanged, tempDir }: RecordRoutesDeps,
): void => {
  /** Answers a read; one that is known to be unchanged takes no statement. */
  const send = async (
    request: Request,
    reply: FastifyReply,
    changesByItself: boolean,
    read: (caller: Caller) => Promise<Answer>,
  ): Promise<FastifyReply> => {
    const caller = callerOf(request)
    // A guest has no session that could end.
    const isKept =
      caller.sessionId !== null && !changesByItself && request.url.length <= MAX_KEPT_URL_LENGTH
    if (!isKept) return sendVersioned(request, reply, await read(caller))
    const key = `${caller.sessionId} ${request.url}`
    const etag = unchanged.find(key)
    if (etag !== undefined && hasVersion(request, etag)) return sendUnchanged(reply, etag)
    return sendVersioned(request, reply, await unchanged.read(key, () => read(caller)))
  }

  app.get(API.records(':collection'), async (request: Request, reply) => {
    const collection = readCollection(request, 'Missing collection context.')
    const option = (name: string) => first(request.query[name])
    const [filter, sort] = [option('filter') ?? '', option('sort') ?? '']
    const changesByItself = sort.includes('@random') || dependsOnTime(filter)
    return send(request, reply, changesByItself, (caller) =>
      records.list(caller, collection, {
        ...readView(request),
        filter,
        sort,
        page: option('page'),
        perPage: option('perPage'),
        skipTotal: option('skipTotal'),
      }),
    )
  })

  app.get(API.record(':collection', ':id'), async (request: Request, reply) => {
    const collection = readCollection(request, 'Missing collection context.')
    const { id } = request.params
    return send(request, reply, false, (caller) =>
      records.get(caller, collection, id, readView(request)),
    )
  })

  app.post(API.records(':collection'), async (request: Request, reply) => {
    const collection = readCollection(request, 'Missing or invalid collection context.')
    return write(request, reply, collection, (submission) => ({
      action: 'create',
      collection,
      submission,
      view: readView(request),
    }))
  })

  app.patch(API.record(':collection', ':id'), async (request: Request, reply) => {
    const collection = readCollection(request, 'Missing or invalid collection context.')
    return write(request, reply, collection, (submission) => ({
      action: 'update',
      collection,
      id: request.params.id,
      submission,
      view: readView(request),
      ifMatch: request.headers['if-match'],
    }))
  })

  app.delete(API.record(':collection', ':id'), async (request: Request, reply) => {
    const collection = readCollection(request, 'Missing collection context.')
    const key = await readWriteKey(request, NOTHING)
    const order = { action: 'remove', collection, id: request.params.id } as const
    return sendWritten(reply, await records.write(callerOf(request), order, key))
  })

  const write = async (
    request: Request,
    reply: FastifyReply,
    collection: Collection,
    order: (submission: Submission) => Order,
  ): Promise<FastifyReply> => {
    const limits = { ...FORM_LIMITS, maxFileBytes: largestFile(collection) }
    const submission = await readSubmission(request, tempDir, limits)
    try {
      const key = await readWriteKey(request, submission)
      const written = await records.write(callerOf(request), order(submission), key)
      return await sendWritten(reply, written)
    } finally {
      await discardUploads(submission)
    }
  }
}

const readCollection = (request: Request, otherwise: string): Collection => {
  const collection = findCollection(request.params.collection)
  if (collection === undefined) throw new ApiError(404, otherwise)
  return collection
}

const readView = (request: Request): View => ({
  picks: parseFields(first(request.query['fields']) ?? ''),
  expand: first(request.query['expand']) ?? '',
})

/** Of a repeated parameter only the first counts (record interface 1.3). */
const first = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value
