import { useEffect, useState } from 'react'

import { CHANGES_PER_PAGE, type Change } from '#domain/change.ts'
import { useBulkUpdate, useStore } from '../../data/react.ts'
import type { Problem, Store } from '../../data/state.ts'
import { isGrouped } from './revert.ts'

/** The pages of the history that have been read. */
interface Pages {
  readonly rows: readonly Change[]
  /**
   * The number of sites of each bulk update, and of changes of each import, by correlation id. `rows` contains only the
   * latest change of each.
   */
  readonly groups: ReadonlyMap<string, number>
  /** The oldest change read; the next page continues after it. */
  readonly last: Change | undefined
  /** True if the oldest change has been read. */
  readonly isComplete: boolean
}

interface Shown extends Pages {
  readonly isBusy: boolean
  readonly problem: Problem | undefined
}

const NOTHING: Pages = { rows: [], groups: new Map(), last: undefined, isComplete: false }

/**
 * Reads the changes of a site, or of the business, page by page. In the history of the business, a bulk update or an
 * import is one row.
 */
export const useChanges = (site: string | undefined) => {
  const store = useStore()
  const [shown, setShown] = useState<Shown>({ ...NOTHING, isBusy: true, problem: undefined })

  const readMore = async () => {
    setShown((before) => ({ ...before, isBusy: true, problem: undefined }))
    setShown(take(await readPage(store, site, shown)))
  }
  /** Reads the latest changes. */
  const refresh = async () => {
    const answer = await readPage(store, site, NOTHING)
    if (answer === undefined || 'kind' in answer) return
    setShown((before) => {
      const known = new Set(before.rows.map(({ id }) => id))
      const added = answer.rows.filter(({ id }) => !known.has(id))
      const groups = new Map([...before.groups, ...answer.groups])
      // A group that was still in progress has a newer change by now.
      const rows = withoutRepeats([...added, ...before.rows], groups)
      return { ...before, isBusy: false, groups, rows }
    })
  }

  useEffect(() => {
    let isCurrent = true
    void readPage(store, site, NOTHING).then((answer) => isCurrent && setShown(take(answer)))
    return () => {
      isCurrent = false
    }
  }, [store, site])

  const bulkUpdate = useBulkUpdate()
  const doneId = bulkUpdate?.isDone === true ? bulkUpdate.id : undefined
  const [doneBefore] = useState(doneId)
  useEffect(() => {
    if (doneId !== undefined && doneId !== doneBefore) void refresh()
    // oxlint-disable-next-line react/exhaustive-deps -- once per bulk update
  }, [doneId])
  return { ...shown, readMore, refresh }
}

/** The state after the response to a page; unchanged if a newer read has superseded it. */
const take =
  (answer: Pages | Problem | undefined) =>
  (before: Shown): Shown => {
    if (answer === undefined) return before
    if ('kind' in answer) return { ...before, isBusy: false, problem: answer }
    return { ...answer, isBusy: false, problem: undefined }
  }

/** Minimum number of rows of a page. If groups leave fewer, the next page is read immediately. */
const MIN_ROWS = 10
/** Maximum number of groups that a request excludes, because the length of a filter is limited. */
const MAX_LEFT_OUT = 20

/**
 * Reads the next page and appends it. This usually takes one request, and one more per group, regardless of its size.
 */
const readPage = async (
  store: Store,
  site: string | undefined,
  before: Pages,
): Promise<Pages | Problem | undefined> => {
  let pages = before
  do {
    const { rows, groups, last } = pages
    const without = [...groups.keys()].slice(-MAX_LEFT_OUT)
    const answer = await store.readChanges({ site, before: last, without })
    if (answer === undefined || 'kind' in answer) return answer
    const counts = await countAll(store, site === undefined ? newIds(answer, groups) : [])
    if (counts === undefined || 'kind' in counts) return counts
    pages = {
      rows: withoutRepeats([...rows, ...answer], new Map([...groups, ...counts])),
      groups: new Map([...groups, ...counts]),
      last: answer.at(-1) ?? last,
      isComplete: answer.length < CHANGES_PER_PAGE,
    }
  } while (!pages.isComplete && pages.rows.length - before.rows.length < MIN_ROWS)
  return pages
}

const newIds = (changes: readonly Change[], known: Pages['groups']): readonly string[] =>
  [...new Set(changes.filter(isGrouped).map(({ correlation_id: id = '' }) => id))].filter(
    (id) => !known.has(id),
  )

const countAll = async (
  store: Store,
  ids: readonly string[],
): Promise<Pages['groups'] | Problem | undefined> => {
  const counts = await Promise.all(ids.map((id) => store.countChanges(id)))
  const failed = counts.find((count) => typeof count !== 'number')
  if (failed !== undefined || counts.includes(undefined)) return failed
  return new Map(ids.map((id, index) => [id, counts[index] as number]))
}

const withoutRepeats = (rows: readonly Change[], groups: Pages['groups']): readonly Change[] => {
  const seen = new Set<string>()
  return rows.filter((change) => {
    const { correlation_id: id = '' } = change
    if (!isGrouped(change) || !groups.has(id)) return true
    const isRepeated = seen.has(id)
    seen.add(id)
    return !isRepeated
  })
}
