import { useRef, useState } from 'react'
import { useFormContext, type UseFormSetValue } from 'react-hook-form'

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

/** The fields that accept a position. */
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

/** The problem of a link, and the field with it. */
interface LinkProblem {
  readonly kind: 'short' | 'unreadable'
  readonly field: PositionField
}

const CHANGE = { shouldDirty: true, shouldValidate: true, shouldTouch: true }

/**
 * Sets the position of the form: from coordinates and links in any of its fields, from the device, the map, or a
 * suggestion. Looks up the address of a position that did not come with one; fills it into an empty field, and
 * otherwise offers it.
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
  // Raised by every new position: responses about an earlier one are ignored.
  const turn = useRef(0)

  const begin = (as: Note): number => {
    setNote(as)
    setProblem(undefined)
    setOffer(undefined)
    setNamed(false)
    return ++turn.current
  }
  const fillAs = (as: Note) => (wanted: Coordinates) => {
    putPosition(setValue, wanted, locale)
    return begin(as)
  }
  const { setAddress, fillParts } = useAddress()

  /** Looks up the address of a position, and offers it; `fills` puts it into an empty field immediately. */
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

  /** Fills the coordinates from a place without a known address. */
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

  /** Extracts coordinates or a link from a text; returns false if there are none. */
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
    askDevice(
      (why) => turn.current === mine && setNote(why),
      (coords) => turn.current === mine && placeAs({ metres: coords.accuracy }, true)(coords),
    )
  }

  return {
    noteText: useNoteText(note, isNamed),
    isLocating: note === 'busy',
    offer,
    takeOffer: () => {
      setOffer(undefined)
      if (offer !== undefined) setAddress(offer)
    },
    /** The problem of the link in a field. */
    problemOf: (field: PositionField) =>
      problem?.field === field ? describeProblem(messages, problem) : undefined,
    /** Applies a suggestion, whose address is already in its field. */
    choose: (suggestion: GeocodedPlace) => {
      fillParts(suggestion)
      fillAs('chosen')(suggestion)
    },
    fillAs,
    placeAs,
    take,
    locate,
    /** Called when the user edits a field. */
    edited: (field: PositionField, value: string) => {
      if (field !== 'address') begin('idle')
      setProblem(isUnreadable(value) ? { kind: 'unreadable', field } : undefined)
    },
  }
}

const ADDRESS_PARTS = ['city', 'postal_code', 'state', 'country'] as const

/** Applies the address of a place. Typed parts are kept. */
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

const describeProblem = ({ location, site }: Messages, { kind }: LinkProblem): string =>
  kind === 'short' ? site.shortLink : location.linkWithoutPlace

/** Describes the source of a position. */
const useNoteText = (note: Note, isNamed: boolean): string => {
  const { location, site } = useMessages()
  const number = useNumberFormat({ maximumFractionDigits: 0 })
  if (typeof note === 'object') {
    const text = site.located(number(Math.max(1, note.metres)))
    return isNamed ? `${text} ${location.addressFound}` : text
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

/** Returns whether a text is a link without a position that the server cannot resolve either. */
const isUnreadable = (text: string): boolean =>
  isMapLink(text) && !isShortMapLink(text) && parseCoordinates(text) === undefined

/** Writes a position into its fields. */
export const putPosition = (
  setValue: UseFormSetValue<SiteText>,
  wanted: Coordinates,
  locale: string,
): void => {
  for (const name of ['latitude', 'longitude'] as const)
    setValue(name, formatDecimal(round(wanted[name]), locale), CHANGE)
}

/** Rounds to seven decimals, which are 1 cm; more would suggest a false precision. */
const round = (degrees: number): number => Math.round(degrees * 1e7) / 1e7
