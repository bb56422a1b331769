import type { FastifyInstance, FastifyReply } from 'fastify'

import { ApiError } from '#domain/error.ts'
import {
  LICENCE_URLS,
  OPEN,
  OPEN_FILE_NAMES,
  OPEN_FILES,
  OPEN_FORMATS,
  openLossesPath,
  openPath,
} from '#domain/open-data.ts'
import type { PublicSite } from '#domain/public-site.ts'

import { allLosses, tagsOf, type About } from '../formats/outputs.ts'
import { readParameters } from '../http/parameters.ts'
import { readPublicSite } from '../public/public.ts'
import {
  createContext,
  scopeOf,
  versionFrom,
  type Context,
  type OpenDeps,
  type Requested,
} from './context.ts'
import { businessesOf, fileOf, lossesOfAll, withdrawnOf, type Read } from './files.ts'
import { ocpiRoutes } from './ocpi-routes.ts'
import type { Head, Scope } from './open.ts'
import { TIME } from './parameters.ts'

/** Open data: all sites in the formats of registers, for everybody (decision 0105). */
export const openRoutes = (app: FastifyInstance, deps: OpenDeps): void => {
  const context = createContext(deps)
  for (const business of [undefined, ':business']) {
    fileRoutes(app, context, business)
    catalogueRoutes(app, context, business)
    // Registered separately, since OCPI errors have their own format.
    void app.register(async (ocpi) => ocpiRoutes(ocpi, context, business))
  }
  siteRoutes(app, context)
}

/**
 * Files are compressed while they are written, so higher levels cost more than they save. Zstandard takes half as long
 * as gzip.
 */
const COMPRESS = {
  encodings: ['zstd' as const, 'gzip' as const],
  zlibOptions: { level: 1, chunkSize: 64 * 1024 },
}

const SINCE = { since: TIME }

/** The metadata of a file. */
const aboutOf = ({ publicUrl, productName }: OpenDeps['config'], head: Head): About => ({
  publicUrl,
  publisher: productName,
  changed: head.changed.replace(' ', 'T'),
  licence: head.business?.licence,
  reportLoss: () => {},
})

/** The licence of a scope as a `Link` header (RFC 8288). */
const licenceLink = (licence: string | undefined): Readonly<Record<string, string>> => {
  const url = LICENCE_URLS[licence ?? '']
  return url === undefined ? {} : { link: `<${url}>; rel="license"` }
}

const fileRoutes = (
  app: FastifyInstance,
  { config, open, stream }: Context,
  business: string | undefined,
): void => {
  /** Sends a file written from the sites of a scope. */
  const send = async (
    request: Requested,
    reply: FastifyReply,
    type: string,
    make: (
      read: Read,
      query: Scope & { readonly since: string | undefined },
      about: About,
    ) => AsyncIterable<string | Uint8Array>,
  ): Promise<FastifyReply> => {
    const { since } = readParameters(request.url, SINCE)
    const scope = scopeOf(request)
    const { head, position, read } = await open(request, scope)
    const about = aboutOf(config, head)
    reply.headers(licenceLink(about.licence))
    return stream(request, reply, {
      type,
      version: versionFrom(head.version, request.url, config.publicUrl),
      position,
      make: () => make(read, { ...scope, since }, about),
    })
  }

  for (const format of OPEN_FILE_NAMES)
    app.get(openPath(format, business), { compress: COMPRESS }, (request: Requested, reply) => {
      const { name, type } = OPEN_FILES[format]
      reply.header('content-disposition', `inline; filename="${name}"`)
      return send(request, reply, type, (read, query, about) => fileOf(read, format, query, about))
    })
  for (const format of OPEN_FORMATS)
    app.get(openLossesPath(format, business), { compress: COMPRESS }, (request: Requested, reply) =>
      send(request, reply, 'application/json', (read, query) => lossesOfAll(read, format, query)),
    )
  app.get(OPEN.withdrawn(business), { compress: COMPRESS }, (request: Requested, reply) =>
    send(request, reply, 'application/json', withdrawnOf),
  )
}

const catalogueRoutes = (
  app: FastifyInstance,
  { config, open, sendJson, stream, catalogueOf }: Context,
  business: string | undefined,
): void => {
  app.get(OPEN.catalogue(business), async (request: Requested, reply) => {
    readParameters(request.url, {})
    const scope = scopeOf(request)
    const { head, read, position } = await open(request, scope)
    const catalogue = await catalogueOf(read, scope, aboutOf(config, head))
    return sendJson(request, reply, catalogue, async () => position)
  })
  if (business !== undefined) return
  app.get(OPEN.businesses, { compress: COMPRESS }, async (request: Requested, reply) => {
    readParameters(request.url, {})
    const { head, position, read } = await open(request, { business: undefined })
    return stream(request, reply, {
      type: 'application/json',
      version: versionFrom(head.version, 'businesses'),
      position,
      make: () => businessesOf(read),
    })
  })
}

const siteRoutes = (app: FastifyInstance, { readSeen, sendJson }: Context): void => {
  const answer =
    (write: (site: PublicSite) => object) =>
    async (request: Requested, reply: FastifyReply): Promise<FastifyReply> => {
      readParameters(request.url, {})
      const { site: id = '' } = request.params
      const { value, position } = await readSeen(request, (sql) => readPublicSite(sql, id))
      if (value.site === undefined) throw new ApiError(404)
      return sendJson(request, reply, write(value.site), position)
    }
  app.get(OPEN.osmTags(':site'), answer(tagsOf))
  app.get(OPEN.siteLosses(':site'), answer(allLosses))
}
