import { TARIFFS } from '#domain/collection.ts'
import { dateOfWall } from '#domain/hours/exceptions.ts'
import { wallMs } from '#domain/hours/zone.ts'
import { isBlankZero } from '#domain/field.ts'
import { inputNames } from '#domain/record.ts'
import { sites as siteFields } from '#domain/site.ts'
import { saveFile } from '../../browser/save-file.ts'
import type { BusinessView, SiteView } from '../../data/state.ts'
import { valueLabel } from '../../messages/fields.ts'
import { describeHours } from '../../messages/hours.ts'
import type { Language } from '../../messages/messages.ts'
import { referenceName } from '../shared/describe-fields.ts'
import { csv, csvStyle } from '../../format/csv.ts'
import { powerOf } from './overview.ts'
import { describePlugs } from './describe-plugs.ts'

/** The columns of a site, in reading order. */
const COLUMNS = inputNames(siteFields, [
  'name',
  'address',
  'latitude',
  'longitude',
  'status',
  'vehicle_capacity',
  'cost',
])

/**
 * Formats the sites as CSV, one row each, in the words and number format of a language. Requires the areas `owner`,
 * `choices` and `hours`.
 */
export const sitesAsCsv = (
  sites: readonly SiteView[],
  business: BusinessView,
  { messages, locale }: Pick<Language, 'messages' | 'locale'>,
): string => {
  const { columns } = messages.dashboard
  const labels = {
    ...messages.fields.sites,
    name: columns.name,
    vehicle_capacity: columns.capacity,
  }
  const number = new Intl.NumberFormat(locale)
  const head = [
    ...COLUMNS.map((name) => labels[name]),
    columns.connectors,
    columns.plugs,
    columns.powerKw,
    columns.id,
  ]
  const lines = sites.map((site) => [
    ...COLUMNS.map((name) => {
      if (name === 'opening_hours')
        return describeHours({ messages, locale }, site.opening_hours, site.time_zone)
      const value = site[name]
      if (value === 0 && isBlankZero(siteFields.fields[name])) return ''
      if (name === 'tariff' && value !== '')
        return referenceName(messages, business, { collection: TARIFFS, id: site.tariff })
      return typeof value === 'number' ? value : valueLabel(messages, name, value)
    }),
    site.connectors.length,
    // Plain spaces, so that a search for "150 kW" finds it.
    describePlugs(site, messages, (value) => number.format(value)).replaceAll('\u00A0', ' '),
    powerOf(site),
    site.id,
  ])
  return csv([head, ...lines], csvStyle(locale))
}

/** Offers the sites as a CSV file with the date in its name. */
export const saveSites = (
  sites: readonly SiteView[],
  business: BusinessView,
  language: Pick<Language, 'messages' | 'locale'>,
): void => {
  // The local date; in Berlin, the UTC date is still yesterday's after midnight.
  const now = Date.now()
  const day = dateOfWall(wallMs(Intl.DateTimeFormat().resolvedOptions().timeZone, now))
  const content = new Blob([sitesAsCsv(sites, business, language)], { type: 'text/csv' })
  saveFile(`${language.messages.dashboard.fileName}-${day}.csv`, content)
}
