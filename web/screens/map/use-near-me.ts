import { useState } from 'react'

import type { Coordinates } from '../../map/coordinates.ts'

const OPTIONS: PositionOptions = { timeout: 15_000, maximumAge: 60_000 }

/** Where the device is, once it was asked for and allowed. */
export const useNearMe = (onFound: (place: Coordinates) => void) => {
  const [state, setState] = useState<'idle' | 'busy' | 'denied' | 'lost'>('idle')
  const [position, setPosition] = useState<Coordinates>()
  const locate = () => {
    if (state === 'busy') return
    setState('busy')
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude } }) => {
        setState('idle')
        setPosition({ latitude, longitude })
        onFound({ latitude, longitude })
      },
      ({ code, PERMISSION_DENIED }) => setState(code === PERMISSION_DENIED ? 'denied' : 'lost'),
      OPTIONS,
    )
  }
  return { state, position, locate, forget: () => setState('idle') }
}
