import type { Standard } from './connector.ts'

/** OCPI 2.3.0 TaxIncluded: whether the prices of a tariff contain the taxes. */
export const TAX_INCLUDED = ['YES', 'NO', 'N/A'] as const
export type TaxIncluded = (typeof TAX_INCLUDED)[number]

/** OCPI TariffDimensionType: per kWh, once, per hour without charging, per hour of charging. */
export const DIMENSIONS = ['ENERGY', 'FLAT', 'PARKING_TIME', 'TIME'] as const
export type Dimension = (typeof DIMENSIONS)[number]

/** OCPI DayOfWeek. */
export const DAYS_OF_WEEK = [
  'MONDAY',
  'TUESDAY',
  'WEDNESDAY',
  'THURSDAY',
  'FRIDAY',
  'SATURDAY',
  'SUNDAY',
] as const
export type DayOfWeek = (typeof DAYS_OF_WEEK)[number]

/** OCPI ReservationRestrictionType. */
export const RESERVATIONS = ['RESERVATION', 'RESERVATION_EXPIRES'] as const

/** The currents that a restriction distinguishes. */
export const CURRENTS = ['AC', 'DC'] as const
export type Current = (typeof CURRENTS)[number]

/** Decimals of a price. OCPI has four; feeds that deduct VAT from a price send more, which are kept. */
export const PRICE_DECIMALS = 6
/** The price of a unit of a dimension. */
export interface PriceComponent {
  readonly type: Dimension
  /** Per kWh, per hour, or once; `tax_included` of the tariff says whether it contains taxes. */
  readonly price: number
  /** In percent. */
  readonly vat?: number | undefined
  /** The size of billed blocks, in Wh or seconds. */
  readonly step_size: number
}

/** The conditions of a tariff element, all of which must be met. Lower bounds are inclusive, upper bounds exclusive. */
export interface Restrictions {
  readonly start_time?: string | undefined
  readonly end_time?: string | undefined
  readonly start_date?: string | undefined
  readonly end_date?: string | undefined
  readonly min_kwh?: number | undefined
  readonly max_kwh?: number | undefined
  /** The sum of all phases, in A. */
  readonly min_current?: number | undefined
  readonly max_current?: number | undefined
  /** In kW. */
  readonly min_power?: number | undefined
  readonly max_power?: number | undefined
  /** Since the session began, in seconds. */
  readonly min_duration?: number | undefined
  readonly max_duration?: number | undefined
  readonly day_of_week?: readonly DayOfWeek[] | undefined
  readonly reservation?: (typeof RESERVATIONS)[number] | undefined
  // An extension: in OCPI, each connector has its own tariffs instead (decision 0076).
  readonly current?: Current | undefined
  readonly standards?: readonly Standard[] | undefined
}

/** OCPI TariffElement: prices under the same conditions. */
export interface TariffElement {
  readonly price_components: readonly PriceComponent[]
  readonly restrictions?: Restrictions | undefined
}

/** OCPI PriceLimit: the minimum or maximum price of a session. */
export interface PriceLimit {
  readonly before_taxes: number
  readonly after_taxes?: number | undefined
}

/** The part of a tariff that determines the price. */
export interface Prices {
  readonly tax_included: TaxIncluded
  readonly elements: readonly TariffElement[]
  readonly min_price?: PriceLimit | undefined
  readonly max_price?: PriceLimit | undefined
}

/** "Free of charge" in OCPI: one FLAT component of 0.00 without restrictions. */
export const FREE: readonly TariffElement[] = [
  { price_components: [{ type: 'FLAT', price: 0, step_size: 1 }] },
]

/** Whether every session is free. */
export const isFree = ({ elements, min_price }: Prices): boolean =>
  (min_price?.before_taxes ?? 0) === 0 &&
  (min_price?.after_taxes ?? 0) === 0 &&
  elements.every(({ price_components }) => price_components.every(({ price }) => price === 0))
