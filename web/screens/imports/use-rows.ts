import { useCallback, useEffect, useRef, useState } from 'react'

import type { Imports, ImportRowView, Problem } from '../../data/state.ts'

interface Rows {
  readonly items: readonly ImportRowView[]
  readonly isComplete: boolean
  readonly isBusy: boolean
  readonly problem: Problem | undefined
}

const START: Rows = { items: [], isComplete: false, isBusy: true, problem: undefined }

/** Debounce of typed text before the rows are read, in milliseconds. */
const REST_MS = 250

/** Reads the rows of an import that match a filter, page by page. `since` changes when all of them may have changed. */
export const useRows = (calls: Imports, id: string, filter: string, since: string) => {
  const [rows, setRows] = useState(START)
  const turn = useRef(0)
  /** Rows as changed here, because a response may be older than the change. */
  const changed = useRef(new Map<number, { row: ImportRowView; isSettled: boolean }>())

  const read = useCallback(
    async (before: readonly ImportRowView[]) => {
      const mine = ++turn.current
      const after = before.at(-1)?.number ?? 0
      for (const [number, { isSettled }] of changed.current)
        if (isSettled) changed.current.delete(number)
      setRows((shown) => ({ ...shown, isBusy: true, problem: undefined }))
      const { value, problem } = await calls.rows({ id, filter, after })
      if (turn.current !== mine) return
      setRows(
        value === undefined
          ? { items: before, isComplete: false, isBusy: false, problem }
          : {
              items: [...before, ...value.items].map(
                (row) => changed.current.get(row.number)?.row ?? row,
              ),
              isComplete: value.isLast,
              isBusy: false,
              problem: undefined,
            },
      )
    },
    [calls, id, filter],
  )

  useEffect(() => {
    const timer = setTimeout(() => void read([]), turn.current === 0 ? 0 : REST_MS)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- reads again
  }, [read, since])

  const { items, isBusy, isComplete } = rows
  const more = () => {
    if (!isBusy && !isComplete) void read(items)
  }
  /** Shows a changed row; `isSettled` is true once the server has answered the change. */
  const replace = useCallback((row: ImportRowView, isSettled: boolean) => {
    changed.current.set(row.number, { row, isSettled })
    setRows((before) => ({
      ...before,
      items: before.items.map((each) => (each.number === row.number ? row : each)),
    }))
  }, [])
  return { ...rows, more, replace }
}
