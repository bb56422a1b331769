import { connectors } from '#domain/connector.ts'
import type { ImportedStation } from '#domain/import.ts'
import { inputNames } from '#domain/record.ts'
import { OWNER_STATUSES, sites } from '#domain/site.ts'

import { neighbourId } from '../db/stable-id.ts'
import { isEmptyInput, type Station, type Values } from '../formats/station.ts'

const SITE_NAMES = inputNames(sites)
const CONNECTOR_NAMES = inputNames(connectors)

/** The values of a station to be written, with tariff references resolved to IDs. */
export const asImported = (
  { reference, site, connectors: plugs }: Station,
  tariffs: ReadonlyMap<string, string>,
): ImportedStation => {
  const { status, ...others } = pick(SITE_NAMES, site, tariffs)
  return {
    site: {
      ...(reference !== '' && { reference }),
      ...others,
      // Owners cannot set the other statuses.
      ...(OWNER_STATUSES.some((own) => own === status) && { status }),
    },
    connectors: plugs.map((connector) => pick(CONNECTOR_NAMES, connector, tariffs)),
  }
}

/** The IDs of the connectors of a new site. */
export const newConnectorIds = (
  site: string,
  { connectors: plugs }: ImportedStation,
): readonly string[] => plugs.map((_, index) => neighbourId(site, index))

/** The reference of the owner, or the ID in the source; empty if it has none. */
export const referenceOf = ({ site }: ImportedStation): string => {
  const { reference } = site
  return typeof reference === 'string' ? reference : ''
}

const pick = (
  names: readonly string[],
  values: Values,
  tariffs: ReadonlyMap<string, string>,
): Record<string, unknown> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const read = values[name]
      const value = name === 'tariff' ? tariffs.get(String(read)) : read
      return isEmptyInput(value) ? [] : [[name, value] as const]
    }),
  )
