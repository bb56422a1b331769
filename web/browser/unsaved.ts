import { useEffect } from 'react'

import { createSignal } from '../signal.ts'

/** The number of forms on the page with unsaved changes. */
export const unsavedForms = createSignal(0)

/** Counts a form while it has unsaved changes. */
export const useUnsaved = (hasChanges: boolean): void => {
  useEffect(() => {
    if (!hasChanges) return
    unsavedForms.set(unsavedForms.get() + 1)
    return () => unsavedForms.set(unsavedForms.get() - 1)
  }, [hasChanges])
}
