import { describe, expect, onTestFinished, test, vi } from 'vitest'

import { sentenceOf, type SaidTariff } from '#domain/tariff-sentence.ts'
import {
  FREE,
  type Dimension,
  type PriceComponent,
  type Restrictions,
} from '#domain/tariff-element.ts'
import { tariffElementsSchema } from '#domain/tariff-schema.ts'

import { LOCALES, type Locale } from './locale.ts'
import type { Messages } from './messages.ts'
import { shortPlugName } from './plugs.ts'

const load = async (locale: Locale): Promise<Messages> => {
  const parts = await Promise.all(
    ['core', 'owner', 'tariffs'].map(
      async (area) => (await import(`./${locale}/${area}.ts`)) as { default: object },
    ),
  )
  return Object.assign({}, ...parts.map((part) => part.default)) as Messages
}
const messages = Object.fromEntries(
  await Promise.all(
    (Object.keys(LOCALES) as Locale[]).map(async (locale) => [locale, await load(locale)] as const),
  ),
) as Record<Locale, Messages>

const price = (type: Dimension, amount: number, more: Partial<PriceComponent> = {}) => ({
  type,
  price: amount,
  step_size: 1,
  ...more,
})
const on = (restrictions: Restrictions, ...components: PriceComponent[]) => ({
  price_components: components,
  restrictions,
})
const always = (...components: PriceComponent[]) => ({ price_components: components })
const tariff = (elements: SaidTariff['elements'], more: Partial<SaidTariff> = {}): SaidTariff => ({
  currency: 'EUR',
  tax_included: 'YES',
  elements,
  ...more,
})

/** The same price per hour of charging and of parking. */
const time = (perHour: number) => [price('TIME', perHour), price('PARKING_TIME', perHour)]
const energy = price('ENERGY', 0.59)
const cheap = price('ENERGY', 0.39)
/** A price of energy under one condition. */
const when = (restrictions: Restrictions) => tariff([on(restrictions, cheap), always(energy)])

type Row = readonly [tariff: SaidTariff, said: Readonly<Record<Locale, string>>]
const ROWS: Readonly<Record<string, Row>> = {
  free: [tariff(FREE), { en: 'Free', de: 'Kostenlos', fr: 'Gratuit', es: 'Gratis' }],
  'per kWh': [
    tariff([always(energy)]),
    { en: '€0.59 per kWh', de: '0,59 € pro kWh', fr: '0,59 € par kWh', es: '0,59 € por kWh' },
  ],
  'per kWh and per minute after a while, for DC': [
    tariff([on({ current: 'DC' }, energy), on({ current: 'DC', min_duration: 2700 }, ...time(6))]),
    {
      en: '€0.59 per kWh, plus €0.10 per minute after 45 minutes, DC only',
      de: '0,59 € pro kWh, dazu 0,10 € pro Minute nach 45 Minuten, nur DC',
      fr: '0,59 € par kWh, plus 0,10 € par minute après 45 minutes, en DC uniquement',
      es: '0,59 € por kWh, más 0,10 € por minuto después de 45 minutos, solo en DC',
    },
  ],
  'per hour of charging': [
    tariff([always(price('TIME', 2))]),
    {
      en: '€2.00 per hour of charging',
      de: '2,00 € pro Stunde Ladezeit',
      fr: '2,00 € par heure de charge',
      es: '2,00 € por hora de carga',
    },
  ],
  'per minute of charging and of standing': [
    tariff([always(price('TIME', 3), price('PARKING_TIME', 6))]),
    {
      en: '€0.05 per minute of charging, plus €0.10 per minute of idle time',
      de: '0,05 € pro Minute Ladezeit, dazu 0,10 € pro Minute nach Ladeende',
      fr: '0,05 € par minute de charge, plus 0,10 € par minute après la fin de la charge',
      es: '0,05 € por minuto de carga, más 0,10 € por minuto tras finalizar la carga',
    },
  ],
  'idle time after a while': [
    tariff([always(energy), on({ min_duration: 14_400 }, price('PARKING_TIME', 6))]),
    {
      en: '€0.59 per kWh, plus €0.10 per minute of idle time after a total of 4 hours',
      de: '0,59 € pro kWh, dazu 0,10 € pro Minute nach Ladeende ab einer Gesamtdauer von 4 Stunden',
      fr: '0,59 € par kWh, plus 0,10 € par minute après la fin de la charge au-delà de 4 heures au total',
      es: '0,59 € por kWh, más 0,10 € por minuto tras finalizar la carga a partir de 4 horas en total',
    },
  ],
  'a start fee': [
    tariff([always(energy, price('FLAT', 0.5))]),
    {
      en: '€0.59 per kWh, plus €0.50 per session',
      de: '0,59 € pro kWh, dazu 0,50 € pro Ladevorgang',
      fr: '0,59 € par kWh, plus 0,50 € par session',
      es: '0,59 € por kWh, más 0,50 € por sesión',
    },
  ],
  'a start fee alone': [
    tariff([always(price('FLAT', 5))]),
    {
      en: '€5.00 per session',
      de: '5,00 € pro Ladevorgang',
      fr: '5,00 € par session',
      es: '5,00 € por sesión',
    },
  ],
  'AC and DC': [
    tariff([
      on({ current: 'AC' }, price('ENERGY', 0.49), price('FLAT', 0.5)),
      on({ current: 'DC' }, price('ENERGY', 0.69), price('FLAT', 1)),
    ]),
    {
      en: '€0.49 per kWh on AC, €0.69 per kWh on DC, plus €0.50 per session on AC, €1.00 per session on DC',
      de: '0,49 € pro kWh an AC-Anschlüssen, 0,69 € pro kWh an DC-Anschlüssen, dazu 0,50 € pro Ladevorgang an AC-Anschlüssen, 1,00 € pro Ladevorgang an DC-Anschlüssen',
      fr: '0,49 € par kWh en AC, 0,69 € par kWh en DC, plus 0,50 € par session en AC, 1,00 € par session en DC',
      es: '0,49 € por kWh en AC, 0,69 € por kWh en DC, más 0,50 € por sesión en AC, 1,00 € por sesión en DC',
    },
  ],
  plugs: [
    when({ standards: ['CHADEMO', 'IEC_62196_T2_COMBO'] }),
    {
      en: '€0.39 per kWh with CHAdeMO and CCS2, otherwise €0.59 per kWh',
      de: '0,39 € pro kWh mit CHAdeMO und CCS2, sonst 0,59 € pro kWh',
      fr: '0,39 € par kWh avec CHAdeMO et CCS2, sinon 0,59 € par kWh',
      es: '0,39 € por kWh con CHAdeMO y CCS2, en los demás casos 0,59 € por kWh',
    },
  ],
  'plugs alone': [
    tariff([on({ standards: ['CHADEMO'] }, energy)]),
    {
      en: '€0.59 per kWh, CHAdeMO only',
      de: '0,59 € pro kWh, nur CHAdeMO',
      fr: '0,59 € par kWh, avec CHAdeMO uniquement',
      es: '0,59 € por kWh, solo con CHAdeMO',
    },
  ],
  'at night': [
    when({ start_time: '22:00', end_time: '06:00' }),
    {
      en: '€0.39 per kWh from 22:00 to 06:00, otherwise €0.59 per kWh',
      de: '0,39 € pro kWh von 22:00 bis 06:00 Uhr, sonst 0,59 € pro kWh',
      fr: '0,39 € par kWh de 22:00 à 06:00, sinon 0,59 € par kWh',
      es: '0,39 € por kWh de 22:00 a 6:00, en los demás casos 0,59 € por kWh',
    },
  ],
  'in the evening': [
    when({ start_time: '18:00' }),
    {
      en: '€0.39 per kWh from 18:00, otherwise €0.59 per kWh',
      de: '0,39 € pro kWh ab 18:00 Uhr, sonst 0,59 € pro kWh',
      fr: '0,39 € par kWh à partir de 18:00, sinon 0,59 € par kWh',
      es: '0,39 € por kWh desde las 18:00, en los demás casos 0,59 € por kWh',
    },
  ],
  'until noon': [
    when({ end_time: '12:00' }),
    {
      en: '€0.39 per kWh until 12:00, otherwise €0.59 per kWh',
      de: '0,39 € pro kWh bis 12:00 Uhr, sonst 0,59 € pro kWh',
      fr: '0,39 € par kWh jusqu’à 12:00, sinon 0,59 € par kWh',
      es: '0,39 € por kWh hasta las 12:00, en los demás casos 0,59 € por kWh',
    },
  ],
  'from a time until midnight': [
    when({ start_time: '18:00', end_time: '00:00' }),
    {
      en: '€0.39 per kWh from 18:00 to 00:00, otherwise €0.59 per kWh',
      de: '0,39 € pro kWh von 18:00 bis 00:00 Uhr, sonst 0,59 € pro kWh',
      fr: '0,39 € par kWh de 18:00 à 00:00, sinon 0,59 € par kWh',
      es: '0,39 € por kWh de 18:00 a 0:00, en los demás casos 0,59 € por kWh',
    },
  ],
  'on workdays': [
    when({ day_of_week: ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY'] }),
    {
      en: '€0.39 per kWh Monday to Friday, otherwise €0.59 per kWh',
      de: '0,39 € pro kWh montags bis freitags, sonst 0,59 € pro kWh',
      fr: '0,39 € par kWh du lundi au vendredi, sinon 0,59 € par kWh',
      es: '0,39 € por kWh de lunes a viernes, en los demás casos 0,59 € por kWh',
    },
  ],
  'at the weekend': [
    when({ day_of_week: ['SATURDAY', 'SUNDAY'] }),
    {
      en: '€0.39 per kWh on Saturdays and Sundays, otherwise €0.59 per kWh',
      de: '0,39 € pro kWh samstags und sonntags, sonst 0,59 € pro kWh',
      fr: '0,39 € par kWh le samedi et le dimanche, sinon 0,59 € par kWh',
      es: '0,39 € por kWh los sábados y los domingos, en los demás casos 0,59 € por kWh',
    },
  ],
  'on some days': [
    when({ day_of_week: ['MONDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SUNDAY'] }),
    {
      en: '€0.39 per kWh on Mondays, Wednesday to Friday, and Sundays, otherwise €0.59 per kWh',
      de: '0,39 € pro kWh montags, mittwochs bis freitags und sonntags, sonst 0,59 € pro kWh',
      fr: '0,39 € par kWh le lundi, du mercredi au vendredi et le dimanche, sinon 0,59 € par kWh',
      es: '0,39 € por kWh los lunes, de miércoles a viernes y los domingos, en los demás casos 0,59 € por kWh',
    },
  ],
  'at night on workdays': [
    when({
      start_time: '22:00',
      end_time: '06:00',
      day_of_week: ['MONDAY', 'TUESDAY', 'WEDNESDAY'],
    }),
    {
      en: '€0.39 per kWh from 22:00 to 06:00 Monday to Wednesday, otherwise €0.59 per kWh',
      de: '0,39 € pro kWh von 22:00 bis 06:00 Uhr montags bis mittwochs, sonst 0,59 € pro kWh',
      fr: '0,39 € par kWh de 22:00 à 06:00 du lundi au mercredi, sinon 0,59 € par kWh',
      es: '0,39 € por kWh de 22:00 a 6:00 de lunes a miércoles, en los demás casos 0,59 € por kWh',
    },
  ],
  'at a high power': [
    when({ min_power: 50 }),
    {
      en: '€0.39 per kWh at 50 kW or more, otherwise €0.59 per kWh',
      de: '0,39 € pro kWh ab 50 kW, sonst 0,59 € pro kWh',
      fr: '0,39 € par kWh à partir de 50 kW, sinon 0,59 € par kWh',
      es: '0,39 € por kWh con 50 kW o más, en los demás casos 0,59 € por kWh',
    },
  ],
  'at a low power': [
    when({ max_power: 50 }),
    {
      en: '€0.39 per kWh below 50 kW, otherwise €0.59 per kWh',
      de: '0,39 € pro kWh unter 50 kW, sonst 0,59 € pro kWh',
      fr: '0,39 € par kWh en dessous de 50 kW, sinon 0,59 € par kWh',
      es: '0,39 € por kWh con menos de 50 kW, en los demás casos 0,59 € por kWh',
    },
  ],
  'at a power between': [
    when({ min_power: 16, max_power: 32.5 }),
    {
      en: '€0.39 per kWh from 16 kW to below 32.5 kW, otherwise €0.59 per kWh',
      de: '0,39 € pro kWh von 16 kW bis unter 32,5 kW, sonst 0,59 € pro kWh',
      fr: '0,39 € par kWh de 16 kW à moins de 32,5 kW, sinon 0,59 € par kWh',
      es: '0,39 € por kWh desde 16 kW hasta menos de 32,5 kW, en los demás casos 0,59 € por kWh',
    },
  ],
  'at a current': [
    when({ min_current: 32 }),
    {
      en: '€0.39 per kWh at 32 A or more, otherwise €0.59 per kWh',
      de: '0,39 € pro kWh ab 32 A, sonst 0,59 € pro kWh',
      fr: '0,39 € par kWh à partir de 32 A, sinon 0,59 € par kWh',
      es: '0,39 € por kWh con 32 A o más, en los demás casos 0,59 € por kWh',
    },
  ],
  'first kWh': [
    when({ max_kwh: 10 }),
    {
      en: '€0.39 per kWh for the first 10 kWh, otherwise €0.59 per kWh',
      de: '0,39 € pro kWh für die ersten 10 kWh, sonst 0,59 € pro kWh',
      fr: '0,39 € par kWh pour les 10 premiers kWh, sinon 0,59 € par kWh',
      es: '0,39 € por kWh para los primeros 10 kWh, en los demás casos 0,59 € por kWh',
    },
  ],
  'later kWh': [
    when({ min_kwh: 10 }),
    {
      en: '€0.39 per kWh after the first 10 kWh, otherwise €0.59 per kWh',
      de: '0,39 € pro kWh nach den ersten 10 kWh, sonst 0,59 € pro kWh',
      fr: '0,39 € par kWh au-delà de 10 kWh, sinon 0,59 € par kWh',
      es: '0,39 € por kWh a partir de 10 kWh, en los demás casos 0,59 € por kWh',
    },
  ],
  'kWh between': [
    when({ min_kwh: 10, max_kwh: 20 }),
    {
      en: '€0.39 per kWh between 10 kWh and 20 kWh, otherwise €0.59 per kWh',
      de: '0,39 € pro kWh zwischen 10 kWh und 20 kWh, sonst 0,59 € pro kWh',
      fr: '0,39 € par kWh entre 10 kWh et 20 kWh, sinon 0,59 € par kWh',
      es: '0,39 € por kWh entre 10 kWh y 20 kWh, en los demás casos 0,59 € por kWh',
    },
  ],
  'first minutes': [
    when({ max_duration: 1800 }),
    {
      en: '€0.39 per kWh for the first 30 minutes, otherwise €0.59 per kWh',
      de: '0,39 € pro kWh in den ersten 30 Minuten, sonst 0,59 € pro kWh',
      fr: '0,39 € par kWh pendant les 30 premières minutes, sinon 0,59 € par kWh',
      es: '0,39 € por kWh durante los primeros 30 minutos, en los demás casos 0,59 € por kWh',
    },
  ],
  'first hours': [
    when({ max_duration: 14_400 }),
    {
      en: '€0.39 per kWh for the first 4 hours, otherwise €0.59 per kWh',
      de: '0,39 € pro kWh in den ersten 4 Stunden, sonst 0,59 € pro kWh',
      fr: '0,39 € par kWh pendant les 4 premières heures, sinon 0,59 € par kWh',
      es: '0,39 € por kWh durante las primeras 4 horas, en los demás casos 0,59 € por kWh',
    },
  ],
  'minutes between': [
    when({ min_duration: 1800, max_duration: 3600 }),
    {
      en: '€0.39 per kWh between 30 minutes and 60 minutes, otherwise €0.59 per kWh',
      de: '0,39 € pro kWh zwischen 30 Minuten und 60 Minuten, sonst 0,59 € pro kWh',
      fr: '0,39 € par kWh entre 30 minutes et 60 minutes, sinon 0,59 € par kWh',
      es: '0,39 € por kWh entre 30 minutos y 60 minutos, en los demás casos 0,59 € por kWh',
    },
  ],
  'after one minute': [
    when({ min_duration: 60 }),
    {
      en: '€0.39 per kWh after 1 minute, otherwise €0.59 per kWh',
      de: '0,39 € pro kWh nach 1 Minute, sonst 0,59 € pro kWh',
      fr: '0,39 € par kWh après 1 minute, sinon 0,59 € par kWh',
      es: '0,39 € por kWh después de 1 minuto, en los demás casos 0,59 € por kWh',
    },
  ],
  dates: [
    when({ start_date: '2026-01-01', end_date: '2026-07-01' }),
    {
      en: '€0.39 per kWh from 1 January 2026 to 30 June 2026, otherwise €0.59 per kWh',
      de: '0,39 € pro kWh vom 1. Januar 2026 bis zum 30. Juni 2026, sonst 0,59 € pro kWh',
      fr: '0,39 € par kWh du 1er janvier 2026 au 30 juin 2026, sinon 0,59 € par kWh',
      es: '0,39 € por kWh del 1 de enero de 2026 al 30 de junio de 2026, en los demás casos 0,59 € por kWh',
    },
  ],
  'from a date': [
    when({ start_date: '2026-01-01' }),
    {
      en: '€0.39 per kWh from 1 January 2026, otherwise €0.59 per kWh',
      de: '0,39 € pro kWh ab 1. Januar 2026, sonst 0,59 € pro kWh',
      fr: '0,39 € par kWh à partir du 1er janvier 2026, sinon 0,59 € par kWh',
      es: '0,39 € por kWh a partir del 1 de enero de 2026, en los demás casos 0,59 € por kWh',
    },
  ],
  'until a date': [
    when({ end_date: '2026-07-01' }),
    {
      en: '€0.39 per kWh until 30 June 2026, otherwise €0.59 per kWh',
      de: '0,39 € pro kWh bis 30. Juni 2026, sonst 0,59 € pro kWh',
      fr: '0,39 € par kWh jusqu’au 30 juin 2026, sinon 0,59 € par kWh',
      es: '0,39 € por kWh hasta el 30 de junio de 2026, en los demás casos 0,59 € por kWh',
    },
  ],
  'free at first': [
    tariff([
      on({ max_duration: 1800 }, price('ENERGY', 0)),
      on({ max_duration: 3600 }, cheap),
      always(energy),
    ]),
    {
      en: 'Free for the first 30 minutes, €0.39 per kWh for the first 60 minutes, otherwise €0.59 per kWh',
      de: 'Kostenlos in den ersten 30 Minuten, 0,39 € pro kWh in den ersten 60 Minuten, sonst 0,59 € pro kWh',
      fr: 'Gratuit pendant les 30 premières minutes, 0,39 € par kWh pendant les 60 premières minutes, sinon 0,59 € par kWh',
      es: 'Gratis durante los primeros 30 minutos, 0,39 € por kWh durante los primeros 60 minutos, en los demás casos 0,59 € por kWh',
    },
  ],
  'a first minute, and one kWh': [
    tariff([
      on({ max_duration: 60 }, price('ENERGY', 0)),
      on({ max_kwh: 1 }, cheap),
      on({ min_kwh: 1 }, energy),
    ]),
    {
      en: 'Free for the first minute, €0.39 per kWh for the first kWh, €0.59 per kWh after the first kWh',
      de: 'Kostenlos in der ersten Minute, 0,39 € pro kWh für die erste kWh, 0,59 € pro kWh nach der ersten kWh',
      fr: 'Gratuit pendant la première minute, 0,39 € par kWh pour le premier kWh, 0,59 € par kWh au-delà de 1 kWh',
      es: 'Gratis durante el primer minuto, 0,39 € por kWh para el primer kWh, 0,59 € por kWh a partir de 1 kWh',
    },
  ],
  'a thousand kWh': [
    when({ max_kwh: 1000 }),
    {
      en: '€0.39 per kWh for the first 1,000 kWh, otherwise €0.59 per kWh',
      de: '0,39 € pro kWh für die ersten 1.000 kWh, sonst 0,59 € pro kWh',
      fr: '0,39 € par kWh pour les 1 000 premiers kWh, sinon 0,59 € par kWh',
      es: '0,39 € por kWh para los primeros 1000 kWh, en los demás casos 0,59 € por kWh',
    },
  ],
  'one o’clock': [
    tariff([on({ start_time: '01:00' }, cheap), on({ end_time: '01:30' }, energy)]),
    {
      en: '€0.39 per kWh from 01:00, €0.59 per kWh until 01:30',
      de: '0,39 € pro kWh ab 01:00 Uhr, 0,59 € pro kWh bis 01:30 Uhr',
      fr: '0,39 € par kWh à partir de 01:00, 0,59 € par kWh jusqu’à 01:30',
      es: '0,39 € por kWh desde la 1:00, 0,59 € por kWh hasta la 1:30',
    },
  ],
  'idle time that is free at first, beside a price of energy': [
    tariff([
      on({ max_duration: 14_400 }, price('PARKING_TIME', 0)),
      always(energy, price('PARKING_TIME', 6)),
    ]),
    {
      en: '€0.59 per kWh, plus €0.00 per hour of idle time for the first 4 hours, otherwise €0.10 per minute of idle time',
      de: '0,59 € pro kWh, dazu 0,00 € pro Stunde nach Ladeende in den ersten 4 Stunden, sonst 0,10 € pro Minute nach Ladeende',
      fr: '0,59 € par kWh, plus 0,00 € par heure après la fin de la charge pendant les 4 premières heures, sinon 0,10 € par minute après la fin de la charge',
      es: '0,59 € por kWh, más 0,00 € por hora tras finalizar la carga durante las primeras 4 horas, en los demás casos 0,10 € por minuto tras finalizar la carga',
    },
  ],
  'energy that is free at night, beside a price of time': [
    tariff([
      on({ start_time: '22:00', end_time: '06:00' }, price('ENERGY', 0)),
      always(energy, ...time(6)),
    ]),
    {
      en: '€0.00 per kWh from 22:00 to 06:00, otherwise €0.59 per kWh, plus €0.10 per minute',
      de: '0,00 € pro kWh von 22:00 bis 06:00 Uhr, sonst 0,59 € pro kWh, dazu 0,10 € pro Minute',
      fr: '0,00 € par kWh de 22:00 à 06:00, sinon 0,59 € par kWh, plus 0,10 € par minute',
      es: '0,00 € por kWh de 22:00 a 6:00, en los demás casos 0,59 € por kWh, más 0,10 € por minuto',
    },
  ],
  'the same price first and otherwise': [
    tariff([
      on({ current: 'AC' }, cheap),
      on({ max_duration: 14_400 }, energy),
      always(energy, price('PARKING_TIME', 6)),
    ]),
    {
      en: '€0.39 per kWh on AC, otherwise €0.59 per kWh, plus €0.10 per minute of idle time',
      de: '0,39 € pro kWh an AC-Anschlüssen, sonst 0,59 € pro kWh, dazu 0,10 € pro Minute nach Ladeende',
      fr: '0,39 € par kWh en AC, sinon 0,59 € par kWh, plus 0,10 € par minute après la fin de la charge',
      es: '0,39 € por kWh en AC, en los demás casos 0,59 € por kWh, más 0,10 € por minuto tras finalizar la carga',
    },
  ],
  'a price that never holds': [
    tariff([always(energy), on({ current: 'DC' }, cheap)]),
    { en: '€0.59 per kWh', de: '0,59 € pro kWh', fr: '0,59 € par kWh', es: '0,59 € por kWh' },
  ],
  'a time that is free at the end': [
    tariff([
      always(energy),
      on({ start_time: '08:00', end_time: '20:00' }, ...time(6)),
      always(...time(0)),
    ]),
    {
      en: '€0.59 per kWh, plus €0.10 per minute from 08:00 to 20:00',
      de: '0,59 € pro kWh, dazu 0,10 € pro Minute von 08:00 bis 20:00 Uhr',
      fr: '0,59 € par kWh, plus 0,10 € par minute de 08:00 à 20:00',
      es: '0,59 € por kWh, más 0,10 € por minuto de 8:00 a 20:00',
    },
  ],
  limits: [
    tariff([always(energy)], {
      min_price: { before_taxes: 0.84, after_taxes: 1 },
      max_price: { before_taxes: 20 },
    }),
    {
      en: '€0.59 per kWh, at least €1.00 and at most €20.00 per session',
      de: '0,59 € pro kWh, mindestens 1,00 € und höchstens 20,00 € pro Ladevorgang',
      fr: '0,59 € par kWh, au moins 1,00 € et au plus 20,00 € par session',
      es: '0,59 € por kWh, entre 1,00 € y 20,00 € por sesión',
    },
  ],
  'a minimum': [
    tariff([always(energy)], { min_price: { before_taxes: 1 } }),
    {
      en: '€0.59 per kWh, at least €1.00 per session',
      de: '0,59 € pro kWh, mindestens 1,00 € pro Ladevorgang',
      fr: '0,59 € par kWh, au moins 1,00 € par session',
      es: '0,59 € por kWh, al menos 1,00 € por sesión',
    },
  ],
  'a maximum': [
    tariff([always(energy)], { max_price: { before_taxes: 20 } }),
    {
      en: '€0.59 per kWh, at most €20.00 per session',
      de: '0,59 € pro kWh, höchstens 20,00 € pro Ladevorgang',
      fr: '0,59 € par kWh, au plus 20,00 € par session',
      es: '0,59 € por kWh, como máximo 20,00 € por sesión',
    },
  ],
  'without VAT': [
    tariff([always({ ...energy, vat: 20 })], { tax_included: 'NO' }),
    {
      en: '€0.59 per kWh, excluding 20% VAT',
      de: '0,59 € pro kWh, zuzüglich 20 % MwSt.',
      fr: '0,59 € par kWh, hors TVA (20 %)',
      es: '0,59 € por kWh, IVA del 20 % no incluido',
    },
  ],
  'without taxes': [
    tariff([always(energy)], { tax_included: 'NO' }),
    {
      en: '€0.59 per kWh, excluding taxes',
      de: '0,59 € pro kWh, zuzüglich Steuern',
      fr: '0,59 € par kWh, hors taxes',
      es: '0,59 € por kWh, impuestos no incluidos',
    },
  ],
  'without two rates of VAT': [
    tariff([always({ ...energy, vat: 5.5 }, price('FLAT', 1, { vat: 20 }))], {
      tax_included: 'NO',
    }),
    {
      en: '€0.59 per kWh, plus €1.00 per session, excluding taxes',
      de: '0,59 € pro kWh, dazu 1,00 € pro Ladevorgang, zuzüglich Steuern',
      fr: '0,59 € par kWh, plus 1,00 € par session, hors taxes',
      es: '0,59 € por kWh, más 1,00 € por sesión, impuestos no incluidos',
    },
  ],
  blocks: [
    tariff([
      always(price('ENERGY', 0.59, { step_size: 500 }), price('TIME', 2, { step_size: 900 })),
    ]),
    {
      en: '€0.59 per kWh (in blocks of 0.5 kWh), plus €2.00 per hour of charging (in blocks of 15 minutes)',
      de: '0,59 € pro kWh (in Schritten von 0,5 kWh), dazu 2,00 € pro Stunde Ladezeit (in Schritten von 15 Minuten)',
      fr: '0,59 € par kWh (par tranche de 0,5 kWh), plus 2,00 € par heure de charge (par tranche de 15 minutes)',
      es: '0,59 € por kWh (en tramos de 0,5 kWh), más 2,00 € por hora de carga (en tramos de 15 minutos)',
    },
  ],
  'a reservation': [
    tariff([
      on({ reservation: 'RESERVATION_EXPIRES' }, price('FLAT', 4)),
      on({ reservation: 'RESERVATION' }, price('FLAT', 2), price('TIME', 5)),
      always(energy),
    ]),
    {
      en: '€0.59 per kWh; reservation: €5.00 per hour, plus €2.00 once; expired reservation: €4.00 once',
      de: '0,59 € pro kWh; Reservierung: 5,00 € pro Stunde, dazu einmalig 2,00 €; verfallene Reservierung: einmalig 4,00 €',
      fr: '0,59 € par kWh ; réservation : 5,00 € par heure, plus 2,00 € une fois ; réservation expirée : 4,00 € une fois',
      es: '0,59 € por kWh; reserva: 5,00 € por hora, más 2,00 € una sola vez; reserva caducada: 4,00 € una sola vez',
    },
  ],
  'another currency': [
    tariff([always(price('ENERGY', 85))], { currency: 'JPY' }),
    { en: 'JP¥85 per kWh', de: '85 ¥ pro kWh', fr: '85 JPY par kWh', es: '85 JPY por kWh' },
  ],
  'a price of a feed': [
    tariff([always(price('ENERGY', 0.491667))]),
    {
      en: '€0.4917 per kWh',
      de: '0,4917 € pro kWh',
      fr: '0,4917 € par kWh',
      es: '0,4917 € por kWh',
    },
  ],
}

const REGIONS: Readonly<Record<Locale, string>> = { en: 'en-GB', de: 'de', fr: 'fr', es: 'es' }

describe.each(Object.keys(LOCALES) as Locale[])('the sentence in %s', (locale) => {
  test.each(Object.entries(ROWS))('%s', (_, [said, sentences]) => {
    tariffElementsSchema.parse(said.elements)
    const sentence = sentenceOf(said, {
      words: messages[locale].tariffSentence,
      locale: REGIONS[locale],
      plugName: (standard) => shortPlugName(messages[locale], standard),
    })
    expect(sentence.replace(/[\u00a0\u202f]/g, ' ')).toBe(sentences[locale])
  })
})

test('describing a tariff with very many restrictions creates few formats, which take most of the time', () => {
  const { NumberFormat } = Intl
  const made = vi.spyOn(Intl, 'NumberFormat').mockImplementation(function (...options) {
    return new NumberFormat(...options)
  })
  onTestFinished(() => made.mockRestore())
  const elements = Array.from({ length: 50 }, (_, index) =>
    on(
      { min_duration: index * 60, min_kwh: index, max_power: 50 + index },
      price('ENERGY', 0.5 + index),
      price('TIME', 1 + index),
    ),
  )
  const { tariffSentence: words } = messages.en
  const said = sentenceOf(tariff(elements, { currency: 'CHF' }), {
    words,
    locale: 'en',
    plugName: String,
  })
  expect(said).toContain('CHF\u00a049.50')
  expect(made.mock.calls.length).toBeLessThan(10)
})
