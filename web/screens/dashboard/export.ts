import { inputNames } from '#domain/record.ts'
import { sites as siteFields } from '#domain/site.ts'
import type { SiteView } from '../../data/state.ts'
import { wordValue } from '../../messages/fields.ts'
import { wordHours } from '../../messages/hours.ts'
import type { Messages } from '../../messages/messages.ts'
import { csv, csvStyle } from './csv.ts'
import { powerOf } from './overview.ts'
import { plugWords } from './plug-words.ts'

/** The fields of a site, as a person reads them. */
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
 * The sites as a CSV file, a line for each, in the words and the way of writing of a language. The areas
 * `owner` and `hours` have to be loaded.
 */
export const sitesAsCsv = (
  sites: readonly SiteView[],
  messages: Messages,
  locale: string,
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
        return wordHours({ messages, locale }, site.opening_hours, site.time_zone)
      const value = site[name]
      return typeof value === 'number' ? value : wordValue(messages, name, value)
    }),
    site.connectors.length,
    // Who searches a spreadsheet for "150 kW" types a plain space.
    plugWords(site, messages, (value) => number.format(value)).replaceAll('\u00A0', ' '),
    powerOf(site),
    site.id,
  ])
  return csv([head, ...lines], csvStyle(locale))
}

/** Hands a file to the person, as a download. */
export const download = (name: string, type: string, content: string): void => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([content], { type }))
  link.download = name
  link.click()
  // The browser has taken it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
