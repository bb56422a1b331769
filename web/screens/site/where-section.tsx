import { LocateFixed } from 'lucide-react'
import { useState, type ClipboardEvent } from 'react'
import { useFormContext } from 'react-hook-form'

import { useLanguage, useNumberFormat } from '../../messages/messages.ts'
import { isShortMapLink, parseCoordinates, type Coordinates } from '../../ui/coordinates.ts'
import { formatDecimal } from '../../ui/decimal.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { SiteText } from './site-values.ts'
import { useSiteField } from './use-field.ts'

type Locating = 'idle' | 'busy' | 'denied' | 'failed' | 'short' | 'pasted' | { metres: number }

/** Where the site is: in words for people, and as coordinates for maps. */
export const WhereSection = () => {
  const { messages, locale } = useLanguage()
  const number = useNumberFormat({ maximumFractionDigits: 0 })
  const text = messages.site
  const { setValue } = useFormContext<SiteText>()
  const field = useSiteField()
  const [locating, setLocating] = useState<Locating>('idle')

  const fill = ({ latitude, longitude }: Coordinates) => {
    const options = { shouldDirty: true, shouldValidate: true, shouldTouch: true }
    setValue('latitude', formatDecimal(latitude, locale), options)
    setValue('longitude', formatDecimal(longitude, locale), options)
  }

  /** A pair, or a link of a map, in either field fills both. */
  const take = (typed: string): boolean => {
    const place = parseCoordinates(typed)
    if (place === undefined) {
      if (isShortMapLink(typed)) setLocating('short')
      return false
    }
    fill(place)
    setLocating('pasted')
    return true
  }
  const coordinate = {
    inputMode: 'text' as const,
    spellCheck: false,
    onPaste: (event: ClipboardEvent) => {
      if (take(event.clipboardData.getData('text'))) event.preventDefault()
    },
  }
  const onBlur = { onBlur: (event: { target: { value: string } }) => take(event.target.value) }

  const locate = () => {
    if (locating === 'busy') return
    setLocating('busy')
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        // Six decimals are a tenth of a metre: more would only look exact.
        fill({ latitude: round(coords.latitude), longitude: round(coords.longitude) })
        setLocating({ metres: coords.accuracy })
      },
      (error) => setLocating(error.code === error.PERMISSION_DENIED ? 'denied' : 'failed'),
      { enableHighAccuracy: true, timeout: 15_000, maximumAge: 60_000 },
    )
  }

  const note =
    typeof locating === 'object'
      ? text.located(number(Math.max(1, locating.metres)))
      : {
          idle: '',
          busy: text.locating,
          denied: text.locationDenied,
          failed: text.locationFailed,
          short: text.shortLink,
          pasted: text.pastedBoth,
        }[locating]

  return (
    <section className="card form-section" aria-labelledby="where-title">
      <h2 id="where-title">{text.whereTitle}</h2>
      <TextField
        label={text.address}
        hint={text.addressHint}
        autoComplete="street-address"
        {...field('address')}
      />
      <div className="field">
        <div className="pair">
          <TextField label={text.latitude} {...field('latitude', onBlur)} {...coordinate} />
          <TextField label={text.longitude} {...field('longitude', onBlur)} {...coordinate} />
        </div>
        <p className="hint">{text.coordinatesHint}</p>
        <div className="field-actions">
          {'geolocation' in navigator && (
            <button type="button" className="button" onClick={locate}>
              {locating === 'busy' ? (
                <Spinner />
              ) : (
                <LocateFixed className="icon" aria-hidden="true" />
              )}
              {text.useLocation}
            </button>
          )}
          <output className="hint">{note}</output>
        </div>
      </div>
    </section>
  )
}

const round = (degrees: number): number => Math.round(degrees * 1e6) / 1e6
