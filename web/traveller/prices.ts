import { inDisplayOrder } from '#domain/connector.ts'
import type { PublicConnector, PublicTariff } from '#domain/public-site.ts'
import type { ShownSite } from './shown-site.ts'

interface Price {
  /** Undefined if the cost is free text or unknown. */
  readonly tariff: PublicTariff | undefined
  readonly connectors: readonly PublicConnector[]
}

/** The prices of a site, each with its connectors. */
export const pricesOf = ({
  connectors,
  tariff,
  tariffs,
}: Pick<ShownSite, 'connectors' | 'tariff' | 'tariffs'>): readonly Price[] => {
  const byId = new Map(tariffs.map((each) => [each.id, each]))
  const groups = Map.groupBy(inDisplayOrder(connectors), (connector) =>
    byId.get(connector.tariff || tariff),
  )
  return [...groups].map(([own, all]) => ({ tariff: own, connectors: all }))
}
