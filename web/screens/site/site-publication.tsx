import { Check, Eye } from 'lucide-react'
import { Suspense, useState } from 'react'

import { wireDate } from '#domain/date.ts'
import { sitePage, slugOf } from '#domain/site-address.ts'
import { publicationOf } from '#domain/publication.ts'
import { useStore, useStoreState } from '../../data/react.ts'
import { lazyComponent } from '../../browser/lazy-component.ts'
import { formatDay } from '../../format/date-time.ts'
import { useLanguage } from '../../messages/messages.ts'
import { useSettings } from '../../settings.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'
import { EmbedButton } from '../shared/embed-button.tsx'
import { PublicationBadge } from '../shared/publication.tsx'
import { SiteRegisters } from './site-registers.tsx'

const SitePreview = lazyComponent(
  async () => (await import('./site-preview.tsx')).SitePreview,
  ['choices', 'hours', 'tariffs', 'traveller'],
)

/**
 * The publication of a stored site: whether it is public, a link to its page or else a preview, and the owner's last
 * confirmation.
 */
export const SitePublication = ({ id }: { readonly id: string }) => {
  const { messages, locale } = useLanguage()
  const text = messages.site
  const store = useStore()
  const basePath = useSettings()['base-path']
  const business = useStoreState().data
  const site = business?.sites.find((each) => each.id === id)
  const [isShown, setShown] = useState(false)
  if (business === null || site === undefined) return null
  const isPublic = ['public', 'planned'].includes(publicationOf(site, business).state)
  const confirm = async () => {
    const confirmed = wireDate(new Date())
    const { problem } = await store.updateSite(id, { fields: { confirmed } })
    if (problem === undefined) toast(text.confirmThanks)
  }
  return (
    <div className="site-publication">
      <PublicationBadge site={site} />
      {isPublic ? (
        <a
          className="button link"
          href={basePath + sitePage(id, slugOf(site.name))}
          target="_blank"
          rel="noopener"
        >
          <Eye className="icon" />
          {text.preview}
        </a>
      ) : (
        <Button look="link" onClick={() => setShown(true)}>
          <Eye className="icon" />
          {text.preview}
        </Button>
      )}
      {isPublic && <EmbedButton kind="site" id={id} name={site.name} />}
      <div className="site-confirmed">
        {site.confirmed !== '' && (
          <span className="muted">
            {text.confirmed(formatDay(Date.parse(site.confirmed), locale))}
          </span>
        )}
        <Button look="link" onClick={() => void confirm()}>
          <Check className="icon" />
          {text.confirm}
        </Button>
      </div>
      {site.published && <SiteRegisters site={site} business={business} />}
      <Suspense>
        {isShown && <SitePreview site={site} business={business} onClose={() => setShown(false)} />}
      </Suspense>
    </div>
  )
}
