import type { Environment } from './environment.ts'
import type { Watch } from './client.ts'

/** Time without progress after which a request counts as stalled, in milliseconds. */
export const STALL_AFTER_MS = 8000
/** Time without progress after which a request times out, in milliseconds. */
export const REQUEST_TIMEOUT_MS = 30_000

/** Tracks the requests in flight, and whether one of them has stalled. */
export interface Stalls {
  /** Aborts a request with a `TimeoutError` after `REQUEST_TIMEOUT_MS` without progress. */
  readonly watch: Watch
  /** Returns whether a request has made no progress for `STALL_AFTER_MS`. */
  readonly isStalled: () => boolean
  /** Aborts all requests in flight, as if they had timed out. */
  readonly abortAll: () => void
}

interface InFlight {
  isStalled: boolean
  readonly timeOut: () => void
}

/** Watches requests. A device may report a connection that does not work, and then no request ever fails on its own. */
export const createStalls = (env: Pick<Environment, 'after'>, changed: () => void): Stalls => {
  const requests = new Set<InFlight>()
  let isStalled = false
  const update = (): void => {
    const now = [...requests].some((request) => request.isStalled)
    if (now === isStalled) return
    isStalled = now
    changed()
  }

  const watch: Watch = async (caller, send) => {
    const { promise: given, reject } = Promise.withResolvers<never>()
    const controller = new AbortController()
    const request: InFlight = {
      isStalled: false,
      timeOut: () => {
        const error = new DOMException('Nothing gets through', 'TimeoutError')
        reject(error)
        controller.abort(error)
      },
    }
    let timers: readonly (() => void)[] = []
    const stop = (): void => timers.forEach((cancel) => cancel())
    const setStalled = (stalled: boolean): void => {
      request.isStalled = stalled
      update()
    }
    const progress = (retryAfterMs = 0): void => {
      stop()
      if (request.isStalled) setStalled(false)
      timers = [
        env.after(STALL_AFTER_MS, () => setStalled(true)),
        env.after(retryAfterMs + REQUEST_TIMEOUT_MS, request.timeOut),
      ]
    }
    const signal = caller ? AbortSignal.any([caller, controller.signal]) : controller.signal
    requests.add(request)
    progress()
    try {
      return await Promise.race([send({ signal, progress, read: reader(progress) }), given])
    } finally {
      stop()
      requests.delete(request)
      update()
    }
  }

  return {
    watch,
    isStalled: () => isStalled,
    abortAll: () => requests.forEach((request) => request.timeOut()),
  }
}

const reader =
  (progress: () => void) =>
  (response: Response): Promise<unknown> =>
    counted(response, progress).json()

/** The response, with each chunk of its body counted as progress. */
const counted = ({ body, headers }: Response, progress: () => void): Response =>
  new Response(
    body?.pipeThrough(
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform: (chunk, controller) => {
          progress()
          controller.enqueue(chunk)
        },
      }),
    ),
    { headers },
  )
