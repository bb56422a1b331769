import { useEffect, useId, useRef } from 'react'
import { createPortal } from 'react-dom'

import { TARIFFS } from '#domain/collection.ts'
import { recordsIn } from '../../data/log.ts'
import { useStoreState } from '../../data/react.ts'
import type { BusinessView, SiteView } from '../../data/state.ts'
import { useMessages } from '../../messages/messages.ts'
import { SiteDetails } from '../../traveller/site-details.tsx'
import '../../ui/overlays.css'

interface Props {
  readonly site: SiteView
  readonly business: BusinessView
  readonly onClose: () => void
}

/** A site as travellers will see it once it is public, over the page. */
export const SitePreview = ({ site, business, onClose }: Props) => {
  const messages = useMessages()
  const dialog = useRef<HTMLDialogElement>(null)
  const title = useId()
  const tariffs = recordsIn(useStoreState().data, TARIFFS)
  useEffect(() => dialog.current?.showModal(), [])
  return createPortal(
    <dialog
      ref={dialog}
      className="dialog-box plain site-preview"
      aria-labelledby={title}
      onClose={onClose}
    >
      <div className="dialog">
        <h2 id={title}>{messages.site.previewTitle}</h2>
        <SiteDetails
          level={3}
          site={{ ...site, tariffs, business: { ...business, logo: business.fileSrc } }}
        />
        <div className="dialog-actions">
          <button type="button" className="button primary" onClick={() => dialog.current?.close()}>
            {messages.site.closePreview}
          </button>
        </div>
      </div>
    </dialog>,
    document.body,
  )
}
