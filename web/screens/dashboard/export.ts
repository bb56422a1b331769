import { inputNames } from '#domain/record.ts'
import { sites as siteFields } from '#domain/site.ts'
import type { SiteView } from '../../data/state.ts'
import { wordValue } from '../../messages/fields.ts'
import { wordHours } from '../../messages/hours.ts'
import type { Messages } from '../../messages/messages.ts'
import { csv, csvStyle } from './csv.ts'
import { powerOf } from './overview.ts'
import { plugWords } from './plug-words.ts'

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
 * The sites as CSV, one row each, in the words and number format of a language. Requires the areas
 * `owner`, `choices` and `hours`.
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
    // Plain spaces, so that a search for "150 kW" finds it.
    plugWords(site, messages, (value) => number.format(value)).replaceAll('\u00A0', ' '),
    powerOf(site),
    site.id,
  ])
  return csv([head, ...lines], csvStyle(locale))
}

/** Offers a file as a download. */
export const download = (name: string, type: string, content: string): void => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([content], { type }))
  link.download = name
  link.click()
  // The download has started by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
