import { Navigate, useNavigate } from 'react-router'

import { useStore, useStoreState } from '../../data/react.ts'
import type { BusinessInput, BusinessView } from '../../data/state.ts'
import { useMessages } from '../../messages/messages.ts'
import { PATHS } from '../../ui/paths.ts'
import { toast } from '../../ui/toast.ts'
import { clearNotices, describeFailure, findNotice } from '../shared/failure.ts'
import { WithBusiness } from '../shared/with-business.tsx'
import { BusinessForm } from './business-form.tsx'

/** Changes the business of the person who is signed in; there is only one. */
export const EditBusiness = () => {
  const messages = useMessages()
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

  return (
    <WithBusiness>
      {(business) =>
        business === null ? (
          <Navigate to={PATHS.addBusiness} replace />
        ) : (
          <BusinessForm
            key={business.id}
            initial={textOf(business)}
            logoSrc={business.fileSrc}
            ownEmail={user?.email}
            isNew={false}
            save={save}
          />
        )
      }
    </WithBusiness>
  )
}

const textOf = ({ name, description, website, contact_email }: BusinessView) => ({
  name,
  description,
  website,
  contact_email,
})
