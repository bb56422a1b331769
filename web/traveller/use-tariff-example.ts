import type { CurrentType, Standard } from '#domain/connector.ts'
import { costOf, decimalOf } from '#domain/tariff-cost.ts'
import { durationText, type SaidTariff } from '#domain/tariff-sentence.ts'
import { useLanguage } from '../messages/messages.ts'

/** A charging session, to show its cost as an example. */
export interface TariffExample {
  readonly kwh: number
  readonly chargingS: number
  /** Time plugged in after charging, in seconds. */
  readonly idleS: number
  /** Power in kW; defaults to the average. */
  readonly kw?: number | undefined
  readonly plug: { readonly standard: Standard; readonly current_type: CurrentType }
  /** Start: day of the week (0 is Monday) and local time. */
  readonly day: number
  readonly time: string
}

/** The default example. */
export const USUAL_EXAMPLE: TariffExample = {
  kwh: 20,
  chargingS: 40 * 60,
  idleS: 0,
  plug: { standard: 'IEC_62196_T2_COMBO', current_type: 'DC' },
  day: 0,
  time: '12:00',
}

/** Formats the cost of a session: `20 kWh in 40 minutes: €11.80`. The messages of `tariffs` must be loaded. */
export const useTariffExample = () => {
  const { messages, locale } = useLanguage()
  const text = messages.tariffs
  return (tariff: SaidTariff, example: TariffExample) => {
    const { kwh, chargingS, idleS, kw, plug, day, time } = example
    const { beforeTaxes, afterTaxes } = costOf(tariff, {
      start: `${nextDate(day)}T${time}`,
      plug,
      periods: [
        { state: 'CHARGING', seconds: chargingS, kwh, ...(kw === undefined ? {} : { kw }) },
        ...(idleS > 0 ? [{ state: 'PARKED', seconds: idleS } as const] : []),
      ],
    })
    const currency = new Intl.NumberFormat(locale, { style: 'currency', currency: tariff.currency })
    const { maximumFractionDigits: digits = 2 } = currency.resolvedOptions()
    const money = (amount: bigint) => currency.format(decimalOf(amount, digits))
    const isNet = tariff.tax_included === 'NO'
    const energy = `${new Intl.NumberFormat(locale).format(kwh)}\u00a0kWh`
    const duration = durationText(chargingS, locale)
    const amount = money(isNet ? beforeTaxes : afterTaxes)
    return {
      isFree: afterTaxes === 0n,
      text:
        idleS > 0
          ? text.costsIdle(energy, duration, durationText(idleS, locale), amount)
          : text.costs(energy, duration, amount),
      withVat: isNet && afterTaxes !== beforeTaxes ? text.withVat(money(afterTaxes)) : undefined,
    }
  }
}

/** The next date that falls on a day of the week, Monday being 0. */
const nextDate = (day: number): string => {
  const today = new Date()
  const ahead = (day - ((today.getDay() + 6) % 7) + 7) % 7
  return new Date(Date.UTC(today.getFullYear(), today.getMonth(), today.getDate() + ahead))
    .toISOString()
    .slice(0, 10)
}
