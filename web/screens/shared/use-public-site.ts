import { useEffect, useState } from 'react'

import type { ListedSite } from '#domain/public-read.ts'
import { useReconnect } from '../../browser/use-reconnect.ts'
import { problemOfRead, type PublicSites } from '../../data/public-sites.ts'
import type { Problem } from '../../data/state.ts'

type Read = { readonly id: string } & (
  | { readonly site: ListedSite }
  | { readonly problem: Problem }
)

const NONE: readonly ListedSite[] = []

/**
 * Returns a public site, from a list that contains it or from the server, or the problem; neither while it loads. A
 * failed read is repeated when the connection returns.
 */
export const usePublicSite = (
  sites: PublicSites,
  id: string,
  listed = NONE,
): { readonly site?: ListedSite; readonly problem?: Problem } => {
  const [read, setRead] = useState<Read>()
  const site = listed.find((each) => each.id === id)
  const isNeeded = id !== '' && site === undefined && read?.id !== id
  useEffect(() => {
    if (!isNeeded) return
    const { signal, abort } = abortable()
    sites.site(id, signal).then(
      (found) => setRead({ id, site: found }),
      (error: unknown) => {
        const problem = problemOfRead(error, signal)
        if (problem !== undefined) setRead({ id, problem })
      },
    )
    return abort
  }, [sites, id, isNeeded])
  useReconnect(() => {
    if (read !== undefined && 'problem' in read) setRead(undefined)
  })
  // Kept when the list changes.
  if (site !== undefined && (read === undefined || !('site' in read) || read.site !== site))
    setRead({ id: site.id, site })
  if (site !== undefined) return { site }
  return read?.id === id ? read : {}
}

const abortable = () => {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}
