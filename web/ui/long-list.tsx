import { useImperativeHandle, useMemo, useRef, type ReactNode, type Ref } from 'react'
import { WindowVirtualizer, type WindowVirtualizerHandle } from 'virtua'

import { useColumns } from '../browser/use-columns.ts'
import './long-list.css'

/** How far beyond the screen rows are in the page: more than the highest row is high. */
const BUFFER_PX = 500

/** What can be asked of a long list. */
export interface LongListHandle {
  /** Brings an item onto the screen, and with it into the page. */
  readonly reveal: (index: number) => void
}

/** What a long list shows, and how. */
export interface LongListProps<Item extends { readonly id: string }> {
  readonly items: readonly Item[]
  readonly render: (item: Item) => ReactNode
  /** No column is narrower than this many rem, but for the width of the screen. */
  readonly columnRem: number
  /** About how high a row is: before any is measured, no more are made than the screen has room for. */
  readonly rowPx: number
  /** Filled once it is known which row an item is in, and anew when that changes. */
  readonly ref?: Ref<LongListHandle | null>
}

/** A list of which only the part on the screen is in the page; it still tells how long it is. */
export const LongList = <Item extends { readonly id: string }>({
  items,
  render,
  columnRem,
  rowPx,
  ref,
}: LongListProps<Item>) => {
  const element = useRef<HTMLDivElement>(null)
  const virtualizer = useRef<WindowVirtualizerHandle>(null)
  const columns = useColumns(element, columnRem)
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
    // The virtualiser puts elements of its own between the list and its items.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- what stands between would not do in a <ul>
    <div role="list" className="long-list" ref={element}>
      {/* The next row is there when the focus moves on to it. */}
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
                  aria-setsize={items.length}
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
