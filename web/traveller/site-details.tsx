import { Globe, Mail, Signpost, Navigation, Phone } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'

import { formatDaysAgo } from '../format/date-time.ts'
import { hostOf, webAddress } from '../format/web-address.ts'
import { mapLinks } from '../map/map-link.ts'
import { useLanguage, useMessages } from '../messages/messages.ts'
import { thumbnail } from '../photos/thumbnail.ts'
import '../ui/site-card.css'
import { UserText } from '../ui/user-text.tsx'
import { GoodToKnow, useGoodToKnow } from './good-to-know.tsx'
import type { ShownSite } from './shown-site.ts'
import { SiteHours } from './site-hours.tsx'
import { SitePhotos } from './site-photos.tsx'
import { SitePlugs } from './site-plugs.tsx'
import { SitePrices } from './site-prices.tsx'
import { SiteState } from './site-state.tsx'
import './traveller.css'

interface Props {
  readonly site: ShownSite
  /** The level of the heading with the site's name. */
  readonly level: 1 | 3
  /** Further content at the end, such as a button to share the page. */
  readonly children?: ReactNode
}

/** The complete view of a site for travellers: its public page, and the preview of its owner. */
export const SiteDetails = ({ site, level, children }: Props) => {
  const messages = useMessages()
  const text = messages.traveller
  const facts = useGoodToKnow(site)
  return (
    <article className="traveller">
      <SitePhotos site={site} />
      <Head site={site} level={level} />
      <div className="traveller-columns">
        <div className="traveller-column">
          <Section level={level} title={text.plugs}>
            <SitePlugs connectors={site.connectors} />
          </Section>
          <Section level={level} title={text.price}>
            <SitePrices site={site} />
          </Section>
          {site.opening_hours !== null && (
            <Section level={level} title={text.hours}>
              <SiteHours hours={site.opening_hours} timeZone={site.time_zone} />
            </Section>
          )}
        </div>
        <div className="traveller-column">
          {facts.length > 0 && (
            <Section level={level} title={text.goodToKnow}>
              <GoodToKnow facts={facts} />
            </Section>
          )}
          <Section level={level} title={text.operator}>
            <Operator site={site} />
          </Section>
          {children}
        </div>
      </div>
    </article>
  )
}

interface SectionProps {
  readonly title: string
  /** The level of the heading above. */
  readonly level: 1 | 3
  readonly children: ReactNode
}

/** A titled section of the page. */
export const Section = ({ title, level, children }: SectionProps) => {
  const id = useId()
  const className = 'card traveller-section'
  // The form behind a preview has landmarks of the same names.
  return level === 1 ? (
    <section className={className} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  ) : (
    <div className={className}>
      <h4>{title}</h4>
      {children}
    </div>
  )
}

const Head = ({ site, level }: Pick<Props, 'site' | 'level'>) => {
  const { messages, locale } = useLanguage()
  const Heading = `h${level}` as const
  const [now] = useState(Date.now)
  const text = messages.traveller
  const { geo, ...apps } = mapLinks(site)
  return (
    <header className="traveller-head">
      <Heading className="traveller-name">
        <UserText text={site.name} />
      </Heading>
      <p className="traveller-address">
        <Signpost className="icon" />
        <UserText text={addressOf(site)} />
      </p>
      <p className="traveller-state">
        <SiteState site={site} />
        {site.updated !== undefined && (
          <span className="muted">
            {text.updated(formatDaysAgo(Date.parse(site.updated), now, locale))}
          </span>
        )}
      </p>
      <nav className="traveller-directions" aria-label={text.directions}>
        <span className="traveller-label">
          <Navigation className="icon" />
          {text.directions}
        </span>
        {Object.entries(apps).map(([app, href]) => (
          <a key={app} className="button" href={href} rel="noopener">
            {app}
          </a>
        ))}
        <a className="button" href={geo}>
          {text.otherMap}
        </a>
      </nav>
    </header>
  )
}

/** The address with postcode and town, unless it contains them. */
export const addressOf = ({
  address,
  postal_code,
  city,
}: Pick<ShownSite, 'address' | 'postal_code' | 'city'>): string => {
  const rest = [postal_code, city].filter((part) => part !== '' && !address.includes(part))
  return [address, rest.join(' ')].filter((part) => part !== '').join(', ')
}

const YEAR_MS = 365 * 24 * 60 * 60 * 1000

const Operator = ({ site }: { readonly site: ShownSite }) => {
  const { messages, locale } = useLanguage()
  const text = messages.traveller
  const { business, contact_email, contact_phone, confirmed } = site
  const [now] = useState(Date.now)
  const confirmedAt = Date.parse(confirmed)
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  return (
    <>
      <p className="traveller-operator">
        {business.logo !== '' && (
          <img src={thumbnail(business.logo, '100x100')} width={48} height={48} alt="" />
        )}
        <strong>
          <UserText text={business.name} />
        </strong>
      </p>
      <ul className="traveller-contacts">
        {contact_phone !== '' && (
          <li>
            <Phone className="icon" />
            <a href={`tel:${contact_phone.replaceAll(/[^+\d]/g, '')}`}>
              <UserText text={contact_phone} />
            </a>
          </li>
        )}
        {contact_email !== '' && (
          <li>
            <Mail className="icon" />
            <a href={`mailto:${encodeURIComponent(contact_email).replace('%40', '@')}`}>
              {contact_email}
            </a>
          </li>
        )}
        {business.website !== '' && (
          <li>
            <Globe className="icon" />
            <a href={webAddress(business.website)} rel="noopener nofollow">
              {hostOf(business.website)}
            </a>
          </li>
        )}
      </ul>
      {confirmed !== '' && (
        <p className="muted">
          {now - confirmedAt > YEAR_MS
            ? text.confirmedLongAgo(date.format(confirmedAt))
            : text.confirmed(date.format(confirmedAt))}
        </p>
      )}
    </>
  )
}
