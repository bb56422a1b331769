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
      messages: toggleFloatingFocus,
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

/** What floats above the page, far from the focus in the order of Tab. */
const FLOATING = ['.toasts', '.selection-bar']

let cameFrom: Element | null = null

/** Moves the focus to the toasts, from there to the bar of a selection, and back. */
const toggleFloatingFocus = (): boolean => {
  const parts = FLOATING.map((selector) => document.querySelector(selector))
  const at = parts.findIndex((part) => part?.contains(document.activeElement) === true)
  const button = parts
    .slice(at + 1)
    .map((part) => part?.querySelector<HTMLElement>('button:enabled'))
    .find(Boolean)
  if (at === -1) cameFrom = document.activeElement
  const target = button ?? (at === -1 ? null : cameFrom)
  if (target instanceof HTMLElement) target.focus()
  return target !== null
}
