import { useCallback, useSyncExternalStore } from 'react'

import type { PhotoPhase, PhotoWatch } from '../../data/state.ts'

/**
 * How far the photos of a form are on their way. It stands beside the form's state: a number that
 * changes many times a second redraws one tile, and no draft has to keep it.
 */
export interface PhotoProgress {
  readonly report: PhotoWatch
  readonly phaseOf: (photo: File) => PhotoPhase | undefined
  /** How many are stored of those that are or were on their way; the same object until it changes. */
  readonly sum: () => PhotoSum
  readonly clear: () => void
  readonly subscribe: (listener: () => void) => () => void
}

export interface PhotoSum {
  readonly done: number
  readonly total: number
  /** How much of them has left, in whole percent, where one request carries them all. */
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

/** How far one photo is. */
export const usePhotoPhase = (progress: PhotoProgress, photo: File): PhotoPhase | undefined =>
  useSyncExternalStore(
    progress.subscribe,
    useCallback(() => progress.phaseOf(photo), [progress, photo]),
  )

/** How far all of them are. */
export const usePhotoSum = (progress: PhotoProgress): PhotoSum =>
  useSyncExternalStore(progress.subscribe, progress.sum)
