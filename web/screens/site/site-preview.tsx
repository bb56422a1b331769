import { useEffect, useId, useRef } from 'react'
import { createPortal } from 'react-dom'

import { TARIFFS } from '#domain/collection.ts'
import { groupConnectors, inShownOrder, type Connector } from '#domain/connector.ts'
import { recordsIn } from '../../data/log.ts'
import { useStoreState } from '../../data/react.ts'
import type { SiteView } from '../../data/state.ts'
import { wordChoice } from '../../messages/fields.ts'
import { wordHours } from '../../messages/hours.ts'
import { useLanguage, useNumberFormat } from '../../messages/messages.ts'
import { shortPlugName } from '../../messages/plugs.ts'
import { thumbnail } from '../../photos/thumbnail.ts'
import '../../ui/overlays.css'
import { TravellerCard, type PublicSite } from '../../ui/traveller-card.tsx'
import {
  USUAL_EXAMPLE,
  useTariffExample,
  type TariffExample,
} from '../shared/use-tariff-example.ts'
import { saidTariff, useTariffSentence } from '../shared/use-tariff-sentence.ts'

interface Props {
  readonly site: SiteView
  readonly onClose: () => void
}

/** A site as a traveller will see it, over the page. */
export const SitePreview = ({ site, onClose }: Props) => {
  const language = useLanguage()
  const { messages } = language
  const dialog = useRef<HTMLDialogElement>(null)
  const title = useId()
  useEffect(() => dialog.current?.showModal(), [])
  const labels = messages.fields.sites
  const prices = usePrices(site)
  const hours = wordHours(language, site.opening_hours, site.time_zone)
  const [cover] = site.photos
  return createPortal(
    <dialog ref={dialog} className="dialog-box plain" aria-labelledby={title} onClose={onClose}>
      <div className="dialog">
        <h2 id={title}>{messages.site.previewTitle}</h2>
        <TravellerCard
          site={{
            ...site,
            photo: cover === undefined ? '' : thumbnail(cover.src),
            facts: [
              { label: labels.opening_hours, text: hours },
              ...prices,
              { label: labels.access, text: wordChoice(messages, 'access', site.access) },
            ],
          }}
        />
        <div className="dialog-actions">
          <button type="button" className="button primary" onClick={() => dialog.current?.close()}>
            {messages.site.closePreview}
          </button>
        </div>
      </div>
    </dialog>,
    document.body,
  )
}

/**
 * The prices of a site with an example each: one price, unless connectors have prices of their own. Then each price
 * names its connectors.
 */
const usePrices = (site: SiteView): PublicSite['facts'] => {
  const { messages } = useLanguage()
  const number = useNumberFormat()
  const say = useTariffSentence()
  const sayExample = useTariffExample()
  const tariffs = recordsIn(useStoreState().data, TARIFFS)
  const label = messages.fields.sites.cost
  const factOf = (tariffId: string, connectors: readonly Connector[]) => {
    const tariff = tariffs.find(({ id }) => id === tariffId)
    if (tariff === undefined) return { label, text: site.cost }
    const { said, withVat, isFree } = sayExample(saidTariff(tariff), exampleFor(connectors))
    const note = withVat === undefined ? said : `${said} (${withVat})`
    return { label, text: say(tariff), note: isFree ? undefined : note }
  }
  const groups = Map.groupBy(inShownOrder(site.connectors), ({ tariff }) => tariff || site.tariff)
  if (groups.size < 2) return [factOf([...groups.keys()][0] ?? site.tariff, site.connectors)]
  return [...groups].map(([tariffId, connectors]) => {
    const names = groupConnectors(connectors).map(({ first: { standard, kw_rating } }) =>
      [shortPlugName(messages, standard), messages.facts.power(number(kw_rating))].join(' '),
    )
    const about = messages.drafts.about(label, [...new Set(names)].join(', '))
    return { ...factOf(tariffId, connectors), label: about }
  })
}

const TEN_MINUTES_S = 600

/** The usual session at the most powerful of some connectors; longer if that connector is slow. */
const exampleFor = (connectors: readonly Connector[]): TariffExample => {
  const [best] = inShownOrder(connectors)
  if (best === undefined) return USUAL_EXAMPLE
  const { standard, current_type, kw_rating } = best
  const { kwh, chargingS } = USUAL_EXAMPLE
  const leastS = Math.ceil(((kwh / kw_rating) * 3600) / TEN_MINUTES_S) * TEN_MINUTES_S
  return {
    ...USUAL_EXAMPLE,
    plug: { standard, current_type },
    chargingS: Math.max(chargingS, leastS),
  }
}
