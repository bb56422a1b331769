import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

import type { FastifyHttpOptions, FastifyInstance } from 'fastify'

import { ApiError } from '#domain/error.ts'

import { createCounts } from '../concurrency.ts'
import type { Limits } from '../limits.ts'
import { addressKey } from './address.ts'
import type { SecurityHeaders } from './security.ts'

/** The connections of the server and the pending requests on them. */
export interface Connections {
  /** Waits for pending requests, for `drainMs` at most. */
  settled(): Promise<void>
  /**
   * Refuses new connections from now on, so that a proxy opens them to another process, and closes each open connection
   * after its next response, which announces it. Resolves after a moment; from then on, idle connections are closed as
   * well.
   */
  leave(): Promise<void>
  /** The number of open connections. */
  count(): Promise<number>
}

export interface ConnectionsDeps {
  readonly limits: Limits
  readonly headers: SecurityHeaders
  /** Called for each request that is refused before routing, with its status. */
  readonly onBroken: (status: number) => void
  /** Called for each request or response that is aborted because it stalled. */
  readonly onStalled: () => void
  /** Called when a connection could not be accepted. */
  readonly onError: (error: Error) => void
  /** Closes a connection whose client may still be sending. */
  readonly linger: (socket: Socket) => void
}

const MAX_HEADER_BYTES = 16 * 1024
const MAX_HEADERS = 100
/** The timeout for the first request of a new connection while the server stops. */
const FIRST_REQUEST_MS = 3000
const IDLE_CHECK_MS = 25

/** The limits that the HTTP server of Node enforces. */
export const connectionOptions = (deps: ConnectionsDeps) => {
  const { headersMs, requestMs, keepAliveMs } = deps.limits
  return {
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    http: {
      headersTimeout: headersMs,
      connectionsCheckingInterval: Math.min(headersMs, 5000),
      maxHeaderSize: MAX_HEADER_BYTES,
      // `demandHost` responds to a missing host, with the headers and the body of every error.
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => {
      if (error.code === 'ECONNRESET' || socket.destroyed) return
      refuse(deps, socket, EARLY[error.code ?? ''] ?? 400)
    },
  } satisfies FastifyHttpOptions<Server>
}

const EARLY: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
}

/** Responds on the socket itself, if there is no request to reply to, and closes it. */
const refuse = (deps: ConnectionsDeps, socket: Socket, status: number): void => {
  deps.onBroken(status)
  if (!socket.writable) return void socket.destroy()
  const body = JSON.stringify(new ApiError(status).body)
  const headers = {
    ...deps.headers.common,
    'x-request-id': randomUUID(),
    'cache-control': 'no-store',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`
  socket.write(head + body)
  deps.linger(socket)
}

/** A request with its response, and the progress of both at the last check. */
interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  read: number
  delivered: number
  unsent: number
  /** Whether it has been checked before. */
  isSeen: boolean
  /** Whether it has been aborted. */
  isGivenUp: boolean
}

/** Enforces the limits on connections that Node does not have. */
export const guardConnections = (app: FastifyInstance, deps: ConnectionsDeps): Connections => {
  const { server } = app
  const { limits, onError, linger } = deps
  const open = new Set<Exchange>()
  /** The deadline for the first request of each connection; 0 once it has arrived. */
  const connected = new Map<Socket, number>()
  const latest = new WeakMap<Socket, IncomingMessage>()
  const waiting = new Set<() => void>()
  server.maxConnections = limits.connections
  server.maxHeadersCount = MAX_HEADERS
  // For example, too many open files. Errors before listening reject the start.
  server.once('listening', () => server.on('error', onError))
  const takeConnection = createCounts(limits.connectionsPerAddress)
  server.on('connection', (socket: Socket) => {
    const release = takeConnection(addressKey(socket.remoteAddress ?? ''))
    if (release === undefined) return void socket.destroy()
    socket.once('close', release)
    // Node removes its own listener on a CONNECT.
    socket.on('error', () => {})
    const destroySoon = socket.destroySoon.bind(socket)
    // Node calls this after the last response, even if the client still sends.
    socket.destroySoon = () => {
      if (latest.get(socket)?.complete === false) linger(socket)
      else destroySoon()
    }
    connected.set(socket, performance.now() + FIRST_REQUEST_MS)
    socket.once('close', () => connected.delete(socket))
  })
  server.on('connect', (_request: IncomingMessage, socket: Socket) => refuse(deps, socket, 404))
  // Node would respond with 417; an expectation may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    server.emit('request', request, response),
  )
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const exchange = { request, response, isSeen: false, isGivenUp: false, ...look(request.socket) }
    open.add(exchange)
    connected.set(request.socket, 0)
    // Handles writes after the end, for example to an event stream that is being closed.
    response.on('error', () => {})
    latest.set(request.socket, request)
    response.once('finish', () => {
      if (!request.complete) linger(request.socket)
    })
    response.once('close', () => {
      open.delete(exchange)
      for (const tell of waiting) tell()
    })
  })
  let isLeaving = false
  app.addHook('onSend', (request, reply, payload, done) => {
    const { raw } = request
    if (isLeaving) reply.header('connection', 'close')
    const end = (): void => {
      if (!raw.complete) reply.header('connection', 'close')
      done()
    }
    // The rest of a short body usually arrives within this tick, so the connection can be kept.
    if (raw.complete || payload instanceof Readable) end()
    else setImmediate(end)
  })
  const watch = setInterval(() => {
    for (const exchange of open) endStalled(exchange, deps)
  }, limits.stallMs).unref()
  let letting: NodeJS.Timeout | undefined
  const closeIdle = (): void => {
    const busy = new Set([...open].map(({ request }) => request.socket))
    for (const [socket, firstUntil] of connected)
      if (!busy.has(socket) && firstUntil <= performance.now()) socket.destroy()
  }
  app.addHook('onClose', async () => {
    clearInterval(watch)
    clearInterval(letting)
  })
  return {
    count: () => promisify(server.getConnections.bind(server))(),
    leave: async () => {
      isLeaving = true
      // Does not use Node's own `close`, which would also close idle connections: a proxy may be sending a request on
      // one.
      NetServer.prototype.close.call(server)
      await sleep(limits.leaveMs)
      letting ??= setInterval(closeIdle, IDLE_CHECK_MS)
    },
    settled: () => ended(open, waiting, limits.drainMs),
  }
}

/** Waits until none of the exchanges that are open now is open any more, at most for `limitMs`. */
const ended = async (
  open: ReadonlySet<Exchange>,
  waiting: Set<() => void>,
  limitMs: number,
): Promise<void> => {
  const awaited = new Set(open)
  const { promise, resolve } = Promise.withResolvers<void>()
  const check = (): void => {
    if (![...awaited].some((exchange) => open.has(exchange))) resolve()
  }
  waiting.add(check)
  const limit = setTimeout(resolve, limitMs)
  check()
  await promise
  clearTimeout(limit)
  waiting.delete(check)
}

const look = (socket: Socket): Pick<Exchange, 'read' | 'delivered' | 'unsent'> => ({
  read: socket.bytesRead,
  delivered: socket.bytesWritten - socket.writableLength,
  unsent: socket.writableLength,
})

/**
 * Aborts an exchange whose body or response has stalled. A slow connection is not aborted: only the number of
 * bytes since the last check counts.
 */
const endStalled = (exchange: Exchange, { limits, onStalled }: ConnectionsDeps): void => {
  const { request, response } = exchange
  const { stallBytes } = limits
  const { socket } = request
  const now = look(socket)
  const isWaiting = !request.complete && now.read - exchange.read < stallBytes
  const expected = Math.min(exchange.unsent, stallBytes)
  const isUnread = expected > 0 && now.unsent > 0 && now.delivered - exchange.delivered < expected
  const isFirst = !exchange.isSeen
  Object.assign(exchange, now, { isSeen: true })
  if (isFirst || (!isWaiting && !isUnread)) return
  const reader = !exchange.isGivenUp && !response.headersSent && request.listenerCount('error') > 0
  if (!exchange.isGivenUp && !socket.destroyed) onStalled()
  exchange.isGivenUp = true
  // The reader of the body responds with 408, and the connection closes with the response. Destroying the request
  // would close the socket first.
  if (isWaiting && reader) request.emit('error', new ApiError(408))
  else socket.destroy()
}
