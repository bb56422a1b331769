import type { ListedSite } from '#domain/public-read.ts'
import { sitePage, slugOf } from '#domain/site-address.ts'
import { formatDistance } from '../format/metres.ts'
import { useLanguage } from '../messages/messages.ts'
import { SitePlugs } from '../traveller/site-plugs.tsx'
import { SiteState } from '../traveller/site-state.tsx'
import { UserText } from '../ui/user-text.tsx'
import { useSitePageLink } from './links.ts'

interface Props {
  readonly sites: readonly ListedSite[]
  /** The level of their headings. */
  readonly level: 2 | 3
}

/** A list of sites, each with a link to its page. */
export const SiteRows = ({ sites, level }: Props) => {
  const { locale } = useLanguage()
  const linkTo = useSitePageLink()
  const Heading = `h${level}` as const
  return (
    <ul className="site-page-rows">
      {sites.map((site) => (
        <li key={site.id} className="card stack">
          <div>
            <Heading>
              <a href={linkTo(sitePage(site.id, slugOf(site.name)))}>
                <UserText text={site.name} />
              </a>
            </Heading>
            <p className="muted">
              {site.distance_m !== undefined && `${formatDistance(site.distance_m, locale)} · `}
              <UserText text={site.address} />
            </p>
          </div>
          <p className="traveller-state">
            <SiteState site={site} />
          </p>
          <SitePlugs connectors={site.connectors} />
        </li>
      ))}
    </ul>
  )
}
