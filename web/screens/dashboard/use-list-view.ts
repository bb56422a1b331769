import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

import { readView, writeView, type ListView } from './list-view.ts'

/** Typing is written to the address when it pauses: browsers refuse too many changes of it. */
const PAUSE_MS = 300

interface ListViewState {
  readonly view: ListView
  readonly change: (part: Partial<ListView>) => void
  /** Writes to the address at once what was typed. */
  readonly settle: () => void
}

/**
 * How the sites are shown. The address keeps it, in place of the entry that is there, so that the
 * way back leads to the list as it was left and not through every letter that was typed.
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
    // Somebody went back or forward, or followed a link to a part of the list.
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
      if ('query' in part) timer.current = setTimeout(settle, PAUSE_MS)
      else settle()
    },
    [settle],
  )

  useEffect(() => () => clearTimeout(timer.current), [])

  return { view, change, settle }
}
