import { createSignal } from '../signal.ts'
import { plainText } from './user-text.tsx'

/** A temporary message at the edge of the screen. */
export interface Toast {
  readonly id: number
  readonly text: string
  /** An action that the message offers. */
  readonly action?: { readonly label: string; readonly run: () => void }
  /** How long it is shown; undefined to show it until it is dismissed. */
  readonly ms: number | undefined
}

const SHOWN_MS = 5000
/** Equal to the undo period of a deleted site. */
const OFFERED_MS = 8000

/** The visible messages. */
export const toasts = createSignal<readonly Toast[]>([])
let lastId = 0
const timers = new Map<number, ReturnType<typeof setTimeout>>()

/**
 * Shows a message for some seconds, or until it is dismissed. Names in it are user text. Failures belong in a notice
 * instead.
 */
export const toast = (
  text: string,
  { lasting = false, action }: { lasting?: boolean; action?: Toast['action'] } = {},
): void => {
  const id = (lastId += 1)
  const ms = lasting ? undefined : action ? OFFERED_MS : SHOWN_MS
  toasts.set([...toasts.get(), { id, text: plainText(text), ms, ...(action && { action }) }])
  pauseToast(id, false)
}

/** Pauses the timeout of a message while the user hovers or focuses it; afterwards the timeout restarts. */
export const pauseToast = (id: number, isPaused: boolean): void => {
  clearTimeout(timers.get(id))
  const ms = toasts.get().find((shown) => shown.id === id)?.ms
  if (isPaused || ms === undefined) timers.delete(id)
  else
    timers.set(
      id,
      setTimeout(() => dismissToast(id), ms),
    )
}

export const dismissToast = (id: number): void => {
  toasts.set(toasts.get().filter((shown) => shown.id !== id))
  pauseToast(id, true)
}
