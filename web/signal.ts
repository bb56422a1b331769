/** A value outside of React; components read it with `useSyncExternalStore(signal.subscribe, signal.get)`. */
export interface Signal<T> {
  readonly get: () => T
  readonly set: (next: T) => void
  /** Calls `listener` after every change; returns the function that unsubscribes. */
  readonly subscribe: (listener: () => void) => () => void
}

/** Creates a value whose changes can be observed. */
export const createSignal = <T>(initial: T): Signal<T> => {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set: (next) => {
      value = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
