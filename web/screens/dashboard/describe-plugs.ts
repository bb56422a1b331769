import { groupConnectors, inDisplayOrder } from '#domain/connector.ts'
import type { SiteView } from '../../data/state.ts'
import type { Messages } from '../../messages/messages.ts'
import { shortPlugName } from '../../messages/plugs.ts'

/** The connectors of a site in one line, grouped: "2 × CCS2 150 kW, 1 × Type 2 22 kW". */
export const describePlugs = (
  site: SiteView,
  messages: Messages,
  number: (value: number) => string,
): string =>
  groupConnectors(inDisplayOrder(site.connectors))
    .map(({ first: connector, all: { length: count } }) =>
      [
        messages.facts.times(count),
        shortPlugName(messages, connector.standard),
        messages.facts.power(number(connector.kw_rating)),
      ].join(' '),
    )
    .join(', ')
