import type { FastifyInstance, FastifyRequest } from 'fastify'

import { ApiError, fieldError } from '#domain/error.ts'
import { API, SERVICE_API } from '#domain/paths.ts'
import { PUBLIC_READ_LIMITS } from '#domain/public-read.ts'

import { invalidInput } from '../problem.ts'
import type { Replicas } from '../db/replicas.ts'
import type { Sql } from '../db/sql.ts'
import { addressKey } from '../http/address.ts'
import { readParameters } from '../http/parameters.ts'
import { digestOf, seenPosition, sendPublic } from '../http/respond.ts'
import type { Key } from './filter.ts'
import {
  cursorOf,
  filterOf,
  keyOfCursor,
  PUBLIC_PARAMETERS,
  readLine,
  type PageParameters,
} from './parameters.ts'
import {
  createPublicReads,
  findPublicSite,
  type ListRow,
  type Scope,
  type TilePlace,
} from './public.ts'
import { createPublicReadQueue } from './read-queue.ts'

/** The public reads, available to any page without a token (decision 0085). */
export const publicRoutes = (app: FastifyInstance, replicas: Replicas): void => {
  const readsOn = createPublicReads()
  const readQueue = createPublicReadQueue()
  const read = <T>(
    request: FastifyRequest,
    work: (sql: Sql) => Promise<T>,
    runQueued = readQueue.read,
  ) => runQueued(addressKey(request.ip), () => replicas.read(work, seenPosition(request)))

  /** Reads a page of a list, as JSON or GeoJSON. */
  const readPage = async (
    request: FastifyRequest,
    scope: Scope,
    given: PageParameters,
    after: Key | undefined,
  ) => {
    const { limit, format } = given
    const options = { filter: filterOf(given), after, limit }
    const { value, position } = await read(
      request,
      (sql) => readsOn(sql).list(scope, options),
      scope.kind === 'corridor' ? readQueue.readLine : readQueue.read,
    )
    const page = value.rows
    const next = value.next === undefined ? null : cursorOf(scope.kind, value.next)
    // Hashing the versions takes a tenth of the time of hashing the body.
    const version = digestOf(page.map((row) => row.version).join(' ') + (next ?? ''))
    return format === 'geojson'
      ? { type: 'application/geo+json', body: geoJsonOf(page, next), version, position }
      : { type: 'application/json', body: jsonOf(page, next), version, position }
  }

  app.get(
    API.publicSite(':id'),
    async (request: FastifyRequest<{ Params: { id: string } }>, reply) => {
      readParameters(request.url, PUBLIC_PARAMETERS.site)
      const { value: found, position } = await read(request, (sql) =>
        findPublicSite(sql, request.params.id),
      )
      if (found === undefined) throw new ApiError(404)
      if (found.kind === 'removed') {
        const { latitude, longitude } = found
        throw new ApiError(410, 'The site was removed.', { latitude, longitude })
      }
      const { json: body, version } = found
      return sendPublic(request, reply, { type: 'application/json', body, version, position })
    },
  )

  app.get(API.publicSites, async (request, reply) => {
    const given = readParameters(request.url, PUBLIC_PARAMETERS.list)
    const scope = scopeOf(given)
    const after = keyOfCursor(given.cursor, scope)
    return sendPublic(request, reply, await readPage(request, scope, given, after))
  })

  // A read, although it uses POST: a line is too long for a URL. Caches do not store responses to POST (RFC 9110
  // 9.3.3).
  app.post(
    SERVICE_API.publicRoute,
    { bodyLimit: PUBLIC_READ_LIMITS.routeBytes, config: { acceptsGuestBodies: true } },
    async (request, reply) => {
      const given = readParameters(request.url, PUBLIC_PARAMETERS.route)
      const line = readLine(request.body)
      const scope: Scope = { kind: 'corridor', line, withinM: given.within }
      const { type, body } = await readPage(request, scope, given, given.cursor)
      return reply.header('cache-control', 'no-store').type(type).send(body)
    },
  )

  app.get(API.publicSuggest, async (request, reply) => {
    const { q } = readParameters(request.url, PUBLIC_PARAMETERS.suggest)
    if (q === undefined) throw invalidInput({ q: fieldError('validation_required') })
    const { value: items, position } = await read(request, (sql) => readsOn(sql).suggest(q))
    const body = JSON.stringify({ items })
    return sendPublic(request, reply, { type: 'application/json', body, position })
  })

  app.get(
    API.publicTile(':z', ':x', ':y'),
    async (request: FastifyRequest<{ Params: Record<'z' | 'x' | 'y', string> }>, reply) => {
      const place = tilePlaceOf(request.params)
      const filter = filterOf(readParameters(request.url, PUBLIC_PARAMETERS.tile))
      const { value: tile, position } = await read(request, (sql) =>
        readsOn(sql).tile(place, filter),
      )
      return sendPublic(request, reply, { type: TILE_TYPE, body: Buffer.from(tile), position })
    },
  )
}

const TILE_TYPE = 'application/vnd.mapbox-vector-tile'

/** Exactly one of the parameters selects the sites; `business` is sufficient too. */
const scopeOf = ({
  near,
  bbox,
  q,
  business,
}: {
  readonly near: (Scope & { kind: 'near' })['at'] | undefined
  readonly bbox: (Scope & { kind: 'box' })['box'] | undefined
  readonly q: readonly string[] | undefined
  readonly business: string | undefined
}): Scope => {
  const scopes = {
    ...(near !== undefined && { near: { kind: 'near', at: near } as const }),
    ...(bbox !== undefined && { bbox: { kind: 'box', box: bbox } as const }),
    ...(q !== undefined && { q: { kind: 'words', words: q } as const }),
  }
  const [scope, ...others] = Object.values(scopes)
  if (others.length > 0)
    throw new ApiError(
      400,
      'Only one of "near", "bbox" and "q" can be given.',
      Object.fromEntries(
        Object.keys(scopes).map((name) => [name, fieldError('validation_in_invalid')]),
      ),
    )
  if (scope !== undefined) return scope
  if (business !== undefined) return { kind: 'business' }
  throw new ApiError(400, 'One of "near", "bbox", "q" and "business" is needed.', {
    near: fieldError('validation_required'),
  })
}

/** @throws ApiError 404 outside the map */
const tilePlaceOf = (params: Readonly<Record<'z' | 'x' | 'y', string>>): TilePlace => {
  const [z = NaN, x = NaN, y = NaN] = [params.z, params.x, params.y].map((text) =>
    /^\d{1,8}$/.test(text) ? Number(text) : NaN,
  )
  if (z <= PUBLIC_READ_LIMITS.maxZoom && x < 2 ** z && y < 2 ** z) return { z, x, y }
  throw new ApiError(404)
}

const jsonOf = (rows: readonly ListRow[], next: string | null): string =>
  `{"items":[${rows.map(({ json }) => json).join(',')}],"next":${JSON.stringify(next)}}`

const geoJsonOf = (rows: readonly ListRow[], next: string | null): string => {
  const features = rows.map(
    ({ json, id, latitude, longitude }) =>
      `{"type":"Feature","id":"${id}","geometry":{"type":"Point","coordinates":[${longitude},${latitude}]},"properties":${json}}`,
  )
  return `{"type":"FeatureCollection","features":[${features.join(',')}],"next":${JSON.stringify(next)}}`
}
