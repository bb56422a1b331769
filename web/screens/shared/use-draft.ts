import { useCallback, useEffect, useRef, useState } from 'react'

import type { DraftContent, DraftSlot, DraftStatus } from '../../data/state.ts'

/** How long after the last change a draft is kept. */
const REST_MS = 500

interface Options {
  readonly slot: DraftSlot
  readonly isNew: boolean
  /** A draft was there when the form was opened. */
  readonly restored: boolean
  /** What the form would lose now; nothing when it is as it was stored. */
  readonly content: () => DraftContent | undefined
}

interface KeptDraft {
  /** What came of keeping it last. */
  readonly kept: DraftStatus | undefined
  /** Something was changed. */
  readonly touch: () => void
  /** A file was chosen: it takes its time, and is not left to the last moment. */
  readonly touchNow: () => void
  /** The draft is not needed any more: it was saved, or thrown away. */
  readonly drop: () => void
  /** The form is done with: nothing of it is kept from now on. */
  readonly finish: () => void
}

/** Keeps on the device what stands in a form: after every change, and when the page goes away. */
export const useDraft = (options: Options): KeptDraft => {
  const { slot, restored } = options
  const [kept, setKept] = useState<DraftStatus>()
  const latest = useRef(options)
  const state = useRef({ timer: 0, isDue: false, isKept: restored, isOver: false })

  useEffect(() => {
    latest.current = options
  })

  const keep = useCallback(() => {
    const now = state.current
    clearTimeout(now.timer)
    if (!now.isDue || now.isOver) return
    now.isDue = false
    const { content, isNew } = latest.current
    const found = content()
    if (found !== undefined) {
      now.isKept = true
      void slot.keep(found, isNew).then(setKept)
    } else if (now.isKept) {
      now.isKept = false
      slot.drop()
      setKept(undefined)
    }
  }, [slot])

  const touch = useCallback(() => {
    const now = state.current
    now.isDue = true
    clearTimeout(now.timer)
    now.timer = window.setTimeout(keep, REST_MS)
  }, [keep])

  const touchNow = useCallback(() => {
    state.current.isDue = true
    keep()
  }, [keep])

  const drop = useCallback(() => {
    const now = state.current
    clearTimeout(now.timer)
    now.isDue = false
    now.isKept = false
    setKept(undefined)
    slot.drop()
  }, [slot])

  const finish = useCallback(() => {
    state.current.isOver = true
    drop()
  }, [drop])

  useEffect(() => {
    const hide = () => document.visibilityState === 'hidden' && keep()
    addEventListener('pagehide', keep)
    document.addEventListener('visibilitychange', hide)
    return () => {
      removeEventListener('pagehide', keep)
      document.removeEventListener('visibilitychange', hide)
      // Also when the page stays and only the form goes.
      keep()
    }
  }, [keep])

  return { kept, touch, touchNow, drop, finish }
}
