import { useRef, useState } from 'react'
import { useFormContext } from 'react-hook-form'

import type { GeocodedPlace } from '#domain/geocode.ts'
import { isMapLink, isShortMapLink } from '#domain/map-link.ts'
import { useSettings } from '../../settings.ts'
import { useStore } from '../../data/react.ts'
import { useLanguage, useNumberFormat } from '../../messages/messages.ts'
import { parseCoordinates, type Coordinates } from '../../map/coordinates.ts'
import { formatDecimal } from '../../format/decimal.ts'
import type { SiteText } from './site-values.ts'

/** The fields that take a position. */
export type PositionField = 'address' | 'latitude' | 'longitude'

type Note =
  | 'idle'
  | 'busy'
  | 'denied'
  | 'failed'
  | 'following'
  | 'pasted'
  | 'chosen'
  | 'mapped'
  | { readonly metres: number }

/** What is wrong with a link, and where it was entered. */
interface LinkProblem {
  readonly kind: 'short' | 'unreadable'
  readonly field: PositionField
}

const CHANGE = { shouldDirty: true, shouldValidate: true, shouldTouch: true }

/**
 * How the form gets the position: from coordinates and links in any of its fields, from the device, from
 * the map, and from a suggestion. Finds the address of a position that was not made from one; it fills
 * only an empty field with it, and else offers it.
 */
export const usePosition = () => {
  const { messages, locale } = useLanguage()
  const number = useNumberFormat({ maximumFractionDigits: 0 })
  const store = useStore()
  const searchable = useSettings()['address-search'] === 'on'
  const { setValue, getValues } = useFormContext<SiteText>()
  const [note, setNote] = useState<Note>('idle')
  const [problem, setProblem] = useState<LinkProblem>()
  const [isNamed, setNamed] = useState(false)
  const [offer, setOffer] = useState<GeocodedPlace>()
  // Rises with every new position: answers about an older one no longer matter.
  const turn = useRef(0)

  const begin = (as: Note): number => {
    setNote(as)
    setProblem(undefined)
    setOffer(undefined)
    setNamed(false)
    return ++turn.current
  }
  const fillAs = (as: Note) => (wanted: Coordinates) => {
    setValue('latitude', formatDecimal(round(wanted.latitude), locale), CHANGE)
    setValue('longitude', formatDecimal(round(wanted.longitude), locale), CHANGE)
    return begin(as)
  }
  const setAddress = (address: string) => setValue('address', address, CHANGE)

  /** Looks for the address of a position, and offers it; `fills` puts it into an empty field at once. */
  const nameIt = async (place: Coordinates, mine: number, fills = false) => {
    if (!searchable) return
    const answer = await store.searchAddresses({
      at: { latitude: place.latitude, longitude: place.longitude },
    })
    if (turn.current !== mine || answer === undefined || !('items' in answer)) return
    const [found] = answer.items
    if (found === undefined) return
    const written = getValues('address').trim()
    if (written === '' && fills) {
      setAddress(found.address)
      setNamed(true)
    } else if (written !== found.address) setOffer(found)
  }

  /** Fills the coordinates from a place whose address is not known. */
  const placeAs = (as: Note, fills?: boolean) => (place: Coordinates) =>
    void nameIt(place, fillAs(as)(place), fills)

  const follow = async (link: string, field: PositionField) => {
    const mine = begin('following')
    const answer = await store.searchAddresses({ link })
    if (turn.current !== mine || answer === undefined) return
    const [place] = 'items' in answer ? answer.items : []
    if (place !== undefined) return placeAs('pasted')(place)
    begin('idle')
    setProblem({ kind: 'short', field })
  }

  /** Takes coordinates or a link out of a text; false when the text holds neither. */
  const take = (typed: string, field: PositionField): boolean => {
    const pasted = parseCoordinates(typed)
    if (pasted !== undefined) placeAs('pasted')(pasted)
    else if (isShortMapLink(typed)) void follow(typed, field)
    else {
      if (isUnreadable(typed)) setProblem({ kind: 'unreadable', field })
      return false
    }
    return true
  }

  const locate = () => {
    if (note === 'busy') return
    const mine = begin('busy')
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        if (turn.current === mine) placeAs({ metres: coords.accuracy }, true)(coords)
      },
      (error) => setNote(error.code === error.PERMISSION_DENIED ? 'denied' : 'failed'),
      { enableHighAccuracy: true, timeout: 15_000, maximumAge: 60_000 },
    )
  }

  const said =
    typeof note === 'object'
      ? messages.site.located(number(Math.max(1, note.metres)))
      : {
          idle: '',
          busy: messages.site.locating,
          denied: messages.site.locationDenied,
          failed: messages.site.locationFailed,
          following: messages.location.following,
          pasted: messages.site.pastedBoth,
          chosen: messages.location.addressPosition,
          mapped: messages.location.positionTaken,
        }[note]

  return {
    said: isNamed ? `${said} ${messages.location.addressFound}` : said,
    isLocating: note === 'busy',
    offer,
    takeOffer: () => {
      if (offer !== undefined) setAddress(offer.address)
      setOffer(undefined)
    },
    /** What is wrong with the link in a field. */
    problemOf: (field: PositionField): string | undefined => {
      if (problem?.field !== field) return undefined
      return problem.kind === 'short' ? messages.site.shortLink : messages.location.linkWithoutPlace
    },
    fillAs,
    placeAs,
    take,
    locate,
    /** A field was edited by hand. */
    edited: (field: PositionField, value: string) => {
      if (field !== 'address') begin('idle')
      setProblem(isUnreadable(value) ? { kind: 'unreadable', field } : undefined)
    },
  }
}

/** A link that names no place, and leads to none that the server could find. */
const isUnreadable = (text: string): boolean =>
  isMapLink(text) && !isShortMapLink(text) && parseCoordinates(text) === undefined

/** Seven decimals are a centimetre: more would only look exact. */
const round = (degrees: number): number => Math.round(degrees * 1e7) / 1e7
