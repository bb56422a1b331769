import { useEffect, useState, type ReactNode } from 'react'

import { aboutAsMuch, currencyOf } from '#domain/currency.ts'
import { useLanguage } from '../../messages/messages.ts'
import type { Coordinates } from '../../map/coordinates.ts'

interface Props {
  /** The position of the pin, if any. */
  readonly place: Coordinates | undefined
  readonly chip: (text: string) => ReactNode
}

/** Common wordings of a price, in the currency of the site's country, otherwise of the user's. */
export const PriceChips = ({ place, chip }: Props) => {
  const { locale } = useLanguage()
  const country = useCountry(place) ?? new Intl.Locale(locale).maximize().region
  const currency = currencyOf(country) ?? 'EUR'
  const money = (euros: number): string => {
    const amount = aboutAsMuch(euros, currency)
    const format = new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      ...(amount >= 10 && { maximumFractionDigits: 0 }),
    })
    // The text is stored, and searched for with plain spaces.
    return format.format(amount).replaceAll(/[\u00A0\u202F]/g, ' ')
  }
  return [chip(`${money(0.45)} / kWh`), chip(`${money(3)} / h`)]
}

const useCountry = (place: Coordinates | undefined): string | undefined => {
  const [country, setCountry] = useState<string>()
  const { latitude, longitude } = place ?? {}
  useEffect(() => {
    if (latitude === undefined || longitude === undefined) return
    let isCurrent = true
    import('../../map/country.ts')
      .then(async ({ countryAt, loadCountries }) => {
        const found = countryAt({ latitude, longitude }, await loadCountries())
        if (isCurrent) setCountry(found)
      })
      // Without it, the currency is the user's.
      .catch(() => {})
    return () => {
      isCurrent = false
    }
  }, [latitude, longitude])
  return country
}
