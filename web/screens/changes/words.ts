import type { Change } from '#domain/change.ts'
import { BUSINESSES, SITES, USERS } from '#domain/collection.ts'
import type { Connector } from '#domain/connector.ts'
import { UNNAMED_USER, type User } from '#domain/user.ts'
import type { BusinessView } from '../../data/state.ts'
import { wordChoice } from '../../messages/fields.ts'
import type { Messages } from '../../messages/messages.ts'
import { shortPlugName } from '../../messages/plugs.ts'

/** What a change is worded with. */
export interface Vocabulary {
  readonly messages: Messages
  readonly locale: string
  readonly user: User | null
  readonly data: BusinessView | null
  /** The names of sites that are gone, as far as the rows that were read tell them. */
  readonly formerNames: ReadonlyMap<string, string>
}

/** A field that a change is about: its label, and its value before and after. */
export interface Line {
  readonly name: string
  readonly label: string
  readonly before: string
  readonly after: string
}

/** The names that the rows tell of sites: a deleted site is in no other data. */
export const siteNames = (rows: readonly Change[]): ReadonlyMap<string, string> => {
  const names = new Map<string, string>()
  // The newest row comes first, and its name is the last one that the site had.
  for (const { collection, site, before, after } of rows) {
    const name = after['name'] ?? before['name']
    if (collection === SITES && typeof name === 'string' && !names.has(site)) names.set(site, name)
  }
  return names
}

export const siteName = ({ data, formerNames, messages }: Vocabulary, id: string): string =>
  data?.sites.find((site) => site.id === id)?.name ??
  formerNames.get(id) ??
  messages.history.unknownSite

/** Who did what, in one sentence. */
export const wordChange = (vocabulary: Vocabulary, change: Change): string => {
  const { history } = vocabulary.messages
  const who = wordActor(vocabulary, change)
  const { action, collection, site } = change
  if (collection === BUSINESSES) return history.business[action](who)
  if (collection === SITES) return history.site[action](who, siteName(vocabulary, site))
  return history.connector[action](
    who,
    wordConnector(vocabulary, change),
    siteName(vocabulary, site),
  )
}

const wordActor = ({ messages, user }: Vocabulary, change: Change): string => {
  const { history } = messages
  if (change.actor_type === 'superuser') return history.administrator
  if (change.actor_type === 'server') return history.system
  const name = user?.name || UNNAMED_USER
  return change.impersonator === '' ? name : history.administratorFor(name)
}

const wordConnector = ({ messages, locale, data }: Vocabulary, change: Change): string => {
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

/** The fields that an update changed, in words. */
export const wordFields = (vocabulary: Vocabulary, change: Change): readonly Line[] => {
  if (change.action !== 'update') return []
  const { messages } = vocabulary
  const labels: Readonly<Record<string, string>> =
    change.collection === USERS ? {} : messages.fields[change.collection]
  // In the order of the form, whatever the order in the log.
  return Object.entries(labels)
    .filter(([name]) => name in change.after)
    .map(([name, label]) => ({
      name,
      label,
      before: wordValue(vocabulary, name, change.before[name]),
      after: wordValue(vocabulary, name, change.after[name]),
    }))
}

/** Longer texts are cut: this is a list. */
const MAX_LETTERS = 240

/** A value as the screens show it. */
export const wordValue = (
  { messages, locale }: Pick<Vocabulary, 'messages' | 'locale'>,
  name: string,
  value: unknown,
): string => {
  if (value === '' || value === null || value === undefined) return messages.drafts.nothing
  if (Array.isArray(value))
    return value.length === 0 ? messages.drafts.nothing : messages.drafts.photos(value.length)
  if (typeof value === 'number') {
    const text = new Intl.NumberFormat(locale, { maximumFractionDigits: 20 }).format(value)
    return name === 'kw_rating' ? messages.facts.power(text) : text
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (name === 'logo') return messages.history.image
  const worded = wordChoice(messages, name, text)
  return worded.length > MAX_LETTERS ? `${worded.slice(0, MAX_LETTERS)}…` : worded
}
