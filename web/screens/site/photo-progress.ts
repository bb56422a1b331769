import { useCallback, useSyncExternalStore } from 'react'

import type { PhotoPhase, PhotoWatch } from '../../data/state.ts'

/**
 * The upload state of the photos of a form. It is separate from the form's state, so that frequent updates rerender one
 * tile only, and drafts do not contain it.
 */
export interface PhotoProgress {
  readonly report: PhotoWatch
  readonly phaseOf: (photo: File) => PhotoPhase | undefined
  /** The number of stored photos of this save; the identical object until it changes. */
  readonly sum: () => PhotoSum
  readonly clear: () => void
  readonly subscribe: (listener: () => void) => () => void
}

export interface PhotoSum {
  readonly done: number
  readonly total: number
  /** The upload progress in whole percent, if one request carries all photos. */
  readonly percent: number | undefined
}

const NONE: PhotoSum = { done: 0, total: 0, percent: undefined }

export const createPhotoProgress = (): PhotoProgress => {
  const phases = new Map<File, PhotoPhase>()
  const listeners = new Set<() => void>()
  let sum = NONE
  const tell = (): void => {
    const all = [...phases.values()]
    const done = all.filter(({ at }) => at === 'stored').length
    const sending = all.flatMap((phase) => (phase.at === 'sending' ? [phase.fraction] : []))
    const left = sending.reduce((share, fraction) => share + fraction / sending.length, 0)
    const percent =
      all.length > 0 && sending.length === all.length ? Math.floor(left * 100) : undefined
    const next = { done, total: all.length, percent }
    if (next.done !== sum.done || next.total !== sum.total || next.percent !== sum.percent)
      sum = next
    for (const listener of listeners) listener()
  }
  return {
    report: (photo, phase) => {
      if (phase === undefined) phases.delete(photo)
      else phases.set(photo, phase)
      tell()
    },
    phaseOf: (photo) => phases.get(photo),
    sum: () => sum,
    clear: () => {
      phases.clear()
      tell()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The upload state of one photo. */
export const usePhotoPhase = (progress: PhotoProgress, photo: File): PhotoPhase | undefined =>
  useSyncExternalStore(
    progress.subscribe,
    useCallback(() => progress.phaseOf(photo), [progress, photo]),
  )

/** The upload state of all photos. */
export const usePhotoSum = (progress: PhotoProgress): PhotoSum =>
  useSyncExternalStore(progress.subscribe, progress.sum)
