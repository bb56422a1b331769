import { createContext, use, useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useLocation } from 'react-router'

import type { SiteView } from '../../data/state.ts'
import { useMessages } from '../../messages/messages.ts'
import { plainText } from '../../ui/user-text.tsx'
import './selection.css'

/** The sites selected for a bulk update. */
export interface SiteSelection {
  readonly selected: ReadonlySet<string>
  /** Selects or deselects a site; a range extends from the last one. */
  readonly toggle: (id: string, isRange: boolean) => void
  /** Selects all visible sites; the others keep their state. */
  readonly selectShown: () => void
  readonly clear: () => void
}

/** The selection, while in selection mode. */
export const SelectionContext = createContext<SiteSelection | undefined>(undefined)

/** The state of a link to the dashboard that selects these sites. */
export const selectionState = (sites: readonly SiteView[]) => ({
  choose: sites.map(({ id }) => id),
})

/** The selection and its user, until it is ended. It survives opening a site and going back (decision 0165). */
let remembered:
  | { readonly userId: string; readonly selected: ReadonlySet<string> | undefined }
  | undefined

/** The selection among the visible sites, and the functions that start and end it. */
export const useSelection = (shown: readonly SiteView[], userId: string) => {
  const [selected, setSelected] = useState(
    remembered?.userId === userId ? remembered.selected : undefined,
  )
  useEffect(() => {
    remembered = { userId, selected }
  }, [userId, selected])
  const [last, setLast] = useState<string>()
  const button = useRef<HTMLButtonElement>(null)
  const { choose } = (useLocation().state ?? {}) as Partial<ReturnType<typeof selectionState>>
  const [taken, setTaken] = useState(selected && choose)
  if (choose !== taken) {
    setTaken(choose)
    if (choose !== undefined) setSelected(new Set(choose))
  }
  const end = (): void => {
    setSelected(undefined)
    button.current?.focus()
  }
  const leaveByEscape = ({ key, target }: KeyboardEvent): void => {
    const isTyped = target instanceof HTMLInputElement && target.type !== 'checkbox'
    if (key === 'Escape' && selected !== undefined && !isTyped) end()
  }
  const selection = useMemo((): SiteSelection | undefined => {
    if (selected === undefined) return undefined
    const set = (ids: readonly string[], isSelected: boolean): void => {
      const next = new Set(selected)
      for (const id of ids)
        if (isSelected) next.add(id)
        else next.delete(id)
      setSelected(next)
    }
    return {
      selected,
      toggle: (id, isRange) => {
        const from = isRange ? shown.findIndex((site) => site.id === last) : -1
        const to = shown.findIndex((site) => site.id === id)
        const range =
          from === -1
            ? [id]
            : shown.slice(Math.min(from, to), Math.max(from, to) + 1).map((site) => site.id)
        set(range, !selected.has(id))
        setLast(id)
      },
      selectShown: () =>
        set(
          shown.map(({ id }) => id),
          true,
        ),
      clear: () => setSelected(new Set()),
    }
  }, [selected, last, shown])
  const toggle = (): void => (selected === undefined ? setSelected(new Set()) : end())
  return { selection, button, toggle, end, leaveByEscape }
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowRight: 1,
  ArrowUp: -1,
  ArrowLeft: -1,
}

/** The checkbox that covers a card or row in selection mode. */
export const SelectionBox = ({ site }: { readonly site: SiteView }) => {
  const { dashboard: text } = useMessages()
  const selection = use(SelectionContext)
  if (selection === undefined) return null
  const move = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'a' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      selection.selectShown()
    }
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    const boxes = [...document.querySelectorAll<HTMLInputElement>('.selection-box')]
    const next = boxes[boxes.indexOf(event.currentTarget) + step]
    next?.focus()
    if (event.shiftKey && next !== undefined && !next.checked) next.click()
  }
  return (
    <input
      type="checkbox"
      className="selection-box"
      aria-label={text.chooseSite(plainText(site.name))}
      checked={selection.selected.has(site.id)}
      onChange={({ nativeEvent }) =>
        selection.toggle(site.id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
      }
      onKeyDown={move}
    />
  )
}
