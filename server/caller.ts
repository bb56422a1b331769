import type { FastifyInstance, FastifyRequest } from 'fastify'

/**
 * Who sent a request. The session is not yet proven to be alive: every statement looks it up
 * itself, so that a revoked session is a guest from that moment on.
 */
export interface Caller {
  readonly id: string | null
  readonly sessionId: string | null
  /** The record is a superuser's; the statement proves it. */
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
