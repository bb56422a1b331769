import { Suspense, useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'

import { useStore } from '../data/react.ts'
import { lazyComponent } from '../browser/lazy-component.ts'
import { PATHS } from '../paths.ts'
import { areShortcutsOn, createShortcutReader, type ShortcutId } from './shortcuts.ts'

const ShortcutSheet = lazyComponent(
  async () => (await import('./shortcut-sheet.tsx')).ShortcutSheet,
  ['shortcuts'],
)

interface Props {
  readonly isSheetOpen: boolean
  readonly onSheet: (open: boolean) => void
}

/** Handles the shortcut keys of all screens. */
export const ShortcutKeys = ({ isSheetOpen, onSheet }: Props) => {
  const navigate = useNavigate()
  const store = useStore()
  const act = useRef<(id: ShortcutId) => boolean>(() => false)

  useEffect(() => {
    const goTo = (path: string): boolean => {
      if (!store.isSignedIn()) return false
      void navigate(path)
      return true
    }
    const actions: Readonly<Record<ShortcutId, () => boolean>> = {
      help: () => {
        onSheet(true)
        return true
      },
      search: () => focusSearch() || (goTo(PATHS.dashboard) && retryEachFrame(focusSearch)),
      newSite: () => goTo(PATHS.addSite),
      dashboard: () => goTo(PATHS.dashboard),
      save: submitForm,
      messages: toggleToastFocus,
    }
    act.current = (id) => actions[id]()
  })

  useEffect(() => {
    const read = createShortcutReader(areShortcutsOn)
    const listen = (event: KeyboardEvent): void => {
      // An open dialog takes precedence.
      if (event.defaultPrevented || event.isComposing || document.querySelector(DIALOGS) !== null)
        return
      const { key, ctrlKey, metaKey, altKey, timeStamp } = event
      const id = read({
        key,
        ctrlKey,
        metaKey,
        altKey,
        at: timeStamp,
        writing: event.target instanceof Element && event.target.closest(WRITING) !== null,
      })
      // A handled key must not trigger the browser's own action as well.
      if (id !== undefined && act.current(id)) event.preventDefault()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])

  return (
    isSheetOpen && (
      <Suspense>
        <ShortcutSheet onClose={() => onSheet(false)} />
      </Suspense>
    )
  )
}

const DIALOGS = 'dialog[open], [role=dialog]'
/** Elements in which letters are text or typeahead. */
const WRITING =
  'input:not([type=checkbox], [type=radio], [type=button], [type=file]), textarea, select, [contenteditable=true], [role=menu], [role=listbox], [role=grid], [role=application]'

const focusSearch = (): boolean => {
  const search = document.querySelector<HTMLInputElement>('main input[type=search]')
  search?.focus()
  search?.select()
  return search !== null
}

/** Maximum wait for a screen to load. */
const WAIT_MS = 2000

const retryEachFrame = (act: () => boolean): boolean => {
  const until = performance.now() + WAIT_MS
  const attempt = (): void => {
    if (!act() && performance.now() < until) requestAnimationFrame(attempt)
  }
  requestAnimationFrame(attempt)
  return true
}

const submitForm = (): boolean => {
  const form = document.querySelector<HTMLFormElement>('main form')
  // Clicks the button, so that the blur handlers of the field run before the save.
  const button = form?.querySelector<HTMLButtonElement>('.save-bar [type=submit]')
  button?.click()
  return form !== null
}

let cameFrom: Element | null = null

/** Moves the focus to the toasts, and back. */
const toggleToastFocus = (): boolean => {
  const toasts = document.querySelector('.toasts')
  if (toasts?.contains(document.activeElement) === true) {
    if (cameFrom instanceof HTMLElement) cameFrom.focus()
    return true
  }
  const button = toasts?.querySelector('button')
  if (button === null || button === undefined) return false
  cameFrom = document.activeElement
  button.focus()
  return true
}
