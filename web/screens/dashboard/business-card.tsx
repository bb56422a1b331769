import { Clock, ExternalLink, Mail, Pencil, Plus, Store, Tag } from 'lucide-react'
import { useMemo } from 'react'
import { Link } from 'react-router'

import { useQueuedWrites } from '../../data/react.ts'
import type { BusinessView } from '../../data/state.ts'
import { useMessages, useNumberFormat } from '../../messages/messages.ts'
import { PATHS } from '../../paths.ts'
import { thumbnail } from '../../photos/thumbnail.ts'
import { plainText, UserText } from '../../ui/user-text.tsx'
import { hostOf, webAddress } from '../../format/web-address.ts'
import { writeView, DEFAULT_VIEW } from './list-view.ts'
import { totalsOf } from './overview.ts'
import { unfinishedSites, useSyncStatus } from './sync-status.ts'

/** The operator of the sites, and the totals. */
export const BusinessCard = ({ business }: { readonly business: BusinessView }) => {
  const messages = useMessages()
  const number = useNumberFormat({ maximumFractionDigits: 0 })
  const text = messages.dashboard
  const work = useSyncStatus()
  const totals = useMemo(
    () => totalsOf(business.sites, unfinishedSites(work)),
    [business.sites, work],
  )
  const isQueued = useQueuedWrites().some(({ id }) => id === business.id)
  const name = business.name || text.unnamedBusiness

  return (
    <section className="card business-card" aria-labelledby="business-name">
      {business.fileSrc === '' ? (
        <span className="business-logo none">
          <Store className="icon" />
        </span>
      ) : (
        <img
          className="business-logo"
          src={thumbnail(business.fileSrc)}
          alt={text.logoOf(plainText(name))}
          width={72}
          height={72}
        />
      )}
      <div className="business-text">
        <h2 id="business-name">
          <UserText text={name} />
        </h2>
        {isQueued && (
          <p>
            <span className="badge warn">
              <Clock className="icon" />
              {messages.drafts.waiting}
            </span>
          </p>
        )}
        {business.description !== '' && (
          <p className="muted business-description">
            <UserText text={business.description} />
          </p>
        )}
        <div className="business-facts">
          {(business.website !== '' || business.contact_email !== '') && (
            <p className="business-links">
              {business.website !== '' && (
                <a
                  href={webAddress(business.website)}
                  target="_blank"
                  rel="noopener noreferrer"
                  aria-label={text.website(hostOf(business.website))}
                >
                  <ExternalLink className="icon" />
                  <span>
                    <UserText text={hostOf(business.website)} />
                  </span>
                </a>
              )}
              {business.contact_email !== '' && (
                <a href={`mailto:${business.contact_email}`}>
                  <Mail className="icon" />
                  <span>{business.contact_email}</span>
                </a>
              )}
            </p>
          )}
          {business.sites.length > 0 && (
            <p className="business-counts">
              <span>{text.sites(totals.sites)}</span>
              <span>{messages.facts.connectors(totals.connectors)}</span>
              {totals.kw > 0 && <span>{messages.facts.power(number(totals.kw))}</span>}
              {totals.attention > 0 && (
                <Link
                  to={{ search: writeView('', { ...DEFAULT_VIEW, status: 'attention' }) }}
                  replace
                >
                  {text.attention(totals.attention)}
                </Link>
              )}
            </p>
          )}
        </div>
      </div>
      <BusinessActions />
    </section>
  )
}

const BusinessActions = () => {
  const { dashboard: text, titles } = useMessages()
  return (
    <div className="business-actions">
      <Link className="button" to={PATHS.editBusiness}>
        <Pencil className="icon" />
        {text.editBusiness}
      </Link>
      <Link className="button" to={PATHS.prices}>
        <Tag className="icon" />
        {titles.prices}
      </Link>
      <Link className="button" to={PATHS.import}>
        <Plus className="icon" />
        {titles.import}
      </Link>
    </div>
  )
}
