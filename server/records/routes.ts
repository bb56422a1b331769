import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { API } from '#domain/api.ts'
import type { Collection } from '#domain/collection.ts'
import { findCollection } from '#domain/collections.ts'
import { ApiError } from '#domain/error.ts'

import { discardUploads, readSubmission, type Submission } from '../http/body.ts'
import { callerOf } from '../http/identity.ts'
import { sendVersioned } from '../http/respond.ts'
import { readPicks, type Answer, type Records, type View } from './records.ts'

type Query = Record<string, string | string[] | undefined>
type Request = FastifyRequest<{ Params: { collection: string; id: string }; Querystring: Query }>

/** The record interface over HTTP (spec 7, record interface 2). */
export const recordRoutes = (app: FastifyInstance, records: Records, tempDir: string): void => {
  app.get(API.records(':collection'), async (request: Request, reply) => {
    const collection = readCollection(request, 'Missing collection context.')
    const option = (name: string) => first(request.query[name])
    const answer = await records.list(callerOf(request), collection, {
      ...readView(request),
      filter: option('filter') ?? '',
      sort: option('sort') ?? '',
      page: option('page'),
      perPage: option('perPage'),
      skipTotal: option('skipTotal'),
    })
    return sendVersioned(request, reply, answer)
  })

  app.get(API.record(':collection', ':id'), async (request: Request, reply) => {
    const collection = readCollection(request, 'Missing collection context.')
    const { id } = request.params
    const answer = await records.get(callerOf(request), collection, id, readView(request))
    return sendVersioned(request, reply, answer)
  })

  app.post(API.records(':collection'), async (request: Request, reply) => {
    const collection = readCollection(request, 'Missing or invalid collection context.')
    return write(request, reply, collection, (submission) =>
      records.create(callerOf(request), collection, submission, readView(request)),
    )
  })

  app.patch(API.record(':collection', ':id'), async (request: Request, reply) => {
    const collection = readCollection(request, 'Missing or invalid collection context.')
    const { id } = request.params
    const ifMatch = request.headers['if-match']
    return write(request, reply, collection, (submission) =>
      records.update(callerOf(request), collection, id, submission, readView(request), ifMatch),
    )
  })

  app.delete(API.record(':collection', ':id'), async (request: Request, reply) => {
    const collection = readCollection(request, 'Missing collection context.')
    await records.remove(callerOf(request), collection, request.params.id)
    return reply.code(204).send()
  })

  const write = async (
    request: Request,
    reply: FastifyReply,
    collection: Collection,
    run: (submission: Submission) => Promise<Answer>,
  ): Promise<FastifyReply> => {
    const submission = await readSubmission(request, tempDir, largestFile(collection))
    try {
      const { body, etag } = await run(submission)
      return await reply
        .header('etag', etag)
        .header('cache-control', 'no-store')
        .type('application/json')
        .send(body)
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
  picks: readPicks(first(request.query['fields']) ?? ''),
  expand: first(request.query['expand']) ?? '',
})

/** Of a repeated parameter only the first counts (record interface 1.3). */
const first = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value

const largestFile = (collection: Collection): number =>
  Math.max(
    0,
    ...Object.values(collection.fields).map((field) =>
      field.kind === 'files' ? field.maxBytes : 0,
    ),
  )
