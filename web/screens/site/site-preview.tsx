import { useEffect, useId, useRef } from 'react'
import { createPortal } from 'react-dom'

import { TARIFFS } from '#domain/collection.ts'
import { inShownOrder } from '#domain/connector.ts'
import { recordsIn } from '../../data/log.ts'
import { useStoreState } from '../../data/react.ts'
import type { PlainView, SiteView } from '../../data/state.ts'
import { wordChoice } from '../../messages/fields.ts'
import { wordHours } from '../../messages/hours.ts'
import { useLanguage } from '../../messages/messages.ts'
import { thumbnail } from '../../photos/thumbnail.ts'
import '../../ui/overlays.css'
import { TravellerCard } from '../../ui/traveller-card.tsx'
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
  const sayPrice = usePriceWords()
  const tariff = recordsIn(useStoreState().data, TARIFFS).find(({ id }) => id === site.tariff)
  const hours = wordHours(language, site.opening_hours, site.time_zone)
  const price = tariff === undefined ? { text: site.cost } : sayPrice(tariff, exampleAt(site))
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
              { label: labels.cost, ...price },
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

/** The sentence of a price, with an example of what it comes to. */
const usePriceWords = () => {
  const say = useTariffSentence()
  const sayExample = useTariffExample()
  return (tariff: PlainView<'tariffs'>, example: TariffExample) => {
    const { said, withVat, isFree } = sayExample(saidTariff(tariff), example)
    const note = withVat === undefined ? said : `${said} (${withVat})`
    return { text: say(tariff), note: isFree ? undefined : note }
  }
}

const TEN_MINUTES_S = 600

/** The usual session at the most powerful connector of a site; it takes longer if that one is slow. */
const exampleAt = ({ connectors }: SiteView): TariffExample => {
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
