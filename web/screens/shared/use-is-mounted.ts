import { useCallback, useEffect, useRef } from 'react'

/** Returns whether the screen is still mounted. An action may finish after it was left. */
export const useIsMounted = (): (() => boolean) => {
  const isMounted = useRef(true)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  return useCallback(() => isMounted.current, [])
}
