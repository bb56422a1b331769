import { groupConnectors, inShownOrder, type Connector } from '#domain/connector.ts'
import type { SiteStatus } from '#domain/site.ts'
import { useMessages, useNumberFormat } from '../messages/messages.ts'
import { shortPlugName } from '../messages/plugs.ts'
import { PlugDrawing } from './plug-drawing.tsx'
import './site-card.css'
import { SitePicture } from './site-picture.tsx'
import { StatusBadge } from './status-badge.tsx'
import { UserText } from './user-text.tsx'

/** What a traveller is told about a site; texts are ready to be read, and empty if nothing is known. */
export interface PublicSite {
  readonly name: string
  /** Address of the cover photo. */
  readonly photo: string
  readonly status: SiteStatus
  readonly connectors: readonly Omit<Connector, 'site'>[]
  readonly address: string
  /** What else there is to know, with its label: hours, price, access. */
  readonly facts: readonly { readonly label: string; readonly text: string }[]
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
          <StatusBadge status={site.status} />
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
            .map(({ label, text }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>
                  <UserText text={text} />
                </dd>
              </div>
            ))}
        </dl>
      </div>
    </article>
  )
}
