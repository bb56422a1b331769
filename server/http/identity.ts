import type { FastifyInstance, FastifyRequest } from 'fastify'

import { GUEST, type Auth, type Caller } from '../auth/auth.ts'

const callers = new WeakMap<FastifyRequest, Caller>()

/** Reads who asks before anything else looks at a request. */
export const identifyCallers = (app: FastifyInstance, auth: Auth): void => {
  app.addHook('onRequest', async (request) => {
    callers.set(request, await auth.identify(request))
  })
}

/** Who sent a request. */
export const callerOf = (request: FastifyRequest): Caller => callers.get(request) ?? GUEST
