import { useCallback, useEffect, useRef } from 'react'

/** Is the screen still there? What was begun on it may end after it was left. */
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
