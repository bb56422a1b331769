import { useEffect } from 'react'

const forms = new Set<symbol>()
const listeners = new Set<() => void>()
const tell = (): void => listeners.forEach((listener) => listener())

/** Returns whether a form on the page has unsaved changes. */
export const isUnsaved = (): boolean => forms.size > 0

export const subscribeUnsaved = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Marks a form as having unsaved changes while it has some. */
export const useUnsaved = (hasChanges: boolean): void => {
  useEffect(() => {
    if (!hasChanges) return
    const form = Symbol('form')
    forms.add(form)
    tell()
    return () => {
      forms.delete(form)
      tell()
    }
  }, [hasChanges])
}
