import { Crosshair, MapPin, PencilLine } from 'lucide-react'
import {
  useEffect,
  useEffectEvent,
  useId,
  useState,
  type ClipboardEvent,
  type KeyboardEvent,
} from 'react'
import { useFormContext } from 'react-hook-form'

import { GEOCODE_LIMITS, type GeocodeAnswer, type GeocodedPlace } from '#domain/geocode.ts'
import { useSettings } from '../../settings.ts'
import { useStore } from '../../data/react.ts'
import { useLanguage, useMessages } from '../../messages/messages.ts'
import { parseCoordinates, textAroundLink, type Coordinates } from '../../map/coordinates.ts'
import { formatDecimal } from '../../format/decimal.ts'
import { TextField } from '../../ui/text-field.tsx'
import type { SiteText } from './site-values.ts'
import { useSiteField } from './use-field.ts'

interface Props {
  /** Extracts coordinates or a link from a text; returns false if there are none. */
  readonly take: (text: string) => boolean
  /** The problem of an entered link. */
  readonly problem: string | undefined
  readonly onEdit: (value: string) => void
  readonly onChoose: (place: GeocodedPlace) => void
  /** Suggestions near this place come first. */
  readonly near: Coordinates | undefined
}

/** Debounce of the address search. */
const PAUSE_MS = 250
/** Minimum length of a search text. */
const MIN_LETTERS = 3

type Option =
  | { readonly kind: 'place'; readonly place: GeocodedPlace }
  | { readonly kind: 'coordinates'; readonly place: Coordinates }
  | { readonly kind: 'typed' }

const TYPED: Option = { kind: 'typed' }

type OperatorError = 'searchDown' | 'searchBusy'

/**
 * The address, with suggestions (a combobox as in the ARIA Authoring Practices). Also accepts coordinates and links,
 * and any address as typed. Without a geocoder it is a plain field.
 */
export const AddressField = ({ take, problem, onEdit, onChoose, near }: Props) => {
  const text = useMessages().location
  const searchable = useSettings()['address-search'] === 'on'
  const { getValues, setValue } = useFormContext<SiteText>()
  const field = useSiteField()
  const listId = useId()
  const list = useSuggestions({ take, onChoose, near })
  const { answer, options, active, isOpen, trouble } = list

  const registered = field('address', {
    onChange: (event: { target: { value: string } }) => {
      onEdit(event.target.value)
      list.typed(event.target.value)
    },
    onBlur: (event: { target: { value: string } }) => {
      list.close()
      // Coordinates and links are not stored as an address.
      const { value } = event.target
      if (take(value)) setValue('address', textAroundLink(value), { shouldDirty: true })
    },
  })
  const optionId = (index: number) => `${listId}-${index}`
  const found = options.filter(({ kind }) => kind === 'place').length

  return (
    <TextField
      warning={problem}
      hint={searchable ? text.addressHint : text.addressHintPlain}
      // The browser's autofill list would cover the suggestions.
      autoComplete={searchable ? 'off' : 'street-address'}
      onPaste={(event: ClipboardEvent) => {
        const pasted = event.clipboardData.getData('text')
        if (!take(pasted)) return
        event.preventDefault()
        // Apps share the name and the street together with a link.
        if (getValues('address').trim() === '' && textAroundLink(pasted) !== '')
          setValue('address', textAroundLink(pasted), { shouldDirty: true, shouldValidate: true })
      }}
      {...registered}
      {...(searchable && {
        role: 'combobox',
        'aria-autocomplete': 'list' as const,
        'aria-expanded': isOpen,
        'aria-controls': listId,
        'aria-activedescendant': active < 0 ? undefined : optionId(active),
        onKeyDown: list.press,
      })}
    >
      <div className="suggestions-place">
        <div className="suggestions" hidden={!isOpen}>
          <Suggestions list={list} id={listId} idOf={optionId} />
          {found > 0 && <p className="suggestions-source">{answer?.attribution?.text}</p>}
        </div>
      </div>
      {trouble !== undefined && <p className="field-warning">{text[trouble]}</p>}
      <output className="visually-hidden">
        {isOpen && found > 0 && text.found(found)}
        {isOpen && options.length === 1 && text.foundNone}
        {trouble !== undefined && text[trouble]}
      </output>
      {answer?.attribution !== undefined && (
        <p className="hint">
          <a className="source" href={answer.attribution.url} target="_blank" rel="noreferrer">
            {answer.attribution.text}
          </a>
        </p>
      )}
    </TextField>
  )
}

/** Searches with a debounce, and handles the keyboard in the suggestions. */
const useSuggestions = ({ take, onChoose, near }: Pick<Props, 'take' | 'onChoose' | 'near'>) => {
  const store = useStore()
  const searchable = useSettings()['address-search'] === 'on'
  const { getValues, setValue } = useFormContext<SiteText>()
  const [query, setQuery] = useState('')
  const [answer, setAnswer] = useState<GeocodeAnswer>()
  const [options, setOptions] = useState<readonly Option[]>([])
  const [active, setActive] = useState(-1)
  const [isOpen, setOpen] = useState(false)
  const [trouble, setTrouble] = useState<OperatorError>()

  const close = () => {
    setQuery('')
    setOpen(false)
    setActive(-1)
  }
  const show = (found: readonly Option[]) => {
    setOptions(found)
    setActive(-1)
    setOpen(true)
  }

  const search = useEffectEvent(async (isWanted: () => boolean) => {
    const result = await store.searchAddresses({ text: query, near })
    // The user has typed more or left the field in the meantime.
    if (result === undefined || !isWanted()) return
    if ('items' in result) {
      setTrouble(undefined)
      setAnswer(result)
      show([...result.items.map((place): Option => ({ kind: 'place', place })), TYPED])
    } else {
      setTrouble(result.kind === 'tooMany' ? 'searchBusy' : 'searchDown')
    }
  })
  useEffect(() => {
    if (query === '') return
    let isWanted = true
    const timer = setTimeout(() => void search(() => isWanted), PAUSE_MS)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [query])

  const typed = (value: string) => {
    if (!searchable) return
    const trimmed = value.trim()
    const place = parseCoordinates(trimmed)
    close()
    if (place !== undefined) show([{ kind: 'coordinates', place }, TYPED])
    else if (isSearchable(trimmed)) setQuery(trimmed)
  }

  const choose = (option: Option) => {
    close()
    if (option.kind === 'typed') return
    if (option.kind === 'coordinates') {
      take(getValues('address'))
      setValue('address', '', { shouldDirty: true })
      return
    }
    setValue('address', option.place.address, {
      shouldDirty: true,
      shouldTouch: true,
      shouldValidate: true,
    })
    onChoose(option.place)
  }

  const press = (event: KeyboardEvent) => {
    // Enter that ends a composition (IME) is ignored.
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && options.length > 0) {
      event.preventDefault()
      if (!isOpen) return setOpen(true)
      // One extra position for the text itself, before the first and after the last suggestion.
      const count = options.length + 1
      setActive((current) => ((current + 1 + step + count) % count) - 1)
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault()
      close()
    } else if (event.key === 'Enter' && isOpen) {
      // Enter chooses a suggestion instead of submitting the form.
      event.preventDefault()
      const option = options[active]
      if (option === undefined) close()
      else choose(option)
    }
  }
  return { answer, options, active, isOpen, trouble, typed, choose, press, close }
}

interface SuggestionsProps {
  readonly list: ReturnType<typeof useSuggestions>
  readonly id: string
  readonly idOf: (index: number) => string
}

const Suggestions = ({ list: { options, active, choose }, id, idOf }: SuggestionsProps) => {
  const { messages, locale } = useLanguage()
  const text = messages.location
  const label = (option: Option): string => {
    if (option.kind === 'place') return option.place.address
    if (option.kind === 'typed') return text.useTyped
    const { latitude, longitude } = option.place
    return text.takeCoordinates(
      `${formatDecimal(latitude, locale)}; ${formatDecimal(longitude, locale)}`,
    )
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role, jsx-a11y/prefer-tag-over-role -- no native element is the listbox of a text field
    <ul role="listbox" id={id} aria-label={text.suggestions}>
      {options.map((option, index) => {
        const Icon = ICONS[option.kind]
        return (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field handles the keyboard
          <li
            key={label(option)}
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role, jsx-a11y/prefer-tag-over-role -- the field handles the keyboard
            role="option"
            id={idOf(index)}
            className="suggestion"
            aria-selected={index === active}
            // Keeps the focus in the field.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(option)}
          >
            <Icon className="icon" />
            {label(option)}
          </li>
        )
      })}
    </ul>
  )
}

const ICONS = { place: MapPin, coordinates: Crosshair, typed: PencilLine }

const isSearchable = (text: string): boolean =>
  text.length >= MIN_LETTERS && text.length <= GEOCODE_LIMITS.queryLength && !/^https?:/i.test(text)
