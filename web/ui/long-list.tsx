import {
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  type ReactNode,
  type Ref,
} from 'react'
import { WindowVirtualizer, type WindowVirtualizerHandle } from 'virtua'

import { useColumns } from '../browser/use-columns.ts'
import { findPlace, focusPlace } from './keep-place.ts'
import './long-list.css'

/** Overscan in pixels: more than the height of the highest row. */
const BUFFER_PX = 500

/** The methods of a long list. */
export interface LongListHandle {
  /** Scrolls to an item, which also renders it. */
  readonly reveal: (index: number) => void
}

/** The items of a long list, and how it renders them. */
export interface LongListProps<Item extends { readonly id: string }> {
  readonly items: readonly Item[]
  readonly render: (item: Item) => ReactNode
  /** Minimum column width in rem, unless the screen is narrower. */
  readonly columnRem: number
  /** Estimated row height: limits the rows rendered before any is measured. */
  readonly rowPx: number
  /** The total number of items, if `items` contains only the first. */
  readonly total?: number | undefined
  /** Set once the row of each item is known, and again when that changes. */
  readonly ref?: Ref<LongListHandle | null>
}

/** A virtualized list: only the visible part is rendered; assistive technology still gets the total. */
export const LongList = <Item extends { readonly id: string }>({
  items,
  render,
  columnRem,
  rowPx,
  total,
  ref,
}: LongListProps<Item>) => {
  const element = useRef<HTMLDivElement>(null)
  const virtualizer = useRef<WindowVirtualizerHandle>(null)
  const place = useRef<ReturnType<typeof findPlace>>(undefined)
  const columns = useColumns(element, columnRem, (list) => {
    place.current = findPlace(list)
  })
  // A tablet has been turned: most items are now in another row, so they are rendered anew.
  useLayoutEffect(() => {
    const kept = place.current
    place.current = undefined
    if (kept === undefined || columns === undefined) return
    const row = Math.floor(kept.index / columns)
    virtualizer.current?.scrollToIndex(row, { align: 'start', offset: -kept.top })
    focusPlace(element.current, kept)
  }, [columns])
  const rows = useMemo(
    () =>
      columns === undefined
        ? []
        : Array.from({ length: Math.ceil(items.length / columns) }, (_, row) =>
            items.slice(row * columns, (row + 1) * columns),
          ),
    [items, columns],
  )
  useImperativeHandle<LongListHandle | null, LongListHandle | null>(
    ref,
    () =>
      columns === undefined
        ? null
        : {
            reveal: (index) =>
              virtualizer.current?.scrollToIndex(Math.floor(index / columns), { align: 'center' }),
          },
    [columns],
  )
  return (
    // The virtualizer inserts elements between the list and its items.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a <ul> must not contain other elements
    <div role="list" className="long-list" ref={element}>
      {/* Renders the next row as soon as the focus reaches it. */}
      {columns !== undefined && (
        <WindowVirtualizer ref={virtualizer} data={rows} bufferSize={BUFFER_PX} itemSize={rowPx}>
          {(row, rowIndex) => (
            <div
              key={row[0]?.id}
              className="long-list-row"
              style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
            >
              {row.map((item, index) => (
                <div
                  key={item.id}
                  // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as above
                  role="listitem"
                  aria-setsize={total ?? items.length}
                  aria-posinset={rowIndex * columns + index + 1}
                  className="long-list-item"
                >
                  {render(item)}
                </div>
              ))}
            </div>
          )}
        </WindowVirtualizer>
      )}
    </div>
  )
}
