import type { FastifyInstance, FastifyRequest } from 'fastify'

/**
 * The sender of a request. The session is not yet known to be live: every statement looks it up, so that a revoked
 * session is a guest at once.
 */
export interface Caller {
  readonly id: string | null
  readonly sessionId: string | null
  /** The token claims to be a superuser's; the statement verifies it. */
  readonly superuser: boolean
}

export const GUEST: Caller = { id: null, sessionId: null, superuser: false }

const callers = new WeakMap<FastifyRequest, Caller>()

/** Identifies the caller of every request before any other hook runs. */
export const identifyCallers = (
  app: FastifyInstance,
  identify: (request: FastifyRequest) => Promise<Caller>,
): void => {
  app.addHook('onRequest', async (request) => {
    callers.set(request, await identify(request))
  })
}

/** The caller of a request; a guest before `identifyCallers` has run. */
export const callerOf = (request: FastifyRequest): Caller => callers.get(request) ?? GUEST
