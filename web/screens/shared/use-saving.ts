import { useRef, useState } from 'react'

import { useStalled, useStore } from '../../data/react.ts'
import { useOnline } from '../../browser/use-online.ts'

/** The failure of a save; undefined on success. */
interface Outcome {
  readonly stalled: boolean
}

export interface Saving {
  /** Queues the next save on the device. */
  readonly queueNext: () => void
  /** Returns and resets that request. */
  readonly takeQueueNext: () => boolean
  /** A save is in flight. */
  readonly isSending: boolean
  /** Saves are queued while offline. */
  readonly isOffline: boolean
  /** A request has stalled. */
  readonly isStalled: boolean
  /** Aborts the save in flight; `send` then returns. */
  readonly stop: (andThen: 'queue' | 'discard') => void
  /**
   * Sends, or queues if the request stalls. Resolves to the last failure, or to `discarded` if the user has aborted it
   * to discard the changes.
   */
  readonly send: <T extends Outcome>(
    save: () => Promise<T | undefined>,
    queue: ((failed: T) => Promise<T | undefined>) | undefined,
  ) => Promise<T | 'discarded' | undefined>
}

/** Submits a form over an unreliable connection. */
export const useSaving = (): Saving => {
  const store = useStore()
  const isOffline = !useOnline()
  const isStalled = useStalled()
  const [isSending, setSending] = useState(false)
  const isQueueNext = useRef(false)
  const isDiscarded = useRef(false)
  return {
    queueNext: () => {
      isQueueNext.current = true
    },
    takeQueueNext: () => {
      const wanted = isOffline || isQueueNext.current
      isQueueNext.current = false
      return wanted
    },
    isSending,
    isOffline,
    isStalled: isSending && (isStalled || isOffline),
    stop: (andThen) => {
      isDiscarded.current = andThen === 'discard'
      store.abortRequests()
    },
    send: async (save, queue) => {
      isDiscarded.current = false
      setSending(true)
      const failed = await save().finally(() => setSending(false))
      if (failed === undefined) return undefined
      if (isDiscarded.current) return 'discarded'
      return failed.stalled && queue !== undefined ? queue(failed) : failed
    },
  }
}
