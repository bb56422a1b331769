import { Link, Navigate, useNavigate } from 'react-router'

import { businesses } from '#domain/business.ts'
import { useStore, useStoreState } from '../../data/react.ts'
import type { BusinessInput, BusinessView, DraftContent } from '../../data/state.ts'
import { textsOf } from '../../format/field-text.ts'
import { useLanguage } from '../../messages/messages.ts'
import { PATHS } from '../../paths.ts'
import { toast } from '../../ui/toast.ts'
import {
  clearNotices,
  describeFailure,
  findNotice,
  notKept,
  type Failure,
} from '../shared/failure.ts'
import { WithBusiness } from '../shared/with-business.tsx'
import { WithDraft } from '../shared/with-draft.tsx'
import { BusinessForm } from './business-form.tsx'
import { BusinessSkeleton } from './business-skeleton.tsx'

/** Changes the business of the person who is signed in; there is only one. */
export const EditBusiness = () => {
  const { messages, locale } = useLanguage()
  const store = useStore()
  const navigate = useNavigate()
  const { user } = useStoreState()

  const save = async (changes: BusinessInput) => {
    clearNotices(store, 'updateBusiness')
    if ((await store.updateBusiness(changes)) === undefined) {
      const problem = findNotice(store, 'updateBusiness')?.problem
      return describeFailure(messages, 'updateBusiness', problem)
    }
    toast(messages.business.saved)
    await navigate(PATHS.dashboard)
    return undefined
  }

  const saveLater = async (
    business: BusinessView,
    changes: BusinessInput,
    content: DraftContent,
  ): Promise<Failure | undefined> => {
    clearNotices(store, 'updateBusiness')
    if (!(await store.updateBusinessLater(business, changes, content))) return notKept(messages)
    toast(messages.drafts.keptForLater(changes.name ?? business.name))
    await navigate(PATHS.dashboard)
    return undefined
  }

  return (
    <WithBusiness skeleton={<BusinessSkeleton />}>
      {(business) =>
        business === null ? (
          <Navigate to={PATHS.addBusiness} replace />
        ) : (
          <>
            <WithDraft key={business.id} form="business" skeleton={<BusinessSkeleton />}>
              {(slot, draft) => (
                <BusinessForm
                  initial={textsOf(businesses, business, locale)}
                  logoSrc={business.fileSrc}
                  ownEmail={user?.email}
                  isNew={false}
                  slot={slot}
                  draft={draft}
                  save={save}
                  saveLater={(changes, content) => saveLater(business, changes, content)}
                />
              )}
            </WithDraft>
            <p className="form-after">
              <Link to={PATHS.account}>{messages.titles.account}</Link>
            </p>
          </>
        )
      }
    </WithBusiness>
  )
}
