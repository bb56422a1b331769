import { Printer } from 'lucide-react'

import type { PublicSite } from '#domain/public-site.ts'
import { valueLabel } from '../messages/fields.ts'
import { useLanguage } from '../messages/messages.ts'
import { useSettings } from '../settings.ts'
import { shownSite } from '../traveller/shown-site.ts'
import { addressOf } from '../traveller/site-details.tsx'
import { SitePlugs } from '../traveller/site-plugs.tsx'
import { LogoTile } from '../ui/logo.tsx'
import { UserText } from '../ui/user-text.tsx'
import './poster.css'
import { QrCode } from './qr-code.tsx'

interface Props {
  readonly site: PublicSite
  /** The URL of the page of the site. */
  readonly url: string
}

/** A poster to print for a charger. It shows data that rarely changes; the QR code links to the rest. */
export const Poster = ({ site, url }: Props) => {
  const { messages } = useLanguage()
  const { 'base-path': basePath, 'product-name': product } = useSettings()
  const shown = shownSite(site, basePath)
  return (
    <main className="poster">
      <p className="poster-print">
        <button type="button" className="button primary" data-print hidden>
          <Printer className="icon" />
          {messages.poster.print}
        </button>
      </p>
      <article className="poster-sheet">
        <p className="poster-headline">{messages.poster.headline}</p>
        <h1>
          <UserText text={site.name} />
        </h1>
        <p className="poster-address">
          <UserText text={addressOf(shown)} />
        </p>
        <figure className="poster-code">
          <QrCode text={url} />
          <figcaption>{messages.traveller.scan}</figcaption>
        </figure>
        <SitePlugs connectors={site.connectors} />
        {site.payment.length > 0 && (
          <p>
            <strong>{messages.about(messages.poster.pay, '')}</strong>
            {valueLabel(messages, 'payment', site.payment)}
          </p>
        )}
        <footer className="poster-foot">
          <span className="poster-product">
            <LogoTile />
            {product}
          </span>
          <span>{url}</span>
        </footer>
      </article>
    </main>
  )
}
