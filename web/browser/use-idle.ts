import { useEffect, useState } from 'react'
import { whenIdle } from '../idle.ts'

/** Returns true once the browser is idle. */
export const useIdle = (): boolean => {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    whenIdle(() => setIdle(true), 500)
  }, [])
  return isIdle
}
