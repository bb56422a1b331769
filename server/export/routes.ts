import { Readable } from 'node:stream'

import type { FastifyInstance } from 'fastify'

import { API } from '#domain/paths.ts'
import { ApiError } from '#domain/error.ts'
import { COLLECTIONS } from '#domain/collections.ts'

import { GUEST, callerOf, type Caller } from '../caller.ts'
import { requireAccount } from '../records/records.ts'
import { exportArchive, type ExportDeps } from './export.ts'

export interface ExportRoutesDeps extends ExportDeps {
  /** Verifies the file token in a URL. */
  readonly tokens: { verifyFile(token: string): Promise<Caller | undefined> }
  readonly productName: string
}

/**
 * Exports an account as one file. A browser download sends no `Authorization` header, so the route also accepts a file
 * token in the URL.
 */
export const exportRoutes = (app: FastifyInstance, deps: ExportRoutesDeps): void => {
  app.get<{ Querystring: Readonly<Record<string, string | undefined>> }>(
    API.export,
    async (request, reply) => {
      const { token = '' } = request.query
      const caller =
        token === '' ? callerOf(request) : ((await deps.tokens.verifyFile(token)) ?? GUEST)
      if (caller.superuser)
        throw new ApiError(
          403,
          `The request requires auth record from ${COLLECTIONS.users.name} collection.`,
        )
      await requireAccount(deps.records, caller)
      const day = new Date().toISOString().slice(0, 10)
      const archive = request.method === 'HEAD' ? [] : exportArchive(deps, caller)
      return reply
        .header('cache-control', 'private, no-store')
        .header(
          'content-disposition',
          `attachment; filename="${fileName(deps.productName)}-${day}.zip"`,
        )
        .type('application/zip')
        .send(Readable.from(archive, { objectMode: false }))
    },
  )
}

/** The product name, reduced to characters that every header and file system accepts. */
const fileName = (productName: string): string =>
  productName
    .normalize('NFD')
    .replace(/[^\w-]+/g, '')
    .toLowerCase() || 'data'
