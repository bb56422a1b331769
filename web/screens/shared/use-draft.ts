import { useCallback, useEffect, useRef, useState } from 'react'

import type { DraftContent, DraftSlot, DraftStatus } from '../../data/state.ts'

/** Debounce after a change before the draft is stored. */
const REST_MS = 500

interface Options {
  readonly slot: DraftSlot
  readonly isNew: boolean
  /** True if the form was opened with a draft. */
  readonly restored: boolean
  /** The unsaved content of the form; undefined if nothing has changed. */
  readonly content: () => DraftContent | undefined
}

interface Autosave {
  /** The result of the last write. */
  readonly saved: DraftStatus | undefined
  /** Called after a change. */
  readonly touch: () => void
  /** Called after a file was chosen. Storing it takes long, so it starts immediately. */
  readonly touchNow: () => void
  /** Removes the draft after it was saved or discarded. */
  readonly drop: () => void
  /** Stops storing drafts of the form. */
  readonly finish: () => void
}

/** Stores the draft of a form on the device: after every change, and when the page is left. */
export const useDraft = (options: Options): Autosave => {
  const { slot, restored } = options
  const [saved, setSaved] = useState<DraftStatus>()
  const latest = useRef(options)
  const state = useRef({ timer: 0, isDue: false, isSaved: restored, isOver: false })

  useEffect(() => {
    latest.current = options
  })

  const save = useCallback(() => {
    const now = state.current
    clearTimeout(now.timer)
    if (!now.isDue || now.isOver) return
    now.isDue = false
    const { content, isNew } = latest.current
    const found = content()
    if (found !== undefined) {
      now.isSaved = true
      void slot.save(found, isNew).then(setSaved)
    } else if (now.isSaved) {
      now.isSaved = false
      slot.drop()
      setSaved(undefined)
    }
  }, [slot])

  const touch = useCallback(() => {
    const now = state.current
    now.isDue = true
    clearTimeout(now.timer)
    now.timer = window.setTimeout(save, REST_MS)
  }, [save])

  const touchNow = useCallback(() => {
    state.current.isDue = true
    save()
  }, [save])

  const drop = useCallback(() => {
    const now = state.current
    clearTimeout(now.timer)
    now.isDue = false
    now.isSaved = false
    setSaved(undefined)
    slot.drop()
  }, [slot])

  const finish = useCallback(() => {
    state.current.isOver = true
    drop()
  }, [drop])

  useEffect(() => {
    const hide = () => document.visibilityState === 'hidden' && save()
    addEventListener('pagehide', save)
    document.addEventListener('visibilitychange', hide)
    return () => {
      removeEventListener('pagehide', save)
      document.removeEventListener('visibilitychange', hide)
      // Also when only the form unmounts.
      save()
    }
  }, [save])

  return { saved, touch, touchNow, drop, finish }
}
