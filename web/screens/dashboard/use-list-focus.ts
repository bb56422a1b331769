import { useEffect, useRef, useState, type RefObject } from 'react'
import { useLocation, useNavigate } from 'react-router'

import { usePendingDeletes } from '../../data/react.ts'
import type { SiteView } from '../../data/state.ts'
import { useMessages } from '../../messages/messages.ts'
import type { LongListHandle } from '../../ui/long-list.tsx'
import { toast } from '../../ui/toast.ts'
import { neighbourOf } from './overview.ts'

interface Options {
  readonly sites: readonly SiteView[]
  readonly sorted: readonly SiteView[]
  readonly shown: readonly SiteView[]
  /** The site that was just saved. */
  readonly saved: string | undefined
  readonly long: LongListHandle | null
  /** Takes the focus where no card can. */
  readonly heading: RefObject<HTMLElement | null>
  readonly isMapOnly: boolean
}

/** Which card of the list takes the focus: a saved site, one that was brought back, the next after one that left. */
export const useListFocus = (options: Options) => {
  const { sites, sorted, shown, saved, long, heading, isMapOnly } = options
  const text = useMessages().dashboard
  const [focusId, setFocusId] = useState(saved)
  // Something was done to a site that may take it out of the list, and what then stands in its place.
  const [left, setLeft] = useState<{ readonly id: string; readonly next: string | undefined }>()
  const lists = useRef({ shown, sorted })
  useEffect(() => {
    lists.current = { shown, sorted }
  })

  const { search } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    if (saved === undefined) return
    // Once: whoever reloads the page, or comes back to it, has gone on to something else.
    void navigate({ search }, { replace: true, state: null })
    const site = sites.find(({ id }) => id === saved)
    if (site === undefined || shown.includes(site)) return
    toast(text.savedHidden(site.name))
    setFocusId(neighbourOf(saved, shown, sorted)?.id)
    // oxlint-disable-next-line react/exhaustive-deps -- on arrival alone
  }, [])

  const focusIndex = focusId === undefined ? -1 : shown.findIndex(({ id }) => id === focusId)
  useEffect(() => {
    // A card that is not in the page has to come there before it can have the focus.
    if (focusIndex >= 0) long?.reveal(focusIndex)
  }, [long, focusIndex])

  const isGone = left !== undefined && shown.every(({ id }) => id !== left.id)
  useEffect(() => {
    if (!isGone) return
    // After the dialog or menu has tried to give the focus back to what is gone.
    const timer = setTimeout(() => {
      setLeft(undefined)
      if (document.activeElement !== document.body) return
      if (left.next === undefined || isMapOnly) heading.current?.focus()
      else setFocusId(left.next)
    }, 50)
    return () => clearTimeout(timer)
  }, [isGone, left, isMapOnly, heading])

  // A site that was brought back has the focus, as it had before it was deleted.
  const deletes = usePendingDeletes()
  const deletesBefore = useRef(deletes)
  useEffect(() => {
    const back = deletesBefore.current.find(
      ({ id }) => !deletes.some((each) => each.id === id) && shown.some((site) => site.id === id),
    )
    deletesBefore.current = deletes
    if (back !== undefined) setFocusId(back.id)
  }, [deletes, shown])

  const [actions] = useState(() => ({
    /** The card has the focus now. */
    forget: () => setFocusId(undefined),
    /** The site may leave the list: its neighbour is next. */
    leave: (id: string) => {
      const now = lists.current
      setLeft({ id, next: neighbourOf(id, now.shown, now.sorted)?.id })
    },
  }))
  return { focusId, ...actions }
}
