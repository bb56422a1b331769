import { useCallback, useEffect, useRef, useState } from 'react'

import type { ListedSite, SiteFilter, SitePage } from '#domain/public-read.ts'
import { useReconnect } from '../../browser/use-reconnect.ts'
import { problemOfRead, type PublicSites } from '../../data/public-sites.ts'
import type { Problem } from '../../data/state.ts'
import type { Coordinates } from '../../map/coordinates.ts'
import { writeFilter } from './view.ts'

/** Debounce of the view before the list is read, in milliseconds. */
const REST_MS = 250

interface State {
  readonly items: readonly ListedSite[]
  readonly next: string | null
  readonly isBusy: boolean
  readonly problem: Problem | undefined
}

const START: State = { items: [], next: null, isBusy: true, problem: undefined }

/**
 * Reads the sites nearest to a place that pass the filters. While the next ones load, the previous ones stay. Reads
 * nothing without a place. Repeats a failed read when the connection returns.
 */
export const useSites = (
  sites: PublicSites,
  place: Coordinates | undefined,
  filter: SiteFilter,
): State & { readonly more: () => void; readonly retry: () => void } => {
  const [state, setState] = useState(START)
  const controller = useRef<AbortController>(undefined)
  /** The page after which the last read began. */
  const last = useRef<SitePage>(undefined)
  const near = place === undefined ? '' : `${round(place.latitude)},${round(place.longitude)}`
  const passed = writeFilter(filter).toString()

  const read = useCallback(
    async (at: string, filters: string, after?: SitePage) => {
      controller.current?.abort()
      last.current = after
      const { signal } = (controller.current = new AbortController())
      const [latitude = 0, longitude = 0] = at.split(',').map(Number)
      try {
        const found = await sites.search(
          {
            near: { latitude, longitude },
            filters: new URLSearchParams(filters),
            cursor: after?.next ?? undefined,
          },
          signal,
        )
        const items = [...(after?.items ?? []), ...found.items]
        setState({ items, next: found.next, isBusy: false, problem: undefined })
      } catch (error) {
        const problem = problemOfRead(error, signal)
        if (problem !== undefined) setState((before) => ({ ...before, isBusy: false, problem }))
      }
    },
    [sites],
  )

  useEffect(() => {
    if (near === '') return
    const timer = setTimeout(
      () => {
        setState((before) => ({ ...before, isBusy: true, problem: undefined }))
        void read(near, passed)
      },
      controller.current === undefined ? 0 : REST_MS,
    )
    return () => clearTimeout(timer)
  }, [read, near, passed])
  useEffect(() => () => controller.current?.abort(), [])

  const retry = () => {
    setState({ ...state, isBusy: true, problem: undefined })
    void read(near, passed, last.current)
  }
  useReconnect(() => {
    if (state.problem !== undefined) retry()
  })

  return {
    ...state,
    more: () => {
      setState({ ...state, isBusy: true })
      void read(near, passed, state)
    },
    retry,
  }
}

/**
 * Rounds to about ten metres, so that nearly equal places have the same list, and requests contain no precise position.
 */
const round = (degrees: number): number => Number(degrees.toFixed(4))
