import type { Change } from '#domain/change.ts'
import { BUSINESSES, CONNECTORS, SITES, TARIFFS } from '#domain/collection.ts'
import type { Connector } from '#domain/connector.ts'
import type { PriceLimit } from '#domain/tariff-element.ts'
import { sentenceOf } from '#domain/tariff-sentence.ts'
import type { Site } from '#domain/site.ts'
import { UNNAMED_USER, type User } from '#domain/user.ts'
import { recordsIn } from '../../data/log.ts'
import type { BusinessView, PlainView } from '../../data/state.ts'
import { recordMessages } from '../../messages/fields.ts'
import type { Messages } from '../../messages/messages.ts'
import { shortPlugName } from '../../messages/plugs.ts'
import { plainText } from '../../ui/user-text.tsx'
import { formatNamedValue } from '../shared/format-value.ts'
import { currentOf } from './revert.ts'

type Tariff = PlainView<'tariffs'>

/** The data for describing a change. */
export interface Vocabulary {
  readonly messages: Messages
  readonly locale: string
  readonly user: User | null
  readonly data: BusinessView | null
  /** The last known names of deleted records, by id, from the rows read so far. */
  readonly formerNames: ReadonlyMap<string, string>
}

/** A field of a change: its label, and its value before and after. */
export interface Line {
  readonly name: string
  readonly label: string
  readonly before: string
  readonly after: string
  /** True if the server derived it from the position. */
  readonly isFilledIn: boolean
}

/** Names a change for the buttons of its row: its sentence alone is the same for every change of a site. */
export const nameChange = (sentence: string, lines: readonly Line[], time: string): string =>
  [sentence, ...lines.map(({ label }) => label), time].join(', ')

/** Returns the names of records that the rows contain, by id. A deleted record is in no other data. */
export const namesIn = (rows: readonly Change[]): ReadonlyMap<string, string> => {
  const names = new Map<string, string>()
  // The newest row comes first, so its name is the record's last one.
  for (const { record, before, after } of rows) {
    const name = after['name'] ?? before['name']
    if (typeof name === 'string' && !names.has(record)) names.set(record, name)
  }
  return names
}

export const siteName = ({ data, formerNames, messages }: Vocabulary, id: string): string =>
  plainText(
    data?.sites.find((site) => site.id === id)?.name ??
      formerNames.get(id) ??
      messages.history.unknownSite,
  )

/** Describes a change in one sentence: who did what. */
export const describeChange = (vocabulary: Vocabulary, change: Change): string => {
  const { history } = vocabulary.messages
  const who = actorName(vocabulary, change)
  const { action, collection, site } = change
  if (collection === BUSINESSES) return history.business[action](who)
  if (collection === SITES) return history.site[action](who, siteName(vocabulary, site))
  if (collection === CONNECTORS)
    return history.connector[action](
      who,
      describeConnector(vocabulary, change),
      siteName(vocabulary, site),
    )
  return (
    recordMessages(vocabulary.messages, collection)?.[action](
      who,
      recordName(change, vocabulary),
    ) ?? who
  )
}

/** The name of a record that has one. */
const recordName = (change: Change, { data, messages }: Vocabulary): string => {
  const current = data === null ? undefined : currentOf(change, data)
  const { name } = { ...change.before, ...change.after, ...current } as { name?: unknown }
  return typeof name === 'string' && name !== ''
    ? plainText(name)
    : messages.history.unknownConnector
}

/** Describes a bulk update: who changed what of how many sites. `change` is any of its changes. */
export const describeBulkUpdate = (
  vocabulary: Vocabulary,
  change: Change,
  siteCount: number,
): string => {
  const labels = describeFields(vocabulary, change).map(({ label }) => label)
  const { history } = vocabulary.messages
  const who = actorName(vocabulary, change)
  return history.bulkUpdate(who, labels.join(', '), history.ofSites(siteCount))
}

/** Names the author of a change. */
export const actorName = ({ messages, user }: Vocabulary, change: Change): string => {
  const { history } = messages
  if (change.actor_type === 'superuser') return history.administrator
  if (change.actor_type === 'server') return history.system
  const name = plainText(user?.name || UNNAMED_USER)
  return change.impersonator === '' ? name : history.administratorFor(name)
}

const describeConnector = ({ messages, locale, data }: Vocabulary, change: Change): string => {
  const site = data?.sites.find(({ id }) => id === change.site)
  const current = site?.connectors.find(({ id }) => id === change.record)
  const { standard, kw_rating: kw } = {
    ...current,
    ...(change.action === 'delete' ? change.before : change.after),
  } as Partial<Connector>
  if (standard === undefined || kw === undefined) return messages.history.unknownConnector
  const power = messages.facts.power(new Intl.NumberFormat(locale).format(kw))
  return `${shortPlugName(messages, standard)}, ${power}`
}

/** Describes the fields that an update changed. */
export const describeFields = (vocabulary: Vocabulary, change: Change): readonly Line[] => {
  if (change.action !== 'update') return []
  const { messages } = vocabulary
  const labels = (messages.fields as Readonly<Record<string, Readonly<Record<string, string>>>>)[
    change.collection
  ]
  // In the order of the form, not of the log.
  return Object.entries(labels ?? {})
    .filter(([name]) => name in change.after)
    .map(([name, label]) => ({
      name,
      label,
      before: formatField(vocabulary, change, name, change.before),
      after: formatField(vocabulary, change, name, change.after),
      isFilledIn: change.filled_in?.includes(name) === true,
    }))
}

/** Describes the value of a field of the record that a change is about, given its other values. */
export const formatField = (
  vocabulary: Vocabulary,
  change: Change,
  name: string,
  values: Readonly<Record<string, unknown>>,
): string => {
  if (change.collection === TARIFFS) return formatTariffValue(vocabulary, change, name, values)
  const { messages, data } = vocabulary
  const value = values[name]
  if (name === 'photo_categories') return formatCategories(vocabulary, change, values)
  if (Array.isArray(value) && value.length > 0 && name === 'photos')
    return messages.drafts.photos(value.length)
  if (name === 'logo' && value) return messages.history.image
  const site = data?.sites.find(({ id }) => id === change.site)
  const zone = values['time_zone']
  const timeZone = typeof zone === 'string' ? zone : site?.time_zone
  const text = formatNamedValue(vocabulary, {
    collection: change.collection,
    name,
    value,
    timeZone,
  })
  const price = name === 'tariff' ? namesakeWith(data, value) : undefined
  return price === undefined ? text : messages.about(text, describePrices(vocabulary, price))
}

/** The price with this id, if another one has its name, as after a feed has changed the price. */
const namesakeWith = (data: BusinessView | null, id: unknown): Tariff | undefined => {
  const all = recordsIn(data, TARIFFS)
  const price = all.find((each) => each.id === id)
  return all.some((each) => each.id !== id && each.name === price?.name) ? price : undefined
}

/** Describes the changed categories, with the positions of their photos. */
const formatCategories = (
  { messages, data }: Vocabulary,
  { site, before, after }: Change,
  values: Readonly<Record<string, unknown>>,
): string => {
  const { history, photoCategories, drafts } = messages
  const [former, newer, held] = [before, after, values].map(
    ({ photo_categories: each }) => each ?? {},
  ) as [Categories, Categories, Categories]
  const photos = data?.sites.find(({ id }) => id === site)?.photos.map(({ name }) => name) ?? []
  return [...new Set([...photos, ...Object.keys(former), ...Object.keys(newer)])]
    .filter((name) => former[name] !== newer[name])
    .map((name) => {
      const category = held[name]
      const shows = category === undefined ? drafts.nothing : photoCategories[category]
      const position = photos.indexOf(name) + 1
      return position === 0 ? history.formerPhoto(shows) : history.photo(position, shows)
    })
    .join(', ')
}

type Categories = NonNullable<Site['photo_categories']>

/** Describes a value of a tariff; prices as a sentence. */
const formatTariffValue = (
  vocabulary: Vocabulary,
  change: Change,
  name: string,
  values: Readonly<Record<string, unknown>>,
): string => {
  const { locale, data } = vocabulary
  const record = data === null ? undefined : currentOf(change, data)
  const tariff = { ...record, ...change.after, ...values } as Tariff
  const value = tariff[name as keyof Tariff]
  const isLimit = name === 'min_price' || name === 'max_price'
  if (value === null || (name !== 'elements' && !isLimit))
    return formatNamedValue(vocabulary, { collection: TARIFFS, name, value })
  const { currency, tax_included, elements } = tariff
  if (isLimit) {
    const { after_taxes, before_taxes } = value as PriceLimit
    return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(
      tax_included === 'NO' ? before_taxes : (after_taxes ?? before_taxes),
    )
  }
  return describePrices(vocabulary, { currency, tax_included, elements })
}

const describePrices = (
  { messages, locale }: Vocabulary,
  { currency, tax_included, elements }: Pick<Tariff, 'currency' | 'tax_included' | 'elements'>,
): string =>
  sentenceOf(
    { currency, tax_included, elements },
    {
      words: messages.tariffSentence,
      locale,
      plugName: (standard) => shortPlugName(messages, standard),
    },
  )
