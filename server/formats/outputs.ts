import {
  OPEN_FORMATS,
  type Loss,
  type OpenFile,
  type OpenFormat,
  type SiteLosses,
} from '#domain/open-data.ts'
import type { PublicSite } from '#domain/public-site.ts'

import { DATEX } from './datex/write.ts'
import { GEOJSON } from './geojson/write.ts'
import { IRVE } from './irve/write.ts'
import { OCM } from './ocm/write.ts'
import { OCPI_FIELDS, writeLocation } from './ocpi/write.ts'
import { OSM, osmTags } from './osm/write.ts'
import { isWritable, lossesOf, type About, type SupportedFields, type Output } from './output.ts'
import { CSV } from './table/write.ts'
import { writeXlsx, XLSX } from './xlsx/write.ts'

export type { About } from './output.ts'
export { writeLocation, writeRemovedLocation, type RestOfSite } from './ocpi/write.ts'
export { writeTariff } from './ocpi/tariff.ts'

/** The text formats. */
const OUTPUTS: Readonly<Record<Exclude<OpenFile, 'xlsx'>, Output>> = {
  irve: IRVE,
  datex: DATEX,
  geojson: GEOJSON,
  osm: OSM,
  ocm: OCM,
  csv: CSV,
}

/**
 * Writes a file while the pages of its sites arrive. Leaves out sites that would be invalid in the format.
 * @param pages the JSON of PublicSites
 */
export const writeFile = (
  format: OpenFile,
  pages: AsyncIterable<readonly string[]>,
  about: About,
): AsyncIterable<string | Uint8Array> =>
  format === 'xlsx' ? writeXlsx(pages, about) : writeText(format, pages, about)

const writeText = async function* (
  format: Exclude<OpenFile, 'xlsx'>,
  pages: AsyncIterable<readonly string[]>,
  about: About,
): AsyncIterable<string> {
  const output = OUTPUTS[format]
  yield output.begin(about)
  let isFirst = true
  for await (const sites of pages) {
    let text = ''
    for (const json of sites) {
      const written =
        output.json?.(json) ?? writeSite(format, JSON.parse(json) as PublicSite, about)
      if (written === '') continue
      text += isFirst ? written : output.separator + written
      isFirst = false
    }
    if (text !== '') yield text
  }
  yield output.end
}

const writeSite = (format: Exclude<OpenFile, 'xlsx'>, site: PublicSite, about: About): string =>
  isWritable(format, site) ? OUTPUTS[format].site(site, about) : ''

/** The fields that a format can contain, and its writer for a site. */
export const writersOf = (
  format: OpenFormat,
): {
  readonly supports: SupportedFields
  readonly write: (site: PublicSite, about: About) => unknown
} => {
  switch (format) {
    case 'ocpi-2.2.1':
      return {
        supports: OCPI_FIELDS['2.2.1'],
        write: (site, about) => writeLocation(site, '2.2.1', about),
      }
    case 'ocpi-2.3.0':
      return {
        supports: OCPI_FIELDS['2.3.0'],
        write: (site, about) => writeLocation(site, '2.3.0', about),
      }
    case 'xlsx':
      return { supports: XLSX.supports, write: XLSX.rows }
    default:
      return { supports: OUTPUTS[format].supports, write: OUTPUTS[format].site }
  }
}

/** The losses of a site in a format. */
export const lossesIn = (format: OpenFormat, site: PublicSite): readonly Loss[] => {
  const { supports, write } = writersOf(format)
  return lossesOf(format, supports, site, (reportLoss) => {
    write(site, { publicUrl: '', publisher: '', changed: '', licence: undefined, reportLoss })
  })
}

/** The losses of a site in each format. */
export const allLosses = (site: PublicSite): SiteLosses =>
  Object.fromEntries(
    OPEN_FORMATS.map((format) => [format, lossesIn(format, site)]),
  ) as unknown as SiteLosses

/** The OpenStreetMap tags of a site. */
export const tagsOf = (site: PublicSite): Readonly<Record<string, string>> =>
  Object.fromEntries(osmTags(site, () => {}))
