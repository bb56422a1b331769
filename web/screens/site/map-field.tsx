import { Map as MapIcon } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'

import { useMessages } from '../../messages/messages.ts'
import type { Coordinates } from '../../map/coordinates.ts'
import { lazyComponent } from '../../browser/lazy-component.ts'
import { LoadError } from '../../ui/load-error.tsx'
import { Spinner } from '../../ui/spinner.tsx'

// About 450 kB, loaded on intent.
const PositionMap = lazyComponent(
  async () => (await import('../../map/position-map.tsx')).PositionMap,
  ['map'],
  LoadError,
)

interface Props {
  readonly place: Coordinates | undefined
  /** Places to fit into view until there is a position. */
  readonly around: readonly Coordinates[]
  readonly onUse: (place: Coordinates) => void
}

/** A button that is replaced by a map. Requests nothing until it is pressed. */
export const MapField = ({ place, around, onUse }: Props) => {
  const messages = useMessages()
  const text = messages.location
  const [isOpen, setOpen] = useState(false)
  const preview = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && !isOpen) preview.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])

  if (!isOpen) {
    return (
      <button type="button" className="map-preview" ref={preview} onClick={() => setOpen(true)}>
        <Grid />
        <span className="map-preview-label">
          <MapIcon className="icon" />
          {place === undefined ? text.openMap : text.adjustMap}
        </span>
      </button>
    )
  }
  const waiting = (
    <output className="map-waiting">
      <Spinner /> {messages.shell.loading}
    </output>
  )
  return (
    <Suspense fallback={waiting}>
      <PositionMap
        start={place}
        around={around}
        onUse={(chosen) => {
          onUse(chosen)
          setOpen(false)
        }}
        onClose={() => setOpen(false)}
      />
    </Suspense>
  )
}

/** A grid, which cannot be mistaken for a map. */
const Grid = () => (
  <svg viewBox="0 0 640 150" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
    <path d="M0 25H640M0 75H640M0 125H640M20 0V150M120 0V150M220 0V150M320 0V150M420 0V150M520 0V150M620 0V150" />
  </svg>
)
