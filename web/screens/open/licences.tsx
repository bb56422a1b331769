import type { ReactNode } from 'react'

import { LICENCE_URLS, type OpenCatalogue } from '#domain/open-data.ts'
import { useMessages } from '../../messages/messages.ts'

interface Props {
  readonly licences: OpenCatalogue['licences']
  /** The businesses. */
  readonly children: ReactNode
}

/** The number of sites and businesses per licence. */
export const Licences = ({ licences, children }: Props) => {
  const text = useMessages().open
  return (
    <section className="card open-businesses" aria-labelledby="open-businesses">
      <h2 id="open-businesses">{text.businessesTitle}</h2>
      <p className="muted">{text.businessesText}</p>
      <ul className="open-licences">
        {licences.map(({ licence, businesses, sites }) => (
          <li key={licence}>
            <a href={LICENCE_URLS[licence]} target="_blank" rel="noopener license">
              {licence}
            </a>
            <span className="muted">
              {text.businesses(businesses)} · {text.sites(sites)}
            </span>
          </li>
        ))}
      </ul>
      {children}
    </section>
  )
}
