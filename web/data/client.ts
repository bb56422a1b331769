import type PocketBase from 'pocketbase'

import { NOT_FOUND } from '#domain/error.ts'

import type { Environment } from './environment.ts'
import type { Session } from './session.ts'
import type { Problem, Refusal } from './state.ts'

/** The official SDK, loaded on first use. */
export type LoadClient = () => Promise<PocketBase>

/** Tracks the writes that this page sends. */
export interface Writes {
  /** Milliseconds since the last write finished; 0 while one is in flight. */
  readonly idleFor: () => number
  readonly track: (sending: Promise<Response>) => Promise<Response>
}

export const createWrites = (env: Pick<Environment, 'now'>): Writes => {
  let sending = 0
  let endedAt = Number.NEGATIVE_INFINITY
  return {
    idleFor: () => (sending > 0 ? 0 : env.now() - endedAt),
    track: async (promise) => {
      sending++
      try {
        return await promise
      } finally {
        sending--
        endedAt = env.now()
      }
    },
  }
}

/**
 * Prepares the SDK. It reads the session but never writes it: a response that arrives after the sign-out would
 * otherwise sign the user in again. The caller that requested a session saves it.
 */
export const prepareClient = (
  env: Environment,
  session: Session,
  writes: Writes,
  send: Send,
): LoadClient => {
  let loading: Promise<PocketBase> | undefined

  const load = async (): Promise<PocketBase> => {
    const { default: Client, BaseAuthStore } = await import('pocketbase')
    class ReadOnlyStore extends BaseAuthStore {
      override get token() {
        return session.token()
      }
      override get record() {
        const user = session.user()
        return user === null ? null : { ...user }
      }
      override save() {}
      override clear() {}
    }
    const client = new Client(env.origin + env.basePath, new ReadOnlyStore())
    client.beforeSend = (url, options) => {
      const headers: Record<string, string> = {
        ...options.headers,
        'Accept-Language': env.language(),
      }
      // The SDK adds the token of the session unless the call has one; an empty one is a call without.
      if (headers['Authorization'] === '') delete headers['Authorization']
      options.headers = headers
      options.fetch ??= (target, init) => {
        const answer = send(target, init)
        return options.method === 'GET' ? answer : writes.track(answer)
      }
      return { url, options }
    }
    return client
  }

  return () => {
    loading ??= load().catch(() => {
      loading = undefined
      throw new Failure('offline')
    })
    return loading
  }
}

/** Maximum time to retry a call after responses with `Retry-After`. */
const TIMEOUT_MS = 90_000

/** Sends a request. `upload` creates a `fetch` that reports upload progress. */
export type Send = (
  url: RequestInfo | URL,
  init?: RequestInit,
  upload?: (progress: () => void) => Environment['fetch'],
) => Promise<Response>

/** Passed to a request whose progress is watched. */
interface Watched {
  /** Aborted when the caller cancels or the request times out. */
  readonly signal: AbortSignal
  /** Records progress; `retryAfterMs` is the wait that the server asked for with `Retry-After`. */
  readonly progress: (retryAfterMs?: number) => void
  readonly read: (response: Response) => Promise<unknown>
}

/** Runs a request with a timeout. May reject with a `TimeoutError`. */
export type Watch = <T>(
  caller: AbortSignal | null | undefined,
  run: (watched: Watched) => Promise<T>,
) => Promise<T>

/** A fixed timeout; the default is sufficient for requests of guests. Requests of owners time out by progress. */
export const fixedTimeout =
  (timeoutMs = TIMEOUT_MS): Watch =>
  (caller, run) => {
    const limit = AbortSignal.timeout(timeoutMs)
    return run({
      signal: caller ? AbortSignal.any([caller, limit]) : limit,
      progress: () => {},
      read: (response) => response.json(),
    })
  }

/** Creates the function that sends requests. After a response with `Retry-After`, it waits and retries. */
export const createSend =
  (env: Environment, watch: Watch): Send =>
  (url, init, upload) => {
    const deadline = env.now() + TIMEOUT_MS
    return watch(init?.signal, async ({ signal, progress, read }) => {
      const fetch = upload?.(progress) ?? env.fetch
      for (;;) {
        const response = await fetch(url, { ...init, signal })
        const waitMs = requestedWait(response, env.now())
        if (waitMs === undefined || env.now() + waitMs > deadline)
          return init?.method === 'HEAD' ? response : readWhole(response, read)
        progress(waitMs)
        await pause(env, waitMs, signal)
      }
    })
  }

/**
 * Reads a response body to its end. If the connection breaks, for example when the page is left, the SDK treats the
 * body as empty, and a renewed session would be lost.
 */
const readWhole = async (response: Response, read: Watched['read']): Promise<Response> => {
  if (!response.ok || response.status === 204) return response
  const body = await read(response)
  response.json = () => Promise.resolve(body)
  return response
}

const requestedWait = (response: Response, now: number): number | undefined => {
  if (response.status !== 429 && response.status !== 503) return undefined
  const text = response.headers.get('Retry-After')
  if (text === null) return undefined
  const waitMs = /^\d+$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isFinite(waitMs) ? Math.max(waitMs, 1000) : undefined
}

const pause = (env: Environment, delayMs: number, signal?: AbortSignal | null): Promise<void> =>
  new Promise((resolve, reject) => {
    const cancel = env.after(delayMs, resolve)
    signal?.addEventListener('abort', () => {
      cancel()
      reject(signal.reason as Error)
    })
  })

/** An error with a known cause. */
export class Failed extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.kind)
    this.name = 'Failed'
    this.problem = problem
  }
}

/** An error detected by the data core itself, before or after a call. */
export class Failure extends Failed {
  constructor(kind: Problem['kind'], status = 0) {
    super({ kind, status, fields: {} })
  }
}

/** Thrown when one step of a write fails; `cause` is the error of that step. */
export class StepFailed extends Error {
  readonly details: Omit<Refusal, 'problem' | 'value'>

  constructor(cause: unknown, details: Omit<Refusal, 'problem' | 'value'>) {
    super(details.action, { cause })
    this.name = 'StepFailed'
    this.details = details
  }
}

/** Returns whether the same call may succeed later without a change to its input. */
export const isTransient = ({ kind, status }: Problem): boolean =>
  ['offline', 'timeout', 'signedOut', 'tooMany', 'unavailable'].includes(kind) || status >= 500

/** The relevant parts of the SDK's error. The SDK is loaded lazily, so there is no class to compare with. */
interface SdkError {
  readonly status: number
  readonly isAbort: boolean
  readonly response: { readonly message?: unknown; readonly data?: unknown }
  /** The error that stopped the request. */
  readonly originalError: { readonly name?: unknown } | null
}

const asSdkError = (error: unknown): SdkError | undefined =>
  error instanceof Error && 'isAbort' in error ? (error as unknown as SdkError) : undefined

/** Returns whether the error is a bug, and not a response of the server or a network failure. */
export const isBug = (error: unknown): boolean =>
  !(error instanceof Failed) && asSdkError(error) === undefined

/** Returns whether the call was cancelled by a newer one of the same kind (spec 8). */
export const isCancelled = (error: unknown): boolean => asSdkError(error)?.isAbort === true

/** Returns whether a first-item lookup found nothing (spec 8). */
export const isNothingFound = (error: unknown): boolean => {
  const refusal = asSdkError(error)
  return refusal?.status === 404 && refusal.response.message === NOT_FOUND
}

/** Returns whether the server refused the field because its value is not unique. */
export const isNotUnique = (error: unknown, field: string): boolean =>
  toProblem(error).fields[field]?.code === 'validation_not_unique'

/** Returns whether an earlier request with the same `Idempotency-Key`, but another body, has succeeded. */
export const isKeyUsed = (error: unknown): boolean => asSdkError(error)?.status === 422

/**
 * Returns the request of a batch that was refused, and the reason; undefined if the batch failed for another reason.
 */
export const refusedRequest = (
  error: unknown,
): { readonly index: number; readonly problem: Problem } | undefined => {
  const data = asSdkError(error)?.response.data as
    | { readonly requests?: Readonly<Record<string, { readonly response?: unknown }>> }
    | undefined
  const [index, request] = Object.entries(data?.requests ?? {})[0] ?? []
  const answer = request?.response as
    | { readonly status?: number; readonly data?: unknown }
    | undefined
  if (index === undefined || answer?.status === undefined) return undefined
  return { index: Number(index), problem: problemOf(answer.status, answer.data) }
}

/** Converts an error to the problem that screens show. */
export const toProblem = (error: unknown): Problem => {
  if (error instanceof Failed) return error.problem
  const refusal = asSdkError(error)
  if (refusal === undefined) return { kind: 'unexpected', status: 0, fields: {} }
  const { status } = refusal
  const isTimeout = refusal.originalError?.name === 'TimeoutError'
  if (status === 0) return { kind: isTimeout ? 'timeout' : 'offline', status, fields: {} }
  return problemOf(status, refusal.response.data)
}

/** Returns the problem for a response with this status and data. */
export const problemOf = (status: number, data: unknown): Problem => {
  const fields = fieldErrors(data)
  return { kind: kindOf(status, Object.keys(fields).length > 0), status, fields }
}

const kindOf = (status: number, hasFields: boolean): Problem['kind'] =>
  status === 400 && hasFields ? 'invalid' : (KINDS[status] ?? 'unexpected')

const KINDS: Readonly<Record<number, Problem['kind']>> = {
  401: 'signedOut',
  404: 'notFound',
  412: 'conflict',
  413: 'tooLarge',
  429: 'tooMany',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
}

const fieldErrors = (data: unknown): Problem['fields'] => {
  if (typeof data !== 'object' || data === null) return {}
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]: [string, unknown]) => {
      if (typeof value !== 'object' || value === null) return []
      const { code, params } = value as { code?: unknown; params?: Record<string, unknown> }
      return typeof code === 'string'
        ? [[name, params === undefined ? { code } : { code, params }]]
        : []
    }),
  )
}
