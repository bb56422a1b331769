import { useEffect, useState } from 'react'

import { problemOfRead } from '../../data/public-sites.ts'
import type { Problem } from '../../data/state.ts'

interface Read<T> {
  readonly key: string
  readonly value?: T
  readonly problem?: Problem
}

/** Reads public data, and again for each other `key`. Reads nothing while `read` is undefined. */
export const useRead = <T>(
  key: string,
  read: ((signal: AbortSignal) => Promise<T>) | undefined,
): { readonly value?: T; readonly problem?: Problem; readonly retry: () => void } => {
  const [done, setDone] = useState<Read<T>>()
  const [attempt, setAttempt] = useState(0)
  const wanted = read !== undefined
  useEffect(() => {
    if (read === undefined || (done?.key === key && done.problem === undefined)) return
    const controller = new AbortController()
    const { signal } = controller
    read(signal).then(
      (value) => setDone({ key, value }),
      (error: unknown) => {
        const problem = problemOfRead(error, signal)
        if (problem !== undefined) setDone({ key, problem })
      },
    )
    return () => controller.abort()
    // oxlint-disable-next-line react/exhaustive-deps -- `key` identifies the read
  }, [key, wanted, attempt])
  const retry = () => {
    setDone(undefined)
    setAttempt(attempt + 1)
  }
  return done?.key === key ? { ...done, retry } : { retry }
}
