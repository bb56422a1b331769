import { useCallback, useEffect, useState } from 'react'

import type { FeedView, Imports, ImportView, Problem } from '../../data/state.ts'
import { isWorkedOn, POLL_MS } from './use-import.ts'

interface Overview {
  readonly imports?: readonly ImportView[]
  readonly feeds?: readonly FeedView[]
  /** Why the last request failed; what is shown may be out of date. */
  readonly problem?: Problem | undefined
}

/** The imports, the newest first, and the feeds; read again while the server works on one of them. */
export const useOverview = (calls: Imports) => {
  const [overview, setOverview] = useState<Overview>({})
  const refresh = useCallback(async () => {
    // One after the other: a feed that is read after its import is as that import has left it.
    const imports = await calls.list()
    const feeds = await calls.feeds()
    setOverview((before) => ({
      ...before,
      ...(imports.value !== undefined && { imports: imports.value }),
      ...(feeds.value !== undefined && { feeds: feeds.value }),
      problem: imports.problem ?? feeds.problem,
    }))
  }, [calls])

  useEffect(() => {
    const again = () => void refresh()
    again()
    addEventListener('online', again)
    document.addEventListener('visibilitychange', again)
    return () => {
      removeEventListener('online', again)
      document.removeEventListener('visibilitychange', again)
    }
  }, [refresh])

  const polls = overview.imports?.some(isWorkedOn) === true
  useEffect(() => {
    if (!polls) return
    const timer = setInterval(() => void refresh(), POLL_MS)
    return () => clearInterval(timer)
  }, [polls, refresh])

  return { ...overview, refresh }
}
