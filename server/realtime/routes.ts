import type { FastifyInstance, FastifyRequest } from 'fastify'

import { RETRY_AFTER_S } from '../limits.ts'
import type { Schema } from '#domain/collection.ts'
import { REALTIME_LIMITS, MiB } from '#domain/limits.ts'
import { API, REDIRECT_PATHS } from '#domain/paths.ts'
import { ApiError, fieldError } from '#domain/error.ts'
import { pickLanguage, type Language } from '#domain/language.ts'

import { callerOf, type Caller } from '../caller.ts'
import { createAddressLimiter } from '../concurrency.ts'
import { invalidInput } from '../problem.ts'
import { randomText } from '../db/random.ts'
import { addressKey } from '../http/address.ts'
import { SIGN_IN_WINDOW } from '../messages/messages.ts'
import type { Peer, Realtime, Sink } from './realtime.ts'
import { neverReceives } from './topic.ts'

/** A client with a larger backlog is disconnected, and reads everything again after it reconnects. */
const MAX_UNREAD_BYTES = MiB
const COOKIE = 'realtime'

const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // Keeps nginx from buffering events.
  'x-accel-buffering': 'no',
}

type Query = Readonly<Record<string, string | undefined>>

export interface RealtimeRoutesOptions {
  /** The base path. */
  readonly path: string
  readonly isPublic: boolean
  readonly schema: Schema
  /** Maximum number of open streams per address. */
  readonly maxStreams: number
}

/** Realtime over HTTP (record interface 6), and the redirect of the popup sign-in (5.5). */
export const realtimeRoutes = (
  app: FastifyInstance,
  realtime: Realtime,
  { path, isPublic, schema, maxStreams }: RealtimeRoutesOptions,
): void => {
  const takePlace = createAddressLimiter({
    perAddress: maxStreams,
    retryAfterS: RETRY_AFTER_S.streams,
  })
  const options = { exposeHeadRoute: false, config: { kind: 'eventStream' } } as const
  app.get(API.realtime, options, async (request, reply) => {
    // Before the first await: the slot is released when the connection closes.
    reply.raw.once('close', takePlace(addressKey(request.ip)))
    await realtime.ready()
    const peer = peerOf(request)
    const browser = peer.browser ?? randomText(30)
    const { raw } = reply
    if (raw.destroyed) return reply.hijack()
    const cookie = `${COOKIE}=${browser}; Path=${path}/api; HttpOnly; SameSite=Lax${isPublic ? '; Secure' : ''}`
    if (peer.browser === undefined) reply.header('set-cookie', cookie)
    reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) raw.setHeader(name, value)
    raw.writeHead(200, STREAM_HEADERS)
    const sink: Sink = {
      write: (message) => {
        raw.write(message)
        if (raw.writableLength > MAX_UNREAD_BYTES) raw.destroy()
      },
      end: () => raw.end(),
    }
    raw.once('close', realtime.connect({ ...peer, browser }, sink))
    return reply
  })

  // The headers of a stream, without opening one that nothing would read.
  app.head(API.realtime, (_request, reply) => reply.headers(STREAM_HEADERS).send())

  app.post(API.realtime, async (request, reply) => {
    const caller = callerOf(request)
    const { clientId, subscriptions } = readSubscribe(schema, caller, request.body)
    await realtime.subscribe(clientId, peerOf(request), caller, subscriptions)
    return reply.code(204).send()
  })

  const [, redirectPath] = REDIRECT_PATHS
  app.get<{ Querystring: Query }>(redirectPath, async (request, reply) => {
    const { state = '', code = '', error = '' } = request.query
    const delivered = await realtime.handOver(state, peerOf(request), { code, error })
    const done = delivered && code !== '' && error === ''
    return (
      reply
        .header('cache-control', 'no-store')
        // With a policy other than the opener's, the browser would separate the two, and the popup could not be closed.
        .header('cross-origin-opener-policy', 'unsafe-none')
        .type('text/html; charset=utf-8')
        .send(pageFor(pickLanguage(request.headers['accept-language']), done))
    )
  })
  // A form post from another site lacks the cookie that identifies the browser; a GET has it.
  app.post(redirectPath, ({ body }, reply) => {
    const sent = body instanceof URLSearchParams ? body : new URLSearchParams()
    const answer = ['state', 'code', 'error'].map((name) => [name, sent.get(name) ?? ''])
    return reply
      .header('cache-control', 'no-store')
      .redirect(`${path}${redirectPath}?${new URLSearchParams(answer).toString()}`, 303)
  })
}

const peerOf = (request: FastifyRequest): Peer => ({
  address: addressKey(request.ip),
  browser: /(?:^|;\s*)realtime=([a-z0-9]{30})(?:;|$)/.exec(request.headers.cookie ?? '')?.[1],
})

const readSubscribe = (
  schema: Schema,
  caller: Caller,
  body: unknown,
): { clientId: string; subscriptions: readonly string[] } => {
  const sent =
    body instanceof URLSearchParams
      ? { clientId: body.get('clientId'), subscriptions: body.getAll('subscriptions') }
      : ((body ?? {}) as { clientId?: unknown; subscriptions?: unknown })
  const { clientId = '', subscriptions = [] } = sent
  if (typeof (clientId ?? '') !== 'string' || !Array.isArray(subscriptions ?? []))
    throw new ApiError(400, MALFORMED)
  const texts = (subscriptions ?? []) as unknown[]
  if (!texts.every((each) => typeof each === 'string')) throw new ApiError(400, MALFORMED)
  if (!clientId) throw invalidInput({ clientId: fieldError('validation_required') })
  const tooLong = (max: number) => fieldError('validation_length_too_long', { max })
  const { subscriptions: most, subscriptionLength: longest, totalLength } = REALTIME_LIMITS
  if (texts.length > most) throw invalidInput({ subscriptions: tooLong(most) })
  const long = texts.flatMap((each, index) =>
    Array.from(each).length > longest ? [[index, tooLong(longest)]] : [],
  )
  if (long.length > 0) throw invalidInput({ subscriptions: Object.fromEntries(long) as object })
  if (texts.reduce((sum, { length }) => sum + length, 0) > totalLength)
    throw invalidInput({ subscriptions: tooLong(totalLength) })
  // An error is better than a subscription that never receives an event.
  const silent = texts.flatMap((each, index) =>
    neverReceives(schema, caller, each)
      ? [[index, fieldError('validation_invalid_value', { value: each.slice(0, 100) })]]
      : [],
  )
  if (silent.length > 0) throw invalidInput({ subscriptions: Object.fromEntries(silent) as object })
  return { clientId: clientId as string, subscriptions: [...new Set(texts)] }
}

const MALFORMED = 'An error occurred while loading the submitted data.'

const pageFor = (language: Language, done: boolean): string => {
  const sentence = SIGN_IN_WINDOW[language][done ? 'done' : 'failed']
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${sentence}</title>
<link rel="icon" href="data:,">
</head>
<body>
<p>${sentence}</p>
</body>
</html>
`
}
