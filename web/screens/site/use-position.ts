import { useRef, useState } from 'react'
import { useFormContext } from 'react-hook-form'

import type { AddressParts, GeocodedPlace } from '#domain/geocode.ts'
import { isMapLink, isShortMapLink } from '#domain/map-link.ts'
import { useSettings } from '../../settings.ts'
import { useStore } from '../../data/react.ts'
import {
  useLanguage,
  useMessages,
  useNumberFormat,
  type Messages,
} from '../../messages/messages.ts'
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
    for (const name of ['latitude', 'longitude'] as const)
      setValue(name, formatDecimal(round(wanted[name]), locale), CHANGE)
    return begin(as)
  }
  const { setAddress, fillParts } = useAddress()

  /** Looks for the address of a position, and offers it; `fills` puts it into an empty field at once. */
  const nameIt = async ({ latitude, longitude }: Coordinates, mine: number, fills = false) => {
    if (!searchable) return
    const answer = await store.searchAddresses({ at: { latitude, longitude } })
    const [found] = answer !== undefined && 'items' in answer ? answer.items : []
    if (turn.current !== mine || found === undefined) return
    const written = getValues('address').trim()
    if (written === '' && fills) {
      setAddress(found)
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
    askDevice(setNote, (coords) => {
      if (turn.current === mine) placeAs({ metres: coords.accuracy }, true)(coords)
    })
  }

  return {
    said: useWords(note, isNamed),
    isLocating: note === 'busy',
    offer,
    takeOffer: () => {
      setOffer(undefined)
      if (offer !== undefined) setAddress(offer)
    },
    /** What is wrong with the link in a field. */
    problemOf: (field: PositionField) =>
      problem?.field === field ? wordProblem(messages, problem) : undefined,
    /** Takes a suggestion, whose address is in its field already. */
    choose: (suggestion: GeocodedPlace) => {
      fillParts(suggestion)
      fillAs('chosen')(suggestion)
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

const ADDRESS_PARTS = ['city', 'postal_code', 'state', 'country'] as const

/** Takes the address of a place. Of its parts those stay that somebody wrote. */
const useAddress = () => {
  const { setValue, getValues } = useFormContext<SiteText>()
  const filled = useRef<Partial<AddressParts>>({})
  const fillParts = ({ parts }: GeocodedPlace) => {
    if (parts === undefined) return
    const free = ADDRESS_PARTS.filter((name) => {
      const written = getValues(name)
      return written === '' || written === filled.current[name]
    })
    for (const name of free) setValue(name, parts[name], CHANGE)
    filled.current = Object.fromEntries(free.map((name) => [name, parts[name]]))
  }
  const setAddress = (place: GeocodedPlace) => {
    setValue('address', place.address, CHANGE)
    fillParts(place)
  }
  return { setAddress, fillParts }
}

const askDevice = (
  onFailed: (why: 'denied' | 'failed') => void,
  onFound: (coords: GeolocationCoordinates) => void,
): void =>
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => onFound(coords),
    (error) => onFailed(error.code === error.PERMISSION_DENIED ? 'denied' : 'failed'),
    { enableHighAccuracy: true, timeout: 15_000, maximumAge: 60_000 },
  )

const wordProblem = ({ location, site }: Messages, { kind }: LinkProblem): string =>
  kind === 'short' ? site.shortLink : location.linkWithoutPlace

/** What is said about where a position comes from. */
const useWords = (note: Note, isNamed: boolean): string => {
  const { location, site } = useMessages()
  const number = useNumberFormat({ maximumFractionDigits: 0 })
  if (typeof note === 'object') {
    const said = site.located(number(Math.max(1, note.metres)))
    return isNamed ? `${said} ${location.addressFound}` : said
  }
  return {
    idle: '',
    busy: site.locating,
    denied: site.locationDenied,
    failed: site.locationFailed,
    following: location.following,
    pasted: site.pastedBoth,
    chosen: location.addressPosition,
    mapped: location.positionTaken,
  }[note]
}

/** A link that names no place, and leads to none that the server could find. */
const isUnreadable = (text: string): boolean =>
  isMapLink(text) && !isShortMapLink(text) && parseCoordinates(text) === undefined

/** Seven decimals are a centimetre: more would only look exact. */
const round = (degrees: number): number => Math.round(degrees * 1e7) / 1e7
