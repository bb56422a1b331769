import { Navigate, useLocation, useNavigate } from 'react-router'
import { useState } from 'react'

import { businesses } from '#domain/business.ts'
import { useStore, useStoreState } from '../../data/react.ts'
import { blankTexts } from '../../format/field-text.ts'
import { useMessages } from '../../messages/messages.ts'
import { Banner } from '../../ui/banner.tsx'
import { PATHS } from '../../paths.ts'
import { toast } from '../../ui/toast.ts'
import { describeFailure } from '../shared/failure.ts'
import { useIsMounted } from '../shared/use-is-mounted.ts'
import { WithBusiness } from '../shared/with-business.tsx'
import { WithDraft } from '../shared/with-draft.tsx'
import { BusinessForm, type SaveBusiness } from './business-form.tsx'
import { NewBusinessSkeleton } from './business-skeleton.tsx'

/** Creates the business of the signed-in user. */
export const AddBusiness = () => {
  const messages = useMessages()
  const store = useStore()
  const navigate = useNavigate()
  const { user } = useStoreState()
  const { state } = useLocation()
  // Creating the business changes the data and raises the loading flag. The form must stay.
  const [started, setStarted] = useState(false)
  const forSite = cameForSite(state)
  const isMounted = useIsMounted()

  const save: SaveBusiness = async (input, { values }) => {
    setStarted(true)
    const result = await store.createBusiness(input, { isAwaited: isMounted, values })
    if (result.problem !== undefined) return describeFailure(messages, result)
    toast(messages.business.saved)
    if (isMounted()) await navigate(forSite ? PATHS.addSite : PATHS.dashboard, { replace: true })
    return undefined
  }

  return (
    <WithBusiness keepRendering={started} skeleton={<NewBusinessSkeleton />}>
      {(business) =>
        business !== null && !started ? (
          <Navigate to={PATHS.editBusiness} replace />
        ) : (
          <>
            {forSite && (
              <div className="form before-form">
                <Banner tone="info">{messages.business.needsBusiness}</Banner>
              </div>
            )}
            <WithDraft form="business" skeleton={<NewBusinessSkeleton />}>
              {(slot, draft) => (
                <BusinessForm
                  initial={{ ...blankTexts(businesses), contact_email: user?.email ?? '' }}
                  logoSrc=""
                  ownEmail={user?.email}
                  isNew
                  slot={slot}
                  draft={draft}
                  save={save}
                />
              )}
            </WithDraft>
          </>
        )
      }
    </WithBusiness>
  )
}

const cameForSite = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'forSite' in state
