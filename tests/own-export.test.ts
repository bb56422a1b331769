import { expect, test } from 'vitest'

import { inputNames } from '#domain/record.ts'
import { sites as siteFields, type Site } from '#domain/site.ts'

import { readParts, detectFormat } from '../server/formats/formats.ts'
import { repairStation } from '../server/formats/repair/repair.ts'
import { OWN_HEADINGS } from '../server/formats/table/own-headings.ts'
import type { BusinessView, SiteView } from '../web/data/state.ts'
import { loadMessages } from '../web/messages/messages.ts'
import { sitesAsCsv } from '../web/screens/dashboard/export.ts'
import { makeBusiness, makeConnector, makeSite } from './support/make.ts'

// The file exported from the dashboard is edited in a spreadsheet and imported again.

const LANGUAGES = ['en', 'de', 'fr', 'es'] as const
const languageOf = async (locale: (typeof LANGUAGES)[number]) => ({
  locale,
  messages: await loadMessages(locale, ['core', 'owner', 'choices', 'hours']),
})

const weekdays = [1, 2, 3, 4, 5].map((weekday) => ({
  weekday,
  period_begin: '08:00',
  period_end: '18:30',
}))

/** Together they contain every choice of every field. */
const SITES: readonly Site[] = Array.from({ length: 24 }, (_, index) =>
  makeSite(`site${String(index).padStart(11, '0')}`, {
    ...Object.fromEntries(
      inputNames(siteFields).flatMap((name) => {
        const field = siteFields.fields[name]
        if (field.kind !== 'select') return []
        const values: readonly string[] = field.values
        const value = values[index % values.length]
        return [[name, 'maxCount' in field ? [...new Set([value, values[0]])] : value]]
      }),
    ),
    status:
      (['AVAILABLE', 'PLANNED', 'INOPERATIVE', 'OUTOFORDER', 'REMOVED'] as const)[index % 5] ??
      'AVAILABLE',
    published: index % 2 === 0,
    two_wheelers: index % 2 === 1,
    cost: '0,49 € / kWh, =1',
    contact_phone: '+49 30 1234567',
    contact_email: 'desk@example.org',
    city: 'Bourg',
    postal_code: '01000',
    country: 'FRA',
    time_zone: 'Europe/Paris',
    latitude: 46.2052,
    longitude: 5.2257 + index / 1000,
    max_height_m: index === 0 ? 0 : 2.1,
    confirmed: '2026-01-31 10:00:00.000Z',
    opening_hours:
      index % 2 === 0
        ? { twentyfourseven: true }
        : { twentyfourseven: false, regular_hours: weekdays },
    ...(index > 0 && { reference: `R-${index}` }),
  }),
)

test.each(LANGUAGES)('the file of the dashboard is imported unchanged: %s', async (locale) => {
  const views = SITES.map((site) => ({
    ...site,
    connectors: [makeConnector(`c${site.id.slice(1)}`, site.id, { kw_rating: 187.5 })],
  })) as unknown as readonly SiteView[]
  const business = { ...makeBusiness(), tariffs: [] } as unknown as BusinessView
  const csv = sitesAsCsv(views, business, await languageOf(locale))
  const bytes = async function* () {
    yield Buffer.from(csv)
  }
  const found = await detectFormat(bytes())
  const unread = 'table' in found ? found.table?.mapping.filter((target) => target === '') : []
  expect(unread, 'the price of the list, and three columns of plugs').toHaveLength(4)
  const read = []
  for await (const part of readParts(bytes()))
    if ('station' in part) read.push(repairStation(part.station))
  expect(read.flatMap(({ refusal }) => refusal ?? [])).toEqual([])
  expect(
    read.flatMap(({ repairs }) => repairs),
    'nothing in it is wrong',
  ).toEqual([])
  const names = inputNames(siteFields).filter((name) => name !== 'tariff')
  const said = (values: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = values[name]
        const isEmpty = value === '' || value === 0 || value === undefined
        // Unknown values are not exported.
        return isEmpty || value === 'UNKNOWN' ? [] : [[name, value]]
      }),
    )
  for (const [index, { station }] of read.entries()) {
    const site = SITES[index]
    expect(station.reference).toBe(site?.id)
    const reference = site?.reference || site?.id
    expect(said(station.site)).toEqual(said({ ...site, reference }))
    expect(station.connectors, 'plugs in words').toEqual([])
  }
})

test.each(LANGUAGES)('the recognised headings are those of the dashboard: %s', async (locale) => {
  const { messages } = await languageOf(locale)
  const { columns } = messages.dashboard
  const labels: Readonly<Record<string, string>> = {
    ...messages.fields.sites,
    name: columns.name,
    vehicle_capacity: columns.capacity,
  }
  expect(OWN_HEADINGS[locale]).toEqual({
    ...Object.fromEntries(
      inputNames(siteFields)
        .filter((name) => name !== 'tariff')
        .map((name) => [`sites.${name}`, labels[name]]),
    ),
    own_id: columns.id,
  })
})
