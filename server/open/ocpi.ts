import { OCPI_VERSIONS, ocpiPath, type OcpiVersion } from '#domain/open-data.ts'

import { writeLocation, writeRemovedLocation, writeTariff } from '../formats/outputs.ts'
import type { Read } from './files.ts'
import {
  countLocations,
  countTariffs,
  LOCATION_CURSOR,
  readLocation,
  readLocations,
  readTariffs,
  TARIFF_CURSOR,
  type LocationRow,
  type TariffRow,
  type Window,
} from './ocpi-rows.ts'
import type { Scope } from './open.ts'

/** Objects per page: the default and the maximum. */
export const OCPI_LIMIT = 100

/** The modules that this server offers as a Sender. */
export const OCPI_MODULES = ['locations', 'tariffs'] as const
export type OcpiModule = (typeof OCPI_MODULES)[number]

/** The forms of the keys after which a page begins. */
export const OCPI_CURSORS: Readonly<Record<OcpiModule, RegExp>> = {
  locations: LOCATION_CURSOR,
  tariffs: TARIFF_CURSOR,
}

/** OCPI status codes. */
export const OCPI_STATUS = {
  success: 1000,
  invalidParameters: 2001,
  unknownLocation: 2003,
  serverError: 3000,
} as const

/** An OCPI response. */
export const envelope = (
  data: unknown,
  { code = OCPI_STATUS.success, message = 'Success' }: { code?: number; message?: string } = {},
): object => ({
  ...(data !== undefined && { data }),
  status_code: code,
  status_message: message,
  timestamp: new Date().toISOString(),
})

/** The supported versions. `base` is the URL of the installation. */
export const versionsOf = (base: string, { business }: Scope): object[] =>
  OCPI_VERSIONS.map((version) => ({ version, url: base + ocpiPath(version, '', business) }))

/** The endpoints of a version. */
export const detailsOf = (base: string, { business }: Scope, version: OcpiVersion): object => ({
  version,
  endpoints: OCPI_MODULES.map((identifier) => ({
    identifier,
    role: 'SENDER',
    url: base + ocpiPath(version, identifier, business),
  })),
})

export interface OcpiPageQuery {
  readonly window: Window
  readonly after: string | undefined
  readonly offset: number
  readonly limit: number
}

/** A page of a list, and the key after which the next page begins, if there is one. */
interface OcpiPage {
  readonly data: readonly object[]
  readonly next: string | undefined
}

/**
 * Reads a page of a module; pages with large sites have fewer objects. Reads one object more than requested, to find
 * out whether another page follows.
 */
export const pageOf = async (
  read: Read,
  module: OcpiModule,
  version: OcpiVersion,
  base: string,
  { window, ...page }: OcpiPageQuery,
): Promise<OcpiPage> => {
  const query = { ...page, limit: page.limit + 1 }
  if (module === 'tariffs') {
    const rows = await read((sql) => readTariffs(sql, window, version, query))
    return cut(
      rows,
      rows.slice(0, page.limit),
      ({ cursor }) => cursor,
      (row) => tariffOf(row, version),
    )
  }
  const rows = await read((sql) => readLocations(sql, window, query))
  return cut(
    rows,
    rows.slice(0, page.limit).filter(({ site, rest }) => site !== null || rest !== null),
    ({ number }) => number,
    (row) => locationOf(row, version, base),
  )
}

/** Builds a page from the part `held` of the rows found. */
const cut = <Row>(
  found: readonly Row[],
  held: readonly Row[],
  keyOf: (row: Row) => string,
  write: (row: Row) => object,
): OcpiPage => {
  const last = held.length < found.length ? held.at(-1) : undefined
  return { data: held.map(write), next: last === undefined ? undefined : keyOf(last) }
}

/** Counts all objects in a list. */
export const countOf = (
  read: Read,
  module: OcpiModule,
  version: OcpiVersion,
  window: Window,
): Promise<number> =>
  read((sql) =>
    module === 'tariffs' ? countTariffs(sql, window, version) : countLocations(sql, window),
  )

const locationOf = (
  { site, rest, updated }: LocationRow,
  version: OcpiVersion,
  publicUrl: string,
): object => {
  if (site !== null)
    return writeLocation({ ...site, updated }, version, { publicUrl, reportLoss: () => {} })
  if (rest === null) throw new TypeError('a Location that is neither there nor removed')
  return writeRemovedLocation(rest, version, updated)
}

const tariffOf = (
  { tariff, updated, elements, country_code, party_id }: TariffRow,
  version: OcpiVersion,
): object => writeTariff({ ...tariff, updated }, { country_code, party_id }, { elements, version })

interface Evse {
  readonly uid: string
  readonly connectors: readonly { readonly id: string }[]
}

/**
 * Finds a Location, one of its EVSEs or one of their connectors.
 * @returns undefined if there is none
 */
export const objectOf = async (
  read: Read,
  version: OcpiVersion,
  base: string,
  {
    scope,
    ids: [id = '', evse, connector],
  }: { scope: Scope; ids: readonly (string | undefined)[] },
): Promise<object | undefined> => {
  const row = await read((sql) => readLocation(sql, scope, id))
  if (row === undefined) return undefined
  const location = locationOf(row, version, base) as { readonly evses: readonly Evse[] }
  if (evse === undefined) return location
  const found = location.evses.find(({ uid }) => uid === evse)
  return connector === undefined ? found : found?.connectors.find((each) => each.id === connector)
}
