import { LocateFixed } from 'lucide-react'
import { type ClipboardEvent, Suspense, useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { useParams } from 'react-router'

import type { GeocodedPlace } from '#domain/geocode.ts'
import { useStoreState } from '../../data/react.ts'
import { useLanguage, useNumberFormat } from '../../messages/messages.ts'
import {
  isMapLink,
  isShortMapLink,
  parseCoordinates,
  readPlace,
  type Coordinates,
} from '../../ui/coordinates.ts'
import { late } from '../../ui/late.ts'
import { formatDecimal } from '../../ui/decimal.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { AddressField } from './address-field.tsx'
import './location.css'
import { MapField } from './map-field.tsx'
import type { SiteText } from './site-values.ts'
import { useDecimalField } from './use-field.ts'

type Note =
  | 'idle'
  | 'busy'
  | 'denied'
  | 'failed'
  | 'short'
  | 'unreadable'
  | 'pasted'
  | 'chosen'
  | 'mapped'
  | { metres: number }

/** Nobody waits for doubts: they come when there is something to doubt. */
const LocationDoubts = late(async () => (await import('./location-doubts.tsx')).LocationDoubts)

/** Where the site is: in words for people, and as coordinates for maps. */
export const WhereSection = () => {
  const { messages, locale } = useLanguage()
  const number = useNumberFormat({ maximumFractionDigits: 0 })
  const text = messages.site
  const { id } = useParams()
  const others = (useStoreState().data?.sites ?? []).filter((site) => site.id !== id)
  const { setValue, formState } = useFormContext<SiteText>()
  const decimalField = useDecimalField()
  const [note, setNote] = useState<Note>('idle')
  const [chosen, setChosen] = useState<GeocodedPlace>()
  const [address, latitude, longitude] = useWatch<SiteText, ['address', 'latitude', 'longitude']>({
    name: ['address', 'latitude', 'longitude'],
  })
  const place = readPlace(latitude, longitude)
  const known = place !== undefined && exists(place) ? place : undefined
  const { dirtyFields } = formState
  const isMoved = dirtyFields.latitude === true || dirtyFields.longitude === true

  const fill = (wanted: Coordinates) => {
    const options = { shouldDirty: true, shouldValidate: true, shouldTouch: true }
    setValue('latitude', formatDecimal(round(wanted.latitude), locale), options)
    setValue('longitude', formatDecimal(round(wanted.longitude), locale), options)
  }
  const fillAs = (as: Note) => (wanted: Coordinates) => {
    fill(wanted)
    setNote(as)
  }

  /** A pair, or a link of a map, in any of the fields fills both. */
  const take = (typed: string): boolean => {
    const pasted = parseCoordinates(typed)
    if (pasted !== undefined) fillAs('pasted')(pasted)
    else if (isMapLink(typed)) setNote(aboutText(typed))
    return pasted !== undefined
  }
  const coordinate = {
    inputMode: 'text' as const,
    spellCheck: false,
    onPaste: (event: ClipboardEvent) => {
      if (take(event.clipboardData.getData('text'))) event.preventDefault()
    },
  }
  const byHand = {
    onChange: (event: { target: { value: string } }) => setNote(aboutText(event.target.value)),
    onBlur: (event: { target: { value: string } }) => take(event.target.value),
  }

  const locate = () => {
    if (note === 'busy') return
    setNote('busy')
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => fillAs({ metres: coords.accuracy })(coords),
      (error) => setNote(error.code === error.PERMISSION_DENIED ? 'denied' : 'failed'),
      { enableHighAccuracy: true, timeout: 15_000, maximumAge: 60_000 },
    )
  }

  const said =
    typeof note === 'object'
      ? text.located(number(Math.max(1, note.metres)))
      : {
          idle: '',
          busy: text.locating,
          denied: text.locationDenied,
          failed: text.locationFailed,
          short: text.shortLink,
          unreadable: messages.location.linkWithoutPlace,
          pasted: text.pastedBoth,
          chosen: messages.location.addressPosition,
          mapped: messages.location.positionTaken,
        }[note]

  return (
    <section className="card form-section" aria-labelledby="where-title">
      <h2 id="where-title">{text.whereTitle}</h2>
      <AddressField
        take={take}
        near={known ?? others[0]}
        onChoose={(suggestion) => {
          setChosen(suggestion)
          fillAs('chosen')(suggestion)
        }}
      />
      <div className="field">
        <div className="pair">
          <TextField label={text.latitude} {...decimalField('latitude', byHand)} {...coordinate} />
          <TextField
            label={text.longitude}
            {...decimalField('longitude', byHand)}
            {...coordinate}
          />
        </div>
        <p className="hint">{text.coordinatesHint}</p>
        <div className="field-actions">
          {'geolocation' in navigator && (
            <button type="button" className="button" onClick={locate}>
              {note === 'busy' ? <Spinner /> : <LocateFixed className="icon" aria-hidden="true" />}
              {text.useLocation}
            </button>
          )}
          <output className="hint">{said}</output>
        </div>
      </div>
      {/* What is stored was looked at before. */}
      {place !== undefined && isMoved && (
        <Suspense>
          <LocationDoubts
            place={place}
            address={chosen !== undefined && address.includes(chosen.address) ? chosen : undefined}
            others={others}
            onMove={fillAs('idle')}
          />
        </Suspense>
      )}
      <MapField
        place={known}
        around={chosen === undefined ? others : [chosen]}
        onUse={fillAs('mapped')}
      />
    </section>
  )
}

/** What there is to say of a text that holds no place. */
const aboutText = (typed: string): Note =>
  isShortMapLink(typed) ? 'short' : isMapLink(typed) ? 'unreadable' : 'idle'

const exists = ({ latitude, longitude }: Coordinates): boolean =>
  Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180

/** Seven decimals are a centimetre: more would only look exact. */
const round = (degrees: number): number => Math.round(degrees * 1e7) / 1e7
