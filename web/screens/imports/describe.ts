import type { Connector } from '#domain/connector.ts'
import { COLUMN_EXTRAS, type ColumnTarget } from '#domain/import-source.ts'
import { WHOLE, type ImportChange, type ImportProblem } from '#domain/import.ts'
import { isSameValue } from '#domain/record.ts'
import type { Repair } from '#domain/repair.ts'
import { sentenceOf } from '#domain/tariff-sentence.ts'
import { recordsIn } from '../../data/log.ts'
import type { ImportRowView } from '../../data/state.ts'
import { formatSize } from '../../format/size.ts'
import { fieldErrorText, type Messages } from '../../messages/messages.ts'
import { shortPlugName } from '../../messages/plugs.ts'
import { plainText } from '../../ui/user-text.tsx'
import { countryName } from '../shared/describe-fields.ts'
import { formatNamedValue, type Vocabulary } from '../shared/format-value.ts'

/**
 * A field of a station, such as `latitude`, `connectors[2].kw_rating` or `tariffs[0].url`; `connectors[]` stands for any
 * connector.
 */
interface FieldOfStation {
  readonly collection: 'sites' | 'connectors' | 'tariffs'
  /** The index of the connector or tariff, from 0. */
  readonly index?: number
  /** Empty for the whole connector or tariff. */
  readonly name: string
}

const fieldOf = (path: string): FieldOfStation => {
  const [, collection, index, name = ''] =
    /^(connectors|tariffs)\[(\d*)\](?:\.(\w+))?$/.exec(path) ?? []
  if (collection === undefined) return { collection: 'sites', name: path }
  return {
    collection: collection === 'tariffs' ? 'tariffs' : 'connectors',
    ...(index !== '' && { index: Number(index) }),
    name,
  }
}

/** The label of a field of a station, with the position of its connector. */
const fieldLabel = (messages: Messages, path: string): string => {
  const { collection, index, name } = fieldOf(path)
  const label = labelOf(messages, collection, name)
  if (index === undefined) return label
  const record =
    collection === 'tariffs'
      ? messages.site.sections.price.title
      : messages.imports.connector(index + 1)
  return name === '' ? record : messages.about(record, label)
}

/** The label of a field by its name alone. */
const labelOf = (
  messages: Messages,
  collection: FieldOfStation['collection'],
  name: string,
): string => {
  const labels: Readonly<Record<string, string>> = messages.fields[collection]
  return labels[name] ?? name
}

/** Returns whether only a question holds the row back. */
export const isBlockedByQuestion = ({
  doubtful,
  problem,
}: Pick<ImportRowView, 'doubtful' | 'problem'>): boolean =>
  doubtful || problem?.code === 'answer_needed'

/** Returns whether a row has changes that a person has left out. */
export const isLeftOut = ({
  action,
  state,
  included,
}: Pick<ImportRowView, 'action' | 'state' | 'included'>): boolean =>
  ['', 'PENDING'].includes(state) && ['NEW', 'CHANGED', 'MISSING'].includes(action) && !included

/** Names the field that a column of a table is mapped to. */
export const targetLabel = (messages: Messages, target: ColumnTarget): string => {
  const { extras } = messages.imports
  const extra = COLUMN_EXTRAS.find((each) => each === target)
  if (extra !== undefined) return extras[extra]
  const [collection, name = ''] = target.split('.')
  const labels: Readonly<Record<string, string>> =
    messages.fields[collection === 'connectors' ? 'connectors' : 'sites']
  return labels[name] ?? target
}

/** Describes a problem of an import or a row. */
export const describeProblem = (
  messages: Messages,
  { code, params = {}, fields = {} }: ImportProblem,
  locale: string,
): string => {
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 7 })
  const formatParam = (name: string): string => {
    const value = params[name] ?? ''
    if (name === 'field') return fieldLabel(messages, String(value))
    if (name === 'max' && code.endsWith('_too_large')) return formatSize(Number(value), locale)
    if (code.startsWith('position_') && (name === 'found' || name === 'stated'))
      return countryName(String(value), locale)
    return typeof value === 'number' ? number.format(value) : value
  }
  // A code of a newer server has no message yet.
  const sentences: Readonly<Record<string, string>> = messages.imports.problems
  const sentence = (sentences[code] ?? code).replaceAll(/<(\w+)>/g, (_, name: string) =>
    formatParam(name),
  )
  const errors = Object.entries(fields).map(([path, error]) =>
    messages.about(fieldLabel(messages, path), fieldErrorText(messages, fieldOf(path).name, error)),
  )
  return [sentence, errors.join('; ')].join(' ').trimEnd()
}

/**
 * Describes a position in the source: `line 12`, or `South, line 12` in a sheet of a workbook; `data[3]` is the fourth
 * entry.
 */
export const describePosition = (messages: Messages, position: string, locale: string): string => {
  const { imports: text } = messages
  const number = new Intl.NumberFormat(locale)
  const [, sheet = '', line] = /^(.*, )?line (\d+)$/.exec(position) ?? []
  if (line !== undefined) return sheet + text.line(number.format(Number(line)))
  const [, index] = /^(?:\w+)?\[(\d+)\]$/.exec(position) ?? []
  return index === undefined ? position : text.entry(number.format(Number(index) + 1))
}

/** Describes a rule; a rule of a newer server has no message yet. */
export const describeRule = (messages: Messages, rule: string): string => {
  const sentences: Readonly<Record<string, string>> = messages.imports.rules
  return sentences[rule] ?? rule
}

/** Formats a value of a station, ours or another system's. */
export const formatStationValue = (
  vocabulary: Vocabulary,
  path: string,
  value: unknown,
): string => {
  const { collection, name } = fieldOf(path)
  if (collection === 'tariffs' && name === '')
    return (
      plainText((value as { name?: string } | null)?.name ?? '') ||
      vocabulary.messages.imports.nothing
    )
  const connector = name === '' ? describeConnector(vocabulary, value) : ''
  // What another system has in place of a connector may have neither.
  const isKnown = connector !== '' && connector !== vocabulary.messages.imports.nothing
  return isKnown ? plainText(connector) : formatNamedValue(vocabulary, { collection, name, value })
}

/** Formats a connector by its plug and its power, as far as they are known; a missing one as nothing. */
export const describeConnector = (
  { messages, locale }: Pick<Vocabulary, 'messages' | 'locale'>,
  connector: unknown,
): string => {
  const { standard, kw_rating: kw } = (connector ?? {}) as Partial<Connector>
  const parts = [
    ...(typeof standard === 'string' ? [shortPlugName(messages, standard)] : []),
    ...(typeof kw === 'number'
      ? [messages.facts.power(new Intl.NumberFormat(locale).format(kw))]
      : []),
  ]
  return parts.join(', ') || messages.imports.nothing
}

/** A field, and its value before and after. */
interface Line {
  readonly label: string
  readonly before: string
  readonly after: string
}

/** Describes a price by its name and what it costs; undefined for a deleted one. */
export const describePrice = (
  { messages, locale, data }: Vocabulary,
  prices: ImportRowView['prices'],
  id: unknown,
): string | undefined => {
  const hasId = (each: { readonly id: string }): boolean => each.id === id
  const price = recordsIn(data, 'tariffs').find(hasId) ?? prices?.find(hasId)
  if (price === undefined) return undefined
  const { currency, tax_included, elements, min_price: min, max_price: max } = price
  const sentence = sentenceOf(
    { currency, tax_included, elements, min_price: min ?? undefined, max_price: max ?? undefined },
    {
      words: messages.tariffSentence,
      locale,
      plugName: (standard) => shortPlugName(messages, standard),
    },
  )
  return messages.about(plainText(price.name), sentence)
}

/**
 * Describes the changes of an existing site: its own fields, then connector by connector. Equal changes of equal
 * connectors are merged.
 */
export const describeChanges = (
  vocabulary: Vocabulary,
  row: Pick<ImportRowView, 'site' | 'prices'>,
  changes: readonly ImportChange[],
): readonly Line[] => {
  if (changes.length === 0) return []
  const { messages, data } = vocabulary
  const site = data?.sites.find(({ id }) => id === row.site)
  const connectorById = new Map(site?.connectors.map((each) => [each.id, each]))
  // A site may have a thousand connectors of a few kinds and prices.
  const kindOf = remember(
    ({ standard, kw_rating: kw }: Connector) => JSON.stringify([standard, kw]),
    (connector) => describeConnector(vocabulary, connector),
  )
  const priceOf = remember(String, (id: unknown) => describePrice(vocabulary, row.prices, id))
  const described = changes.map(({ record, field: name, before, after }) => {
    if (name === WHOLE) {
      return {
        kind: '',
        label: messages.imports.wholeConnector,
        before: describeConnector(vocabulary, before),
        after: describeConnector(vocabulary, after),
      }
    }
    const isSite = record === row.site
    const collection = isSite ? 'sites' : 'connectors'
    const format = (value: unknown): string =>
      (name === 'tariff' ? priceOf(value) : undefined) ??
      formatNamedValue(vocabulary, { collection, name, value, timeZone: site?.time_zone })
    const connector = connectorById.get(record)
    const label = labelOf(messages, collection, name)
    // A connector that was deleted since has no kind.
    const deleted = describeConnector(vocabulary, undefined)
    return {
      kind: connector === undefined ? '' : kindOf(connector),
      connector,
      label: isSite || connector !== undefined ? label : messages.about(deleted, label),
      before: format(before),
      after: format(after),
    }
  })
  const groups = Map.groupBy(described, ({ kind, label, before, after }) =>
    JSON.stringify([kind, label, before, after]),
  )
  const counts = new Map<string, number>()
  if (described.some(({ kind }) => kind !== ''))
    for (const connector of connectorById.values())
      counts.set(kindOf(connector), (counts.get(kindOf(connector)) ?? 0) + 1)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const { kind, label, before, after } = first
    if (kind === '') return group
    const connectors = group.flatMap(({ connector }) => connector ?? [])
    const hasOthers = connectors.length < (counts.get(kind) ?? 0)
    const record = nameConnectors(vocabulary, kind, connectors, hasOthers)
    return [{ label: messages.about(record, label), before, after }]
  })
}

/** Computes a value once for each key. */
const remember = <T, V>(keyOf: (one: T) => string, compute: (one: T) => V): ((one: T) => V) => {
  const known = new Map<string, V>()
  return (one) => {
    const key = keyOf(one)
    const value = known.has(key) ? (known.get(key) as V) : compute(one)
    known.set(key, value)
    return value
  }
}

/** More ids than this do not fit into a line. */
const MAX_NAMED = 10

/** Names connectors of a kind, with their ids if the site has others of the kind: `2 × CCS2, 60 kW (1, 2)`. */
const nameConnectors = (
  { messages }: Vocabulary,
  kind: string,
  connectors: readonly Connector[],
  hasOthers: boolean,
): string => {
  const ids = connectors.map(({ evse_id, reference }) => plainText(evse_id || reference))
  const named = connectors.length > 1 ? `${messages.facts.times(connectors.length)} ${kind}` : kind
  const isNamed = hasOthers && ids.length <= MAX_NAMED && ids.every(Boolean)
  return isNamed ? `${named} (${ids.join(', ')})` : named
}

/**
 * Describes the changes of a rule, made or suggested. Equal changes of several connectors are merged, and invisible
 * ones omitted.
 */
export const describeFindings = (
  vocabulary: Vocabulary,
  findings: readonly Repair[],
): readonly Line[] => {
  const { messages } = vocabulary
  const describePlace = (path: string, count: number): string => {
    if (count === 1) return fieldLabel(messages, path)
    const { collection, name } = fieldOf(path)
    if (collection === 'tariffs') return fieldLabel(messages, path)
    const connectors = messages.imports.plugs(count)
    return name === ''
      ? connectors
      : messages.about(connectors, labelOf(messages, 'connectors', name))
  }
  // The rule has moved a value to another field, such as a power from the voltage.
  const isMoved = (value: unknown): boolean =>
    findings.some(({ after }) => isSameValue(after, value))
  const described = findings.map(({ field, before, after }) => ({
    field,
    before: formatStationValue(vocabulary, field, before),
    // A site that has another value keeps it.
    after:
      isNothing(after) && !isMoved(before)
        ? messages.imports.notImported
        : formatStationValue(vocabulary, field, after),
  }))
  const seen = described.filter(({ before, after }) => collapse(before) !== collapse(after))
  const groups = Map.groupBy(seen, ({ field, before, after }) =>
    JSON.stringify([field.replace(/\[\d+\]/, ''), before, after]),
  )
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...first, label: describePlace(first.field, others.length + 1) }],
  )
}

const isNothing = (value: unknown): boolean =>
  value === '' || value === null || (Array.isArray(value) && value.length === 0)

/** Collapses white space, as browsers do. */
const collapse = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
