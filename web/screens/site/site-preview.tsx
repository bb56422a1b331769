import { useEffect, useId, useRef } from 'react'
import { createPortal } from 'react-dom'

import { TARIFFS } from '#domain/collection.ts'
import { sayHours } from '#domain/hours/sentence.ts'
import { recordsIn } from '../../data/log.ts'
import { useStoreState } from '../../data/react.ts'
import type { SiteView } from '../../data/state.ts'
import { wordChoice } from '../../messages/fields.ts'
import { useLanguage } from '../../messages/messages.ts'
import { thumbnail } from '../../photos/thumbnail.ts'
import '../../ui/overlays.css'
import { TravellerCard } from '../../ui/traveller-card.tsx'
import { useTariffSentence } from '../shared/use-tariff-sentence.ts'

interface Props {
  readonly site: SiteView
  readonly onClose: () => void
}

/** A site as a traveller will see it, over the page. */
export const SitePreview = ({ site, onClose }: Props) => {
  const { messages, locale } = useLanguage()
  const dialog = useRef<HTMLDialogElement>(null)
  const title = useId()
  useEffect(() => dialog.current?.showModal(), [])
  const labels = messages.fields.sites
  const say = useTariffSentence()
  const tariff = recordsIn(useStoreState().data, TARIFFS).find(({ id }) => id === site.tariff)
  const speech = { words: messages.hours, locale, zone: site.time_zone || 'UTC' }
  const hours = site.opening_hours === null ? '' : sayHours(site.opening_hours, speech)
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
              { label: labels.cost, text: tariff === undefined ? site.cost : say(tariff) },
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
