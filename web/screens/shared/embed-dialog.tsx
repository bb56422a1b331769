import { Copy, ExternalLink, Printer } from 'lucide-react'

import { embedPage, posterPage } from '#domain/site-address.ts'
import { useMessages } from '../../messages/messages.ts'
import { useSettings } from '../../settings.ts'
import { Button } from '../../ui/button.tsx'
import { useCopy } from '../../ui/copy-field.tsx'
import { ModalDialog } from '../../ui/modal-dialog.tsx'
import './embed-dialog.css'

interface Props {
  readonly kind: 'site' | 'business'
  readonly id: string
  readonly name: string
  readonly onClose: () => void
}

/** The HTML with which an owner embeds a site, or all sites, in another website; and the poster of a site. */
export const EmbedDialog = ({ kind, id, name, onClose }: Props) => {
  const { embed: text, poster } = useMessages()
  const basePath = useSettings()['base-path']
  const path = basePath + embedPage(kind, id)
  const html = frameOf(location.origin + path, text.frameTitle(name))
  const { area, copy, isCopied } = useCopy(html)
  return (
    <ModalDialog title={text.title} onClose={onClose}>
      <p>{kind === 'site' ? text.text : text.textAll}</p>
      <textarea
        ref={area}
        className="input embed-code"
        aria-label={text.code}
        readOnly
        rows={5}
        value={html}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <p className="embed-links">
        <a className="button link" href={path} target="_blank" rel="noopener">
          <ExternalLink className="icon" />
          {text.preview}
        </a>
        {kind === 'site' && (
          <a
            className="button link"
            href={basePath + posterPage(id)}
            target="_blank"
            rel="noopener"
          >
            <Printer className="icon" />
            {poster.link}
          </a>
        )}
      </p>
      <output className="visually-hidden">{isCopied && text.copied}</output>
      <div className="dialog-actions">
        <Button onClick={onClose}>{text.close}</Button>
        <Button look="primary" onClick={() => void copy()}>
          <Copy className="icon" />
          {isCopied ? text.copied : text.copy}
        </Button>
      </div>
    </ModalDialog>
  )
}

const HEIGHT_PX = 640

/** The HTML of a frame with the width of its container. */
const frameOf = (src: string, title: string): string =>
  `<iframe src="${escapeText(src)}" title="${escapeText(title)}" width="100%" height="${HEIGHT_PX}" style="border:0" loading="lazy"></iframe>`

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
