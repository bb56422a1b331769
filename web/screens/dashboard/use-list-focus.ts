import { useEffect, useRef, useState, type RefObject } from 'react'
import { useLocation, useNavigate, useNavigationType, NavigationType } from 'react-router'

import { usePendingDeletes } from '../../data/react.ts'
import type { SiteView } from '../../data/state.ts'
import { useMessages } from '../../messages/messages.ts'
import type { LongListHandle } from '../../ui/long-list.tsx'
import { toast } from '../../ui/toast.ts'
import { forgetOpened, openedSite } from '../shared/dashboard-place.ts'
import { PLAIN_UP_TO } from '../shared/find-sites.ts'
import { adjacentSite } from './overview.ts'

interface Options {
  readonly sites: readonly SiteView[]
  readonly sorted: readonly SiteView[]
  readonly shown: readonly SiteView[]
  /** The site that was just saved. */
  readonly saved: string | undefined
  readonly long: LongListHandle | null
  /** Gets the focus when no card can. */
  readonly heading: RefObject<HTMLElement | null>
  readonly isMapOnly: boolean
}

/**
 * Selects the card that gets the focus: a saved site, one whose form was left, a restored one, or the neighbour of a removed
 * one.
 */
export const useListFocus = (options: Options) => {
  const { sites, sorted, shown, saved, long, heading, isMapOnly } = options
  const text = useMessages().dashboard
  const opened = useOpened()
  // A card that is not shown now must not take the focus later.
  const isShown = !isMapOnly && shown.some(({ id }) => id === opened)
  const [focusId, setFocusId] = useState(saved ?? (isShown ? opened : undefined))
  // The site whose change may remove it from the list, and its neighbour.
  const [left, setLeft] = useState<{ readonly id: string; readonly next: string | undefined }>()
  const lists = useRef({ shown, sorted })
  useEffect(() => {
    lists.current = { shown, sorted }
  })

  const { search } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    if (saved === undefined) return
    // Once, because after a reload or going back, the site is no longer just saved.
    void navigate({ search }, { replace: true, state: null })
    const site = sites.find(({ id }) => id === saved)
    if (site === undefined || shown.includes(site)) return
    toast(text.savedHidden(site.name))
    setFocusId(adjacentSite(saved, shown, sorted)?.id)
    // oxlint-disable-next-line react/exhaustive-deps -- on mount only
  }, [])

  const focusIndex = focusId === undefined ? -1 : shown.findIndex(({ id }) => id === focusId)
  useEffect(() => {
    // A card has to be rendered before it can be focused.
    if (focusIndex >= 0) long?.reveal(focusIndex)
  }, [long, focusIndex])

  const isGone = left !== undefined && shown.every(({ id }) => id !== left.id)
  useEffect(() => {
    if (!isGone) return
    // Runs after the dialog or menu has tried to return the focus to a removed element.
    const timer = setTimeout(() => {
      setLeft(undefined)
      if (document.activeElement !== document.body) return
      if (left.next === undefined || isMapOnly) heading.current?.focus()
      else setFocusId(left.next)
    }, 50)
    return () => clearTimeout(timer)
  }, [isGone, left, isMapOnly, heading])

  // A restored site gets the focus back.
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
    /** Called when the card is focused. */
    forget: () => setFocusId(undefined),
    /** Called when the site may leave the list; its neighbour then gets the focus. */
    leave: (id: string) => {
      const now = lists.current
      setLeft({ id, next: adjacentSite(id, now.shown, now.sorted)?.id })
    },
  }))
  // The first cards are shown until the long list has loaded. They would take the focus with them when they disappear.
  const isStandIn = shown.length > PLAIN_UP_TO && long === null && !isMapOnly
  return { focusId: isStandIn ? undefined : focusId, ...actions }
}

/** The site whose form was open, after going back from it without saving. */
const useOpened = (): string | undefined => {
  const navigation = useNavigationType()
  const [opened] = useState(() => (navigation === NavigationType.Pop ? openedSite() : undefined))
  useEffect(forgetOpened, [])
  return opened
}
