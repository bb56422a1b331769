import { useLayoutEffect, useRef, useState, type RefObject } from 'react'

/** Up to this number, all rows are rendered, for find-in-page and printing. */
const PLAIN_UP_TO = 60
/** Overscan in rows beyond either edge, and the step in which it changes. */
const EXTRA_ROWS = 10

interface RowWindow {
  /** The rendered rows: from `first` up to, not including, `end`. */
  readonly first: number
  readonly end: number
  /** The height of the omitted rows, in pixels. */
  readonly before: number
  readonly after: number
}

/** The rows of a table to render. All rows have the height of the first one. */
export const useRowWindow = (
  body: RefObject<HTMLTableSectionElement | null>,
  count: number,
): RowWindow => {
  const [shown, setShown] = useState({ first: 0, end: PLAIN_UP_TO, rowPx: 0 })
  const rowHeight = useRef(0)

  useLayoutEffect(() => {
    const element = body.current
    if (element === null || count <= PLAIN_UP_TO) return
    const update = () => {
      const row = element.querySelector<HTMLElement>('tr[data-site]')
      if (row !== null) rowHeight.current = row.getBoundingClientRect().height
      const rowPx = rowHeight.current
      if (rowPx === 0) return
      const top = element.getBoundingClientRect().top
      const step = (rows: number) => Math.floor(rows / EXTRA_ROWS) * EXTRA_ROWS
      const first = Math.max(0, step(-top / rowPx - EXTRA_ROWS))
      const end = step((innerHeight - top) / rowPx) + 2 * EXTRA_ROWS
      setShown((old) =>
        old.first === first && old.end === end && old.rowPx === rowPx ? old : { first, end, rowPx },
      )
    }
    update()
    addEventListener('scroll', update, { passive: true })
    addEventListener('resize', update)
    return () => {
      removeEventListener('scroll', update)
      removeEventListener('resize', update)
    }
  }, [body, count])

  if (count <= PLAIN_UP_TO) return { first: 0, end: count, before: 0, after: 0 }
  // A shorter list may end before the rendered rows.
  const end = Math.min(count, shown.end)
  const first = Math.min(shown.first, Math.max(0, end - EXTRA_ROWS))
  return {
    first,
    end,
    before: first * shown.rowPx,
    after: (count - end) * shown.rowPx,
  }
}

/** Scrolls to a row of such a table. */
export const revealRow = (body: HTMLTableSectionElement | null, index: number): void => {
  const row = body?.querySelector<HTMLElement>('tr[data-site]')
  if (!body || !row) return
  const rowPx = row.getBoundingClientRect().height
  const top = body.getBoundingClientRect().top + index * rowPx
  if (top > innerHeight / 4 && top < (innerHeight * 3) / 4) return
  scrollTo({ top: scrollY + top - innerHeight / 2, behavior: 'instant' })
}
