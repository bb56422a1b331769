import { Share2 } from 'lucide-react'

import { useMessages } from '../messages/messages.ts'
import { Section } from '../traveller/site-details.tsx'
import { QrCode } from './qr-code.tsx'

interface Props {
  /** The URL of the page. */
  readonly url: string
}

/** The URL of the page to copy, and a button that shares it if the script of the page can. On paper, its QR code. */
export const Share = ({ url }: Props) => {
  const text = useMessages().traveller
  return (
    <>
      <div className="site-page-share">
        <Section level={1} title={text.share}>
          <div className="site-page-address">
            <input className="input" readOnly value={url} aria-label={text.address} />
            <button type="button" className="button" data-share={url} hidden>
              <Share2 className="icon" />
              {text.share}
            </button>
          </div>
          <output className="muted" data-copied={text.shareCopied} />
        </Section>
      </div>
      <figure className="site-page-code" aria-hidden="true">
        <QrCode text={url} />
        <figcaption>
          {text.scan}
          <br />
          {url}
        </figcaption>
      </figure>
    </>
  )
}
