import { useEffectEvent, useLayoutEffect, useState, type RefObject } from 'react'

const GAP_REM = 1

/**
 * The number of columns of at least `columnRem` that fit into the element. Undefined until it has been measured, which
 * happens before the first paint. `onChange` is called before another number is rendered.
 */
export const useColumns = (
  element: RefObject<HTMLElement | null>,
  columnRem: number,
  onChange: (element: HTMLElement) => void,
): number | undefined => {
  const [columns, setColumns] = useState<number>()
  const change = useEffectEvent(onChange)
  useLayoutEffect(() => {
    const measured = element.current
    if (measured === null) return
    let last: number | undefined
    const measure = () => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
      const width = measured.clientWidth / rem + GAP_REM
      const count = Math.max(1, Math.floor(width / (columnRem + GAP_REM)))
      if (last !== undefined && last !== count) change(measured)
      last = count
      setColumns(count)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(measured)
    return () => observer.disconnect()
  }, [element, columnRem])
  return columns
}
