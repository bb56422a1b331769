import { useEffect, useState } from 'react'

/** Returns true once the browser is idle. */
export const useIdle = (): boolean => {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    const whenIdle = globalThis.requestIdleCallback ?? ((task: () => void) => setTimeout(task, 500))
    whenIdle(() => setIdle(true))
  }, [])
  return isIdle
}
