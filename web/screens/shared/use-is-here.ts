import { useCallback, useEffect, useRef } from 'react'

/** Returns whether the screen is still mounted: an action may finish after it was left. */
export const useIsHere = (): (() => boolean) => {
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  return useCallback(() => isHere.current, [])
}
