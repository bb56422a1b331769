import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'

import { useSettings } from '../settings.ts'
import { useLanguage } from '../messages/messages.ts'
import { Spinner } from '../ui/spinner.tsx'
import { NoWebGL, openMap, type Ground, type LibreMap, type View } from './map.ts'

interface Props {
  /** The accessible name of the map. */
  readonly label: string
  /** The initial view; later values do not move the map. */
  readonly view: View
  /** Whether the bundled world keeps the zoom of the view. */
  readonly keepsZoom?: boolean
  /** Shown if there is no map: the alternative. */
  readonly without: string
  readonly onOpen: (map: LibreMap) => void
  /** Drawn over the map. */
  readonly children?: ReactNode
}

/**
 * A map that exists while it is mounted. Mount it on intent only, because it immediately requests the configured
 * origin. It can be moved and zoomed by keyboard.
 */
export const MapFrame = ({ label, view, keepsZoom = false, without, onOpen, children }: Props) => {
  const styleUrl = useSettings()['map-style-url']
  const { messages, locale } = useLanguage()
  const text = messages.map
  const place = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<'loading' | Ground | 'noWebGL' | 'failed'>('loading')

  const open = useEffectEvent(async (container: HTMLElement, signal: AbortSignal) => {
    try {
      const map = await openMap({
        container,
        styleUrl,
        view,
        keepsZoom,
        locale,
        names: { map: label, zoomIn: text.zoomIn, zoomOut: text.zoomOut },
        onGround: setState,
        signal,
      })
      onOpen(map)
    } catch (error) {
      if (signal.aborted) return
      setState(error instanceof NoWebGL || isGraphicsError(error) ? 'noWebGL' : 'failed')
    }
  })
  useEffect(() => {
    const ending = new AbortController()
    if (place.current !== null) void open(place.current, ending.signal)
    return () => ending.abort()
  }, [])

  const missing = state === 'noWebGL' || state === 'failed'
  return (
    <div className="map-frame" data-ground={state}>
      <div className="map-place" ref={place} />
      {!missing && children}
      {state === 'loading' && (
        <p className="map-state">
          <Spinner /> {text.loading}
        </p>
      )}
      {missing && (
        <p className="map-state" role="alert">
          {state === 'noWebGL' ? text.noWebGL : text.failed} {without}
        </p>
      )}
      {state === 'world' && (
        <output className="map-note">
          {styleUrl === 'none' ? text.worldOnly : text.noStreets}
        </output>
      )}
    </div>
  )
}

const isGraphicsError = (error: unknown): boolean =>
  error instanceof Error && error.name === 'GPUInitializationError'
