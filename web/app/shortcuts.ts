/** What a key does. */
export type ShortcutId = 'help' | 'search' | 'newSite' | 'dashboard' | 'save' | 'messages'

/** Keys that do something. */
export interface Shortcut {
  readonly id: ShortcutId
  /** Ways to press it; each is one press after the other. `Mod` is the command key, or control. */
  readonly presses: readonly (readonly string[])[]
  /**
   * Made of characters alone. Such keys do nothing where somebody writes, and can be switched off:
   * speech and trembling hands press them by chance (WCAG 2.1.4).
   */
  readonly bare: boolean
}

/** Every key that does something on all screens: the only place where they are written. */
export const SHORTCUTS: readonly Shortcut[] = [
  { id: 'search', presses: [['/']], bare: true },
  { id: 'newSite', presses: [['n']], bare: true },
  { id: 'dashboard', presses: [['g', 'd']], bare: true },
  { id: 'help', presses: [['?']], bare: true },
  { id: 'save', presses: [['Mod+s'], ['Mod+Enter']], bare: false },
  { id: 'messages', presses: [['F6']], bare: false },
]

/** A press, as far as it matters here. */
export interface Press {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  /** In milliseconds. */
  readonly at: number
  /** The person is writing, or moving in something that takes letters itself. */
  readonly writing: boolean
}

/** How long one may take between the presses of a sequence. */
const SEQUENCE_MS = 1500

/** Follows presses and tells which shortcut one completes. `isOn` tells whether bare keys count. */
export const createShortcutReader = (
  isOn: () => boolean,
): ((press: Press) => ShortcutId | undefined) => {
  let begun: readonly string[] = []
  let lastAt = Number.NEGATIVE_INFINITY
  return (press) => {
    const name = nameOf(press)
    if (name === undefined) return undefined
    const isBare = (shortcut: Shortcut): boolean => shortcut.bare
    const usable = SHORTCUTS.filter(
      (shortcut) => !isBare(shortcut) || (isOn() && !press.writing),
    ).flatMap(({ id, presses }) => presses.map((keys) => ({ id, keys })))
    const before = press.at - lastAt <= SEQUENCE_MS ? begun : []
    lastAt = press.at
    for (const typed of [[...before, name], [name]]) {
      const fitting = usable.filter(({ keys }) => typed.every((key, index) => keys[index] === key))
      const whole = fitting.find(({ keys }) => keys.length === typed.length)
      begun = whole === undefined && fitting.length > 0 ? typed : []
      if (whole !== undefined) return whole.id
      if (begun.length > 0) return undefined
    }
    return undefined
  }
}

/** Undefined for keys that are pressed along with others, and for presses that mean something else. */
const nameOf = ({ key, ctrlKey, metaKey, altKey }: Press): string | undefined => {
  if (altKey || ['Shift', 'Control', 'Meta', 'Alt', 'AltGraph', 'CapsLock'].includes(key))
    return undefined
  return ctrlKey || metaKey ? `Mod+${key.length === 1 ? key.toLowerCase() : key}` : key
}

const STORAGE_KEY = 'shortcuts'

/** Do keys made of characters alone count on this device? */
export const areShortcutsOn = (): boolean => {
  try {
    return localStorage.getItem(STORAGE_KEY) !== 'off'
  } catch {
    return true
  }
}

/** Keeps the choice on this device; a browser that stores nothing keeps it for as long as it can. */
export const switchShortcuts = (on: boolean): void => {
  try {
    if (on) localStorage.removeItem(STORAGE_KEY)
    else localStorage.setItem(STORAGE_KEY, 'off')
  } catch {
    // Private windows of some browsers refuse storage.
  }
}
