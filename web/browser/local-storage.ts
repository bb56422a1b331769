/** Keeps a small choice on this device. A browser that stores nothing just asks again. */
export const remember = (key: string, value: string): void => {
  try {
    localStorage.setItem(key, value)
  } catch {
    // Private windows of some browsers refuse storage.
  }
}

/** What was remembered on this device, or null. */
export const recall = (key: string): string | null => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
