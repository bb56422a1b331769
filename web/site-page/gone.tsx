import { sitePage, slugOf } from '#domain/site-address.ts'
import type { ListedSite } from '#domain/public-read.ts'
import { formatDistance } from '../format/metres.ts'
import { useLanguage } from '../messages/messages.ts'
import { PATHS } from '../paths.ts'
import { useSettings } from '../settings.ts'
import { SitePlugs } from '../traveller/site-plugs.tsx'
import { SiteState } from '../traveller/site-state.tsx'
import { UserText } from '../ui/user-text.tsx'

/** The page of a site that was removed: what is near. */
export const Gone = ({ near }: { readonly near: readonly ListedSite[] }) => {
  const { messages, locale } = useLanguage()
  const text = messages.traveller.gone
  const basePath = useSettings()['base-path']
  return (
    <div className="stack">
      <Words {...text} />
      {near.length > 0 && (
        <section className="stack" aria-labelledby="near">
          <h2 id="near">{text.near}</h2>
          <ul className="site-page-near">
            {near.map((site) => (
              <li key={site.id} className="card stack">
                <div>
                  <h3>
                    <a href={basePath + sitePage(site.id, slugOf(site.name))}>
                      <UserText text={site.name} />
                    </a>
                  </h3>
                  <p className="muted">
                    {site.distance_m !== undefined &&
                      `${formatDistance(site.distance_m, locale)} · `}
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
        </section>
      )}
    </div>
  )
}

/** The page of an address at which there is no site. */
export const Unknown = () => <Words {...useLanguage().messages.traveller.unknown} />

const Words = ({ title, text }: { readonly title: string; readonly text: string }) => {
  const { messages } = useLanguage()
  const basePath = useSettings()['base-path']
  return (
    <div className="site-page-words">
      <h1>{title}</h1>
      <p className="muted">{text}</p>
      <p>
        <a className="button primary" href={basePath + PATHS.map}>
          {messages.traveller.findCharger}
        </a>
      </p>
    </div>
  )
}
