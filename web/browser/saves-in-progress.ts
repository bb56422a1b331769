import { useSyncExternalStore } from 'react'

import { createSignal } from '../signal.ts'

/** A save in progress, whose form may have been left. */
export interface SaveInProgress {
  /** The name of the form, which is also the name of its draft. */
  readonly form: string
  /** The record's name. */
  readonly name: string
}

const saves = createSignal<readonly SaveInProgress[]>([])

/** Lists a save while it is in progress. */
export const trackSave = async <T>(save: SaveInProgress, task: () => Promise<T>): Promise<T> => {
  saves.set([...saves.get(), save])
  try {
    return await task()
  } finally {
    saves.set(saves.get().filter((each) => each !== save))
  }
}

/** The saves in progress. */
export const useSavesInProgress = (): readonly SaveInProgress[] =>
  useSyncExternalStore(saves.subscribe, saves.get)
