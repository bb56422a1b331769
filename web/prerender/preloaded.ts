import { userIdOf } from '../data/session.ts'

/** Placeholders in the addresses of a page for the ids of the signed-in user and the edited site. */
export const USER = 'USER_ID'
export const SITE = 'SITE_ID'

/** The data that the inline script (`start.ts`) passes to the app. An inline script has no exports. */
export interface Early {
  /** Uncaught errors and rejections, for analytics with consent (`analytics.ts`). */
  readonly errors: unknown[]
  /** The preloaded responses, until the app requests them; undefined for guests. */
  readonly preloaded?: {
    readonly userId: string
    /** Time of the requests, in milliseconds since 1970. */
    readonly at: number
    /** By URL. */
    readonly answers: Map<string, Promise<Response>>
  }
}

declare global {
  var early: Early | undefined
}

/** Maximum age of a response; on a slow network, the app takes long to load. */
const MAX_AGE_MS = 30_000

/**
 * Returns the preloaded response to a request of the same user; each is returned once. Undefined if the request was not
 * preloaded. The token is not compared, because it may be renewed while the app starts.
 */
export const takePreloaded = (
  url: RequestInfo | URL,
  init: RequestInit = {},
): Promise<Response> | undefined => {
  const preloaded = globalThis.early?.preloaded
  if (preloaded === undefined || (init.method ?? 'GET') !== 'GET') return undefined
  if (userIdOf(new Headers(init.headers).get('Authorization') ?? '') !== preloaded.userId)
    return undefined
  const address = url instanceof Request ? url.url : url.toString()
  const answer = preloaded.answers.get(address)
  preloaded.answers.delete(address)
  const isOld = Date.now() - preloaded.at > MAX_AGE_MS
  return answer === undefined || isOld ? undefined : untilAborted(answer, init.signal)
}

/** Rejects when the signal aborts; the preloaded request itself cannot be cancelled. */
const untilAborted = (
  answer: Promise<Response>,
  signal: AbortSignal | null | undefined,
): Promise<Response> =>
  signal === null || signal === undefined
    ? answer
    : Promise.race([
        // First, so that an aborted request rejects even if the response is there.
        new Promise<never>((_, reject) => {
          const abort = (): void => reject(signal.reason as Error)
          if (signal.aborted) abort()
          else signal.addEventListener('abort', abort, { once: true })
        }),
        answer,
      ])
