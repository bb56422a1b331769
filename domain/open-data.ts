/** The formats of open data: the `format` parameter of paths, and names in the catalogue. */
export const OPEN_FORMATS = [
  'ocpi-2.3.0',
  'ocpi-2.2.1',
  'irve',
  'datex',
  'geojson',
  'osm',
  'ocm',
  'csv',
  'xlsx',
] as const
export type OpenFormat = (typeof OPEN_FORMATS)[number]

/** The formats that are a single file. The others are paged interfaces (OCPI). */
export const OPEN_FILES = {
  irve: { name: 'irve.csv', type: 'text/csv; charset=utf-8' },
  datex: { name: 'datex.xml', type: 'application/xml; charset=utf-8' },
  geojson: { name: 'sites.geojson', type: 'application/geo+json' },
  osm: { name: 'osm.xml', type: 'application/xml; charset=utf-8' },
  ocm: { name: 'ocm.json', type: 'application/json' },
  csv: { name: 'sites.csv', type: 'text/csv; charset=utf-8' },
  xlsx: {
    name: 'sites.xlsx',
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  },
} as const satisfies Partial<Record<OpenFormat, { name: string; type: string }>>
export type OpenFile = keyof typeof OPEN_FILES
export const OPEN_FILE_NAMES = Object.keys(OPEN_FILES) as readonly OpenFile[]

/** The versions of OCPI that the outputs support, newest first. */
export const OCPI_VERSIONS = ['2.3.0', '2.2.1'] as const
export type OcpiVersion = (typeof OCPI_VERSIONS)[number]

/** The beginning of the paths of the whole network, or of a business. */
const openScope = (business?: string): string =>
  business === undefined ? '/open' : `/open/businesses/${business}`

/** The path of an output, below the base path, for the whole network or for a business. */
export const openPath = (format: OpenFormat, business?: string): string => {
  const version = OCPI_VERSIONS.find((each) => format === `ocpi-${each}`)
  if (version !== undefined) return ocpiPath(version, 'locations', business)
  return `${openScope(business)}/${OPEN_FILES[format as OpenFile].name}`
}

/** The path of an OCPI endpoint; without a module, of the version details. */
export const ocpiPath = (version: OcpiVersion, module: string, business?: string): string =>
  `${openScope(business)}/ocpi/${version}${module === '' ? '' : `/${module}`}`

/** The path of the losses of an output. */
export const openLossesPath = (format: OpenFormat, business?: string): string =>
  `${openScope(business)}/losses/${format}.json`

/** The paths of open data that belong to no single format. */
export const OPEN = {
  /** What is available on the network or from a business, as `OpenCatalogue`. */
  catalogue: (business?: string) => `${openScope(business)}/catalogue.json`,
  /** Every business with public sites, as `OpenBusiness[]`. */
  businesses: '/open/businesses.json',
  /** The sites that are no longer public, as `WithdrawnSite[]`. */
  withdrawn: (business?: string) => `${openScope(business)}/withdrawn.json`,
  /** All paths of OCPI begin with it. */
  ocpi: (business?: string) => `${openScope(business)}/ocpi`,
  ocpiVersions: (business?: string) => `${openScope(business)}/ocpi/versions`,
  /** The OpenStreetMap tags of one site. */
  osmTags: (site: string) => `/open/sites/${site}/osm-tags.json`,
  /** The losses of one site in each output, as `SiteLosses`. */
  siteLosses: (site: string) => `/open/sites/${site}/losses.json`,
} as const

/** The response of `OPEN.catalogue`: the available outputs, for machines and for the page `/open`. */
export interface OpenCatalogue {
  readonly sites: number
  readonly connectors: number
  /** When a site last changed, in the format of the wire; empty if there are none. */
  readonly changed: string
  readonly formats: readonly OpenOutput[]
  /** The licences of the businesses, with the number of sites under each. */
  readonly licences: readonly OpenLicence[]
}

interface OpenOutput {
  readonly format: OpenFormat
  /** Below the base path. */
  readonly path: string
  readonly type: string
  /** Approximate size of the file, before compression; absent for paged outputs, and if there are no sites. */
  readonly bytes?: number
  /** Below the base path. */
  readonly losses: string
}

interface OpenLicence {
  readonly licence: string
  readonly businesses: number
  readonly sites: number
}

/** A business with public sites. */
export interface OpenBusiness {
  readonly id: string
  readonly name: string
  readonly licence: string
  readonly sites: number
  readonly changed: string
}

/** A site that was public, and the time since when it is not. */
export interface WithdrawnSite {
  readonly id: string
  readonly business: string
  readonly withdrawn: string
}

/** Why an output contains less than the record, or something else. */
export const LOSS_REASONS = [
  /** The format has no place for the field. */
  'no_field',
  /** The format has no such value. */
  'no_value',
  /** The text was too long. */
  'shortened',
  /** The format allows fewer decimals. */
  'rounded',
  /** The format distinguishes fewer kinds. */
  'generalized',
  /** The record has no value; the output has one that follows from other values. */
  'derived',
  /** The output has a placeholder. */
  'assumed',
  /** The format requires the field, and the record has no value: the site is left out. */
  'left_out',
] as const
export type LossReason = (typeof LOSS_REASONS)[number]

/** A field of a record that an output cannot represent unchanged. */
export interface Loss {
  readonly on: 'sites' | 'connectors' | 'tariffs' | 'businesses'
  readonly field: string
  readonly reason: LossReason
  /** How many of the site's records; absent for one. */
  readonly count?: number
}

/** The losses of a site in an output: an element of `openLossesPath`. */
export interface LossesOfSite {
  readonly id: string
  readonly losses: readonly Loss[]
}

/** The response of `OPEN.siteLosses`. */
export type SiteLosses = Readonly<Record<OpenFormat, readonly Loss[]>>

/** A time in a parameter, such as `since`. */
export const TIME_EXAMPLE = '2026-12-24T23:00:00Z'

/** The web page of a licence, by its SPDX identifier. */
export const LICENCE_URLS: Readonly<Record<string, string>> = {
  'CC0-1.0': 'https://creativecommons.org/publicdomain/zero/1.0/',
  'CC-BY-4.0': 'https://creativecommons.org/licenses/by/4.0/',
  'ODbL-1.0': 'https://opendatacommons.org/licenses/odbl/1-0/',
  'etalab-2.0': 'https://www.etalab.gouv.fr/licence-ouverte-open-licence/',
}
