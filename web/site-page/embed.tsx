import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'

import { embedPage, sitePage, slugOf } from '#domain/site-address.ts'
import type { PublicSite } from '#domain/public-site.ts'
import type { BusinessSubject } from '#domain/site-pages.ts'
import { useLanguage } from '../messages/messages.ts'
import { thumbnail } from '../photos/thumbnail.ts'
import { useSettings } from '../settings.ts'
import { shownSite } from '../traveller/shown-site.ts'
import { addressOf } from '../traveller/site-details.tsx'
import { SitePlugs } from '../traveller/site-plugs.tsx'
import { SitePrices } from '../traveller/site-prices.tsx'
import { SiteState } from '../traveller/site-state.tsx'
import { LogoTile } from '../ui/logo.tsx'
import { UserText } from '../ui/user-text.tsx'
import { useSitePageLink } from './links.ts'
import { MapPlace } from './map-place.tsx'
import './embed.css'
import { SiteRows } from './site-rows.tsx'

/** An embedded page. Its head makes links open in a new tab. */
export const Embed = ({ children }: { readonly children: ReactNode }) => {
  const { 'base-path': basePath, 'product-name': product } = useSettings()
  return (
    <div className="embed">
      <main>{children}</main>
      <footer className="embed-foot">
        <a href={`${basePath}/`}>
          <LogoTile />
          {product}
        </a>
      </footer>
    </div>
  )
}

/** An embedded site. */
export const EmbeddedSite = ({ site }: { readonly site: PublicSite }) => {
  const { messages } = useLanguage()
  const basePath = useSettings()['base-path']
  const linkTo = useSitePageLink()
  const shown = shownSite(site, basePath)
  const [cover] = shown.photos
  return (
    <article className="embed-site">
      {cover !== undefined && (
        <img className="embed-cover" src={thumbnail(cover.src, '800x450')} alt="" />
      )}
      <div>
        <h1>
          <UserText text={site.name} />
        </h1>
        <p className="muted">
          <UserText text={addressOf(shown)} />
        </p>
      </div>
      <p className="traveller-state">
        <SiteState site={site} />
      </p>
      <SitePlugs connectors={site.connectors} />
      <div className="stack">
        <SitePrices site={shown} />
      </div>
      <a className="button primary" href={linkTo(sitePage(site.id, slugOf(site.name)))}>
        {messages.embed.details}
        <ExternalLink className="icon" />
        <span className="visually-hidden">({messages.embed.newTab})</span>
      </a>
    </article>
  )
}

/** The embedded sites of a business: a map, and a list that is complete without it. */
export const EmbeddedBusiness = ({ subject }: { readonly subject: BusinessSubject }) => {
  const { messages } = useLanguage()
  const text = messages.embed
  const basePath = useSettings()['base-path']
  const linkTo = useSitePageLink()
  const { business, sites, total, corners, next } = subject
  const [logo] = sites.map((site) => shownSite(site, basePath).business.logo)
  return (
    <article className="embed-business">
      <header className="embed-head">
        {logo !== undefined && logo !== '' && (
          <img src={thumbnail(logo, '100x100')} width={48} height={48} alt="" />
        )}
        <div>
          <h1>
            <UserText text={business.name} />
          </h1>
          <p className="muted">{text.sites(total)}</p>
        </div>
      </header>
      <MapPlace business={business} corners={corners} />
      <SiteRows sites={sites} level={2} />
      {next !== null && (
        <a
          className="button"
          target="_self"
          href={linkTo(`${embedPage('business', business.id)}?cursor=${encodeURIComponent(next)}`)}
        >
          {text.more}
        </a>
      )}
    </article>
  )
}
