import { DAY_MS } from './zone.ts'

/**
 * The national public holidays of a country (ISO 3166-1 alpha-3), without regional ones. A rule is a month and a
 * day (`12-25`; `04-27<7`: the day before if it falls on a Sunday; `06-20>6`: the first Saturday from then on), or
 * days after Easter Sunday (`E+1`).
 */
const RULES: Readonly<Record<string, string>> = {
  AUT: '01-01 01-06 E+1 05-01 E+39 E+50 E+60 08-15 10-26 11-01 12-08 12-25 12-26',
  BEL: '01-01 E+1 05-01 E+39 E+50 07-21 08-15 11-01 11-11 12-25',
  CZE: '01-01 E-2 E+1 05-01 05-08 07-05 07-06 09-28 10-28 11-17 12-24 12-25 12-26',
  DEU: '01-01 E-2 E+1 05-01 E+39 E+50 10-03 12-25 12-26',
  DNK: '01-01 E-3 E-2 E+0 E+1 E+39 E+49 E+50 12-25 12-26',
  ESP: '01-01 01-06 E-2 05-01 08-15 10-12 11-01 12-06 12-08 12-25',
  EST: '01-01 02-24 E-2 E+0 05-01 E+49 06-23 06-24 08-20 12-24 12-25 12-26',
  FIN: '01-01 01-06 E-2 E+0 E+1 05-01 E+39 E+49 06-20>6 10-31>6 12-06 12-25 12-26',
  FRA: '01-01 E+1 05-01 E+39 05-08 E+50 07-14 08-15 11-01 11-11 12-25',
  HRV: '01-01 01-06 E+0 E+1 05-01 E+60 05-30 06-22 08-05 08-15 11-01 11-18 12-25 12-26',
  HUN: '01-01 03-15 E-2 E+0 E+1 05-01 E+49 E+50 08-20 10-23 11-01 12-25 12-26',
  ITA: '01-01 01-06 E+0 E+1 04-25 05-01 06-02 08-15 10-04 11-01 12-08 12-25 12-26',
  LTU: '01-01 02-16 03-11 E+0 E+1 05-01 06-24 07-06 08-15 11-01 11-02 12-24 12-25 12-26',
  LUX: '01-01 E+1 05-01 E+39 05-09 E+50 06-23 08-15 11-01 12-25 12-26',
  NLD: '01-01 E+0 E+1 04-27<7 E+39 E+49 E+50 12-25 12-26',
  NOR: '01-01 E-3 E-2 E+0 E+1 05-01 E+39 E+49 05-17 E+50 12-25 12-26',
  POL: '01-01 01-06 E+0 E+1 05-01 05-03 E+49 E+60 08-15 11-01 11-11 12-24 12-25 12-26',
  PRT: '01-01 E-2 E+0 04-25 05-01 E+60 06-10 08-15 10-05 11-01 12-01 12-08 12-25',
  SVK: '01-01 01-06 E-2 E+1 05-01 07-05 08-29 11-01 12-24 12-25 12-26',
  SVN: '01-01 01-02 02-08 E+0 E+1 04-27 05-01 05-02 E+49 06-25 08-15 10-31 11-01 12-25 12-26',
  SWE: '01-01 01-06 E-2 E+0 E+1 05-01 E+39 E+49 06-06 06-20>6 10-31>6 12-25 12-26',
}

/** Easter Sunday of a year, in milliseconds at midnight UTC (the Gregorian computus). */
const easter = (year: number): number => {
  const century = Math.floor(year / 100)
  const golden = year % 19
  const epact =
    (century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25) + 19 * golden + 15) %
    30
  const moon =
    epact -
    Math.floor(epact / 28) * (1 - Math.floor(29 / (epact + 1)) * Math.floor((21 - golden) / 11))
  const weekday = (year + Math.floor(year / 4) + moon + 2 - century + Math.floor(century / 4)) % 7
  return Date.UTC(year, 2, 28 + moon - weekday)
}

const dayOf = (rule: string, year: number): number => {
  if (rule.startsWith('E')) return easter(year) + Number(rule.slice(1)) * DAY_MS
  const date = Date.parse(`${year}-${rule.slice(0, 5)}T00:00:00Z`)
  const weekday = new Date(date).getUTCDay() || 7
  const wanted = Number(rule.at(6))
  if (rule.at(5) === '<') return weekday === wanted ? date - DAY_MS : date
  return rule.at(5) === '>' ? date + ((wanted - weekday + 7) % 7) * DAY_MS : date
}

/**
 * The public holidays of a country in the year that begins on a date, in order, as `YYYY-MM-DD`; empty for a country
 * without rules.
 */
export const holidaysFrom = (country: string, from: string): string[] => {
  const rules = RULES[country]?.split(' ') ?? []
  const year = Number(from.slice(0, 4))
  const [begin, end] = [from, `${year + 1}${from.slice(4)}`]
  const days = [year, year + 1]
    .flatMap((each) => rules.map((rule) => new Date(dayOf(rule, each)).toISOString().slice(0, 10)))
    .filter((day) => day >= begin && day < end)
  return [...new Set(days)].toSorted()
}
