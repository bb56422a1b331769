import { deviceStorage } from '../storage.ts'

/** The action of a shortcut. */
export type ShortcutId = 'help' | 'search' | 'newSite' | 'dashboard' | 'save' | 'messages'

/** A keyboard shortcut. */
export interface Shortcut {
  readonly id: ShortcutId
  /** Alternative key sequences. `Mod` is Command or Control. */
  readonly presses: readonly (readonly string[])[]
  /**
   * Consists of characters only. Such keys are ignored in text fields, and can be switched off: speech
   * input and tremor press them by accident (WCAG 2.1.4).
   */
  readonly bare: boolean
}

/** All shortcuts of the app; their single declaration. */
export const SHORTCUTS: readonly Shortcut[] = [
  { id: 'search', presses: [['/']], bare: true },
  { id: 'newSite', presses: [['n']], bare: true },
  { id: 'dashboard', presses: [['g', 'd']], bare: true },
  { id: 'help', presses: [['?']], bare: true },
  { id: 'save', presses: [['Mod+s'], ['Mod+Enter']], bare: false },
  { id: 'messages', presses: [['F6']], bare: false },
]

/** The relevant part of a keyboard event. */
export interface Press {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  /** Time in milliseconds. */
  readonly at: number
  /** True in a text field or a widget that handles letters itself. */
  readonly writing: boolean
}

/** Maximum time between the presses of a sequence. */
const SEQUENCE_MS = 1500

/** Recognizes shortcuts in a series of presses. `isOn` returns whether bare keys are enabled. */
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

/** Undefined for modifier keys, and for presses with Alt, which types characters. */
const nameOf = ({ key, ctrlKey, metaKey, altKey }: Press): string | undefined => {
  if (altKey || ['Shift', 'Control', 'Meta', 'Alt', 'AltGraph', 'CapsLock'].includes(key))
    return undefined
  return ctrlKey || metaKey ? `Mod+${key.length === 1 ? key.toLowerCase() : key}` : key
}

const STORAGE_KEY = 'shortcuts'

/** Returns whether shortcuts without a modifier are enabled on this device. */
export const areShortcutsOn = (): boolean => deviceStorage.get(STORAGE_KEY) !== 'off'

/** Stores the setting on this device; without storage it applies until the page closes. */
export const switchShortcuts = (on: boolean): void => {
  if (on) deviceStorage.remove(STORAGE_KEY)
  else deviceStorage.set(STORAGE_KEY, 'off')
}
