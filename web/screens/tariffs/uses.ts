import type { Connector } from '#domain/connector.ts'
import type { BusinessView, SiteView } from '../../data/state.ts'

/** Where a tariff is used. */
export interface Uses {
  /** Sites that refer to it. */
  readonly sites: readonly SiteView[]
  /** Connectors that refer to it, of whichever site. */
  readonly connectors: readonly { readonly site: SiteView; readonly connector: Connector }[]
}

/** The sites and connectors that refer to a tariff. */
export const usesOf = (business: BusinessView | null, tariff: string): Uses => {
  const sites = business?.sites ?? []
  return {
    sites: sites.filter((site) => site.tariff === tariff),
    connectors: sites.flatMap((site) =>
      site.connectors
        .filter((connector) => refers(connector, tariff))
        .map((connector) => ({ site, connector })),
    ),
  }
}

const refers = (record: object, tariff: string): boolean =>
  'tariff' in record && record.tariff === tariff
