import { useRef, useState } from 'react'

import { useStalled, useStore } from '../../data/react.ts'
import { useOnline } from '../../browser/use-online.ts'

/** What a save that failed tells: nothing when it worked. */
interface Outcome {
  readonly stalled: boolean
}

export interface Saving {
  /** The next save is kept on the device, to be sent when there is a connection. */
  readonly wantKept: () => void
  /** Was that wanted? Forgets it. */
  readonly takeKept: () => boolean
  /** Saves are kept on the device for now. */
  readonly isOffline: boolean
  /** Something is being sent, and nothing gets through. */
  readonly isStalled: boolean
  /** Stops the save that is on its way; `send` then ends. */
  readonly stop: (andThen: 'keep' | 'discard') => void
  /**
   * Sends; where nothing gets through, keeps instead. Tells what failed at last, or `discarded` when
   * the person has stopped it to throw the changes away.
   */
  readonly send: <T extends Outcome>(
    save: () => Promise<T | undefined>,
    keep: ((failed: T) => Promise<T | undefined>) | undefined,
  ) => Promise<T | 'discarded' | undefined>
}

/** How a form is sent where the connection is not to be trusted. */
export const useSaving = (): Saving => {
  const store = useStore()
  const isOffline = !useOnline()
  const isStalled = useStalled()
  const [isSending, setSending] = useState(false)
  const wantsKept = useRef(false)
  const isDiscarded = useRef(false)
  return {
    wantKept: () => {
      wantsKept.current = true
    },
    takeKept: () => {
      const wanted = isOffline || wantsKept.current
      wantsKept.current = false
      return wanted
    },
    isOffline,
    isStalled: isSending && (isStalled || isOffline),
    stop: (andThen) => {
      isDiscarded.current = andThen === 'discard'
      store.giveUp()
    },
    send: async (save, keep) => {
      isDiscarded.current = false
      setSending(true)
      const failed = await save().finally(() => setSending(false))
      if (failed === undefined) return undefined
      if (isDiscarded.current) return 'discarded'
      return failed.stalled && keep !== undefined ? keep(failed) : failed
    },
  }
}
