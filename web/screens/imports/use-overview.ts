import { useCallback, useRef, useState } from 'react'

import { isWorkedOn } from '#domain/import.ts'
import type { FeedView, Imports, ImportView, Problem } from '../../data/state.ts'
import { usePolling } from './use-polling.ts'

interface Overview {
  readonly imports?: readonly ImportView[]
  readonly feeds?: readonly FeedView[]
  /** Why the last request failed; what is shown may be out of date. */
  readonly problem?: Problem | undefined
}

/** The imports, the newest first, and the feeds; read again while the server works on one of them. */
export const useOverview = (calls: Imports) => {
  const [overview, setOverview] = useState<Overview>({})
  const turn = useRef(0)
  const refresh = useCallback(async () => {
    const mine = ++turn.current
    // One after the other: a feed that is read after its import is as that import has left it.
    const imports = await calls.list()
    const feeds = await calls.feeds()
    // Responses to an older read may come later.
    if (turn.current !== mine) return
    setOverview((before) => ({
      ...before,
      ...(imports.value !== undefined && { imports: imports.value }),
      ...(feeds.value !== undefined && { feeds: feeds.value }),
      problem: imports.problem ?? feeds.problem,
    }))
  }, [calls])

  usePolling(refresh, overview.imports?.some(({ state }) => isWorkedOn(state)) === true)
  return { ...overview, refresh }
}
