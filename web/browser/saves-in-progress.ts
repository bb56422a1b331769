import { useSyncExternalStore } from 'react'

/** A save in progress, whose form may have been left. */
export interface UnderWay {
  /** The name of the form, which is also the name of its draft. */
  readonly form: string
  /** The record's name. */
  readonly name: string
}

let all: readonly UnderWay[] = []
const listeners = new Set<() => void>()
const set = (next: readonly UnderWay[]): void => {
  all = next
  listeners.forEach((listener) => listener())
}

/** Lists a save while it is in progress. */
export const whileUnderWay = async <T>(save: UnderWay, task: () => Promise<T>): Promise<T> => {
  set([...all, save])
  try {
    return await task()
  } finally {
    set(all.filter((each) => each !== save))
  }
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The saves in progress. */
export const useUnderWay = (): readonly UnderWay[] => useSyncExternalStore(subscribe, () => all)
