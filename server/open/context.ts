import { Readable } from 'node:stream'

import type { FastifyReply, FastifyRequest } from 'fastify'

import { isId } from '#domain/collection.ts'
import { ApiError } from '#domain/error.ts'

import { createAddressLimiter, createConcurrencyLimiter } from '../concurrency.ts'
import type { Config } from '../config.ts'
import type { Replicas } from '../db/replicas.ts'
import type { Sql } from '../db/sql.ts'
import { addressKey } from '../http/address.ts'
import { digestOf, seenPosition, sendPublic, setVersion } from '../http/respond.ts'
import { RETRY_AFTER_S, type Limits } from '../limits.ts'
import { createCatalogues, type Read } from './files.ts'
import { readHead, type Head, type Scope } from './open.ts'

export interface OpenDeps {
  readonly config: Pick<Config, 'publicUrl' | 'productName'>
  readonly replicas: Replicas
  readonly limits: Pick<Limits, 'openFiles' | 'openFilesPerAddress'>
}

export type Requested = FastifyRequest<{ Params: Readonly<Record<string, string | undefined>> }>

/** Reads have a concurrency limit, so that a flood of them occupies few database connections. */
const READ_LIMITS = { concurrency: 4, maxQueue: 1000 }
/** Part of every ETag. Increase it when a writer changes its output, so that caches do not keep the old output. */
const WRITERS_VERSION = 2
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

/** What all routes of open data share: limits, reads and responses. */
export const createContext = ({ config, replicas, limits }: OpenDeps) => {
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
export type Context = ReturnType<typeof createContext>

/** Derives an ETag from the inputs of a response. */
export const versionFrom = (...parts: readonly unknown[]): string =>
  digestOf(JSON.stringify([WRITERS_VERSION, ...parts]))

/** The scope of a request. @throws ApiError 404 */
export const scopeOf = ({ params: { business } }: Requested): Scope => {
  if (business !== undefined && !isId(business)) throw new ApiError(404)
  return { business }
}
