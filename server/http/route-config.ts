import type { FastifyInstance } from 'fastify'

/** The rate limits of single routes; all others depend on the kind of the route and on the method. */
export type RouteRateLimit = 'sign-in' | 'mails' | 'geocoding' | 'duplicates' | 'reports'

export type RouteKind = 'publicRead' | 'eventStream' | 'monitoring'

declare module 'fastify' {
  /** What limits, metrics and traces need to know of a route. It is declared with the route. */
  interface FastifyContextConfig {
    /**
     * A public read has the limits of public reads. An event stream has its own limit per address, and no duration.
     * Monitoring has no limit and no traces.
     */
    kind?: RouteKind
    rateLimit?: RouteRateLimit
    /** Reads a form completely before the request is admitted, like JSON. */
    buffersForms?: boolean
    /** Accepts bodies of guests up to its own limit instead of `SMALL_BODY_BYTES`. */
    acceptsGuestBodies?: boolean
    /** Does not wait for other requests of its account. */
    skipsCallerQueue?: boolean
  }
}

/** Registers routes and declares all of them to be public reads. */
export const registerPublicReads = (
  app: FastifyInstance,
  register: (reads: FastifyInstance) => void | Promise<void>,
): PromiseLike<unknown> =>
  app.register(async (reads) => {
    reads.addHook('onRoute', (route) => {
      route.config = { ...route.config, kind: 'publicRead' }
    })
    await register(reads)
  })
