import type { Environment } from './environment.ts'
import type { Watch } from './client.ts'

/** After how long without any progress another way is offered, in milliseconds. */
export const STALL_AFTER_MS = 8000
/** After how long without any progress a request is given up, in milliseconds. */
export const GIVE_UP_AFTER_MS = 30_000

/** The requests that are on their way, and whether one of them has come to a standstill. */
export interface Stalls {
  /** Gives up a request with a `TimeoutError` when nothing moves for `GIVE_UP_AFTER_MS`. */
  readonly watch: Watch
  /** Has a request made no progress for `STALL_AFTER_MS`? */
  readonly isStalled: () => boolean
  /** Gives up all requests that are on their way, as if they had timed out. */
  readonly giveUp: () => void
}

interface OnItsWay {
  isStalled: boolean
  readonly giveUp: () => void
}

/**
 * Watches requests: a browser that says it is online may be in a place where nothing gets through,
 * and then no request ever fails by itself.
 */
export const createStalls = (env: Pick<Environment, 'after'>, changed: () => void): Stalls => {
  const requests = new Set<OnItsWay>()
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
    const request: OnItsWay = {
      isStalled: false,
      giveUp: () => {
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
        env.after(retryAfterMs + GIVE_UP_AFTER_MS, request.giveUp),
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
    giveUp: () => requests.forEach((request) => request.giveUp()),
  }
}

/** Reads an answer to its end; each part of it is progress. */
const reader =
  (progress: () => void) =>
  (response: Response): Promise<unknown> =>
    new Response(
      response.body?.pipeThrough(
        new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
          transform: (chunk, controller) => {
            progress()
            controller.enqueue(chunk)
          },
        }),
      ),
    ).json()
