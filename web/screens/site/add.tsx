import { useState } from 'react'
import { Navigate, useNavigate } from 'react-router'

import { DEFAULT_STATUS } from '#domain/site.ts'
import { useStore } from '../../data/react.ts'
import type { BusinessView } from '../../data/state.ts'
import { useMessages } from '../../messages/messages.ts'
import { PATHS } from '../../ui/paths.ts'
import { toast } from '../../ui/toast.ts'
import { clearNotices, describeFailure, findNotice } from '../shared/failure.ts'
import { WithBusiness } from '../shared/with-business.tsx'
import { NO_ROWS, rowFailure } from './failures.ts'
import { SiteForm, type SiteFailure, type SiteSubmit } from './site-form.tsx'
import type { SiteText } from './site-values.ts'

/** Adds a site with its connectors and photos. It needs a business to belong to. */
export const AddSite = () => (
  <WithBusiness>
    {(business) =>
      business === null ? (
        <Navigate to={PATHS.addBusiness} replace state={{ forSite: true }} />
      ) : (
        <NewSite business={business} />
      )
    }
  </WithBusiness>
)

const NewSite = ({ business }: { readonly business: BusinessView }) => {
  const messages = useMessages()
  const store = useStore()
  const navigate = useNavigate()
  // Chosen once: however often the save is tried, it is the same site.
  const [id] = useState(() => store.newId())

  const save = async (submit: SiteSubmit): Promise<SiteFailure | undefined> => {
    clearNotices(store, 'createSite', 'saveConnectors')
    const site = await store.createSite(
      id,
      withValues(submit.site),
      submit.connectors,
      submit.newPhotos,
    )
    if (site === undefined) {
      const failure = describeFailure(
        messages,
        'createSite',
        findNotice(store, 'createSite')?.problem,
      )
      return {
        ...failure,
        text: `${failure.text} ${messages.form.notSaved}`,
        rows: NO_ROWS,
      }
    }
    const stored = new Set(site.connectors.map((connector) => connector.id))
    const notice = findNotice(store, 'saveConnectors')
    const left = submit.connectors.filter(
      (connector) => !stored.has(connector.id) || notice?.failures?.has(connector.id) === true,
    )
    if (left.length > 0) {
      return {
        title: messages.failed.saveConnectors,
        text: messages.form.partlySaved,
        fields: {},
        rows: new Map(
          left.map((connector) => [
            connector.id,
            rowFailure(messages, notice?.failures?.get(connector.id) ?? notice?.problem),
          ]),
        ),
      }
    }
    toast(messages.dashboard.saved(site.name))
    await navigate(PATHS.dashboard, { state: { saved: id } })
    return undefined
  }

  return <SiteForm initial={blank(business)} photos={[]} isNew newId={store.newId} save={save} />
}

const blank = (business: BusinessView): SiteText => ({
  name: '',
  address: '',
  latitude: '',
  longitude: '',
  status: DEFAULT_STATUS,
  vehicle_capacity: '1',
  cost: '',
  contact_email: business.contact_email,
  contact_phone: '',
  connectors: [],
})

/** Optional fields are sent only when they have a value (spec 5). */
const withValues = ({ cost, contact_email, contact_phone, ...site }: SiteSubmit['site']) => ({
  ...site,
  ...(cost === '' ? {} : { cost }),
  ...(contact_email === '' ? {} : { contact_email }),
  ...(contact_phone === '' ? {} : { contact_phone }),
})
