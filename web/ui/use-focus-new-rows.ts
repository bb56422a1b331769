import { useEffect, useRef } from 'react'

/**
 * Focuses the first of the rows that a button loads, because the button is below all of them, or gone. If no rows
 * arrive and the button is gone, focuses the row before it.
 * @param idOf returns the id of the element of a row that gets the focus
 * @returns a function to call when the button is pressed
 */
export const useFocusNewRows = <Item>(
  items: readonly Item[],
  idOf: (item: Item) => string,
  isBusy = false,
): (() => void) => {
  const last = useRef<Item>(undefined)
  useEffect(() => {
    const before = last.current === undefined ? -1 : items.indexOf(last.current)
    if (isBusy || before === -1) return
    const isLost = document.activeElement === document.body
    const next = items[before + 1] ?? (isLost ? last.current : undefined)
    last.current = undefined
    if (next !== undefined) document.getElementById(idOf(next))?.focus({ preventScroll: true })
    // oxlint-disable-next-line react/exhaustive-deps -- only new rows move the focus
  }, [items, isBusy])
  return () => {
    last.current = items.at(-1)
  }
}
