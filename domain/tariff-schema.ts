import * as z from 'zod/mini'

import { STANDARDS } from './connector.ts'
import { objectOf, oneOf } from './shape.ts'
import {
  CURRENTS,
  DAYS_OF_WEEK,
  DIMENSIONS,
  PRICE_DECIMALS,
  RESERVATIONS,
  type PriceLimit,
  type TariffElement,
} from './tariff-element.ts'

// Do not compile schemas with `new Function`: the content security policy of the app forbids it.
z.config({ jitless: true })

/** The maximum price, in any currency. */
const MAX_PRICE = 10_000_000
export const MAX_ELEMENTS = 50
const MAX_COMPONENTS = 10
/** Maximum step of a time, in seconds (a week), and of an energy, in Wh. */
const MAX_STEP_SIZE = 604_800
/** A year, in seconds. */
const MAX_DURATION_S = 31_536_000
/** Greater than any energy in kWh, power in kW or current in A. */
const MAX_QUANTITY = 100_000

const decimal = (max: number) => {
  const error = `Must be a number from 0 to ${max} with at most ${PRICE_DECIMALS} decimals.`
  return z.number({ error }).check(
    z.minimum(0, { error }),
    z.maximum(max, { error }),
    z.refine((value) => Number(value.toFixed(PRICE_DECIMALS)) === value, { error }),
  )
}
const integer = (max: number) => {
  const error = `Must be an integer from 0 to ${max}.`
  return z.int({ error }).check(z.minimum(0, { error }), z.maximum(max, { error }))
}
const someOf = <const T extends readonly string[]>(values: T) => {
  const error = 'Must be a list of different values, at least one.'
  return z.optional(
    z.array(oneOf(values), { error }).check(
      z.minLength(1, { error }),
      z.refine((list) => new Set(list).size === list.length, { error }),
    ),
  )
}
const listOf = <T extends z.ZodMiniType>(item: T, max: number) => {
  const error = `Must be a list of 1 to ${max}.`
  return z.array(item, { error }).check(z.minLength(1, { error }), z.maxLength(max, { error }))
}

const quantity = () => z.optional(decimal(MAX_QUANTITY))
const duration = () => z.optional(integer(MAX_DURATION_S))
const time = () =>
  z.optional(
    z
      .string()
      .check(
        z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'Must be a time of day such as "08:00".' }),
      ),
  )
const date = () => z.optional(z.iso.date({ error: 'Must be a date such as "2026-12-24".' }))

const priceComponentSchema = objectOf({
  type: oneOf(DIMENSIONS),
  price: decimal(MAX_PRICE),
  vat: z.optional(decimal(100)),
  step_size: integer(MAX_STEP_SIZE),
})

const restrictionsSchema = objectOf({
  start_time: time(),
  end_time: time(),
  start_date: date(),
  end_date: date(),
  min_kwh: quantity(),
  max_kwh: quantity(),
  min_current: quantity(),
  max_current: quantity(),
  min_power: quantity(),
  max_power: quantity(),
  min_duration: duration(),
  max_duration: duration(),
  day_of_week: someOf(DAYS_OF_WEEK),
  reservation: z.optional(oneOf(RESERVATIONS)),
  current: z.optional(oneOf(CURRENTS)),
  standards: someOf(STANDARDS),
}).check((context) => {
  const { value, issues } = context
  for (const limited of ['kwh', 'current', 'power', 'duration'] as const)
    if ((value[`min_${limited}`] ?? 0) > (value[`max_${limited}`] ?? Infinity))
      issues.push({
        code: 'custom',
        input: value,
        message: `Must not be less than min_${limited}.`,
        path: [`max_${limited}`],
      })
})

/** OCPI 2.3.0 TariffElement, at least one; `current` and `standards` are extensions. */
export const tariffElementsSchema = listOf(
  objectOf({
    price_components: listOf(priceComponentSchema, MAX_COMPONENTS),
    restrictions: z.optional(restrictionsSchema),
  }),
  MAX_ELEMENTS,
) satisfies z.ZodMiniType<readonly TariffElement[]>

/** OCPI 2.3.0 PriceLimit: the minimum or maximum price of a session. */
export const priceLimitSchema = objectOf({
  before_taxes: decimal(MAX_PRICE),
  after_taxes: z.optional(decimal(MAX_PRICE)),
}) satisfies z.ZodMiniType<PriceLimit>
