import { createSignal } from '../signal.ts'
import { plainText } from './user-text.tsx'

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

/** The messages that are shown. */
export const toasts = createSignal<readonly Toast[]>([])
let lastId = 0

/**
 * Shows a message for some seconds, or until it is dismissed. Names in it are user text. Failures belong in a notice instead.
 */
export const toast = (
  text: string,
  { lasting = false, action }: { lasting?: boolean; action?: Toast['action'] } = {},
): void => {
  const id = (lastId += 1)
  toasts.set([...toasts.get(), { id, text: plainText(text), ...(action && { action }) }])
  if (!lasting) setTimeout(() => dismissToast(id), action ? OFFERED_MS : SHOWN_MS)
}

export const dismissToast = (id: number): void =>
  toasts.set(toasts.get().filter((shown) => shown.id !== id))
