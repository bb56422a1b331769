let isNewer = false
const listeners = new Set<() => void>()

/** Returns whether a new version of the app is ready, so that a reload would start it. */
export const isNewVersionReady = (): boolean => isNewer

export const offerNewVersion = (): void => {
  isNewer = true
  listeners.forEach((listener) => listener())
}

export const subscribeNewVersion = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
