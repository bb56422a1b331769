import { useEffect } from 'react'

/** How far above the lower edge the bar may stand and still be in the way of what floats there. */
const NEAR_PX = 240

/**
 * Keeps what floats at the lower edge above the bar with the save button, wherever that has come to
 * rest: `--clear` is the height that the bar takes there, however large its text is.
 */
export const useKeepClear = (): void => {
  useEffect(() => {
    const root = document.documentElement
    let shown = 0
    let frame = 0
    const measure = (): void => {
      frame = 0
      const bar = document.querySelector('.save-bar')?.getBoundingClientRect()
      const isNear =
        bar !== undefined && bar.top < innerHeight && bar.bottom > innerHeight - NEAR_PX
      const clear = isNear ? Math.round(innerHeight - bar.top) : 0
      if (clear === shown) return
      shown = clear
      root.style.setProperty('--clear', `${clear}px`)
    }
    const later = (): void => {
      if (frame === 0) frame = requestAnimationFrame(measure)
    }
    // A bar that comes or goes changes the height of the page.
    const observer = new ResizeObserver(later)
    observer.observe(document.body)
    addEventListener('scroll', later, { passive: true })
    addEventListener('resize', later)
    return () => {
      cancelAnimationFrame(frame)
      observer.disconnect()
      removeEventListener('scroll', later)
      removeEventListener('resize', later)
    }
  }, [])
}
