import { useSyncExternalStore } from 'react'

/** A save that goes on, although its form may have been left. */
export interface UnderWay {
  /** The form's name, by which its draft goes as well. */
  readonly form: string
  /** What is saved, as its owner calls it. */
  readonly name: string
}

let all: readonly UnderWay[] = []
const listeners = new Set<() => void>()
const set = (next: readonly UnderWay[]): void => {
  all = next
  listeners.forEach((listener) => listener())
}

/** Lists a save for as long as it takes. */
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

/** The saves that are under way. */
export const useUnderWay = (): readonly UnderWay[] => useSyncExternalStore(subscribe, () => all)
