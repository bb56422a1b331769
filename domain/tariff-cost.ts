import type { CurrentType, Standard } from './connector.ts'
import {
  DAYS_OF_WEEK,
  PRICE_DECIMALS,
  type Dimension,
  type PriceComponent,
  type PriceLimit,
  type Prices,
  type Restrictions,
  type TariffElement,
  type TaxIncluded,
} from './tariff-element.ts'

/**
 * Computes the cost of a charging session by OCPI 2.3.0 `mod_tariffs` and the notes on `step_size` in `mod_cdrs`.
 * All sums are exact; only `decimalOf` rounds.
 */

/** A part of a session in which the state of the vehicle does not change. */
export interface Period {
  /** EXPIRED is the time of a reservation without a session. */
  readonly state: 'RESERVED' | 'EXPIRED' | 'CHARGING' | 'PARKED'
  readonly seconds: number
  /** The energy, in kWh, at a constant power. */
  readonly kwh?: number
  /** The power, in kW; without it, the average. */
  readonly kw?: number
  /** The sum of the currents of all phases; by default, derived from the power at a usual voltage. */
  readonly amperes?: number
}

export interface Session {
  /** The beginning, in local time: `2026-11-23T19:40`. */
  readonly start: string
  /** In order, a reservation first. */
  readonly periods: readonly Period[]
  /** The plug in use; without one, restrictions on a current or a plug are never met. */
  readonly plug?: { readonly current_type: CurrentType; readonly standard: Standard }
}

/** An exact amount of money, in a unit small enough for integers; see `decimalOf`. */
export type Amount = bigint

/** An amount without and with taxes. */
interface Taxed {
  readonly beforeTaxes: Amount
  readonly afterTaxes: Amount
}

/** The cost of one price component. */
interface CostPart extends Taxed {
  readonly component: PriceComponent
  /** The cost of a reservation. */
  readonly reservation: boolean
  /** Wh, seconds, or 1 for a flat fee; rounded up to the billed steps. */
  readonly quantity: number
}

export interface Cost extends Taxed {
  readonly parts: readonly CostPart[]
}

const S_PER_DAY = 86_400
const MWH_PER_KWH = 1_000_000

// Amounts are integers in a unit so small that price × quantity and price × quantity × VAT are also integers.
const PRICE_SCALE = 10n ** BigInt(PRICE_DECIMALS)
/** Divisible by the mWh of a kWh and by the seconds of an hour. */
const UNITS = 9_000_000n
const PERCENT_SCALE = 100n * PRICE_SCALE
const ONE: Amount = PRICE_SCALE * UNITS * PERCENT_SCALE

const scaled = (value: number): bigint => BigInt(value.toFixed(PRICE_DECIMALS).replace('.', ''))

const amountOf = (value: number): Amount => (scaled(value) * ONE) / PRICE_SCALE

/** Formats an amount as a decimal with the given number of digits, rounded half up: `0.55`. */
export const decimalOf = (amount: Amount, digits: number): `${number}` => {
  const factor = 10n ** BigInt(digits)
  const rounded = (2n * amount * factor + ONE) / (2n * ONE)
  const text = rounded.toString().padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits)
  return (digits === 0 ? whole : `${whole}.${text.slice(-digits)}`) as `${number}`
}

/** Computes the cost of a session. */
export const costOf = (prices: Prices, session: Session): Cost => {
  const isReservation = ({ state }: Period) => state === 'RESERVED' || state === 'EXPIRED'
  const reservation = session.periods.filter(isReservation)
  const reservedS = reservation.reduce((sum, { seconds }) => sum + seconds, 0)
  const start = Date.parse(`${session.start}Z`) / 1000
  const rest = session.periods.filter((period) => !isReservation(period))
  const parts = [
    ...partsOf(prices, piecesOf(prices.elements, session, reservation, start), true),
    ...partsOf(prices, piecesOf(prices.elements, session, rest, start + reservedS), false),
  ]
  const sum = (pick: (part: CostPart) => Amount) =>
    parts.reduce((total, part) => total + pick(part), 0n)
  const total = {
    beforeTaxes: sum((part) => part.beforeTaxes),
    afterTaxes: sum((part) => part.afterTaxes),
  }
  const atLeast = limited(total, prices.min_price, (one, other) => (one > other ? one : other))
  return {
    ...limited(atLeast, prices.max_price, (one, other) => (one < other ? one : other)),
    parts,
  }
}

/** Applies a limit: to each amount separately, as OCPI requires. */
const limited = (
  total: Taxed,
  limit: PriceLimit | undefined,
  choose: (one: Amount, other: Amount) => Amount,
): Taxed => {
  if (limit === undefined) return total
  const beforeTaxes = choose(total.beforeTaxes, amountOf(limit.before_taxes))
  if (limit.after_taxes !== undefined)
    return { beforeTaxes, afterTaxes: choose(total.afterTaxes, amountOf(limit.after_taxes)) }
  // The limit has no taxes: the taxes keep their proportion.
  const afterTaxes =
    total.beforeTaxes === 0n ? beforeTaxes : (total.afterTaxes * beforeTaxes) / total.beforeTaxes
  return { beforeTaxes, afterTaxes }
}

/** The values that restrictions test, at a moment. */
interface Moment {
  readonly state: Period['state']
  /** Local time, in seconds since 1970. */
  readonly clockS: number
  /** Since the beginning of the session or the reservation. */
  readonly elapsedS: number
  readonly mwh: number
  readonly kw: number
  readonly amperes: number
  readonly plug: Session['plug']
}

/** A part of a period with the same restrictions met, and its quantities. */
interface Piece {
  readonly at: Moment
  readonly seconds: number
  readonly mwh: number
}

/** Usual voltages, to derive the sum of the currents from the power. */
const VOLTS = { AC: 230, DC: 400 }

const currentOf = (plug: Session['plug']) =>
  plug === undefined ? undefined : plug.current_type === 'DC' ? 'DC' : 'AC'

/** Splits periods at every point where a restriction may begin or cease to be met. */
const piecesOf = (
  elements: readonly TariffElement[],
  { plug }: Session,
  periods: readonly Period[],
  startS: number,
): readonly Piece[] => {
  const restrictions = elements.flatMap((element) => element.restrictions ?? [])
  const pieces: Piece[] = []
  let elapsedS = 0
  let mwh = 0
  for (const { state, seconds, kwh = 0, kw: power, amperes } of periods) {
    const energy = state === 'CHARGING' ? Math.round(kwh * MWH_PER_KWH) : 0
    const average = seconds === 0 ? 0 : kwh / (seconds / 3600)
    const kw = state === 'CHARGING' ? (power ?? average) : 0
    const begin: Moment = {
      state,
      clockS: startS + elapsedS,
      elapsedS,
      mwh,
      kw,
      amperes: amperes ?? (kw * 1000) / VOLTS[currentOf(plug) ?? 'AC'],
      plug,
    }
    const cuts = [...new Set([0, ...cutsOf(restrictions, begin, seconds, energy), 1])]
      .filter((cut) => cut >= 0 && cut <= 1)
      .toSorted((one, other) => one - other)
    for (const [index, from] of cuts.slice(0, -1).entries()) {
      const to = cuts[index + 1] ?? 1
      const passed = Math.round(from * seconds)
      const taken = Math.round(from * energy)
      pieces.push({
        at: {
          ...begin,
          clockS: begin.clockS + passed,
          elapsedS: elapsedS + passed,
          mwh: mwh + taken,
        },
        seconds: Math.round(to * seconds) - passed,
        mwh: Math.round(to * energy) - taken,
      })
    }
    elapsedS += seconds
    mwh += energy
  }
  return pieces
}

/** The points at which a period is split, as fractions of it; some may be outside it. */
const cutsOf = (
  restrictions: readonly Restrictions[],
  begin: Moment,
  seconds: number,
  mwh: number,
): readonly number[] => {
  const cuts: number[] = []
  if (seconds > 0) {
    const ofDay = [
      0,
      ...restrictions
        .flatMap(({ start_time, end_time }) => [start_time, end_time])
        .map(secondOfDay),
    ]
    const lastDay = Math.floor((begin.clockS + seconds) / S_PER_DAY)
    for (let day = Math.floor(begin.clockS / S_PER_DAY); day <= lastDay; day += 1)
      cuts.push(...ofDay.map((second) => (day * S_PER_DAY + second - begin.clockS) / seconds))
    for (const { min_duration, max_duration } of restrictions)
      for (const bound of [min_duration, max_duration])
        if (bound !== undefined) cuts.push((bound - begin.elapsedS) / seconds)
  }
  if (mwh > 0)
    for (const { min_kwh, max_kwh } of restrictions)
      for (const bound of [min_kwh, max_kwh])
        if (bound !== undefined) cuts.push((bound * MWH_PER_KWH - begin.mwh) / mwh)
  return cuts
}

/** `13:30` in seconds; the beginning of the day if absent. */
const secondOfDay = (time = '00:00'): number =>
  Number(time.slice(0, 2)) * 3600 + Number(time.slice(3)) * 60

/** Whether all restrictions are met: lower bounds are inclusive, upper bounds exclusive. */
const holds = (restrictions: Restrictions, at: Moment): boolean => {
  const { start_time, end_time, start_date, end_date, day_of_week, current, standards } =
    restrictions
  // Most restrictions have no dates, and formatting a date takes longer than all comparisons.
  const today = () => new Date(at.clockS * 1000).toISOString().slice(0, 10)
  // 1970 began on a Thursday.
  const day = DAYS_OF_WEEK[(Math.floor(at.clockS / S_PER_DAY) + 3) % 7]
  const second = at.clockS % S_PER_DAY
  const from = secondOfDay(start_time)
  const to = secondOfDay(end_time) || S_PER_DAY
  return (
    (to > from ? second >= from && second < to : second >= from || second < to) &&
    (start_date === undefined || today() >= start_date) &&
    (end_date === undefined || today() < end_date) &&
    (day_of_week === undefined || day_of_week.some((each) => each === day)) &&
    within(at.mwh / MWH_PER_KWH, restrictions.min_kwh, restrictions.max_kwh) &&
    within(at.amperes, restrictions.min_current, restrictions.max_current) &&
    within(at.kw, restrictions.min_power, restrictions.max_power) &&
    within(at.elapsedS, restrictions.min_duration, restrictions.max_duration) &&
    (current === undefined || current === currentOf(at.plug)) &&
    (standards === undefined || standards.some((each) => each === at.plug?.standard))
  )
}

const within = (value: number, min = 0, max = Number.POSITIVE_INFINITY): boolean =>
  value >= min && value < max

/** The billed dimensions of each state. */
const PAID: Readonly<Record<Period['state'], readonly Dimension[]>> = {
  RESERVED: ['FLAT', 'TIME'],
  EXPIRED: ['FLAT', 'TIME'],
  CHARGING: ['FLAT', 'ENERGY', 'TIME'],
  PARKED: ['FLAT', 'PARKING_TIME'],
}

/** The elements for a state, in order of precedence. */
const elementsFor = (
  elements: readonly TariffElement[],
  state: Period['state'],
): readonly TariffElement[] => {
  const of = (reservation: Restrictions['reservation']) =>
    elements.filter((element) => element.restrictions?.reservation === reservation)
  switch (state) {
    case 'RESERVED':
      return of('RESERVATION')
    case 'EXPIRED':
      return [...of('RESERVATION_EXPIRES'), ...of('RESERVATION')]
    default:
      return of(undefined)
  }
}

/** The component for the dimension of the first element that has one and whose restrictions are met. */
const activeComponent = (
  elements: readonly TariffElement[],
  dimension: Dimension,
  at: Moment,
): PriceComponent | undefined => {
  for (const { price_components, restrictions } of elementsFor(elements, at.state)) {
    const component = price_components.find(({ type }) => type === dimension)
    if (component !== undefined && (restrictions === undefined || holds(restrictions, at)))
      return component
  }
  return undefined
}

/** The cost of some pieces of a session: either those of its reservation or the others. */
const partsOf = (
  { elements, tax_included }: Prices,
  pieces: readonly Piece[],
  reservation: boolean,
): readonly CostPart[] => {
  // The quantity of each component, in mWh or seconds, in order of first use.
  const quantities = new Map<PriceComponent, number>()
  let flat: PriceComponent | undefined
  let lastEnergy: PriceComponent | undefined
  let lastTime: PriceComponent | undefined
  for (const { at, seconds, mwh } of pieces)
    for (const dimension of PAID[at.state]) {
      const component = activeComponent(elements, dimension, at)
      if (component === undefined) continue
      if (dimension === 'FLAT') {
        // Billed once per session: the first component applies.
        flat ??= component
        quantities.set(flat, 1)
        continue
      }
      const quantity = dimension === 'ENERGY' ? mwh : seconds
      if (quantity === 0) continue
      quantities.set(component, (quantities.get(component) ?? 0) + quantity)
      if (dimension === 'ENERGY') lastEnergy = component
      else lastTime = component
    }
  for (const last of [lastEnergy, lastTime]) if (last !== undefined) roundUp(quantities, last)
  return [...quantities].map(([component, quantity]) => ({
    component,
    reservation,
    quantity: component.type === 'ENERGY' ? quantity / 1000 : quantity,
    ...costOfComponent(component, quantity, tax_included),
  }))
}

/**
 * Rounds the total of a dimension up to the step of its last component, which takes the difference. The steps of
 * earlier components do not count.
 */
const roundUp = (quantities: Map<PriceComponent, number>, last: PriceComponent): void => {
  const step = last.step_size * (last.type === 'ENERGY' ? 1000 : 1)
  if (step === 0) return
  let total = 0
  for (const [{ type }, quantity] of quantities) if (type === last.type) total += quantity
  const added = Math.ceil(total / step) * step - total
  quantities.set(last, (quantities.get(last) ?? 0) + added)
}

const costOfComponent = (
  { type, price, vat = 0 }: PriceComponent,
  quantity: number,
  taxIncluded: TaxIncluded,
): Taxed => {
  const perUnit =
    type === 'FLAT' ? UNITS : type === 'ENERGY' ? UNITS / BigInt(MWH_PER_KWH) : UNITS / 3600n
  const net = scaled(price) * BigInt(quantity) * perUnit
  const withVat = PERCENT_SCALE + scaled(vat)
  const amount = net * PERCENT_SCALE
  switch (taxIncluded) {
    case 'NO':
      return { beforeTaxes: amount, afterTaxes: net * withVat }
    case 'YES':
      return { beforeTaxes: (amount * PERCENT_SCALE) / withVat, afterTaxes: amount }
    case 'N/A':
      return { beforeTaxes: amount, afterTaxes: amount }
  }
}
