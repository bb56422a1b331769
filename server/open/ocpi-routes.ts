import type { FastifyInstance, FastifyReply } from 'fastify'

import { ApiError, type FieldError } from '#domain/error.ts'
import { OCPI_VERSIONS, ocpiPath, OPEN, type OcpiVersion } from '#domain/open-data.ts'
import { PUBLIC_CACHE_CONTROL } from '#domain/public-read.ts'

import { queryOf, readParameters } from '../http/parameters.ts'
import { answerError, setVersion } from '../http/respond.ts'
import { putRecent } from '../lru.ts'
import { INVALID_INPUT } from '../problem.ts'
import { scopeOf, versionFrom, type Context, type Requested } from './context.ts'
import type { Window } from './ocpi-rows.ts'
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

const pageParameters = (module: OcpiModule) => ({
  date_from: TIME,
  date_to: TIME,
  offset: wholeFrom(0),
  limit: wholeFrom(1),
  /** The start of a page, in links that this server created. `offset` then only states how many objects precede it. */
  after: linkedValue(OCPI_CURSORS[module]),
})
const PAGE_PARAMETERS = {
  locations: pageParameters('locations'),
  tariffs: pageParameters('tariffs'),
}

/** The OCPI Sender. Its errors have the envelope of OCPI. */
export const ocpiRoutes = (
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
  // Clients read errors from the envelope, so unknown paths and methods have one, too.
  void app.register(
    async (unknown) => {
      const refuse = async (): Promise<never> => {
        throw new ApiError(404)
      }
      unknown.setNotFoundHandler(refuse)
      // Otherwise, the route of the web app would take these.
      unknown.get('', refuse)
      unknown.get('/*', refuse)
    },
    { prefix: OPEN.ocpi(business) },
  )
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
