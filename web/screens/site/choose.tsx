import { useDeferredValue, useMemo, useState } from 'react'
import { Link, Navigate } from 'react-router'

import { useSavedAt, useStore, useStoreState } from '../../data/react.ts'
import type { SiteView } from '../../data/state.ts'
import { useMessages } from '../../messages/messages.ts'
import { LongList } from '../../ui/long-list.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { editSitePath, PATHS } from '../../paths.ts'
import { findSites, PLAIN_UP_TO, SEARCH_FROM } from '../shared/find-sites.ts'
import { SiteSearch } from '../shared/site-search.tsx'
import { SlowLoad } from '../shared/slow-load.tsx'
import { WithBusiness } from '../shared/with-business.tsx'
import { ChoiceSkeleton } from './choice-skeleton.tsx'
import './site-form.css'

/** Height of an entry with two lines, including the gap. */
const ROW_PX = 110

/** Edit Site without an id: redirects to the only site or to Add Site, or lists several (spec 2). */
export const ChooseSite = () => {
  const store = useStore()
  const { loading } = useStoreState()
  const isCached = useSavedAt() !== undefined
  return (
    <WithBusiness skeleton={<ChoiceSkeleton />}>
      {(business) => {
        const sites = business?.sites ?? []
        const [first] = sites
        if (sites.length > 1) return <Choice sites={sites} />
        // The cached data of the last visit may lack a site, and a redirect is final.
        if (loading && isCached)
          return (
            <>
              <SlowLoad onRetry={() => void store.load()} />
              <ChoiceSkeleton />
            </>
          )
        return (
          <Navigate to={first === undefined ? PATHS.addSite : editSitePath(first.id)} replace />
        )
      }}
    </WithBusiness>
  )
}

const Choice = ({ sites }: { readonly sites: readonly SiteView[] }) => {
  const messages = useMessages()
  const { site: text, dashboard } = messages
  const [query, setQuery] = useState('')
  const wanted = useDeferredValue(query)
  const shown = useMemo(() => findSites(sites, wanted, messages).sites, [sites, wanted, messages])
  const link = (site: SiteView) => (
    <Link className="card" to={editSitePath(site.id)}>
      <strong>
        <UserText text={site.name} />
      </strong>
      <span className="muted">
        <UserText text={site.address} />
      </span>
    </Link>
  )
  return (
    <section className="choose-list stack" aria-labelledby="choose-title">
      <h2 id="choose-title">{text.chooseTitle}</h2>
      {sites.length >= SEARCH_FROM && (
        <SiteSearch query={query} onChange={setQuery} onClear={() => setQuery('')} />
      )}
      <output className="visually-hidden">
        {shown.length === sites.length ? '' : dashboard.shown(shown.length, sites.length)}
      </output>
      {shown.length === 0 && <p className="muted">{dashboard.noMatch(query.trim())}</p>}
      {shown.length > PLAIN_UP_TO ? (
        <LongList items={shown} render={link} columnRem={60} rowPx={ROW_PX} />
      ) : (
        <ul className="stack">
          {shown.map((site) => (
            <li key={site.id}>{link(site)}</li>
          ))}
        </ul>
      )}
    </section>
  )
}
