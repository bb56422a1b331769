let isNewer = false
const listeners = new Set<() => void>()

/** Whether a newer version of the app is ready, and a reload would start it. */
export const isNewVersionReady = (): boolean => isNewer

export const offerNewVersion = (): void => {
  isNewer = true
  listeners.forEach((listener) => listener())
}

export const subscribeNewVersion = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
