import { CONNECTORS, SITES, TARIFFS } from '#domain/collection.ts'
import { referencesTo } from '../../data/references.ts'
import type { BusinessView, SiteView } from '../../data/state.ts'

/** The uses of a tariff. */
export interface Uses {
  readonly sites: number
  readonly connectors: number
  /** The sites with the tariff, or with a connector that has it. */
  readonly places: readonly SiteView[]
}

/** Returns the uses of a tariff. */
export const usesOf = (business: BusinessView | null, tariff: string): Uses => {
  const references = referencesTo(business, TARIFFS, tariff)
  const idsOf = (collection: string) =>
    new Set(references.filter((each) => each.collection === collection).map(({ id }) => id))
  const [sites, connectors] = [idsOf(SITES), idsOf(CONNECTORS)]
  return {
    sites: sites.size,
    connectors: connectors.size,
    places: (business?.sites ?? []).filter(
      (site) => sites.has(site.id) || site.connectors.some(({ id }) => connectors.has(id)),
    ),
  }
}

export const isUsed = ({ sites, connectors }: Uses): boolean => sites + connectors > 0
