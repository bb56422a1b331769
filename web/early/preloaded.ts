import { userIdOf } from '../data/session.ts'

/** Stand in the addresses of a page for the ids of whoever has signed in, and of the site that is edited. */
export const USER = 'USER_ID'
export const SITE = 'SITE_ID'

/** What the script of the page (`start.ts`) leaves for the app. A script in a page can export nothing. */
export interface Early {
  /** Uncaught errors and rejections, for the analytics, if somebody agrees to them (`analytics.ts`). */
  readonly errors: unknown[]
  /** What was asked for, until the app asks the same; undefined for guests. */
  readonly preloaded?: {
    readonly userId: string
    /** When, in milliseconds since 1970. */
    readonly at: number
    /** By their addresses. */
    readonly answers: Map<string, Promise<Response>>
  }
}

declare global {
  var early: Early | undefined
}

/** How old an answer may be: on a slow network the app takes its time to come. */
const MAX_AGE_MS = 30_000

/**
 * The answer to a request that the page has sent already, for the same user: each is given once, and
 * then nothing is left of it. Undefined when this one was not sent. The token may be another one by
 * now: a session is renewed while the app starts.
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

/** What was asked for cannot be called back; nobody waits for it any longer. */
const untilAborted = (
  answer: Promise<Response>,
  signal: AbortSignal | null | undefined,
): Promise<Response> =>
  signal === null || signal === undefined
    ? answer
    : Promise.race([
        // First: who has gone already gets nothing, even if it is there.
        new Promise<never>((_, reject) => {
          const abort = (): void => reject(signal.reason as Error)
          if (signal.aborted) abort()
          else signal.addEventListener('abort', abort, { once: true })
        }),
        answer,
      ])
