import { useEffect } from 'react'

const forms = new Set<symbol>()
const listeners = new Set<() => void>()
const tell = (): void => listeners.forEach((listener) => listener())

/** Is there a form on the page with changes that were not saved? */
export const isUnsaved = (): boolean => forms.size > 0

export const subscribeUnsaved = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Says that a form has changes that were not saved, for as long as it has. */
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
