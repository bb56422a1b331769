import { CircleCheck, Clock } from 'lucide-react'

import { groupConnectors, inShownOrder, type Connector } from '#domain/connector.ts'
import type { OpeningHours } from '#domain/hours.ts'
import { STATUSES_WITH_HOURS, type SiteStatus } from '#domain/site.ts'
import { hoursSpeech } from '../messages/hours.ts'
import { useLanguage, useMessages, useNumberFormat } from '../messages/messages.ts'
import { shortPlugName } from '../messages/plugs.ts'
import { PlugDrawing } from './plug-drawing.tsx'
import './site-card.css'
import { SitePicture } from './site-picture.tsx'
import { StatusBadge } from './status-badge.tsx'
import { useOpenState } from './use-open-state.ts'
import { UserText } from './user-text.tsx'

/** What a traveller is told about a site; texts are ready to be read, and empty if nothing is known. */
export interface PublicSite {
  readonly name: string
  /** Address of the cover photo. */
  readonly photo: string
  readonly status: SiteStatus
  readonly connectors: readonly Omit<Connector, 'site'>[]
  readonly address: string
  readonly opening_hours: OpeningHours | null
  readonly time_zone: string
  /** Labelled texts, such as hours, price and access, each with an optional note below. */
  readonly facts: readonly {
    readonly label: string
    readonly text: string
    readonly note?: string | undefined
  }[]
}

/** A site as a traveller sees it. */
export const TravellerCard = ({ site }: { readonly site: PublicSite }) => {
  const messages = useMessages()
  const number = useNumberFormat()
  return (
    <article className="card site-card traveller-card">
      {site.photo === '' ? <SitePicture /> : <img className="site-photo" src={site.photo} alt="" />}
      <div className="site-card-text">
        <h3 className="site-card-title">
          <UserText text={site.name} />
        </h3>
        <p className="site-card-badges">
          {site.opening_hours !== null && STATUSES_WITH_HOURS.includes(site.status) ? (
            <OpenBadges {...site} opening_hours={site.opening_hours} />
          ) : (
            <StatusBadge status={site.status} />
          )}
        </p>
        <p className="muted">
          <UserText text={site.address} />
        </p>
        <ul className="plug-list">
          {groupConnectors(inShownOrder(site.connectors)).map(({ first, all }) => (
            <li key={first.id}>
              <PlugDrawing standard={first.standard} />
              <span className="plug-name">
                {all.length > 1 && `${messages.facts.times(all.length)} `}
                {shortPlugName(messages, first.standard)}
              </span>
              <span className="plug-kind">
                {messages.currentShort[first.current_type]} · {messages.formatShort[first.format]}
              </span>
              <span className="plug-power">{messages.facts.power(number(first.kw_rating))}</span>
            </li>
          ))}
        </ul>
        <dl className="traveller-facts">
          {site.facts
            .filter(({ text }) => text !== '')
            .map(({ label, text, note = '' }) => (
              <div key={`${label} ${text}`}>
                <dt>{label}</dt>
                <dd>
                  <UserText text={text} />
                </dd>
                {note !== '' && <dd className="muted">{note}</dd>}
              </div>
            ))}
        </dl>
      </div>
    </article>
  )
}

type OpenProps = Pick<PublicSite, 'status' | 'time_zone'> & { readonly opening_hours: OpeningHours }

/** The open state as a badge; a status badge beside it would only repeat that the site is in service. */
const OpenBadges = ({ status, time_zone, opening_hours }: OpenProps) => {
  const { isOpen, said } = useOpenState(opening_hours, hoursSpeech(useLanguage(), time_zone))
  const Icon = isOpen ? CircleCheck : Clock
  return (
    <>
      {status !== 'AVAILABLE' && <StatusBadge status={status} />}
      <span className={`badge sentence ${isOpen ? 'ok' : ''}`}>
        <Icon className="icon" aria-hidden="true" />
        {said}
      </span>
    </>
  )
}
