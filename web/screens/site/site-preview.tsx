import { TARIFFS } from '#domain/collection.ts'
import { recordsIn } from '../../data/log.ts'
import { useStoreState } from '../../data/react.ts'
import type { BusinessView, SiteView } from '../../data/state.ts'
import { useMessages } from '../../messages/messages.ts'
import { SiteDetails } from '../../traveller/site-details.tsx'
import { Button } from '../../ui/button.tsx'
import { ModalDialog } from '../../ui/modal-dialog.tsx'

interface Props {
  readonly site: SiteView
  readonly business: BusinessView
  readonly onClose: () => void
}

/** A preview over the page: the site as travellers will see it once it is public. */
export const SitePreview = ({ site, business, onClose }: Props) => {
  const messages = useMessages()
  const tariffs = recordsIn(useStoreState().data, TARIFFS)
  return (
    <ModalDialog className="site-preview" title={messages.site.previewTitle} onClose={onClose}>
      <SiteDetails
        level={3}
        site={{ ...site, tariffs, business: { ...business, logo: business.fileSrc } }}
      />
      <div className="dialog-actions">
        <Button look="primary" onClick={onClose}>
          {messages.site.closePreview}
        </Button>
      </div>
    </ModalDialog>
  )
}
