import { useEffect, useRef } from 'react'

/**
 * Focuses the first of the rows that a button asks for: the button is below them all, or gone. If there are none and the
 * button is gone, the focus goes to the row before it.
 * @param idOf the id of the element of a row that gets the focus
 * @returns a function to call when the button is pressed
 */
export const useReadOn = <Item>(
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
    // oxlint-disable-next-line react/exhaustive-deps -- only rows that arrive move the focus
  }, [items, isBusy])
  return () => {
    last.current = items.at(-1)
  }
}
