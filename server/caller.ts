import type { FastifyInstance, FastifyRequest } from 'fastify'

import { ApiError } from '#domain/error.ts'
import { IDEMPOTENCY, MAX_CORRELATION_ID_LENGTH } from '#domain/limits.ts'

/**
 * The sender of a request. The session is not yet known to be live: every statement looks it up, so a revoked session
 * becomes a guest immediately.
 */
export interface Caller {
  readonly id: string | null
  readonly sessionId: string | null
  /** The token claims to be a superuser's; the statement verifies it. */
  readonly superuser: boolean
  /** Groups this request with others in the audit log. */
  readonly correlationId?: string
}

/** The error for a request that needs a live session and has none. */
export const unauthorized = (): ApiError =>
  new ApiError(401, 'The request requires valid record authorization token.')

export const GUEST: Caller = { id: null, sessionId: null, superuser: false }

/** The form of a `Correlation-Id`. */
export const CORRELATION_ID = new RegExp(`^[A-Za-z0-9_-]{1,${MAX_CORRELATION_ID_LENGTH}}$`)

/** The format of an `Idempotency-Key` header: visible ASCII characters. */
export const IDEMPOTENCY_KEY = new RegExp(`^[!-~]{1,${IDEMPOTENCY.keyLength}}$`)

const callers = new WeakMap<FastifyRequest, Caller>()

/** Identifies the caller of every request before any other hook runs. */
export const identifyCallers = (
  app: FastifyInstance,
  identify: (request: FastifyRequest) => Promise<Caller>,
): void => {
  app.addHook('onRequest', async (request) => {
    const caller = await identify(request)
    const id = request.headers['correlation-id']
    // Any other value is ignored: nothing depends on the header.
    const isValid = typeof id === 'string' && CORRELATION_ID.test(id)
    callers.set(request, isValid ? { ...caller, correlationId: id } : caller)
  })
}

/** The caller of a request; a guest before `identifyCallers` has run. */
export const callerOf = (request: FastifyRequest): Caller => callers.get(request) ?? GUEST
