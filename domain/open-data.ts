/** Requested as `format` of a path, and named in the catalogue. */
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

/** Those that are one file. The others are pages of an interface (OCPI). */
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

/** The versions of OCPI that the outputs speak, the newest first. */
export const OCPI_VERSIONS = ['2.3.0', '2.2.1'] as const
export type OcpiVersion = (typeof OCPI_VERSIONS)[number]

/** The beginning of the paths of a whole network, or of a business. */
const openScope = (business?: string): string =>
  business === undefined ? '/open' : `/open/businesses/${business}`

/** The path of an output, below the base path: of the whole network, or of a business. */
export const openPath = (format: OpenFormat, business?: string): string => {
  const version = OCPI_VERSIONS.find((each) => format === `ocpi-${each}`)
  if (version !== undefined) return ocpiPath(version, 'locations', business)
  return `${openScope(business)}/${OPEN_FILES[format as OpenFile].name}`
}

/** The path of an endpoint of OCPI; without a module, that of the details of a version. */
export const ocpiPath = (version: OcpiVersion, module: string, business?: string): string =>
  `${openScope(business)}/ocpi/${version}${module === '' ? '' : `/${module}`}`

/** The path of what an output could not hold. */
export const openLossesPath = (format: OpenFormat, business?: string): string =>
  `${openScope(business)}/losses/${format}.json`

/** The paths of open data that belong to no single format. */
export const OPEN = {
  /** What there is, or what a business publishes, as `OpenCatalogue`. */
  catalogue: (business?: string) => `${openScope(business)}/catalogue.json`,
  /** Every business with public sites, as `OpenBusiness[]`. */
  businesses: '/open/businesses.json',
  /** The sites that are public no more, as `WithdrawnSite[]`. */
  withdrawn: (business?: string) => `${openScope(business)}/withdrawn.json`,
  ocpiVersions: (business?: string) => `${openScope(business)}/ocpi/versions`,
  /** The tags of OpenStreetMap of one site. */
  osmTags: (site: string) => `/open/sites/${site}/osm-tags.json`,
  /** What each output cannot hold of one site, as `SiteLosses`. */
  siteLosses: (site: string) => `/open/sites/${site}/losses.json`,
} as const

/** The response of `OPEN.catalogue`: what there is, for machines and for the page `/open`. */
export interface OpenCatalogue {
  readonly sites: number
  readonly connectors: number
  /** When one of them last changed, as on the wire; empty if there are none. */
  readonly changed: string
  readonly formats: readonly OpenOutput[]
  /** The licences of the businesses, with how much is under each. */
  readonly licences: readonly OpenLicence[]
}

interface OpenOutput {
  readonly format: OpenFormat
  /** Below the base path. */
  readonly path: string
  readonly type: string
  /** About how large the file is, before compression; absent where pages are read, and without sites. */
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

/** A site that was public, and since when it is not. */
export interface WithdrawnSite {
  readonly id: string
  readonly business: string
  readonly withdrawn: string
}

/** Why an output says less, or something else, than the record. */
export const LOSS_REASONS = [
  /** The format has no place for the field. */
  'no_field',
  /** The format has no such value. */
  'no_value',
  /** The text was too long. */
  'shortened',
  /** The format takes fewer decimals. */
  'rounded',
  /** The format tells fewer kinds apart. */
  'generalized',
  /** The record has nothing; the output has a value that follows from others. */
  'derived',
  /** The output has a value that stands for none. */
  'assumed',
  /** The format needs the field, and the record has nothing: the site is left out. */
  'left_out',
] as const
export type LossReason = (typeof LOSS_REASONS)[number]

/** A field of a record that an output could not hold as it is. */
export interface Loss {
  readonly on: 'sites' | 'connectors' | 'tariffs' | 'businesses'
  readonly field: string
  readonly reason: LossReason
  /** How many of the site's records; absent for one. */
  readonly count?: number
}

/** What an output could not hold of a site: an element of `openLossesPath`. */
export interface LossesOfSite {
  readonly id: string
  readonly losses: readonly Loss[]
}

/** The response of `OPEN.siteLosses`. */
export type SiteLosses = Readonly<Record<OpenFormat, readonly Loss[]>>

/** The web page of a licence, by its SPDX identifier. */
export const LICENCE_URLS: Readonly<Record<string, string>> = {
  'CC0-1.0': 'https://creativecommons.org/publicdomain/zero/1.0/',
  'CC-BY-4.0': 'https://creativecommons.org/licenses/by/4.0/',
  'ODbL-1.0': 'https://opendatacommons.org/licenses/odbl/1-0/',
  'etalab-2.0': 'https://www.etalab.gouv.fr/licence-ouverte-open-licence/',
}
