import { useState } from 'react'

import type { ListedSite } from '#domain/public-read.ts'
import { useReconnect } from '../../browser/use-reconnect.ts'
import type { PublicSites } from '../../data/public-sites.ts'
import type { Problem } from '../../data/state.ts'
import { useRead } from './use-read.ts'

const NONE: readonly ListedSite[] = []

/**
 * Returns a public site, from a list that contains it or from the server, or the problem; neither while it loads. A
 * failed read is repeated when the connection returns.
 */
export const usePublicSite = (
  sites: PublicSites,
  id: string,
  listed = NONE,
): { readonly site?: ListedSite | undefined; readonly problem?: Problem | undefined } => {
  // Kept when the list changes.
  const [kept, setKept] = useState<ListedSite>()
  const found = listed.find((each) => each.id === id)
  if (found !== undefined && found !== kept) setKept(found)
  const site = found ?? (kept?.id === id ? kept : undefined)
  const isNeeded = id !== '' && site === undefined
  const read = useRead<ListedSite>(id, isNeeded ? (signal) => sites.site(id, signal) : undefined)
  useReconnect(() => {
    if (read.problem !== undefined) read.retry()
  })
  return site === undefined ? { site: read.value, problem: read.problem } : { site }
}
