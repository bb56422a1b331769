import { useLayoutEffect, useState, type RefObject } from 'react'

const GAP_REM = 1

/**
 * The number of columns of at least `columnRem` that fit into the element. Undefined until it has been measured, which
 * happens before the first paint.
 */
export const useColumns = (
  element: RefObject<HTMLElement | null>,
  columnRem: number,
): number | undefined => {
  const [columns, setColumns] = useState<number>()
  useLayoutEffect(() => {
    const measured = element.current
    if (measured === null) return
    const measure = () => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
      const width = measured.clientWidth / rem + GAP_REM
      setColumns(Math.max(1, Math.floor(width / (columnRem + GAP_REM))))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(measured)
    return () => observer.disconnect()
  }, [element, columnRem])
  return columns
}
