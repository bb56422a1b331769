import { aboutAsMuch } from './currency.ts'
import type { Dimension } from './tariff-element.ts'

/** Amounts in euros above which a price is more likely a mistake, such as an amount in cents: per kWh, once, per hour. */
const UNUSUAL_EUROS: Readonly<Record<Dimension, number>> = {
  ENERGY: 5,
  FLAT: 100,
  TIME: 120,
  PARKING_TIME: 120,
}

/** Currencies whose unit is worth roughly a euro. */
const LIKE_EURO = new Set(
  'AED AUD BAM BND BRL CAD CHF EUR GBP GEL ILS MYR NZD PEN PLN QAR RON SAR SGD TND USD'.split(' '),
)

/** Whether the price is unusually high. False for currencies whose rough value is unknown. */
export const isUnusualPrice = (type: Dimension, price: number, currency: string): boolean => {
  const limit = aboutAsMuch(UNUSUAL_EUROS[type], currency)
  const isKnown = LIKE_EURO.has(currency) || limit !== UNUSUAL_EUROS[type]
  return isKnown && price > limit
}
