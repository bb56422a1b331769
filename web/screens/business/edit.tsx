import { Suspense } from 'react'
import { Link, Navigate, useLocation, useNavigate } from 'react-router'

import { businesses } from '#domain/business.ts'
import { publicationOf } from '#domain/publication.ts'
import { lazyComponent } from '../../browser/lazy-component.ts'
import { useStore, useStoreState } from '../../data/react.ts'
import type { BusinessView } from '../../data/state.ts'
import { textsOf } from '../../format/field-text.ts'
import { useLanguage } from '../../messages/messages.ts'
import { PATHS } from '../../paths.ts'
import { toast } from '../../ui/toast.ts'
import { describeFailure } from '../shared/failure.ts'
import { useIsMounted } from '../shared/use-is-mounted.ts'
import { WithBusiness } from '../shared/with-business.tsx'
import { WithDraft } from '../shared/with-draft.tsx'
import { BusinessForm, type SaveBusiness } from './business-form.tsx'
import { BusinessSkeleton } from './business-skeleton.tsx'
import { OwnFeeds } from './own-feeds.tsx'

const EmbedButton = lazyComponent(
  async () => (await import('../shared/embed-button.tsx')).EmbedButton,
  ['open'],
)

const hasPublicSite = (business: BusinessView): boolean =>
  business.sites.some((site) => ['public', 'planned'].includes(publicationOf(site, business).state))

/** Edits the business of the signed-in user, who has only one. */
export const EditBusiness = () => {
  const { messages, locale } = useLanguage()
  const store = useStore()
  const navigate = useNavigate()
  const { user } = useStoreState()
  const { state } = useLocation()
  const isMounted = useIsMounted()

  const save =
    (business: BusinessView): SaveBusiness =>
    async (changes, { queue, values }) => {
      const how = { isAwaited: isMounted, queue, values }
      const result = await store.updateBusiness(changes, how)
      if (result.problem !== undefined) return describeFailure(messages, result)
      const { isQueued } = result.value
      const name = changes.name ?? business.name
      toast(isQueued ? messages.drafts.keptForLater(name) : messages.business.saved)
      if (isMounted()) await navigate(PATHS.dashboard)
      return undefined
    }

  return (
    <WithBusiness skeleton={<BusinessSkeleton />}>
      {(business) =>
        business === null ? (
          <Navigate to={PATHS.addBusiness} replace state={state} />
        ) : (
          <WithDraft key={business.id} form="business" skeleton={<BusinessSkeleton />}>
            {(slot, draft) => (
              <>
                <BusinessForm
                  initial={textsOf(businesses, business, locale)}
                  logoSrc={business.fileSrc}
                  ownEmail={user?.email}
                  isNew={false}
                  slot={slot}
                  draft={draft}
                  save={save(business)}
                />
                {hasPublicSite(business) && (
                  <Suspense>
                    <OwnFeeds business={business.id} />
                    <p className="form-after">
                      <EmbedButton kind="business" id={business.id} name={business.name} />
                    </p>
                  </Suspense>
                )}
                <p className="form-after">
                  <Link to={PATHS.account}>{messages.titles.account}</Link>
                </p>
              </>
            )}
          </WithDraft>
        )
      }
    </WithBusiness>
  )
}
