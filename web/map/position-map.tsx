import { Crosshair, X } from 'lucide-react'
import { useEffect, useId, useRef, useState, type ReactNode, type RefObject } from 'react'

import { useLanguage } from '../messages/messages.ts'
import { Button, IconButton } from '../ui/button.tsx'
import type { Coordinates } from './coordinates.ts'
import type { LibreMap } from './map.ts'
import { MapFrame } from './map-frame.tsx'

interface Props {
  /** The initial position. */
  readonly start: Coordinates | undefined
  /** Places to fit into view until there is a position. */
  readonly around: readonly Coordinates[]
  readonly onUse: (place: Coordinates) => void
  readonly onClose: () => void
}

const START_ZOOM = 17

/**
 * Sets a position by moving the map below a pin in its centre, which works equally with touch, mouse and keyboard. On a
 * phone it fills the screen.
 */
export const PositionMap = ({ start, around, onUse, onClose }: Props) => {
  const { messages, locale } = useLanguage()
  const text = messages.location
  const titleId = useId()
  const [map, setMap] = useState<LibreMap>()
  const [center, setCenter] = useState<Coordinates>()
  const [view] = useState(() =>
    start === undefined ? { places: around } : { center: start, zoom: START_ZOOM },
  )
  const degrees = new Intl.NumberFormat(locale, {
    minimumFractionDigits: 5,
    maximumFractionDigits: 5,
  })

  const open = (opened: LibreMap) => {
    const read = () => setCenter(centerOf(opened))
    opened.on('moveend', read)
    read()
    setMap(opened)
    opened.getCanvas().focus({ preventScroll: true })
  }

  return (
    <Panel labelledBy={titleId} onClose={onClose}>
      <div className="map-panel-head">
        <h3 id={titleId}>{text.mapTitle}</h3>
        <IconButton look="quiet" icon={X} label={text.closeMap} onClick={onClose} />
        <p className="hint">
          {text.mapHelp} <span className="map-keys">{text.mapKeys}</span>
        </p>
      </div>
      <div className="map-panel-map">
        <MapFrame label={text.mapLabel} view={view} without={text.withoutMap} onOpen={open}>
          <svg className="map-pin" viewBox="-20 -56 40 58" aria-hidden="true">
            <path className="pin" d="M0 0C-6-14-18-22-18-36a18 18 0 1 1 36 0C18-22 6-14 0 0z" />
            <circle className="pin-eye" cy="-36" r="7" />
          </svg>
        </MapFrame>
      </div>
      <div className="map-panel-foot">
        <output className="map-center">
          {center !== undefined &&
            `${degrees.format(center.latitude)}; ${degrees.format(center.longitude)}`}
        </output>
        <Button
          look="primary"
          disabled={map === undefined}
          onClick={() => map !== undefined && onUse(centerOf(map))}
        >
          <Crosshair className="icon" />
          {text.usePosition}
        </Button>
      </div>
    </Panel>
  )
}

const centerOf = (map: LibreMap): Coordinates => {
  const { lat: latitude, lng: longitude } = map.getCenter().wrap()
  return { latitude, longitude }
}

interface PanelProps {
  readonly labelledBy: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Full screen on a phone, inline on a desktop. */
const Panel = ({ labelledBy, onClose, children }: PanelProps) => {
  const [isModal] = useState(() => !matchMedia('(min-width: 48rem)').matches)
  const dialog = useRef<HTMLDialogElement>(null)
  useModal(dialog, isModal)
  if (!isModal) {
    return (
      <section className="map-panel" aria-labelledby={labelledBy}>
        {children}
      </section>
    )
  }
  return (
    <dialog
      className="map-panel"
      ref={dialog}
      aria-labelledby={labelledBy}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      {children}
    </dialog>
  )
}

const useModal = (dialog: RefObject<HTMLDialogElement | null>, isModal: boolean): void => {
  useEffect(() => {
    const element = dialog.current
    if (isModal) element?.showModal()
    return () => element?.close()
  }, [dialog, isModal])
}
