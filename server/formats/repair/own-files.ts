import { openingHoursSchema } from '#domain/hours.ts'
import { printOsm } from '#domain/hours/osm.ts'
import type { RuleName } from '#domain/repair.ts'

import { textOf } from '../read-values.ts'
import type { Values } from '../station.ts'
import { CHOICE_RULES } from './choices.ts'
import { zoneOf } from './position.ts'
import type { Rule } from './rule.ts'

// Text values in Voltleaf's own files are read here, so that a plan lists only real repairs.

const rulesNamed = (...names: readonly RuleName[]): readonly Rule[] =>
  CHOICE_RULES.filter(({ name }) => names.includes(name))

const TEXT_RULES = rulesNamed('list_in_text', 'flag_in_words', 'hours_read')
const LOCALIZED_RULES = [
  ...TEXT_RULES,
  ...rulesNamed('value_spelling', 'date_spelling', 'number_in_words'),
]

const NOTHING_ELSE = { site: {}, connectors: [], before: [], tariffs: [] }

/** Reads the values of a site as the dashboard writes them in the user's language (web/screens/dashboard/export.ts). */
export const readDashboardValues = (site: Values): Values => {
  const withPoints = Object.fromEntries(
    Object.entries(site).map(([name, value]) => [
      name,
      // Coordinates and heights in a language with decimal commas.
      typeof value === 'string' && /^-?\d+,\d+$/.test(value) && NUMBERS.has(name)
        ? Number(value.replace(',', '.'))
        : value,
    ]),
  )
  return LOCALIZED_RULES.reduce(
    (now, { apply }) => ({ ...now, ...apply(now, NOTHING_ELSE) }),
    withPoints,
  )
}

const NUMBERS: ReadonlySet<string> = new Set(['latitude', 'longitude', 'max_height_m'])

/**
 * Reads text values of a site from the tables of open data (server/formats/table/write.ts), if they are written exactly
 * in that form.
 */
export const readOpenDataValues = (site: Values): Values => {
  const read = Object.assign(
    {},
    ...TEXT_RULES.map(({ apply }) => apply(site, NOTHING_ELSE)),
  ) as Values
  return {
    ...site,
    ...Object.fromEntries(
      Object.entries(read).filter(([name, value]) => textFor(value, site) === site[name]),
    ),
  }
}

const textFor = (value: unknown, site: Values): string => {
  if (Array.isArray(value)) return value.join(';')
  const hours = openingHoursSchema.safeParse(value).data
  return hours === undefined
    ? String(value)
    : printOsm(hours, textOf(site['time_zone']) || zoneOf(site) || 'UTC')
}
