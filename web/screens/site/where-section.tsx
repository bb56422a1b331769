import { LocateFixed } from 'lucide-react'
import { type ClipboardEvent, Suspense, useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'

import type { GeocodedPlace } from '#domain/geocode.ts'
import { useStoreState } from '../../data/react.ts'
import { useMessages } from '../../messages/messages.ts'
import { readPlace, type Coordinates } from '../../map/coordinates.ts'
import { lazyComponent } from '../../browser/lazy-component.ts'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { AddressField } from './address-field.tsx'
import './location.css'
import { MapField } from './map-field.tsx'
import type { SiteText } from './site-values.ts'
import { useDecimalField } from './use-field.ts'
import { usePosition } from './use-position.ts'

const FIELDS = ['address', 'latitude', 'longitude'] as const

/** Loaded lazily, because nobody waits for warnings. */
const LocationWarnings = lazyComponent(
  async () => (await import('./location-warnings.tsx')).LocationWarnings,
)

/** The location of the site: address and coordinates. */
export const WhereSection = ({ id }: { readonly id: string }) => {
  const messages = useMessages()
  const text = messages.site
  const sites = useStoreState().data?.sites ?? []
  const others = sites.filter((site) => site.id !== id)
  const { formState } = useFormContext<SiteText>()
  const decimalField = useDecimalField()
  const position = usePosition()
  const [chosen, setChosen] = useState<GeocodedPlace>()
  const [address, latitude, longitude] = useWatch<SiteText, ['address', 'latitude', 'longitude']>({
    name: ['address', 'latitude', 'longitude'],
  })
  const place = readPlace(latitude, longitude)
  const known = place !== undefined && exists(place) ? place : undefined
  const { dirtyFields } = formState
  const isNew = others.length === sites.length
  const isMoved = isNew || dirtyFields.latitude === true || dirtyFields.longitude === true

  const coordinateField = (name: 'latitude' | 'longitude') => ({
    ...decimalField(name, {
      onChange: (event) => position.edited(name, event.target.value),
      onBlur: (event) => void position.take(event.target.value, name),
    }),
    warning: position.problemOf(name),
    inputMode: 'text' as const,
    spellCheck: false,
    onPaste: (event: ClipboardEvent) => {
      if (position.take(event.clipboardData.getData('text'), name)) event.preventDefault()
    },
  })
  const problem = FIELDS.map(position.problemOf).find((each) => each !== undefined)

  return (
    <section className="card form-section" aria-labelledby="where-title">
      <h2 id="where-title">{text.whereTitle}</h2>
      <AddressField
        take={(typed) => position.take(typed, 'address')}
        problem={position.problemOf('address')}
        onEdit={(value) => position.edited('address', value)}
        near={known ?? others[0]}
        onChoose={(suggestion) => {
          setChosen(suggestion)
          position.choose(suggestion)
        }}
      />
      <div className="field">
        <div className="pair">
          <TextField {...coordinateField('latitude')} />
          <TextField {...coordinateField('longitude')} />
        </div>
        <p className="hint">{text.coordinatesHint}</p>
        <div className="field-actions">
          {'geolocation' in navigator && (
            <Button onClick={position.locate}>
              {position.isLocating ? <Spinner /> : <LocateFixed className="icon" />}
              {text.useLocation}
            </Button>
          )}
          {position.offer !== undefined && (
            <Button onClick={position.takeOffer}>
              {messages.location.takeAddress(position.offer.address)}
            </Button>
          )}
          <output className="hint">{position.noteText}</output>
          <output className="visually-hidden">{problem}</output>
        </div>
      </div>
      {/* A stored position is not checked again. */}
      {place !== undefined && isMoved && (
        <Suspense>
          <LocationWarnings
            site={id}
            place={place}
            address={chosen !== undefined && address.includes(chosen.address) ? chosen : undefined}
            others={others}
            onMove={position.fillAs('idle')}
          />
        </Suspense>
      )}
      <MapField
        place={known}
        around={chosen === undefined ? others : [chosen]}
        onUse={position.placeAs('mapped')}
      />
    </section>
  )
}

const exists = ({ latitude, longitude }: Coordinates): boolean =>
  Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
