import { createContext, use, useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useLocation } from 'react-router'

import type { SiteView } from '../../data/state.ts'
import { useMessages } from '../../messages/messages.ts'
import { plainText } from '../../ui/user-text.tsx'
import './choice.css'

/** The sites selected for a bulk update. */
export interface Choice {
  readonly chosen: ReadonlySet<string>
  /** Selects or deselects a site; a range extends from the last one. */
  readonly toggle: (id: string, isRange: boolean) => void
  /** Selects all visible sites; the others keep their state. */
  readonly chooseShown: () => void
  readonly clear: () => void
}

/** The selection, while in selection mode. */
export const ChoiceContext = createContext<Choice | undefined>(undefined)

/** The state of a link to the dashboard that selects these sites. */
export const choosing = (sites: readonly SiteView[]) => ({ choose: sites.map(({ id }) => id) })

/** The selection and its user, until it is ended. It survives opening a site and going back (decision 0165). */
let kept: { readonly userId: string; readonly chosen: ReadonlySet<string> | undefined } | undefined

/** The selection among the visible sites, and the functions that start and end it. */
export const useChoice = (shown: readonly SiteView[], userId: string) => {
  const [chosen, setChosen] = useState(kept?.userId === userId ? kept.chosen : undefined)
  useEffect(() => {
    kept = { userId, chosen }
  }, [userId, chosen])
  const [last, setLast] = useState<string>()
  const button = useRef<HTMLButtonElement>(null)
  const { choose } = (useLocation().state ?? {}) as Partial<ReturnType<typeof choosing>>
  const [taken, setTaken] = useState(chosen && choose)
  if (choose !== taken) {
    setTaken(choose)
    if (choose !== undefined) setChosen(new Set(choose))
  }
  const end = (): void => {
    setChosen(undefined)
    button.current?.focus()
  }
  const leaveByEscape = ({ key, target }: KeyboardEvent): void => {
    const isTyped = target instanceof HTMLInputElement && target.type !== 'checkbox'
    if (key === 'Escape' && chosen !== undefined && !isTyped) end()
  }
  const choice = useMemo((): Choice | undefined => {
    if (chosen === undefined) return undefined
    const set = (ids: readonly string[], isChosen: boolean): void => {
      const next = new Set(chosen)
      for (const id of ids)
        if (isChosen) next.add(id)
        else next.delete(id)
      setChosen(next)
    }
    return {
      chosen,
      toggle: (id, isRange) => {
        const from = isRange ? shown.findIndex((site) => site.id === last) : -1
        const to = shown.findIndex((site) => site.id === id)
        const range =
          from === -1
            ? [id]
            : shown.slice(Math.min(from, to), Math.max(from, to) + 1).map((site) => site.id)
        set(range, !chosen.has(id))
        setLast(id)
      },
      chooseShown: () =>
        set(
          shown.map(({ id }) => id),
          true,
        ),
      clear: () => setChosen(new Set()),
    }
  }, [chosen, last, shown])
  const toggle = (): void => (chosen === undefined ? setChosen(new Set()) : end())
  return { choice, button, toggle, end, leaveByEscape }
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowRight: 1,
  ArrowUp: -1,
  ArrowLeft: -1,
}

/** The checkbox that covers a card or row in selection mode. */
export const ChoiceBox = ({ site }: { readonly site: SiteView }) => {
  const { dashboard: text } = useMessages()
  const choice = use(ChoiceContext)
  if (choice === undefined) return null
  const move = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'a' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      choice.chooseShown()
    }
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    const boxes = [...document.querySelectorAll<HTMLInputElement>('.choice-box')]
    const next = boxes[boxes.indexOf(event.currentTarget) + step]
    next?.focus()
    if (event.shiftKey && next !== undefined && !next.checked) next.click()
  }
  return (
    <input
      type="checkbox"
      className="choice-box"
      aria-label={text.chooseSite(plainText(site.name))}
      checked={choice.chosen.has(site.id)}
      onChange={({ nativeEvent }) =>
        choice.toggle(site.id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
      }
      onKeyDown={move}
    />
  )
}
