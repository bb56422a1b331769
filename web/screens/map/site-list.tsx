import { Link } from 'react-router'

import type { ListedSite } from '#domain/public-read.ts'
import { formatDistance } from '../../format/metres.ts'
import { useLanguage } from '../../messages/messages.ts'
import { SiteState } from '../../traveller/site-state.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { Directions, SitePlugs } from './site-parts.tsx'

interface Props {
  readonly sites: readonly ListedSite[]
  readonly selectedId: string
  /** The URL of the view with a site selected. */
  readonly linkOf: (id: string) => string
  readonly onOpen: () => void
}

/** The sites, nearest first. */
export const SiteList = ({ sites, selectedId, linkOf, onOpen }: Props) => (
  <ol className="finder-list">
    {sites.map((site) => (
      <li key={site.id} className="finder-row">
        <article>
          <div className="finder-head">
            <h3>
              <Link
                id={rowId(site.id)}
                to={linkOf(site.id)}
                // So that Back returns to the list, however many sites were opened.
                replace={selectedId !== ''}
                // The second press of a double click would be another step.
                onClick={(event) => {
                  if (event.detail > 1) event.preventDefault()
                  else onOpen()
                }}
              >
                <UserText text={site.name} />
              </Link>
            </h3>
            <Distance site={site} />
          </div>
          <p className="finder-state">
            <SiteState site={site} />
          </p>
          <SitePlugs site={site} />
        </article>
        <Directions site={site} isShort />
      </li>
    ))}
  </ol>
)

/** The id of the link in the row of a site. */
export const rowId = (id: string): string => `site-${id}`

/** The distance of a site, if known. */
export const Distance = ({ site: { distance_m: metres } }: { readonly site: ListedSite }) => {
  const { locale } = useLanguage()
  return metres === undefined ? null : (
    <span className="finder-distance">{formatDistance(metres, locale)}</span>
  )
}
