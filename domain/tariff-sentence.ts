import type { Standard } from './connector.ts'
import {
  DAYS_OF_WEEK,
  isFree,
  type Current,
  type DayOfWeek,
  type Dimension,
  type PriceComponent,
  type Prices,
  type Restrictions,
  type TariffElement,
} from './tariff-element.ts'

/** The words for a range: with only a lower bound, with only an upper bound, or with both. */
interface RangeWords {
  readonly from: (from: string) => string
  readonly until: (until: string) => string
  readonly between: (from: string, until: string) => string
}

/** The part of a session to which a price per time applies. */
type During = 'always' | 'charging' | 'idle'
export type TimeUnit = 'minute' | 'hour'

/** The words of a tariff's sentence. All amounts, times and quantities are passed in formatted. */
export interface TariffWords {
  /** Charging is free, or free under the conditions before it. */
  readonly free: string
  readonly perKwh: (amount: string) => string
  readonly perSession: (amount: string) => string
  readonly perTime: Readonly<Record<TimeUnit, Readonly<Record<During, (amount: string) => string>>>>
  readonly once: (amount: string) => string
  /** After a price: the billed blocks. */
  readonly steps: (size: string) => string
  /** Joins the prices of different dimensions. */
  readonly plus: string
  /** Joins the price of charging and those of reservations. */
  readonly apart: string
  /** A price that applies where the prices before it do not. */
  readonly otherwise: (price: string) => string
  /** Since the beginning of the session. */
  readonly duration: Omit<RangeWords, 'until'> & {
    readonly until: Readonly<Record<TimeUnit, (until: string) => string>>
    /** Like `from`, where "after" could be read as the end of charging. */
    readonly inTotal: (from: string) => string
  }
  readonly energy: RangeWords
  readonly power: RangeWords
  readonly hours: RangeWords
  readonly dates: RangeWords
  /** Days and ranges of days, such as Monday to Friday and Sunday. */
  readonly days: (spans: readonly { readonly from: string; readonly to?: string }[]) => string
  readonly current: Readonly<Record<Current, string>>
  readonly currentOnly: Readonly<Record<Current, string>>
  readonly plugs: (names: readonly string[]) => string
  readonly plugsOnly: (names: readonly string[]) => string
  /** The minimum and maximum price of a session. */
  readonly limits: RangeWords
  /** Taxes that are added: a VAT rate, or any taxes. */
  readonly taxes: (vat: string | undefined) => string
  readonly reservation: (price: string) => string
  readonly expiredReservation: (price: string) => string
}

/** The tariff that a sentence describes. */
export interface SaidTariff extends Prices {
  readonly currency: string
}

export interface SentenceOptions {
  readonly words: TariffWords
  /** The locale of amounts, times and quantities. */
  readonly locale: string
  readonly plugName: (standard: Standard) => string
}

/** Describes a tariff in a sentence: `€0.59 per kWh, plus €0.10 per minute after 45 minutes, DC only`. */
export const sentenceOf = (tariff: SaidTariff, options: SentenceOptions): string => {
  const { words, locale } = options
  const sentence = isFree(tariff) ? words.free : pricesOf(tariff, options)
  return sentence.slice(0, 1).toLocaleUpperCase(locale) + sentence.slice(1)
}

const pricesOf = (tariff: SaidTariff, options: SentenceOptions): string => {
  const { words } = options
  const common = commonTo(tariff.elements)
  const elements = tariff.elements.map((element) => without(element, common))
  const reserved = (reservation: Restrictions['reservation']) =>
    chainsOf(
      elements.filter((element) => element.restrictions?.reservation === reservation),
      tariff.currency,
      options,
    ).join(words.plus)
  const reservation = reserved('RESERVATION')
  const expired = reserved('RESERVATION_EXPIRES')
  const session = [reserved(undefined), ...onlyFor(common, options), ...extrasOf(tariff, options)]
  return [
    session.filter((part) => part !== '').join(', '),
    ...(reservation === '' ? [] : [words.reservation(reservation)]),
    ...(expired === '' ? [] : [words.expiredReservation(expired)]),
  ].join(words.apart)
}

/** The words after all prices: the limits and the added taxes. */
const extrasOf = (tariff: SaidTariff, options: SentenceOptions): readonly string[] => {
  const { words, locale } = options
  const { tax_included, min_price, max_price, elements } = tariff
  const limitOf = (limit: Prices['min_price']) => {
    const amount =
      tax_included === 'NO' ? limit?.before_taxes : (limit?.after_taxes ?? limit?.before_taxes)
    return amount === undefined ? undefined : money(amount, tariff.currency, locale)
  }
  const limits = rangeText(words.limits, limitOf(min_price), limitOf(max_price))
  if (tax_included !== 'NO') return limits
  const rates = new Set(
    elements.flatMap(({ price_components }) =>
      price_components.flatMap(({ price, vat }) => (price === 0 ? [] : [vat])),
    ),
  )
  const [rate] = rates
  const vat =
    rates.size === 1 && rate !== undefined
      ? numberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }).format(rate / 100)
      : undefined
  return [...limits, words.taxes(vat)]
}

/** Restrictions that all elements share; the sentence states them once, at the end. */
type Common = Pick<Restrictions, 'current' | 'standards'>

const commonTo = (elements: readonly TariffElement[]): Common => {
  const [first, ...others] = elements.map(({ restrictions }) => restrictions)
  const shared = (name: keyof Common) =>
    first?.[name] !== undefined &&
    others.every((other) => String(other?.[name]) === String(first[name]))
  return {
    ...(shared('current') ? { current: first?.current } : {}),
    ...(shared('standards') ? { standards: first?.standards } : {}),
  }
}

const without = (
  { price_components, restrictions }: TariffElement,
  common: Common,
): TariffElement => ({
  price_components,
  restrictions: {
    ...restrictions,
    ...Object.fromEntries(Object.keys(common).map((name) => [name, undefined])),
  },
})

const onlyFor = (
  { current, standards }: Common,
  { words, plugName }: SentenceOptions,
): readonly string[] => [
  ...(current === undefined ? [] : [words.currentOnly[current]]),
  ...(standards === undefined ? [] : [words.plugsOnly(standards.map(plugName))]),
]

/** A price, and its restrictions. */
interface Link {
  readonly component: PriceComponent
  readonly restrictions: Restrictions
}

/** The prices of each dimension, in order of precedence. */
const chainsOf = (
  elements: readonly TariffElement[],
  currency: string,
  options: SentenceOptions,
): readonly string[] => {
  const chains = new Map<Dimension, readonly Link[]>()
  for (const dimension of ['ENERGY', 'TIME', 'PARKING_TIME', 'FLAT'] as const) {
    const links = elements.flatMap(({ price_components, restrictions = {} }) => {
      const component = price_components.find(({ type }) => type === dimension)
      return component === undefined ? [] : [{ component, restrictions }]
    })
    // Prices after a price without restrictions never apply.
    const last = links.findIndex(({ restrictions }) => !isRestricted(restrictions))
    const holding = last < 0 ? links : withoutRepeats(links.slice(0, last + 1))
    // A trailing price of 0 is left out: no price means free.
    const paid = holding.findLastIndex(({ component }) => component.price > 0)
    if (paid >= 0) chains.set(dimension, holding.slice(0, paid + 1))
  }
  const time = chains.get('TIME')
  const isAlways = isSame(time, chains.get('PARKING_TIME'))
  if (isAlways) chains.delete('PARKING_TIME')
  // Beside a price of another dimension, which still has to be paid, "free" would promise too much.
  const free = chains.size === 1 ? options.words.free : undefined
  return [...chains.values()].map((links) =>
    links
      .map((link, index) => {
        const during = isAlways && links === time ? 'always' : 'charging'
        const { price, conditions } = linkText(link, { during, currency, free }, options)
        const isRest = index > 0 && conditions.length === 0
        return isRest ? options.words.otherwise(price) : [price, ...conditions].join(' ')
      })
      .join(', '),
  )
}

/** Leaves out conditions under which the price is the same as without any, which the last link states. */
const withoutRepeats = (links: readonly Link[]): readonly Link[] => {
  const rest = links.slice(-1)
  const other = links.findLastIndex((link) => !isSamePrice(link.component, rest[0]?.component))
  return [...links.slice(0, other + 1), ...rest]
}

const isSamePrice = (one: PriceComponent, other: PriceComponent | undefined): boolean =>
  one.price === other?.price && one.vat === other.vat && one.step_size === other.step_size

/** The compared elements are either all for a reservation, or none of them is. */
const isRestricted = (restrictions: Restrictions): boolean =>
  Object.entries(restrictions).some(
    ([name, value]) => name !== 'reservation' && value !== undefined,
  )

const isSame = (one: readonly Link[] | undefined, other: readonly Link[] | undefined): boolean => {
  const text = (links: readonly Link[] | undefined) =>
    JSON.stringify(links?.map((link) => ({ ...link, component: { ...link.component, type: '' } })))
  return one !== undefined && text(one) === text(other)
}

interface LinkContext {
  readonly during: During
  readonly currency: string
  /** The word for a price of 0; undefined to state the amount. */
  readonly free: string | undefined
}

const linkText = (
  { component, restrictions }: Link,
  { during, currency, free }: LinkContext,
  options: SentenceOptions,
) => {
  const isIdle = component.type === 'PARKING_TIME'
  const price =
    component.price === 0 && free !== undefined
      ? free
      : priceText(component, isIdle ? 'idle' : during, restrictions, currency, options)
  return { price, conditions: conditionsOf(restrictions, isIdle, options) }
}

const priceText = (
  { type, price, step_size }: PriceComponent,
  during: During,
  { reservation }: Restrictions,
  currency: string,
  { words, locale }: SentenceOptions,
): string => {
  const amount = money(price, currency, locale)
  const steps = (size: string | undefined) => (size === undefined ? [] : [words.steps(size)])
  switch (type) {
    case 'FLAT':
      return reservation === undefined ? words.perSession(amount) : words.once(amount)
    case 'ENERGY':
      return [
        words.perKwh(amount),
        ...steps(step_size >= MIN_SAID_WH ? quantity(step_size / 1000, 'kWh', locale) : undefined),
      ].join(' ')
    default: {
      const unit = timeUnitOf(price, currency, locale)
      return [
        words.perTime[unit][reservation === undefined ? during : 'always'](
          unit === 'hour' ? amount : money(price / 60, currency, locale),
        ),
        ...steps(step_size > 60 ? durationText(step_size, locale) : undefined),
      ].join(' ')
    }
  }
}

/** Smaller blocks of energy are not mentioned. */
const MIN_SAID_WH = 100

/** The unit in which a price per hour is displayed: minutes if it is a round price per minute. */
export const timeUnitOf = (price: number, currency: string, locale: string): TimeUnit => {
  const { maximumFractionDigits = 2 } = numberFormat(locale, {
    style: 'currency',
    currency,
  }).resolvedOptions()
  const parts = (price / 60) * 10 ** maximumFractionDigits
  return Math.abs(parts - Math.round(parts)) < 1e-6 && parts >= 1 ? 'minute' : 'hour'
}

/** The conditions of an element in words, such as "from 22:00 to 06:00". */
export const conditionsOf = (
  restrictions: Restrictions,
  isIdle: boolean,
  { words, locale, plugName }: SentenceOptions,
): readonly string[] => {
  const { min_kwh, max_kwh, min_power, max_power, min_current, max_current } = restrictions
  const kwh = (value: number | undefined) => value && quantity(value, 'kWh', locale)
  const kw = (value: number | undefined) => value && quantity(value, 'kW', locale)
  const amperes = (value: number | undefined) => value && quantity(value, 'A', locale)
  const { start_date, end_date, day_of_week, current, standards } = restrictions
  const { start_time, end_time } = restrictions
  return [
    ...durationCondition(restrictions, isIdle, words, locale),
    ...rangeText(words.energy, kwh(min_kwh), kwh(max_kwh)),
    ...rangeText(words.power, kw(min_power), kw(max_power)),
    ...rangeText(words.power, amperes(min_current), amperes(max_current)),
    ...rangeText(
      words.hours,
      timeText(start_time, locale),
      end_time === '00:00' && start_time === undefined ? undefined : timeText(end_time, locale),
    ),
    ...(day_of_week === undefined || day_of_week.length === 7
      ? []
      : [words.days(spansOf(day_of_week, locale))]),
    ...(current === undefined ? [] : [words.current[current]]),
    ...(standards === undefined ? [] : [words.plugs(standards.map(plugName))]),
    // The last day is the one before `end_date`.
    ...rangeText(words.dates, dateText(start_date, 0, locale), dateText(end_date, -1, locale)),
  ]
}

const durationCondition = (
  { min_duration, max_duration }: Restrictions,
  isIdle: boolean,
  { duration }: TariffWords,
  locale: string,
): readonly string[] => {
  const from = min_duration ? durationText(min_duration, locale) : undefined
  const until = max_duration ? durationText(max_duration, locale) : undefined
  if (from === undefined)
    return until === undefined ? [] : [duration.until[durationUnit(max_duration ?? 0)](until)]
  if (until !== undefined) return [duration.between(from, until)]
  return [isIdle ? duration.inTotal(from) : duration.from(from)]
}

/** The words of a range, with both bounds or one; empty if there is none. */
const rangeText = (
  words: RangeWords,
  from: string | 0 | undefined,
  until: string | 0 | undefined,
): readonly string[] => {
  if (from) return [until ? words.between(from, until) : words.from(from)]
  return until ? [words.until(until)] : []
}

/**
 * Caches the formats for some options. Creating one takes a hundred times as long as using it, and a tariff of 50
 * elements uses one for each of its values.
 */
const remembered = <Options extends object, Format>(
  create: (locale: string, options?: Options) => Format,
): typeof create => {
  const formats = new Map<string, Format>()
  return (locale, options) => {
    const key = JSON.stringify([locale, options])
    const known = formats.get(key)
    if (known !== undefined) return known
    const format = create(locale, options)
    if (formats.size === MAX_FORMATS) formats.clear()
    formats.set(key, format)
    return format
  }
}

/** More than a page needs: languages times currencies. */
const MAX_FORMATS = 200

const numberFormat = remembered(
  (locale, options?: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
)
const dateFormat = remembered(
  (locale, options?: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
)

/** An amount with the usual digits of its currency, or more if it has them. */
const money = (amount: number, currency: string, locale: string): string => {
  const format = numberFormat(locale, { style: 'currency', currency })
  const { maximumFractionDigits: digits = 2 } = format.resolvedOptions()
  return numberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: Math.max(digits, 4),
  }).format(amount)
}

// ICU has no ampere. A no-break space keeps the number and its unit together.
const quantity = (value: number, unit: 'kWh' | 'kW' | 'A', locale: string): string =>
  `${numberFormat(locale).format(value)}\u00a0${unit}`

/** Durations of two hours or more are displayed in hours if they are full or half hours. */
const durationUnit = (seconds: number): TimeUnit =>
  seconds >= 7200 && seconds % 1800 === 0 ? 'hour' : 'minute'

/** Formats a duration: `45 minutes`, `4 hours`. */
export const durationText = (seconds: number, locale: string): string => {
  const unit = durationUnit(seconds)
  return numberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    maximumFractionDigits: 1,
  }).format(seconds / (unit === 'hour' ? 3600 : 60))
}

const timeText = (time: string | undefined, locale: string): string | undefined =>
  time === undefined
    ? undefined
    : dateFormat(locale, { timeStyle: 'short', timeZone: 'UTC' }).format(
        new Date(`2026-01-01T${time}Z`),
      )

const dateText = (
  date: string | undefined,
  addedDays: number,
  locale: string,
): string | undefined =>
  date === undefined
    ? undefined
    : dateFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(
        Date.parse(date) + addedDays * 86_400_000,
      )

/** Groups days into ranges; three or more consecutive days make a range. */
const spansOf = (days: readonly DayOfWeek[], locale: string) => {
  // 2026-06-01 is a Monday.
  const name = (index: number) =>
    dateFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, 5, 1 + index))
  const spans: { from: string; to?: string }[] = []
  for (let first = 0; first < DAYS_OF_WEEK.length; first += 1) {
    let last = first
    const has = (index: number) => days.some((day) => day === DAYS_OF_WEEK[index])
    if (!has(first)) continue
    while (has(last + 1)) last += 1
    if (last - first >= 2) spans.push({ from: name(first), to: name(last) })
    else for (let day = first; day <= last; day += 1) spans.push({ from: name(day) })
    first = last
  }
  return spans
}
