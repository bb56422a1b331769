import { Readable } from 'node:stream'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { isId } from '#domain/collection.ts'
import { ApiError, type FieldError } from '#domain/error.ts'
import {
  LICENCE_URLS,
  OCPI_VERSIONS,
  ocpiPath,
  OPEN,
  OPEN_FILE_NAMES,
  OPEN_FILES,
  OPEN_FORMATS,
  openLossesPath,
  openPath,
  type OcpiVersion,
} from '#domain/open-data.ts'
import { PUBLIC_CACHE_CONTROL } from '#domain/public-read.ts'
import type { PublicSite } from '#domain/public-site.ts'

import { createAddressLimiter, createConcurrencyLimiter } from '../concurrency.ts'
import type { Config } from '../config.ts'
import type { Replicas } from '../db/replicas.ts'
import type { Sql } from '../db/sql.ts'
import { addressKey } from '../http/address.ts'
import { queryOf, readParameters } from '../http/parameters.ts'
import { allLosses, tagsOf, type About } from '../formats/outputs.ts'
import { digestOf, answerError, seenPosition, sendPublic, setVersion } from '../http/respond.ts'
import { RETRY_AFTER_S, type Limits } from '../limits.ts'
import { putRecent } from '../lru.ts'
import { INVALID_INPUT } from '../problem.ts'
import { readPublicSite } from '../public/public.ts'
import {
  businessesOf,
  createCatalogues,
  fileOf,
  lossesOfAll,
  withdrawnOf,
  type Read,
} from './files.ts'
import {
  countOf,
  detailsOf,
  envelope,
  objectOf,
  OCPI_CURSORS,
  OCPI_LIMIT,
  OCPI_MODULES,
  OCPI_STATUS,
  pageOf,
  versionsOf,
  type OcpiModule,
} from './ocpi.ts'
import { linkedValue, TIME, wholeFrom } from './parameters.ts'
import type { Window } from './ocpi-rows.ts'
import { readHead, type Head, type Scope } from './open.ts'

export interface OpenDeps {
  readonly config: Pick<Config, 'publicUrl' | 'productName'>
  readonly replicas: Replicas
  readonly limits: Pick<Limits, 'openFiles' | 'openFilesPerAddress'>
}

type Requested = FastifyRequest<{ Params: Readonly<Record<string, string | undefined>> }>

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

/** Reads have a concurrency limit, so that a flood of them occupies few database connections. */
const READ_LIMITS = { concurrency: 4, maxQueue: 1000 }
/** Part of every ETag. Increase it when a writer changes its output, so that caches do not keep the old output. */
const WRITERS_VERSION = 2
/**
 * Files are compressed while they are written, so higher levels cost more than they save. Zstandard takes half as long
 * as gzip.
 */
const COMPRESS = {
  encodings: ['zstd' as const, 'gzip' as const],
  zlibOptions: { level: 1, chunkSize: 64 * 1024 },
}

/**
 * Limits the number of concurrent downloads. @returns a function that counts one more and returns the function that
 * releases it; throws ApiError
 */
const createFileLimiter = ({
  openFiles,
  openFilesPerAddress: perAddress,
}: OpenDeps['limits']): ((address: string) => () => void) => {
  let files = 0
  const beginOf = createAddressLimiter({
    perAddress,
    retryAfterS: RETRY_AFTER_S.openFiles,
    message: `Your network address is already downloading ${perAddress} files. Try again when one of them has finished.`,
  })
  return (address) => {
    if (files >= openFiles)
      throw new ApiError(503, undefined, {}, { retryAfterS: RETRY_AFTER_S.openFiles })
    const end = beginOf(address)
    files += 1
    return () => {
      files -= 1
      end()
    }
  }
}

const createContext = ({ config, replicas, limits }: OpenDeps) => {
  const readLimiter = createConcurrencyLimiter(READ_LIMITS)
  const beginFile = createFileLimiter(limits)

  /** Reads from a database server that is at least as new as the position `after`. */
  const readAfter =
    (after: number): Read =>
    (work) =>
      readLimiter.run(async () => (await replicas.read(work, after)).value)

  /** The state of a scope, and reads that are at least as new. @throws ApiError 404 for an unknown business */
  const open = async (request: FastifyRequest, scope: Scope): Promise<Opened> => {
    const { value: head, position: askPosition } = await readLimiter.run(() =>
      replicas.read((sql) => readHead(sql, scope), seenPosition(request)),
    )
    if (head === undefined) throw new ApiError(404)
    const position = await askPosition()
    return { head, position, read: readAfter(position ?? 0) }
  }

  /** Sends a file while it is written. */
  const stream = (
    request: FastifyRequest,
    reply: FastifyReply,
    {
      type,
      version,
      position,
      make,
    }: Pick<Opened, 'position'> & {
      type: string
      version: string
      make: () => AsyncIterable<string | Uint8Array>
    },
  ): FastifyReply => {
    const isKnown = setVersion(request, reply, version, position)
    if (isKnown) return reply.code(304).send()
    reply.type(type)
    // Without `Content-Length`, which is unknown before the file is written.
    if (request.method === 'HEAD') return reply.send(Readable.from([]))
    const end = beginFile(addressKey(request.ip))
    const content = Readable.from(make(), { objectMode: false, highWaterMark: 1 })
    content.once('close', end)
    return reply.send(content)
  }

  const sendJson = (
    request: FastifyRequest,
    reply: FastifyReply,
    value: object,
    position: () => Promise<number | undefined>,
  ): Promise<FastifyReply> =>
    sendPublic(request, reply, { type: 'application/json', body: JSON.stringify(value), position })

  const readSeen = <T>(request: FastifyRequest, work: (sql: Sql) => Promise<T>) =>
    readLimiter.run(() => replicas.read(work, seenPosition(request)))

  return {
    config,
    open,
    stream,
    sendJson,
    readSeen,
    read: readAfter(0),
    catalogueOf: createCatalogues(),
  }
}
/** The state of a scope, the database position at which it was read, and reads that are at least as new. */
interface Opened {
  readonly head: Head
  readonly position: number | undefined
  readonly read: Read
}
type Context = ReturnType<typeof createContext>

/** Derives an ETag from the inputs of a response. */
const versionFrom = (...parts: readonly unknown[]): string =>
  digestOf(JSON.stringify([WRITERS_VERSION, ...parts]))

/** The scope of a request. @throws ApiError 404 */
const scopeOf = ({ params: { business } }: Requested): Scope => {
  if (business !== undefined && !isId(business)) throw new ApiError(404)
  return { business }
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

const pageParameters = (module: OcpiModule) => ({
  date_from: TIME,
  date_to: TIME,
  offset: wholeFrom(0, 1_000_000_000),
  limit: wholeFrom(1, 1_000_000_000),
  /** The start of a page, in links that this server created. `offset` then only states how many objects precede it. */
  after: linkedValue(OCPI_CURSORS[module]),
})
const PAGE_PARAMETERS = {
  locations: pageParameters('locations'),
  tariffs: pageParameters('tariffs'),
}

const ocpiRoutes = (
  app: FastifyInstance,
  { config: { publicUrl: base }, open, read }: Context,
  business: string | undefined,
): void => {
  answerErrorsOfOcpi(app)
  repeatIds(app)
  const totals = createTotals()
  const ok = (reply: FastifyReply, data: unknown): FastifyReply =>
    reply.header('cache-control', PUBLIC_CACHE_CONTROL).send(envelope(data))

  app.get(OPEN.ocpiVersions(business), async (request: Requested, reply) => {
    readParameters(request.url, {})
    const scope = scopeOf(request)
    await open(request, scope)
    return ok(reply, versionsOf(base, scope))
  })

  const list = async (
    request: Requested,
    reply: FastifyReply,
    module: OcpiModule,
    version: OcpiVersion,
  ): Promise<FastifyReply> => {
    const scope = scopeOf(request)
    const given = readParameters(request.url, PAGE_PARAMETERS[module])
    const window: Window = { ...scope, from: given.date_from, to: given.date_to }
    const limit = Math.min(given.limit ?? OCPI_LIMIT, OCPI_LIMIT)
    const offset = given.offset ?? 0
    const { head, position, read: readFresh } = await open(request, scope)
    const pageVersion = versionFrom(head.version, request.url, base)
    reply.header('x-limit', OCPI_LIMIT)
    const isKnown = setVersion(request, reply, pageVersion, position)
    if (isKnown) return reply.code(304).send()
    const key = JSON.stringify([head.version, module, version, window])
    const total = await totals(key, () => countOf(readFresh, module, version, window))
    const pageQuery = { window, after: given.after, offset, limit }
    const page = await pageOf(readFresh, module, version, base, pageQuery)
    reply.header('x-total-count', total)
    if (page.next !== undefined) {
      const query = new URLSearchParams({
        ...(window.from !== undefined && { date_from: window.from }),
        ...(window.to !== undefined && { date_to: window.to }),
        offset: String(offset + page.data.length),
        limit: String(limit),
        after: page.next,
      })
      const path = ocpiPath(version, module, scope.business)
      reply.header('link', `<${base}${path}?${query.toString()}>; rel="next"`)
    }
    return reply.send(envelope(page.data))
  }

  for (const version of OCPI_VERSIONS) {
    const path = (module: string) => ocpiPath(version, module, business)
    app.get(path(''), async (request: Requested, reply) => {
      readParameters(request.url, {})
      const scope = scopeOf(request)
      await open(request, scope)
      return ok(reply, detailsOf(base, scope, version))
    })
    for (const module of OCPI_MODULES)
      app.get(path(module), (request: Requested, reply) => list(request, reply, module, version))
    for (const ids of [':id', ':id/:evse', ':id/:evse/:connector'])
      app.get(path(`locations/${ids}`), async (request: Requested, reply) => {
        readParameters(request.url, {})
        const { id, evse, connector } = request.params
        const target = { scope: scopeOf(request), ids: [id, evse, connector] }
        const found = await objectOf(read, version, base, target)
        if (found === undefined) throw new ApiError(404)
        return ok(reply, found)
      })
  }
  // Clients read errors from the envelope, so unknown paths have one, too.
  app.get(OPEN.ocpiUnknown(business), async () => {
    throw new ApiError(404)
  })
}

const ID_HEADERS = ['x-request-id', 'x-correlation-id']

/**
 * A response repeats the IDs of its request (OCPI, "Transport and format"): 36 printable characters; up to 64 are
 * accepted.
 */
const repeatIds = (app: FastifyInstance): void => {
  app.addHook('onRequest', async ({ headers }, reply) => {
    for (const name of ID_HEADERS) {
      const id = headers[name]
      if (typeof id === 'string' && /^[!-~]{1,64}$/.test(id)) reply.header(name, id)
    }
  })
}

/** Errors use the OCPI envelope as well. */
const answerErrorsOfOcpi = (app: FastifyInstance): void => {
  app.setErrorHandler<ApiError>((error, request, reply) =>
    answerError(error, request, reply, (answer) =>
      envelope(undefined, {
        code: OCPI_CODES[answer.status] ?? OCPI_STATUS.serverError,
        message: sentenceOf(answer, request.url),
      }),
    ),
  )
}

/** The message with the errors of the parameters, in their order, for which the envelope has no other place. */
const sentenceOf = ({ message, data }: ApiError, url: string): string => {
  if (message !== INVALID_INPUT) return message
  const errors = data as Readonly<Record<string, FieldError>>
  const named = [...new Set(queryOf(url).keys())].flatMap((name) =>
    errors[name] === undefined ? [] : [`${name}: ${errors[name].message}`],
  )
  return [message, ...named].join(' ').slice(0, MAX_STATUS_MESSAGE_LENGTH)
}

/** The length of a `status_message` (OCPI, "Response format"). */
const MAX_STATUS_MESSAGE_LENGTH = 255

const OCPI_CODES: Readonly<Record<number, number>> = {
  400: OCPI_STATUS.invalidParameters,
  404: OCPI_STATUS.unknownLocation,
}

const MAX_TOTALS = 200

/** Caches the number of objects in a list while its version is the same. */
const createTotals = () => {
  const known = new Map<string, number>()
  return async (key: string, count: () => Promise<number>): Promise<number> => {
    const total = known.get(key) ?? (await count())
    putRecent(known, key, total, MAX_TOTALS)
    return total
  }
}
