import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { LinkedCollection, Schema } from '#domain/collection.ts'
import { API } from '#domain/paths.ts'
import { ApiError } from '#domain/error.ts'

import {
  discardUploads,
  FORM_LIMITS,
  NOTHING,
  readSubmission,
  readWriteKey,
  type Submission,
} from '../http/body.ts'
import { callerOf } from '../caller.ts'
import { sendVersioned, sendWritten } from '../http/respond.ts'
import { largestFile, parseFields, type WriteCommand, type Records, type View } from './records.ts'

type Query = Readonly<Record<string, string | undefined>>
type Request = FastifyRequest<{ Params: { collection: string; id: string }; Querystring: Query }>

interface RecordRoutesDeps {
  readonly records: Records
  readonly tempDir: string
  readonly schema: Schema
}

/** The record interface over HTTP (spec 7, record interface 2). */
export const recordRoutes = (
  app: FastifyInstance,
  { records, tempDir, schema }: RecordRoutesDeps,
): void => {
  const readCollection = (request: Request, otherwise: string): LinkedCollection => {
    const collection = schema.find(request.params.collection)
    if (collection === undefined) throw new ApiError(404, otherwise)
    return collection
  }

  app.get(API.records(':collection'), async (request: Request, reply) => {
    const collection = readCollection(request, 'Missing collection context.')
    const { filter = '', sort = '', page, perPage, skipTotal } = request.query
    const query = {
      ...readView(request),
      filter,
      sort,
      page,
      perPage,
      skipTotal,
    }
    return sendVersioned(request, reply, await records.list(callerOf(request), collection, query))
  })

  app.get(API.record(':collection', ':id'), async (request: Request, reply) => {
    const collection = readCollection(request, 'Missing collection context.')
    const { id } = request.params
    const answer = await records.get(callerOf(request), collection, id, readView(request))
    return sendVersioned(request, reply, answer)
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
    const command = {
      action: 'remove',
      collection,
      id: request.params.id,
      ifMatch: request.headers['if-match'],
    } as const
    return sendWritten(reply, await records.write(callerOf(request), command, key))
  })

  const write = async (
    request: Request,
    reply: FastifyReply,
    collection: LinkedCollection,
    command: (submission: Submission) => WriteCommand,
  ): Promise<FastifyReply> => {
    const limits = { ...FORM_LIMITS, maxFileBytes: largestFile(collection) }
    const submission = await readSubmission(request, tempDir, limits)
    try {
      const key = await readWriteKey(request, submission)
      const written = await records.write(callerOf(request), command(submission), key)
      return await sendWritten(reply, written)
    } finally {
      await discardUploads(submission)
    }
  }
}

const readView = (request: Request): View => ({
  picks: parseFields(request.query['fields'] ?? ''),
  expand: request.query['expand'] ?? '',
})
