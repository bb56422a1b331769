import { useMemo } from 'react'

import { useNotices, useStore, useQueuedWrites } from '../../data/react.ts'

/** The unsaved parts of a site. */
export interface SyncStatus {
  /** True if a change is queued. */
  readonly isQueued: boolean
  /** The connectors that failed to save. */
  readonly unsaved: { readonly count: number; readonly retry: () => void } | undefined
}

/** The unsaved parts by site id. */
export const useSyncStatus = (): ReadonlyMap<string, SyncStatus> => {
  const store = useStore()
  const notices = useNotices()
  const queued = useQueuedWrites()
  return useMemo(() => {
    const work = new Map<string, SyncStatus>()
    for (const { id } of queued) work.set(id, { isQueued: true, unsaved: undefined })
    for (const { id, action, subject, failures, retry } of notices) {
      if (action !== 'saveConnectors' || subject === undefined || retry === undefined) continue
      work.set(subject, {
        isQueued: work.get(subject)?.isQueued === true,
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
  }, [store, notices, queued])
}

/** The ids of sites with connectors that failed to save. */
export const unfinishedSites = (work: ReadonlyMap<string, SyncStatus>): ReadonlySet<string> =>
  new Set([...work].filter(([, { unsaved }]) => unsaved !== undefined).map(([id]) => id))
