/**
 * Stores a small choice on this device. If the browser refuses storage, the choice is simply lost.
 */
export const remember = (key: string, value: string): void => {
  try {
    localStorage.setItem(key, value)
  } catch {
    // Some browsers refuse storage in private windows.
  }
}

/** A stored choice, or null. */
export const recall = (key: string): string | null => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
