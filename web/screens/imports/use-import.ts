import { useCallback, useEffect, useState } from 'react'

import type { ImportState } from '#domain/import.ts'
import type { Imports, ImportView, Problem } from '../../data/state.ts'

/** How often an import is read while the server works on it: events may be lost. */
export const POLL_MS = 2000

const BUSY: readonly ImportState[] = ['READING', 'RUNNING', 'UNDOING']

/** Whether the server moves it on without a person. */
export const isWorkedOn = ({ state }: Pick<ImportView, 'state'>): boolean => BUSY.includes(state)

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

  useEffect(() => {
    const again = () => void read()
    again()
    addEventListener('online', again)
    document.addEventListener('visibilitychange', again)
    const end = calls.follow(id, take)
    return () => {
      end()
      removeEventListener('online', again)
      document.removeEventListener('visibilitychange', again)
    }
  }, [calls, id, read, take])

  const { item, problem } = state
  const polls = item === undefined ? problem?.kind !== 'notFound' : isWorkedOn(item)
  useEffect(() => {
    if (!polls) return
    const timer = setInterval(() => void read(), POLL_MS)
    return () => clearInterval(timer)
  }, [polls, read])

  return { item, problem, take, refresh: read }
}
