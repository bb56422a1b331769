import { Building2, Search, X, Zap } from 'lucide-react'
import {
  useCallback,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
} from 'react'

import { alpha2Of } from '#domain/country.ts'
import type { Suggestion } from '#domain/public-read.ts'
import {
  areSearchable,
  MAX_SEARCH_LENGTH,
  MIN_SEARCH_LENGTH,
  wordsOf,
} from '#domain/search-words.ts'
import type { PublicSites } from '../../data/public-sites.ts'
import { useLanguage, useMessages } from '../../messages/messages.ts'
import { IconButton } from '../../ui/button.tsx'
import { UserText } from '../../ui/user-text.tsx'
import '../shared/search-field.css'

interface Props {
  readonly sites: PublicSites
  /** The text of the last search. */
  readonly query: string
  /** True while the text has not led to a place. */
  readonly isArrival: boolean
  readonly onChoose: (suggestion: Suggestion) => void
  readonly onClear: () => void
}

/** Debounce before suggestions are requested, in milliseconds. */
const REST_MS = 200

/** The search for a town or a site: a combobox as in the ARIA Authoring Practices. Enter selects the best match. */
export const PlaceSearch = (props: Props) => {
  const messages = useMessages()
  const text = messages.find
  const listId = useId()
  const field = useRef<HTMLInputElement>(null)
  const list = useSuggestions(props)
  const { typed, options, active, isOpen } = list
  const isNoted = list.missing !== undefined || list.isDown
  const closeNote = useEffectEvent(list.close)
  useEffect(() => {
    if (!isNoted) return
    // A search of the address leaves no focus in the field that could be lost. Not on `pointerdown`: the chip below the
    // note would receive the click.
    const listener = (): void => closeNote()
    addEventListener('click', listener)
    return () => removeEventListener('click', listener)
  }, [isNoted])
  const optionId = (index: number) => `${listId}-${index}`
  return (
    <search className="finder-search">
      <form
        className="search-field"
        onSubmit={(event) => {
          event.preventDefault()
          void list.submit()
        }}
      >
        <Search className="icon" />
        <input
          ref={field}
          type="search"
          name="q"
          className="input"
          autoComplete="off"
          enterKeyHint="search"
          maxLength={MAX_SEARCH_LENGTH}
          aria-label={text.search}
          placeholder={text.search}
          value={typed}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={listId}
          aria-activedescendant={active < 0 ? undefined : optionId(active)}
          onChange={({ target }) => list.type(target.value)}
          onKeyDown={list.press}
          onBlur={list.close}
        />
        {typed !== '' && (
          <IconButton
            look="quiet"
            icon={X}
            label={text.clearSearch}
            onClick={() => {
              list.clear()
              field.current?.focus()
            }}
          />
        )}
      </form>
      <div className="finder-suggestions" hidden={!isOpen}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role, jsx-a11y/prefer-tag-over-role -- no native element is the listbox of a text field */}
        <ul role="listbox" id={listId} aria-label={text.suggestions}>
          {options.map((option, index) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field handles the keyboard
            <li
              key={`${option.kind} ${option.name} ${option.latitude} ${option.longitude}`}
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role, jsx-a11y/prefer-tag-over-role -- the field handles the keyboard
              role="option"
              id={optionId(index)}
              aria-selected={index === active}
              // Keeps the focus in the field.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => list.choose(option)}
            >
              <SuggestionLine suggestion={option} />
            </li>
          ))}
        </ul>
      </div>
      {isNoted && (
        <p className="finder-note" role="alert">
          {list.missing === undefined
            ? messages.problems.unavailable
            : list.missing === 'place'
              ? text.nothingFound(typed)
              : text.tooFewLetters(MIN_SEARCH_LENGTH)}
        </p>
      )}
      <output className="visually-hidden">{isOpen && text.suggested(options.length)}</output>
    </search>
  )
}

const SuggestionLine = ({ suggestion }: { readonly suggestion: Suggestion }) => {
  const { messages, locale } = useLanguage()
  const { kind, name, country } = suggestion
  const code = alpha2Of(country)
  const land = code === '' ? '' : new Intl.DisplayNames(locale, { type: 'region' }).of(code)
  const Icon = kind === 'town' ? Building2 : Zap
  const details =
    kind === 'town'
      ? [suggestion.region, land, messages.find.chargers(suggestion.count)]
      : [suggestion.city, land]
  return (
    <>
      <Icon className="icon" />
      <span>
        <UserText text={name} />
        <span className="muted">
          <UserText text={details.filter(Boolean).join(' · ')} />
        </span>
      </span>
    </>
  )
}

/** Requests suggestions; a new request cancels the one before. */
const useAsk = (sites: PublicSites) => {
  const asked = useRef<AbortController>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [isDown, setDown] = useState(false)
  const cancel = useCallback(() => {
    clearTimeout(timer.current)
    asked.current?.abort()
    setDown(false)
  }, [])
  useEffect(() => cancel, [cancel])
  /** Reads the suggestions for a text; undefined on failure, or if cancelled. */
  const ask = async (text: string): Promise<readonly Suggestion[] | undefined> => {
    cancel()
    const { signal } = (asked.current = new AbortController())
    try {
      return await sites.suggest(text, signal)
    } catch {
      if (!signal.aborted) setDown(true)
      return undefined
    }
  }
  const later = (task: () => void) => {
    cancel()
    timer.current = setTimeout(task, REST_MS)
  }
  return { ask, later, cancel, isDown }
}

const isLongEnough = (text: string): boolean => areSearchable(wordsOf(text))

const useSuggestions = ({ sites, query, isArrival, onChoose, onClear }: Props) => {
  const [typed, setTyped] = useState(query)
  const [options, setOptions] = useState<readonly Suggestion[]>([])
  const [active, setActive] = useState(-1)
  const [isOpen, setOpen] = useState(false)
  /** The reason why the last search was not sent, or found nothing. */
  const [missing, setMissing] = useState<'letters' | 'place'>()
  const { ask, later, cancel, isDown } = useAsk(sites)

  // Back and forward change the text.
  const [shown, setShown] = useState(query)
  if (shown !== query) {
    setShown(query)
    setTyped(query)
  }

  /** Also takes away the note about the last search, which covers the filters. */
  const close = () => {
    cancel()
    setMissing(undefined)
    setOpen(false)
    setActive(-1)
  }
  const suggest = async (text: string) => {
    const found = await ask(text.trim())
    if (found === undefined) return
    setOptions(found)
    setActive(-1)
    setOpen(found.length > 0)
  }
  const choose = (option: Suggestion) => {
    close()
    setTyped(option.name)
    onChoose(option)
  }
  const submit = async (text = typed) => {
    const option = isOpen ? options[Math.max(active, 0)] : undefined
    if (option !== undefined) return choose(option)
    if (!isLongEnough(text)) return setMissing(text.trim() === '' ? undefined : 'letters')
    const found = await ask(text.trim())
    if (found === undefined) return
    const [best] = found
    if (best === undefined) setMissing('place')
    else choose(best)
  }
  const type = (text: string) => {
    setTyped(text)
    // The suggestions belong to an earlier text.
    setOptions([])
    close()
    if (isLongEnough(text)) later(() => void suggest(text))
  }
  const clear = () => {
    type('')
    onClear()
  }
  const press = (event: KeyboardEvent) => {
    // Enter that ends a composition (IME) is ignored.
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && options.length > 0) {
      event.preventDefault()
      setOpen(true)
      // One extra position for the text itself.
      const count = options.length + 1
      setActive((current) => ((current + 1 + step + count) % count) - 1)
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault()
      close()
    }
  }
  const arrive = useEffectEvent(() => {
    // If the address contains a text but no place, searches for the text.
    if (isArrival && query !== '' && typed === query) queueMicrotask(() => void submit(query))
  })
  useEffect(() => arrive(), [])

  return {
    typed,
    options,
    active,
    isOpen,
    missing,
    isDown,
    type,
    choose,
    submit,
    press,
    close,
    clear,
  }
}
