import { numberOf, textOf } from '../read-values.ts'
import type { Values } from '../station.ts'
import { countryThere } from './position.ts'
import type { Rule } from './rule.ts'

/** South, west, north and east, approximately. */
type Area = readonly [number, number, number, number]

/**
 * Countries whose postal codes have a fixed number of digits, with the areas of codes that begin with a zero, by
 * prefix.
 */
const COUNTRIES: Readonly<
  Record<string, { readonly length: number; readonly areas: Readonly<Record<string, Area>> }>
> = {
  AUS: { length: 4, areas: { '08': [-26.1, 128.9, -10.8, 138.1] } },
  DEU: {
    length: 5,
    areas: {
      '01': [50.7, 12.9, 51.6, 14.4],
      '02': [50.7, 13.9, 51.7, 15.1],
      '03': [51.4, 13.2, 52.1, 14.9],
      '04': [50.8, 11.9, 51.9, 13.6],
      '06': [51, 10.8, 52.1, 13.3],
      '07': [50.2, 10.9, 51.2, 12.5],
      '08': [50.1, 11.8, 51, 13],
      '09': [50.3, 12.4, 51.3, 13.7],
    },
  },
  ESP: {
    length: 5,
    areas: {
      '01': [42.4, -3.3, 43.3, -2.2],
      '02': [37.9, -3, 39.5, -0.8],
      '03': [37.8, -1.2, 39, 0.3],
      '04': [36.6, -3.2, 38, -1.6],
      '05': [40, -5.8, 41.2, -4.1],
      '06': [37.9, -7.4, 39.5, -4.6],
      '07': [38.6, 1.1, 40.2, 4.4],
      '08': [41.1, 1.3, 42.4, 2.9],
      '09': [41.4, -4.4, 43.3, -2.5],
    },
  },
  FIN: {
    length: 5,
    areas: {
      '00': [60, 24.7, 60.4, 25.3],
      '01': [60.1, 24.4, 60.7, 25.7],
      '02': [59.9, 24.1, 60.5, 25],
      '03': [60.1, 23.6, 60.8, 24.8],
      '04': [60.2, 24.7, 60.9, 25.9],
      '05': [60.3, 24.4, 60.9, 25.3],
      '06': [60.1, 25.2, 60.8, 26.2],
      '07': [60.2, 25.5, 61, 26.8],
      '08': [60, 23.5, 60.6, 24.5],
      '09': [60, 23.3, 60.8, 24.4],
    },
  },
  FRA: {
    length: 5,
    areas: {
      '01': [45.6, 4.7, 46.6, 6.2],
      '02': [48.8, 2.9, 50.1, 4.3],
      '03': [45.9, 2.2, 46.9, 4.1],
      '04': [43.6, 5.4, 44.7, 7],
      '05': [44.1, 5.4, 45.2, 7.1],
      '06': [43.4, 6.6, 44.4, 7.8],
      '07': [44.2, 3.8, 45.4, 4.9],
      '08': [49.2, 4, 50.2, 5.4],
      '09': [42.5, 0.8, 43.4, 2.2],
    },
  },
  ITA: {
    length: 5,
    areas: {
      '00': [41.3, 11.7, 42.4, 13.4],
      '01': [42, 11.4, 42.9, 12.6],
      '02': [41.9, 12.3, 42.9, 13.5],
      '03': [41.2, 12.9, 42, 14.1],
      '04': [40.7, 12.5, 41.8, 14],
      '05': [42.3, 11.9, 43, 13],
      '06': [42.5, 11.8, 43.7, 13.3],
      '07': [40.2, 8.1, 41.4, 9.9],
      '08': [39.6, 8.3, 41, 9.9],
      '09': [38.8, 8.1, 40.4, 9.8],
    },
  },
  KOR: { length: 5, areas: { '0': [37.4, 126.7, 37.8, 127.2] } },
  MEX: { length: 5, areas: { '0': [19, -99.4, 19.7, -98.9] } },
  NOR: { length: 4, areas: { '0': [59.8, 10.4, 60.1, 11] } },
  PRI: { length: 5, areas: { '00': [17.8, -68, 18.6, -65.2] } },
  ROU: { length: 6, areas: { '0': [43.6, 25.3, 44.9, 26.6] } },
  TUR: {
    length: 5,
    areas: {
      '01': [36.5, 34.7, 38.4, 36.5],
      '02': [37.4, 37.3, 38.3, 39.3],
      '03': [37.7, 29.7, 39.3, 31.8],
      '04': [39.1, 42.3, 40.1, 44.6],
      '05': [40.2, 34.9, 41.2, 36.6],
      '06': [38.6, 30.8, 40.8, 33.9],
      '07': [36, 29.2, 37.5, 32.7],
      '08': [40.6, 41.1, 41.6, 42.7],
      '09': [37.4, 27, 38.2, 29],
    },
  },
  UKR: { length: 5, areas: { '0': [49.1, 29.2, 51.6, 32.2] } },
  USA: {
    length: 5,
    areas: {
      '00': [17.6, -68, 18.6, -64.5],
      '01': [42, -73.6, 42.9, -70.5],
      '02': [41.1, -72, 42.6, -69.8],
      '03': [42.6, -72.7, 45.4, -70.4],
      '04': [43, -71.2, 47.5, -66.9],
      '05': [42.7, -73.5, 45.1, -71.4],
      '06': [40.9, -73.8, 42.1, -71.7],
      '07': [40.3, -75.3, 41.4, -73.8],
      '08': [38.9, -75.6, 40.8, -73.9],
    },
  },
  VIR: { length: 5, areas: { '00': [17.6, -65.2, 18.5, -64.5] } },
}

const isIn = (values: Values, [south, west, north, east]: Area): boolean => {
  const [latitude, longitude] = [numberOf(values['latitude']), numberOf(values['longitude'])]
  return (
    latitude !== undefined &&
    longitude !== undefined &&
    latitude >= south &&
    latitude <= north &&
    longitude >= west &&
    longitude <= east
  )
}

/** Adds the zero if the position is in its area: if another digit is missing, the position would be far away. */
const withZeros: Rule['apply'] = (values) => {
  const code = textOf(values['postal_code'])
  if (!/^[1-9]\d{0,4}$/.test(code)) return {}
  const country = COUNTRIES[countryThere(values) ?? '']
  if (country === undefined || code.length >= country.length) return {}
  const whole = code.padStart(country.length, '0')
  const area = Object.entries(country.areas).find(([beginning]) => whole.startsWith(beginning))?.[1]
  return area !== undefined && isIn(values, area) ? { postal_code: whole } : {}
}

/**
 * Restores a leading zero that a spreadsheet removed from a postal code. To be applied after the rules for the
 * position.
 */
export const POSTAL_CODE_RULE: Rule = {
  name: 'postal_code_zero',
  on: 'site',
  isCertain: true,
  example: {
    before: { postal_code: '1000', latitude: 46.2052, longitude: 5.2257, country: 'FRA' },
    after: { postal_code: '01000' },
  },
  apply: withZeros,
}
