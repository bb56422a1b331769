import { Check, Eye } from 'lucide-react'
import { Suspense, useState } from 'react'

import { wireDate } from '#domain/date.ts'
import { useStore, useStoreState } from '../../data/react.ts'
import { late } from '../../browser/lazy-component.ts'
import { day } from '../../format/when.ts'
import { useLanguage } from '../../messages/messages.ts'
import { toast } from '../../ui/toast.ts'
import { PublicationBadge } from '../shared/publication.tsx'

const SitePreview = late(
  async () => (await import('./site-preview.tsx')).SitePreview,
  ['hours', 'tariffs'],
)

/**
 * The standing of a stored site: whether it is public, its preview, and when the owner last confirmed
 * it.
 */
export const SiteStanding = ({ id }: { readonly id: string }) => {
  const { messages, locale } = useLanguage()
  const text = messages.site
  const store = useStore()
  const site = useStoreState().data?.sites.find((each) => each.id === id)
  const [isShown, setShown] = useState(false)
  if (site === undefined) return null
  const confirm = async () => {
    const confirmed = wireDate(new Date())
    const { problem } = await store.updateSite(id, { fields: { confirmed } })
    if (problem === undefined) toast(text.confirmThanks)
  }
  return (
    <div className="site-standing">
      <PublicationBadge site={site} />
      <button type="button" className="button link" onClick={() => setShown(true)}>
        <Eye className="icon" aria-hidden="true" />
        {text.preview}
      </button>
      <div className="site-confirmed">
        {site.confirmed !== '' && (
          <span className="muted">{text.confirmed(day(Date.parse(site.confirmed), locale))}</span>
        )}
        <button type="button" className="button link" onClick={() => void confirm()}>
          <Check className="icon" aria-hidden="true" />
          {text.confirm}
        </button>
      </div>
      <Suspense>{isShown && <SitePreview site={site} onClose={() => setShown(false)} />}</Suspense>
    </div>
  )
}
