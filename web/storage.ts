/** The used part of `Storage`. It never throws. */
export interface TextStorage {
  readonly get: (key: string) => string | null
  /** Returns whether the value was stored; the device may be full or refuse storage. */
  readonly set: (key: string, value: string) => boolean
  readonly remove: (key: string) => void
}

/** Storage can be refused or full (private windows, blocked cookies); the app then works without it. */
const withoutErrors = (open: () => Storage): TextStorage => {
  const attempt = <T>(use: (storage: Storage) => T): T | null => {
    try {
      return use(open())
    } catch {
      return null
    }
  }
  return {
    get: (key) => attempt((storage) => storage.getItem(key)),
    set: (key, value) =>
      attempt((storage) => {
        storage.setItem(key, value)
        return true
      }) ?? false,
    remove: (key) => void attempt((storage) => storage.removeItem(key)),
  }
}

/** Small values of this device. */
export const deviceStorage = withoutErrors(() => localStorage)

/** Small values of this tab. */
export const tabStorage = withoutErrors(() => sessionStorage)
