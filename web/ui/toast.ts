/** A temporary message at the edge of the screen. */
export interface Toast {
  readonly id: number
  readonly text: string
  /** An action that the message offers. */
  readonly action?: { readonly label: string; readonly run: () => void }
}

const SHOWN_MS = 5000
/** Equal to the undo period of a deleted site. */
const OFFERED_MS = 8000

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

const set = (next: readonly Toast[]): void => {
  toasts = next
  for (const listener of listeners) listener()
}

/**
 * Shows a message for some seconds, or until it is dismissed. Failures belong in a notice instead.
 */
export const toast = (
  text: string,
  { lasting = false, action }: { lasting?: boolean; action?: Toast['action'] } = {},
): void => {
  const id = (lastId += 1)
  set([...toasts, { id, text, ...(action && { action }) }])
  if (!lasting) setTimeout(() => dismissToast(id), action ? OFFERED_MS : SHOWN_MS)
}

export const dismissToast = (id: number): void => set(toasts.filter((shown) => shown.id !== id))

export const getToasts = (): readonly Toast[] => toasts

export const subscribeToasts = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
