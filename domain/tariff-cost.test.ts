import { describe, expect, test } from 'vitest'

import { costOf, decimalOf, type Period, type Session } from './tariff-cost.ts'
import {
  FREE,
  type Dimension,
  type PriceComponent,
  type Prices,
  type Restrictions,
} from './tariff-element.ts'
import { tariffElementsSchema } from './tariff-schema.ts'

// The worked examples of OCPI 2.3.0: `mod_tariffs`, and `mod_cdrs` for `step_size`.

/** `€/unit`, VAT in percent, step. */
const price = (type: Dimension, amount: number, vat?: number, step = 1): PriceComponent => ({
  type,
  price: amount,
  ...(vat === undefined ? {} : { vat }),
  step_size: step,
})
const on = (restrictions: Restrictions, ...components: PriceComponent[]) => ({
  price_components: components,
  restrictions,
})
const always = (...components: PriceComponent[]) => ({ price_components: components })
const tariff = (...elements: Prices['elements']): Prices => ({ tax_included: 'NO', elements })

const charging = (minutes: number, kwh = 0, more: Partial<Period> = {}): Period => ({
  state: 'CHARGING',
  seconds: minutes * 60,
  kwh,
  ...more,
})
const time = (state: Period['state'], minutes: number): Period => ({ state, seconds: minutes * 60 })
/** Monday morning, unless the example gives a time. */
const session = (periods: readonly Period[], start = '2026-11-23T09:00'): Session => ({
  start,
  periods,
})

const START_AND_ENERGY = [price('FLAT', 0.5, 20), price('ENERGY', 0.25, 10)]
const REALTIME = (energy: number) =>
  tariff(always(price('FLAT', 0.5, 20), price('ENERGY', energy, 10, 100)))
const WORKDAYS = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY'] as const
const complex = (weekend: number) =>
  tariff(
    always(price('FLAT', 2.5, 15)),
    on({ max_current: 32 }, price('TIME', 1, 20, 900)),
    on({ min_current: 32, day_of_week: [...WORKDAYS] }, price('TIME', 2, 20, 600)),
    on({ min_current: 32, day_of_week: ['SATURDAY', 'SUNDAY'] }, price('TIME', weekend, 20, 600)),
    on(
      { start_time: '09:00', end_time: '18:00', day_of_week: [...WORKDAYS] },
      price('PARKING_TIME', 5, 10, 300),
    ),
    on(
      { start_time: '10:00', end_time: '17:00', day_of_week: ['SATURDAY'] },
      price('PARKING_TIME', 6, 10, 300),
    ),
  )
const STEPS = tariff(
  on(
    { start_time: '00:00', end_time: '17:00' },
    price('TIME', 1.2, undefined, 1800),
    price('PARKING_TIME', 1, undefined, 900),
  ),
  on(
    { start_time: '17:00', end_time: '20:00' },
    price('TIME', 2.4, undefined, 900),
    price('PARKING_TIME', 1, undefined, 900),
  ),
  on({ start_time: '20:00', end_time: '00:00' }, price('TIME', 2.4, undefined, 900)),
)
const RESERVED = on({ reservation: 'RESERVATION' }, price('TIME', 2, 20, 600))
const EXPIRE_FEE = tariff(
  on({ reservation: 'RESERVATION_EXPIRES' }, price('FLAT', 4, 20)),
  RESERVED,
  always(...START_AND_ENERGY),
)
const EXPIRE_TIME = tariff(
  on({ reservation: 'RESERVATION_EXPIRES' }, price('TIME', 6, 20, 600)),
  on({ reservation: 'RESERVATION' }, price('TIME', 3, 20, 600)),
  always(...START_AND_ENERGY),
)
const POWER = tariff(
  on({ max_power: 16 }, price('ENERGY', 0.2, 20)),
  on({ max_power: 32 }, price('ENERGY', 0.35, 20)),
  always(price('ENERGY', 0.5, 20)),
)
const DURATION = tariff(
  on({ max_duration: 1800 }, price('ENERGY', 0, 20)),
  on({ max_duration: 3600 }, price('ENERGY', 0.25, 20)),
  always(price('ENERGY', 0.4, 20)),
)
const MAX_PRICE: Prices = {
  ...tariff(always(...START_AND_ENERGY)),
  max_price: { before_taxes: 10, after_taxes: 11 },
}
const MIN_PRICE: Prices = {
  ...tariff(always(price('ENERGY', 0.25, 10))),
  min_price: { before_taxes: 0.5, after_taxes: 0.55 },
}
const PER_STEP = (step: number) => tariff(always(price('ENERGY', 0.25, undefined, step)))
const by17 = (type: Dimension, before: number, after: number, step: number) =>
  tariff(
    on({ end_time: '17:00' }, price(type, before, undefined, step)),
    always(price(type, after, undefined, step)),
  )

interface Example {
  readonly name: string
  readonly prices: Prices
  readonly session: Session
  /** Without and with taxes, as in the text; only one if they are equal. */
  readonly cost: readonly [before: string, after?: string]
}

const EXAMPLES: readonly Example[] = [
  {
    name: 'Simple Tariff example € 0.25 per kWh',
    prices: tariff(always(price('ENERGY', 0.25, 10))),
    session: session([charging(60, 20)]),
    cost: ['5.00', '5.50'],
  },
  {
    name: 'Tariff example € 0.25 per kWh + start fee',
    prices: tariff(always(...START_AND_ENERGY)),
    session: session([charging(60, 20)]),
    cost: ['5.50', '6.10'],
  },
  {
    name: 'Tariff example € 0.25 per kWh + minimum price',
    prices: MIN_PRICE,
    session: session([charging(60, 20)]),
    cost: ['5.00', '5.50'],
  },
  {
    name: 'Tariff example € 0.25 per kWh + minimum price: less than 2 kWh',
    prices: MIN_PRICE,
    session: session([charging(60, 1.9)]),
    cost: ['0.50', '0.55'],
  },
  {
    name: 'Tariff example € 0.25 per kWh + parking fee + start fee',
    prices: tariff(always(...START_AND_ENERGY, price('PARKING_TIME', 2, 20, 900))),
    session: session([charging(60, 20), time('PARKED', 40)]),
    cost: ['7.00', '7.90'],
  },
  {
    name: 'Tariff example € 0.25 per kWh + start fee + max price: 50 kWh',
    prices: MAX_PRICE,
    session: session([charging(60, 50)]),
    cost: ['10.00', '11.00'],
  },
  {
    name: 'Tariff example € 0.25 per kWh + start fee + max price: 30 kWh',
    prices: MAX_PRICE,
    session: session([charging(60, 30)]),
    cost: ['8.00', '8.85'],
  },
  {
    name: 'Simple Tariff example € 2 per hour',
    prices: tariff(always(price('TIME', 2, 10, 60))),
    session: session([charging(150)]),
    cost: ['5.00', '5.50'],
  },
  {
    name: 'Simple Tariff with North American taxes',
    prices: tariff(always(price('TIME', 2))),
    session: session([charging(150)]),
    cost: ['5.00'],
  },
  {
    name: 'Simple Tariff with North American taxes, price inclusive of tax',
    prices: { ...tariff(always(price('TIME', 2.1))), tax_included: 'YES' },
    session: session([charging(150)]),
    cost: ['5.25', '5.25'],
  },
  {
    name: 'Simple Tariff example € 3 per hour, € 5 per hour parking',
    prices: tariff(always(price('TIME', 3, 10, 60), price('PARKING_TIME', 5, 20, 300))),
    session: session([charging(150), time('PARKED', 42)]),
    cost: ['11.25', '12.75'],
  },
  {
    name: 'Ad-Hoc simple Tariff example with multiple languages',
    prices: tariff(always(price('TIME', 1.9, 5.2, 300))),
    session: session([charging(150)]),
    cost: ['4.75', '5.00'],
  },
  {
    // The table below this example omits the steps of 0.1 kWh, which its text counts.
    name: 'Simple Tariff example with alternative URL: announced price',
    prices: REALTIME(0.25),
    session: session([charging(60, 20.45)]),
    cost: ['5.63', '6.24'],
  },
  {
    name: 'Simple Tariff example with alternative URL: current price',
    prices: REALTIME(0.22),
    session: session([charging(60, 20.45)]),
    cost: ['5.01', '5.56'],
  },
  {
    name: 'Complex Tariff example: Monday',
    prices: complex(1.25),
    session: session([charging(165, 0, { amperes: 16 }), time('PARKED', 42)], '2026-11-23T09:30'),
    cost: ['9.00', '10.30'],
  },
  {
    // The table of the example gives € 2.28 for 114 minutes at € 1.25 an hour, which is the result for € 1.20.
    name: 'Complex Tariff example: Saturday',
    prices: complex(1.2),
    session: session([charging(114, 0, { amperes: 43 }), time('PARKED', 71)], '2026-11-28T13:30'),
    cost: ['12.28', '13.861'],
  },
  {
    name: 'Complex Tariff example: Saturday, at the price of its tariff',
    prices: complex(1.25),
    session: session([charging(114, 0, { amperes: 43 }), time('PARKED', 71)], '2026-11-28T13:30'),
    cost: ['12.375', '13.975'],
  },
  {
    name: 'Free of Charge Tariff example',
    prices: tariff(...FREE),
    session: session([charging(60, 20), time('PARKED', 600)]),
    cost: ['0.00', '0.00'],
  },
  {
    name: 'Tariff example with reservation price',
    prices: tariff(
      on({ reservation: 'RESERVATION' }, price('TIME', 5, 20, 60)),
      always(...START_AND_ENERGY),
    ),
    session: session([time('RESERVED', 15), charging(60, 20)]),
    cost: ['6.75', '7.60'],
  },
  {
    name: 'Tariff example with reservation price and fee',
    prices: tariff(
      on({ reservation: 'RESERVATION' }, price('FLAT', 2, 20), price('TIME', 5, 20, 300)),
      always(...START_AND_ENERGY),
    ),
    session: session([time('RESERVED', 13), charging(60, 20)]),
    cost: ['8.75', '10.00'],
  },
  {
    name: 'Tariff example with reservation price and expire fee: used',
    prices: EXPIRE_FEE,
    session: session([time('RESERVED', 22), charging(60, 20)]),
    cost: ['6.50', '7.30'],
  },
  {
    name: 'Tariff example with reservation price and expire fee: expired',
    prices: EXPIRE_FEE,
    session: session([time('EXPIRED', 60)]),
    cost: ['6.00', '7.20'],
  },
  {
    name: 'Tariff example with reservation time and expire time: used',
    prices: EXPIRE_TIME,
    session: session([time('RESERVED', 22), charging(60, 20)]),
    cost: ['7.00', '7.90'],
  },
  {
    name: 'Tariff example with reservation time and expire time: expired',
    prices: EXPIRE_TIME,
    session: session([time('EXPIRED', 90)]),
    cost: ['9.00', '10.80'],
  },
  {
    name: 'step_size of a PriceComponent: steps of 1 Wh',
    prices: PER_STEP(1),
    session: session([charging(1, 0.1152)]),
    cost: ['0.029'],
  },
  ...[101, 125].map((wh) => ({
    name: `step_size of a PriceComponent: steps of 25 Wh, ${wh} Wh`,
    prices: PER_STEP(25),
    session: session([charging(1, wh / 1000)]),
    cost: ['0.031'] as const,
  })),
  ...[1, 500].map((wh) => ({
    name: `step_size of a PriceComponent: steps of 500 Wh, ${wh} Wh`,
    prices: PER_STEP(500),
    session: session([charging(1, wh / 1000)]),
    cost: ['0.125'] as const,
  })),
  {
    name: 'switching to different Tariff Element #1',
    prices: STEPS,
    session: session([charging(10), time('PARKED', 2)], '2026-11-23T16:55'),
    cost: ['0.55'],
  },
  {
    name: 'switching to different Tariff Element #2',
    prices: STEPS,
    session: session([charging(35)], '2026-11-23T16:35'),
    cost: ['1.30'],
  },
  {
    name: 'switching to Free-of-Charge Tariff Element',
    prices: STEPS,
    session: session([charging(12), time('PARKED', 20)], '2026-11-23T19:40'),
    cost: ['0.73'],
  },
  {
    name: 'Tariff with max_power Tariff Restrictions',
    prices: POWER,
    session: session([
      charging(10, 1, { kw: 6 }),
      charging(50, 40, { kw: 48 }),
      charging(8, 0.5, { kw: 4 }),
    ]),
    cost: ['20.30', '24.36'],
  },
  {
    name: 'Tariff with max_duration Tariff Restrictions',
    prices: DURATION,
    session: session([charging(30, 5), charging(10, 1.2)]),
    cost: ['0.30', '0.36'],
  },
  {
    name: 'mod_cdrs: 21 minutes of charging, 7 of parking, in steps of 5 minutes',
    prices: tariff(
      always(price('TIME', 60, undefined, 300), price('PARKING_TIME', 60, undefined, 300)),
    ),
    session: session([charging(21), time('PARKED', 7)]),
    cost: ['31.00'],
  },
  {
    name: 'mod_cdrs: 4.3 kWh before 17:00 and 1.1 kWh after it, in steps of 500 Wh',
    prices: by17('ENERGY', 0.2, 0.27, 500),
    session: session([charging(30, 4.3), charging(10, 1.1)], '2026-11-23T16:30'),
    // 4.3 × 0.20 + 1.2 × 0.27
    cost: ['1.184'],
  },
  {
    name: 'mod_cdrs: 6 minutes before 17:00 and 22 after it, in steps of 10 minutes',
    prices: by17('TIME', 5, 7, 600),
    session: session([charging(28)], '2026-11-23T16:54'),
    // 6 minutes at € 5 and 24 at € 7
    cost: ['3.30'],
  },
  {
    name: 'mod_cdrs: 21 minutes of charging, 16 of parking, in steps of 10 minutes',
    prices: tariff(
      always(price('TIME', 1, undefined, 600), price('PARKING_TIME', 2, undefined, 600)),
    ),
    session: session([charging(21), time('PARKED', 16)]),
    // 21 minutes at € 1 and 20 at € 2
    cost: ['1.02'],
  },
]

const digitsOf = (text: string) => text.split('.')[1]?.length ?? 0

describe('the examples of OCPI', () => {
  test.each(EXAMPLES)('$name', ({ prices, session: worked, cost: [before, after = before] }) => {
    tariffElementsSchema.parse(prices.elements)
    const cost = costOf(prices, worked)
    expect(decimalOf(cost.beforeTaxes, digitsOf(before))).toBe(before)
    expect(decimalOf(cost.afterTaxes, digitsOf(after))).toBe(after)
  })
})

const DC = { current_type: 'DC', standard: 'CHADEMO' } as const
const AC = { current_type: 'AC_3_PHASE', standard: 'IEC_62196_T2' } as const
/** One euro per kWh while the restrictions are met. */
const euro = (restrictions: Restrictions) => tariff(on(restrictions, price('ENERGY', 1)))

describe('restrictions', () => {
  const even = session([charging(60, 60)], '2026-11-23T23:30')
  test.each<[restrictions: Restrictions, session: Session, kwh: string]>([
    [{ start_time: '22:00', end_time: '06:00' }, even, '60.00'],
    [{ start_time: '23:45', end_time: '00:15' }, even, '30.00'],
    [{ start_time: '00:15', end_time: '23:45' }, even, '30.00'],
    [{ start_time: '23:45' }, even, '15.00'],
    [{ end_time: '00:00' }, even, '60.00'],
    [{ day_of_week: ['TUESDAY'] }, even, '30.00'],
    [{ start_date: '2026-11-24' }, even, '30.00'],
    [{ end_date: '2026-11-24' }, even, '30.00'],
    [{ min_kwh: 10 }, even, '50.00'],
    [{ max_kwh: 10 }, even, '10.00'],
    [{ min_kwh: 10, max_kwh: 25.5 }, even, '15.50'],
    [{ min_duration: 600, max_duration: 900 }, even, '5.00'],
    [{ min_power: 60 }, even, '60.00'],
    [{ max_power: 60 }, even, '0.00'],
    [{ max_current: 260 }, even, '0.00'],
    [{ max_current: 261 }, even, '60.00'],
    [{ current: 'DC' }, even, '0.00'],
    [{ current: 'DC' }, { ...even, plug: DC }, '60.00'],
    [{ current: 'DC' }, { ...even, plug: AC }, '0.00'],
    [{ current: 'AC' }, { ...even, plug: AC }, '60.00'],
    [{ standards: ['CHADEMO', 'GBT_DC'] }, { ...even, plug: DC }, '60.00'],
    [{ standards: ['GBT_DC'] }, { ...even, plug: DC }, '0.00'],
    [{ reservation: 'RESERVATION' }, even, '0.00'],
  ])('%j hold for part of a session', (restrictions, over, kwh) => {
    expect(decimalOf(costOf(euro(restrictions), over).beforeTaxes, 2)).toBe(kwh)
  })

  test('for each dimension, the first element whose restrictions are met applies', () => {
    const prices = tariff(
      on({ min_duration: 2700 }, price('TIME', 60)),
      on({ current: 'DC' }, price('ENERGY', 0.59)),
      always(price('ENERGY', 0.39), price('TIME', 0)),
    )
    const over = { ...session([charging(60, 20)]), plug: DC }
    // 20 × 0.59, and 15 minutes
    expect(decimalOf(costOf(prices, over).beforeTaxes, 2)).toBe('26.80')
  })

  test('the start fee is the one at the beginning of the session', () => {
    const over = session([charging(20), time('PARKED', 20)], '2026-11-23T16:50')
    const { parts } = costOf(by17('FLAT', 1, 2, 0), over)
    expect(parts.map(({ component }) => component.price)).toEqual([1])
  })
})

test('a limit without taxes keeps the proportion of the taxes', () => {
  const prices: Prices = {
    ...tariff(always(price('ENERGY', 1, 20))),
    max_price: { before_taxes: 10 },
  }
  const cost = costOf(prices, session([charging(60, 20)]))
  expect([decimalOf(cost.beforeTaxes, 2), decimalOf(cost.afterTaxes, 2)]).toEqual([
    '10.00',
    '12.00',
  ])
})

test('taxes included in a price are deducted', () => {
  const prices: Prices = {
    tax_included: 'YES',
    elements: [always(price('ENERGY', 0.6, 20))],
  }
  const cost = costOf(prices, session([charging(60, 20)]))
  expect([decimalOf(cost.beforeTaxes, 2), decimalOf(cost.afterTaxes, 2)]).toEqual([
    '10.00',
    '12.00',
  ])
})

test.each([
  [0.005, 2, '0.01'],
  [0.0049, 2, '0.00'],
  [1_234_567.891, 0, '1234568'],
  [0.5, 0, '1'],
  [0.05, 3, '0.050'],
])('%f with %i digits is %s', (amount, digits, text) => {
  const { beforeTaxes } = costOf(tariff(always(price('FLAT', amount))), session([charging(1)]))
  expect(decimalOf(beforeTaxes, digits)).toBe(text)
})
