import { useEffect, useEffectEvent } from 'react'

/** Calls a function whenever the connection of the browser returns. */
export const useReconnect = (onReconnect: () => void): void => {
  const again = useEffectEvent(onReconnect)
  useEffect(() => {
    const listener = (): void => again()
    addEventListener('online', listener)
    return () => removeEventListener('online', listener)
  }, [])
}
