import { ExternalLink, Mail, Pencil, Store } from 'lucide-react'
import { Link } from 'react-router'

import type { BusinessView } from '../../data/state.ts'
import { useMessages, useNumberFormat } from '../../messages/messages.ts'
import { PATHS } from '../../ui/paths.ts'
import { thumbnail } from '../../ui/thumbnail.ts'
import { hostOf, webAddress } from '../../ui/web-address.ts'

/** Who operates the sites, and how much there is in all. */
export const BusinessCard = ({ business }: { readonly business: BusinessView }) => {
  const messages = useMessages()
  const number = useNumberFormat({ maximumFractionDigits: 0 })
  const text = messages.dashboard
  const connectors = business.sites.flatMap((site) => site.connectors)
  const power = connectors.reduce((sum, connector) => sum + connector.kw_rating, 0)
  const name = business.name || text.unnamedBusiness

  return (
    <section className="card business-card" aria-labelledby="business-name">
      {business.fileSrc === '' ? (
        <span className="business-logo none">
          <Store className="icon" aria-hidden="true" />
        </span>
      ) : (
        <img
          className="business-logo"
          src={thumbnail(business.fileSrc)}
          alt={text.logoOf(name)}
          width={72}
          height={72}
        />
      )}
      <div className="business-text">
        <h2 id="business-name">{name}</h2>
        {business.description !== '' && (
          <p className="muted business-description">{business.description}</p>
        )}
        {(business.website !== '' || business.contact_email !== '') && (
          <p className="business-links">
            {business.website !== '' && (
              <a
                href={webAddress(business.website)}
                target="_blank"
                rel="noopener noreferrer"
                aria-label={text.website(hostOf(business.website))}
              >
                <ExternalLink className="icon" aria-hidden="true" />
                <span>{hostOf(business.website)}</span>
              </a>
            )}
            {business.contact_email !== '' && (
              <a href={`mailto:${business.contact_email}`}>
                <Mail className="icon" aria-hidden="true" />
                <span>{business.contact_email}</span>
              </a>
            )}
          </p>
        )}
        {business.sites.length > 0 && (
          <p className="business-counts">
            <span>{text.sites(business.sites.length)}</span>
            <span>{text.connectors(connectors.length)}</span>
            {power > 0 && <span>{text.power(number(power))}</span>}
          </p>
        )}
      </div>
      <Link className="button" to={PATHS.editBusiness}>
        <Pencil className="icon" aria-hidden="true" />
        {text.editBusiness}
      </Link>
    </section>
  )
}
