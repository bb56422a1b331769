let isNewer = false
const listeners = new Set<() => void>()

/** Is another version of the app ready, which a reload would bring? */
export const isNewVersionReady = (): boolean => isNewer

export const offerNewVersion = (): void => {
  isNewer = true
  listeners.forEach((listener) => listener())
}

export const subscribeNewVersion = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
