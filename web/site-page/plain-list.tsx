import { useContext } from 'react'

import { PLUG_GROUP_NAMES, POWER_CLASSES_KW } from '#domain/plug-group.ts'
import type { Suggestion } from '#domain/public-read.ts'
import { PLAIN_LIST } from '#domain/site-address.ts'
import {
  areSearchable,
  MAX_SEARCH_LENGTH,
  MIN_SEARCH_LENGTH,
  MIN_SEARCH_LENGTH_CJK,
  wordsOf,
} from '#domain/search-words.ts'
import type { ListSubject } from '#domain/site-pages.ts'
import { useLanguage, useNumberFormat } from '../messages/messages.ts'
import { plugGroupName } from '../screens/map/plugs.ts'
import { useSettings } from '../settings.ts'
import { UserText } from '../ui/user-text.tsx'
import { NamedLanguage, useSitePageLink } from './links.ts'
import { SiteRows } from './site-rows.tsx'

/** The search for a charger in a browser without scripts: a form and a list of nearby sites. */
export const PlainList = ({ subject }: { readonly subject: ListSubject }) => {
  const { messages } = useLanguage()
  const text = messages.find
  const linkTo = useSitePageLink()
  const { query, filter, places, sites, next } = subject
  const [first, ...others] = places
  const found = placeOf(subject)
  // Sites are in the list below.
  const towns = others.filter(({ kind }) => kind === 'town')
  const isAnswered = query !== '' || sites.length > 0
  const isTooShort = first === undefined && !areSearchable(wordsOf(query))
  return (
    <div className="stack">
      <h1>{found === undefined ? text.startTitle : <UserText text={text.near(found)} />}</h1>
      <SearchForm query={query} filter={filter} />
      {towns.length > 0 && (
        <p className="plain-places">
          {messages.about(text.suggestions, '')}
          {towns.map((place) => (
            <a key={JSON.stringify(place)} href={linkTo(`${PLAIN_LIST}?${queryOf(place)}`)}>
              <UserText text={nameOf(place)} />
            </a>
          ))}
        </p>
      )}
      {isAnswered && sites.length === 0 && (
        <p>
          {isTooShort ? (
            text.tooFewLetters(MIN_SEARCH_LENGTH)
          ) : first === undefined ? (
            <UserText text={text.nothingFound(query)} />
          ) : (
            text.noneMatches
          )}
        </p>
      )}
      <SiteRows sites={sites} level={2} />
      {next !== null && (
        <p>
          <a className="button" href={linkTo(`${PLAIN_LIST}?${next}`)}>
            {text.more}
          </a>
        </p>
      )}
    </div>
  )
}

/** The name of the place that the list is about: that of the first result, or the query. */
export const placeOf = ({ query, places, sites }: ListSubject): string | undefined =>
  places[0]?.name ?? (sites.length > 0 && query !== '' ? query : undefined)

const SearchForm = ({ query, filter }: Pick<ListSubject, 'query' | 'filter'>) => {
  const { messages } = useLanguage()
  const named = useContext(NamedLanguage)
  const number = useNumberFormat()
  const text = messages.find
  const basePath = useSettings()['base-path']
  return (
    <form className="card form-section plain-search" action={basePath + PLAIN_LIST}>
      {named !== undefined && <input type="hidden" name="lang" value={named} />}
      <div className="plain-fields">
        <label>
          {text.search}
          <input
            className="input"
            type="search"
            name="q"
            defaultValue={query}
            minLength={MIN_SEARCH_LENGTH_CJK}
            maxLength={MAX_SEARCH_LENGTH}
            required
          />
        </label>
        <label>
          {text.plug}
          <select className="input" name="plug" defaultValue={filter.plugs[0] ?? ''}>
            <option value="">{text.anyPower}</option>
            {PLUG_GROUP_NAMES.map((group) => (
              <option key={group} value={group}>
                {plugGroupName(messages, group)}
              </option>
            ))}
          </select>
        </label>
        <label>
          {text.power}
          <select className="input" name="min_kw" defaultValue={filter.minKw || ''}>
            <option value="">{text.anyPower}</option>
            {POWER_CLASSES_KW.filter((kw) => kw > 0).map((kw) => (
              <option key={kw} value={kw}>
                {text.fromPower(number(kw))}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div className="plain-checks">
        <Check name="open" value="now" label={text.openNow} isOn={filter.openNow} />
        <Check name="available" value="true" label={text.available} isOn={filter.available} />
        <Check name="free" value="true" label={text.free} isOn={filter.free} />
      </div>
      <button className="button primary">{text.show}</button>
    </form>
  )
}

interface CheckProps {
  readonly name: string
  readonly value: string
  readonly label: string
  readonly isOn: boolean
}

const Check = ({ name, value, label, isOn }: CheckProps) => (
  <label>
    <input type="checkbox" name={name} value={value} defaultChecked={isOn} />
    {label}
  </label>
)

/** Adds the region to a town, because several towns may have the same name. */
const nameOf = (place: Suggestion): string =>
  place.kind === 'town' && place.region !== '' ? `${place.name} (${place.region})` : place.name

const queryOf = ({ name, latitude, longitude }: Suggestion): string =>
  new URLSearchParams({
    q: name,
    near: `${latitude.toFixed(5)},${longitude.toFixed(5)}`,
  }).toString()
