import { Share2 } from 'lucide-react'
import { encodeQR } from 'qr'

import { useMessages } from '../messages/messages.ts'
import { Section } from '../traveller/site-details.tsx'

interface Props {
  /** The address of the page. */
  readonly url: string
}

/** The address to copy, and a button that shares it if the script of the page can. On paper, a QR code of it. */
export const Share = ({ url }: Props) => {
  const text = useMessages().traveller
  return (
    <>
      <div className="site-page-share">
        <Section level={1} title={text.share}>
          <div className="site-page-address">
            <input className="input" readOnly value={url} aria-label={text.address} />
            <button type="button" className="button" data-share={url} hidden>
              <Share2 className="icon" aria-hidden="true" />
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

const QrCode = ({ text }: { readonly text: string }) => {
  const rows = encodeQR(text, 'raw', { ecc: 'medium' })
  return (
    <svg viewBox={`0 0 ${rows.length} ${rows.length}`} shapeRendering="crispEdges">
      <path d={rows.map(darkParts).join('')} />
    </svg>
  )
}

/** The dark modules of a row as path data, one piece for those beside each other. */
const darkParts = (row: readonly boolean[], y: number): string => {
  const pieces = row
    .map((isDark) => (isDark ? '#' : ' '))
    .join('')
    .matchAll(/#+/g)
  return [...pieces]
    .map(({ 0: { length }, index }) => `M${index} ${y}h${length}v1h-${length}z`)
    .join('')
}
