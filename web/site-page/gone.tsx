import type { ListedSite } from '#domain/public-read.ts'
import { useLanguage } from '../messages/messages.ts'
import { PATHS } from '../paths.ts'
import { useSettings } from '../settings.ts'
import { SiteRows } from './site-rows.tsx'

/** The page of a removed site, with sites nearby. */
export const Gone = ({ near }: { readonly near: readonly ListedSite[] }) => {
  const text = useLanguage().messages.traveller.gone
  return (
    <div className="stack">
      <Words {...text} />
      {near.length > 0 && (
        <section className="stack" aria-labelledby="near">
          <h2 id="near">{text.near}</h2>
          <SiteRows sites={near} level={3} />
        </section>
      )}
    </div>
  )
}

/** The page for an address without a site. */
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
          {messages.titles.map}
        </a>
      </p>
    </div>
  )
}
