import { Map as MapIcon } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'

import { useMessages } from '../../messages/messages.ts'
import type { Coordinates } from '../../ui/coordinates.ts'
import { late } from '../../ui/late.ts'
import { MissingPart } from '../../ui/missing-part.tsx'
import { Spinner } from '../../ui/spinner.tsx'

// The whole of it, some 450 kB, is fetched when somebody wants to see a map.
const PositionMap = late(
  async () => (await import('../../map/position-map.tsx')).PositionMap,
  [],
  MissingPart,
)

interface Props {
  readonly place: Coordinates | undefined
  /** What the map shows while there is no position. */
  readonly around: readonly Coordinates[]
  readonly onUse: (place: Coordinates) => void
}

/** A picture of a map that becomes one when it is pressed. Nothing is asked for before. */
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
        <Sketch hasPin={place !== undefined} />
        <span className="map-preview-label">
          <MapIcon className="icon" aria-hidden="true" />
          {place === undefined ? text.openMap : text.adjustMap}
        </span>
      </button>
    )
  }
  const waiting = (
    <output className="map-waiting">
      <Spinner /> {messages.map.loading}
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

/** No map of anywhere: some streets, some water, and the pin. */
const Sketch = ({ hasPin }: { readonly hasPin: boolean }) => (
  <svg viewBox="0 0 640 150" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
    <path className="water" d="M-10 160V118c90-26 150 8 230-6s120-60 210-52 130 40 230 12v90z" />
    <g className="streets">
      <path d="M-10 40 210 88 330 20 650 60M120-10l40 90-30 90M330 20l46 66-20 80M520-10l-40 100 60 80" />
      <path
        className="minor"
        d="M-10 84l150-10M60-10l20 66M210 88l40 70M260 58l-50-70M376 86l120-6M430 32l-10 54M590 50l-30 60 90 20"
      />
    </g>
    {hasPin && <PinShape transform="translate(320 74)" />}
  </svg>
)

const PinShape = ({ transform }: { readonly transform: string }) => (
  <g transform={transform}>
    <path className="pin" d="M0 0C-6-14-18-22-18-36a18 18 0 1 1 36 0C18-22 6-14 0 0z" />
    <circle className="pin-eye" cy="-36" r="7" />
  </g>
)
