import type { ReactNode } from 'react'
import { WindowVirtualizer } from 'virtua'

import type { SiteView } from '../../data/state.ts'

interface Props {
  readonly sites: readonly SiteView[]
  readonly renderSite: (site: SiteView) => ReactNode
}

/** A list of which only the part on the screen is in the page; it still tells how long it is. */
export const LongSiteList = ({ sites, renderSite }: Props) => (
  // The virtualiser puts elements of its own between the list and its items.
  // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
  <div role="list" className="long-list">
    <WindowVirtualizer>
      {sites.map((site, index) => (
        <div
          key={site.id}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
          role="listitem"
          aria-setsize={sites.length}
          aria-posinset={index + 1}
          className="long-list-item"
        >
          {renderSite(site)}
        </div>
      ))}
    </WindowVirtualizer>
  </div>
)
