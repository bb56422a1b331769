import type { FastifyInstance } from 'fastify'

import { API } from '#domain/api.ts'
import { findCollection } from '#domain/collections.ts'
import { ApiError } from '#domain/error.ts'

import type { Sql } from '../db/db.ts'
import { storedType, type FileStore } from './files.ts'

/** Nothing in a stored file may run, whatever it is taken for. */
const FILE_POLICY = "default-src 'none'; sandbox"
const YEAR_S = 31_536_000

/**
 * Serves stored files (record interface 4.2). Whoever knows the unguessable name may read; a
 * name that no record holds is not found, even while its file is still there.
 */
export const fileRoutes = (app: FastifyInstance, sql: Sql, files: FileStore): void => {
  app.get<{
    Params: { collection: string; id: string; name: string }
    Querystring: { download?: string }
  }>(API.file(':collection', ':id', ':name'), async (request, reply) => {
    const { id, name } = request.params
    const collection = findCollection(request.params.collection)
    if (collection === undefined) throw new ApiError(404, 'Missing or invalid collection context.')
    const fields = Object.entries(collection.fields).flatMap(([field, declared]) =>
      declared.kind === 'files' ? [{ field, single: declared.single === true }] : [],
    )
    if (fields.length === 0 || `${id}${name}`.includes('\0')) throw new ApiError(404)
    const holds = fields.map(({ field, single }) =>
      single ? sql`${sql(field)} = ${name}` : sql`${name} = any(${sql(field)})`,
    )
    const [held] = await sql`
      select 1 from ${sql(collection.name)}
      where id = ${id} and (${holds.reduce((all, one) => sql`${all} or ${one}`)})`
    const file = held && (await files.open({ collection: collection.name, record: id, name }))
    if (!file) throw new ApiError(404)
    const download = ['1', 't', 'T', 'TRUE', 'true', 'True'].includes(request.query.download ?? '')
    const etag = `"${name}"`
    reply
      .header('content-security-policy', FILE_POLICY)
      .header('content-disposition', `${download ? 'attachment' : 'inline'}; filename=${name}`)
      .header('cache-control', `public, max-age=${YEAR_S}, immutable`)
      .header('last-modified', file.modified.toUTCString())
      .header('etag', etag)
      .type(storedType(name))
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
    reply.header('content-length', file.bytes)
    return reply.send(file.read())
  })
}
