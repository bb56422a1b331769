import type { Standard } from '#domain/connector.ts'
import { timeUnitOf, type TimeUnit } from '#domain/tariff-sentence.ts'
import {
  DAYS_OF_WEEK,
  FREE,
  PRICE_DECIMALS,
  type Current,
  type DayOfWeek,
  type Dimension,
  type PriceComponent,
  type PriceLimit,
  type Restrictions,
  type TariffElement,
  type TaxIncluded,
} from '#domain/tariff-element.ts'
import { isUnusualPrice } from '#domain/unusual-price.ts'
import { formatDecimal, parseDecimal } from '../../format/decimal.ts'

/** A tariff element in the form, with numbers as typed. */
export interface Part {
  /** The React key, stable while parts are moved. */
  readonly key: number
  readonly energy: string
  readonly time: string
  readonly idle: string
  readonly timeUnit: TimeUnit
  readonly flat: string
  readonly current: Current | ''
  readonly standards: readonly Standard[]
  readonly from: string
  readonly until: string
  readonly days: readonly DayOfWeek[]
  readonly minMinutes: string
  readonly maxMinutes: string
  readonly minKwh: string
  readonly maxKwh: string
  readonly minKw: string
  readonly maxKw: string
  /** The imported element, which keeps the parts that the form cannot show. */
  readonly source: TariffElement
}

/** The prices of a tariff in the form. */
export interface Build {
  readonly isFree: boolean
  /** VAT in percent; empty if none is stated, or if the prices have several. */
  readonly vat: string
  readonly parts: readonly Part[]
}

/** The number fields of a part, and their names in OCPI. */
const PRICES = { energy: 'ENERGY', flat: 'FLAT', time: 'TIME', idle: 'PARKING_TIME' } as const
export type PriceName = keyof typeof PRICES
export const PRICE_NAMES = Object.keys(PRICES) as readonly PriceName[]
const BOUNDS = {
  minMinutes: 'min_duration',
  maxMinutes: 'max_duration',
  minKwh: 'min_kwh',
  maxKwh: 'max_kwh',
  minKw: 'min_power',
  maxKw: 'max_power',
} as const
export type BoundName = keyof typeof BOUNDS
const BOUND_NAMES = Object.keys(BOUNDS) as readonly BoundName[]

/** Restrictions that the form cannot show. */
const UNSUPPORTED_RESTRICTIONS = [
  'start_date',
  'end_date',
  'min_current',
  'max_current',
  'reservation',
] as const

const NOTHING: TariffElement = { price_components: [] }

/** An empty part. */
export const blankPart = (key: number): Part => ({
  ...(Object.fromEntries([...PRICE_NAMES, ...BOUND_NAMES].map((name) => [name, ''])) as Record<
    PriceName | BoundName,
    string
  >),
  key,
  timeUnit: 'minute',
  current: '',
  standards: [],
  from: '',
  until: '',
  days: [],
  source: NOTHING,
})

/** Converts elements to form values. */
export const buildOf = (
  elements: readonly TariffElement[],
  currency: string,
  locale: string,
): Build => {
  const components = elements.flatMap(({ price_components }) => price_components)
  const [only, ...others] = components
  // Other representations of a free tariff stay unchanged.
  const isFree =
    only?.type === 'FLAT' &&
    only.price === 0 &&
    others.length === 0 &&
    elements[0]?.restrictions === undefined
  const rates = new Set(components.map(({ vat }) => vat))
  const [rate] = rates
  return {
    isFree,
    vat: rates.size === 1 && rate !== undefined ? formatDecimal(rate, locale) : '',
    parts: isFree
      ? [blankPart(0)]
      : elements.map((element, key) => partOf(element, key, currency, locale)),
  }
}

const partOf = (source: TariffElement, key: number, currency: string, locale: string): Part => {
  const { restrictions = {} } = source
  const write = (value: number | undefined) =>
    value === undefined ? '' : formatDecimal(value, locale)
  const times = [priceIn(source, 'TIME'), priceIn(source, 'PARKING_TIME')].filter(
    (price) => price !== undefined,
  )
  const timeUnit = times.every(
    (price) => price === 0 || timeUnitOf(price, currency, locale) === 'minute',
  )
    ? 'minute'
    : 'hour'
  const perUnit = (price: number | undefined) =>
    write(price === undefined ? undefined : tidy(price / (timeUnit === 'minute' ? 60 : 1)))
  return {
    key,
    energy: write(priceIn(source, 'ENERGY')),
    time: perUnit(priceIn(source, 'TIME')),
    idle: perUnit(priceIn(source, 'PARKING_TIME')),
    timeUnit,
    flat: write(priceIn(source, 'FLAT')),
    current: restrictions.current ?? '',
    standards: restrictions.standards ?? [],
    from: restrictions.start_time ?? '',
    until: restrictions.end_time ?? '',
    days: restrictions.day_of_week ?? [],
    minMinutes: write(minutes(restrictions.min_duration)),
    maxMinutes: write(minutes(restrictions.max_duration)),
    minKwh: write(restrictions.min_kwh),
    maxKwh: write(restrictions.max_kwh),
    minKw: write(restrictions.min_power),
    maxKw: write(restrictions.max_power),
    source,
  }
}

const priceIn = (element: TariffElement, dimension: Dimension): number | undefined =>
  element.price_components.find(({ type }) => type === dimension)?.price

const minutes = (seconds: number | undefined) =>
  seconds === undefined ? undefined : tidy(seconds / 60)

/** Removes floating-point noise. */
const tidy = (value: number): number => Number(value.toFixed(PRICE_DECIMALS))

const readNumber = (text: string, factor: number): number | undefined => {
  const value = parseDecimal(text)
  return value === undefined || value < 0 ? undefined : tidy(value * factor)
}

const factorOf = (name: BoundName): number => (name.endsWith('Minutes') ? 60 : 1)

/** The units of time of an hour, by which OCPI prices time. */
const unitsPerHour = (part: Part, name: PriceName): number =>
  (name === 'time' || name === 'idle') && part.timeUnit === 'minute' ? 60 : 1

/** Whether a price is so high that it is probably a mistake. */
export const isUnusual = (part: Part, name: PriceName, currency: string): boolean =>
  isUnusualPrice(PRICES[name], readNumber(part[name], unitsPerHour(part, name)) ?? 0, currency)

/** A field without a valid number, or with too many decimals. */
interface Wrong {
  readonly part: number
  readonly name: PriceName | BoundName | 'vat'
}

/** The parsed form, and its invalid fields. */
export interface ReadBuild {
  readonly elements: readonly TariffElement[]
  readonly wrong: readonly Wrong[]
}

/** Parses the form. A part without a price is omitted. */
export const readBuild = (build: Build): ReadBuild => {
  if (build.isFree) return { elements: FREE, wrong: [] }
  const wrong: Wrong[] = []
  const read = (text: string, name: Wrong['name'], part: number, factor = 1) => {
    const value = readNumber(text, factor)
    if (value === undefined && text.trim() !== '') wrong.push({ part, name })
    return value
  }
  const vat = read(build.vat, 'vat', -1)
  const elements = build.parts.map((part): TariffElement => {
    const prices = PRICE_NAMES.flatMap((name) => {
      const price = read(part[name], name, part.key, unitsPerHour(part, name))
      return price === undefined ? [] : [{ name, price }]
    })
    return withRestrictions(
      componentsOf(part.source, prices, vat),
      restrictionsOf(part, (name) => read(part[name], name, part.key, factorOf(name))),
    )
  })
  return { elements: elements.filter(({ price_components }) => price_components.length > 0), wrong }
}

const withRestrictions = (
  price_components: readonly PriceComponent[],
  restrictions: Restrictions,
): TariffElement =>
  Object.keys(restrictions).length === 0 ? { price_components } : { price_components, restrictions }

/** Existing components keep their order, their steps and, unless one is given, their VAT. */
const componentsOf = (
  { price_components: before }: TariffElement,
  prices: readonly { readonly name: PriceName; readonly price: number }[],
  vat: number | undefined,
): readonly PriceComponent[] => {
  const kept = before.flatMap((component, index) => {
    const found = prices.find(({ name }) => PRICES[name] === component.type)
    if (found === undefined) return []
    // Of two components for one dimension the first applies; the other stays unchanged.
    const isFirst = before.findIndex(({ type }) => type === component.type) === index
    const rate = vat === undefined ? {} : { vat }
    return [{ ...component, ...rate, ...(isFirst ? { price: found.price } : {}) }]
  })
  const added = prices
    .filter(({ name }) => before.every(({ type }) => type !== PRICES[name]))
    .map(({ name, price }) => ({
      type: PRICES[name],
      price,
      ...(vat === undefined ? {} : { vat }),
      step_size: 1,
    }))
  return [...kept, ...added]
}

/** The restrictions of a part; invalid bounds are omitted. */
export const restrictionsOf = (
  part: Part,
  bound = (name: BoundName): number | undefined => readNumber(part[name], factorOf(name)),
): Restrictions => {
  const { restrictions: before = {} } = part.source
  const bounds = BOUND_NAMES.flatMap((name) => {
    const value = bound(name)
    return value === undefined ? [] : [[BOUNDS[name], value] as const]
  })
  return {
    ...Object.fromEntries(
      UNSUPPORTED_RESTRICTIONS.flatMap((name) =>
        before[name] === undefined ? [] : [[name, before[name]]],
      ),
    ),
    ...(part.from === '' ? {} : { start_time: part.from }),
    ...(part.until === '' ? {} : { end_time: part.until }),
    ...(part.days.length === 0
      ? {}
      : { day_of_week: DAYS_OF_WEEK.filter((day) => part.days.includes(day)) }),
    ...Object.fromEntries(bounds),
    ...(part.current === '' ? {} : { current: part.current }),
    ...(part.standards.length === 0 ? {} : { standards: [...part.standards] }),
  }
}

/** The restrictions of a part that the form cannot show. */
export const unsupportedRestrictions = ({ source }: Part): Restrictions =>
  Object.fromEntries(
    UNSUPPORTED_RESTRICTIONS.flatMap((name) => {
      const value = source.restrictions?.[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** Formats a limit with or without taxes, like the prices. */
export const limitText = (
  limit: PriceLimit | null | undefined,
  taxIncluded: TaxIncluded,
  locale: string,
): string => {
  const amount =
    taxIncluded === 'NO' ? limit?.before_taxes : (limit?.after_taxes ?? limit?.before_taxes)
  return amount === undefined ? '' : formatDecimal(amount, locale)
}

/** Parses a limit; null if empty, the text itself if invalid. */
export const readLimit = (
  text: string,
  taxIncluded: TaxIncluded,
  vat: string,
): PriceLimit | null | string => {
  if (text.trim() === '') return null
  const amount = parseDecimal(text)
  if (amount === undefined) return text
  const rate = 1 + (parseDecimal(vat) ?? 0) / 100
  switch (taxIncluded) {
    case 'YES':
      return { before_taxes: tidy(amount / rate), after_taxes: amount }
    case 'NO':
      return { before_taxes: amount, after_taxes: tidy(amount * rate) }
    case 'N/A':
      return { before_taxes: amount }
  }
}
