import { useCallback, useEffect, useState } from 'react'

import { isWorkedOn } from '#domain/import.ts'
import type { Imports, ImportView, Problem } from '../../data/state.ts'
import { usePolling } from './use-polling.ts'

interface State {
  readonly item?: ImportView
  /** Why the last request failed; with an import, it may be out of date. */
  readonly problem?: Problem | undefined
}

/** Follows an import: by events, and by reading it while the server works on it or cannot be reached. */
export const useImport = (calls: Imports, id: string) => {
  const [state, setState] = useState<State>({})
  const take = useCallback(
    (item: ImportView) =>
      setState((before) =>
        // An answer may be older than an event.
        before.item !== undefined && before.item.updated > item.updated ? before : { item },
      ),
    [],
  )
  const read = useCallback(
    () =>
      calls.read(id).then(({ value, problem }) => {
        if (value !== undefined) take(value)
        else setState((before) => ({ ...before, problem }))
      }),
    [calls, id, take],
  )

  useEffect(() => calls.subscribe(id, take), [calls, id, take])

  const { item, problem } = state
  const isLost = problem !== undefined && problem.kind !== 'notFound'
  usePolling(read, item === undefined ? isLost : isWorkedOn(item.state))

  return { item, problem, take, refresh: read }
}
