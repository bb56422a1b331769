import { useEffect } from 'react'

/** Distance from the lower edge, in pixels, within which the bar covers floating elements. */
const NEAR_PX = 240

/**
 * Keeps floating elements above the save bar at the lower edge: sets `--clear` to the height that the
 * bar takes there, at any text size.
 */
export const useBottomInset = (): void => {
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
    // A bar that appears or disappears changes the page height.
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
