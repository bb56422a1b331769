import { useRef, useState } from 'react'

import type { Coordinates } from '../../map/coordinates.ts'

const OPTIONS: PositionOptions = { timeout: 15_000, maximumAge: 60_000 }

/** Requests the position of the device when the visitor asks for it. */
export const useNearMe = (onFound: (place: Coordinates) => void) => {
  const [state, setState] = useState<'idle' | 'busy' | 'denied' | 'lost'>('idle')
  const [position, setPosition] = useState<Coordinates>()
  const asked = useRef(0)
  const locate = () => {
    if (state === 'busy') return
    setState('busy')
    const mine = ++asked.current
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude } }) => {
        // The traveller has moved on in the meantime.
        if (asked.current !== mine) return
        setState('idle')
        setPosition({ latitude, longitude })
        onFound({ latitude, longitude })
      },
      ({ code, PERMISSION_DENIED }) => {
        if (asked.current === mine) setState(code === PERMISSION_DENIED ? 'denied' : 'lost')
      },
      OPTIONS,
    )
  }
  /** Ignores a position that arrives later: the traveller has chosen another place, or opened a site. */
  const forget = () => {
    asked.current += 1
    setState('idle')
  }
  return { state, position, locate, forget }
}
