import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

import { readView, writeView, type ListView } from './list-view.ts'

/**
 * Debounce of typed text before it is written to the address, because browsers limit history updates.
 */
const PAUSE_MS = 300

interface ListViewState {
  readonly view: ListView
  readonly change: (part: Partial<ListView>) => void
  /** Writes typed text to the address immediately. */
  readonly settle: () => void
}

/**
 * The view of the list, stored in the address. It replaces the current history entry, so that the back button does not
 * step through typed letters.
 */
export const useListView = (): ListViewState => {
  const location = useLocation()
  const navigate = useNavigate()
  const [view, setView] = useState(() => readView(location.search))
  const latest = useRef({ location, view })
  const written = useRef(location.search)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => {
    latest.current.location = location
    if (location.search === written.current) return
    // Navigation: back, forward, or a link to a filtered list.
    written.current = location.search
    clearTimeout(timer.current)
    latest.current.view = readView(location.search)
    setView(latest.current.view)
  }, [location])

  const settle = useCallback(() => {
    clearTimeout(timer.current)
    const { location: at, view: wanted } = latest.current
    const search = writeView(at.search, wanted)
    if (search === written.current) return
    written.current = search
    void navigate({ search, hash: at.hash }, { replace: true, state: at.state as unknown })
  }, [navigate])

  const change = useCallback(
    (part: Partial<ListView>) => {
      latest.current.view = { ...latest.current.view, ...part }
      setView(latest.current.view)
      clearTimeout(timer.current)
      if (Object.keys(part).join() === 'query') timer.current = setTimeout(settle, PAUSE_MS)
      else settle()
    },
    [settle],
  )

  useEffect(() => () => clearTimeout(timer.current), [])

  return { view, change, settle }
}
