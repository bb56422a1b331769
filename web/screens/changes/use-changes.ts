import { useEffect, useState } from 'react'

import { CHANGES_PER_PAGE, type Change } from '#domain/change.ts'
import { useStore } from '../../data/react.ts'
import type { Problem } from '../../data/state.ts'

interface Shown {
  readonly rows: readonly Change[]
  readonly isBusy: boolean
  /** The oldest change has been read. */
  readonly isComplete: boolean
  readonly problem: Problem | undefined
}

/** The changes of a site, or of the business, page by page, with one request per page. */
export const useChanges = (site: string | undefined) => {
  const store = useStore()
  const [shown, setShown] = useState<Shown>({
    rows: [],
    isBusy: true,
    isComplete: false,
    problem: undefined,
  })

  const readMore = async () => {
    setShown((before) => ({ ...before, isBusy: true, problem: undefined }))
    setShown(take(await store.readChanges({ site, before: shown.rows.at(-1) })))
  }
  /** Reads the latest changes. */
  const refresh = async () => {
    const answer = await store.readChanges({ site })
    if (answer === undefined || 'kind' in answer) return
    setShown((before) => {
      const known = new Set(before.rows.map(({ id }) => id))
      const added = answer.filter(({ id }) => !known.has(id))
      return { ...before, isBusy: false, rows: [...added, ...before.rows] }
    })
  }

  useEffect(() => {
    let isHere = true
    void store.readChanges({ site }).then((answer) => isHere && setShown(take(answer)))
    return () => {
      isHere = false
    }
  }, [store, site])
  return { ...shown, readMore, refresh }
}

/** The state after the response to a page; unchanged if a newer read has superseded it. */
const take =
  (answer: readonly Change[] | Problem | undefined) =>
  (before: Shown): Shown => {
    if (answer === undefined) return before
    if ('kind' in answer) return { ...before, isBusy: false, problem: answer }
    return {
      rows: [...before.rows, ...answer],
      isBusy: false,
      isComplete: answer.length < CHANGES_PER_PAGE,
      problem: undefined,
    }
  }
