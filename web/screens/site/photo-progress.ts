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
}

const NONE: PhotoSum = { done: 0, total: 0 }

export const createPhotoProgress = (): PhotoProgress => {
  const phases = new Map<File, PhotoPhase>()
  const listeners = new Set<() => void>()
  let sum = NONE
  const tell = (): void => {
    const done = [...phases.values()].filter(({ at }) => at === 'stored').length
    if (done !== sum.done || phases.size !== sum.total) sum = { done, total: phases.size }
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
