import { useMemo } from 'react'

import { useNotices, useStore, useWaiting } from '../../data/react.ts'

/** What of a site has not reached the server. */
export interface SyncStatus {
  /** A change waits for the connection. */
  readonly waiting: boolean
  /** Connectors whose saving failed. */
  readonly unsaved: { readonly count: number; readonly retry: () => void } | undefined
}

/** What has not reached the server, by the id of its site. */
export const useSiteWork = (): ReadonlyMap<string, SyncStatus> => {
  const store = useStore()
  const notices = useNotices()
  const waiting = useWaiting()
  return useMemo(() => {
    const work = new Map<string, SyncStatus>()
    for (const { id } of waiting) work.set(id, { waiting: true, unsaved: undefined })
    for (const { id, action, subject, failures, retry } of notices) {
      if (action !== 'saveConnectors' || subject === undefined || retry === undefined) continue
      work.set(subject, {
        waiting: work.get(subject)?.waiting === true,
        unsaved: {
          count: failures?.size ?? 1,
          retry: () => {
            store.dismiss(id)
            retry()
          },
        },
      })
    }
    return work
  }, [store, notices, waiting])
}

/** The sites of which something was left behind. */
export const unfinishedSites = (work: ReadonlyMap<string, SyncStatus>): ReadonlySet<string> =>
  new Set([...work].filter(([, { unsaved }]) => unsaved !== undefined).map(([id]) => id))
