import { useState } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router'

import { useStore } from '../../data/react.ts'
import type { BusinessView, Draft, DraftSlot } from '../../data/state.ts'
import { readHours } from '../../format/field-text.ts'
import { useLanguage } from '../../messages/messages.ts'
import { PATHS } from '../../paths.ts'
import { toast } from '../../ui/toast.ts'
import { dashboardPath } from '../shared/dashboard-place.ts'
import { useIsMounted } from '../shared/use-is-mounted.ts'
import { useNewId } from '../shared/use-new-id.ts'
import { WithBusiness } from '../shared/with-business.tsx'
import { WithDraft } from '../shared/with-draft.tsx'
import { describeSiteFailure } from './failures.ts'
import { SiteSkeleton } from './site-skeleton.tsx'
import { SiteForm, type SaveSite, type SiteSubmit } from './site-form.tsx'
import { BLANK_SITE, copySite, siteText, type SiteText } from './site-values.ts'

/** Adds a site with its connectors and photos. Requires a business. */
export const AddSite = () => (
  <WithBusiness skeleton={<SiteSkeleton />}>
    {(business) =>
      business === null ? (
        <Navigate to={PATHS.addBusiness} replace state={{ forSite: true }} />
      ) : (
        <AnySite business={business} />
      )
    }
  </WithBusiness>
)

/** The form of a new site, or of its last draft. A draft is stored under the id that its site will have. */
const AnySite = ({ business }: { readonly business: BusinessView }) => {
  const store = useStore()
  const navigate = useNavigate()
  // The id of another new site, if one was requested that has no draft yet.
  const [fresh, setFresh] = useState<{ readonly id: string; readonly likeOf: string | undefined }>()
  const id = useNewId('site', fresh?.id)
  const startFresh = (likeOf?: string) => {
    // The form may render before the navigation below is done, so `likeOf` cannot come from its state alone.
    setFresh({ id: store.newId(), likeOf })
    if (likeOf !== undefined) scrollTo({ top: 0, behavior: 'instant' })
    void navigate(PATHS.addSite, { replace: true, state: { likeOf } })
  }
  if (id === undefined) return <SiteSkeleton />
  return (
    <WithDraft key={id} form={`site:${id}`} skeleton={<SiteSkeleton />}>
      {(slot, draft) => (
        <NewSite
          id={id}
          likeOf={fresh?.likeOf}
          business={business}
          slot={slot}
          draft={draft}
          takesFocus={id === fresh?.id}
          onDiscard={() => startFresh()}
          onAnother={() => startFresh(id)}
        />
      )}
    </WithDraft>
  )
}

interface NewProps {
  /** All attempts to save use the same id. */
  readonly id: string
  /** The id of the site whose values are copied; without it, the one in the state of the location, if any. */
  readonly likeOf: string | undefined
  readonly business: BusinessView
  readonly slot: DraftSlot
  readonly draft: Draft | undefined
  readonly takesFocus: boolean
  readonly onDiscard: () => void
  /** Continues with a new site like this one, which has been saved. */
  readonly onAnother: () => void
}

const NewSite = (props: NewProps) => {
  const { id, business, slot, draft, onDiscard, onAnother } = props
  const { locale, messages } = useLanguage()
  const store = useStore()
  const navigate = useNavigate()
  const { state } = useLocation()
  const isMounted = useIsMounted()
  const [initial] = useState(() => {
    const find = (wanted: unknown) => business.sites.find((site) => site.id === wanted)
    const copied = find(readId(state, 'copyOf'))
    const like = find(props.likeOf ?? readId(state, 'likeOf'))
    if (copied !== undefined) {
      const name = messages.dashboard.copyName(copied.name)
      return { ...copySite(siteText(copied, locale), store.newId), name }
    }
    return like === undefined
      ? blank(business)
      : withoutPlace(copySite(siteText(like, locale), store.newId))
  })

  const goOn = async ({ another }: SiteSubmit): Promise<void> => {
    if (!isMounted()) return
    if (another) onAnother()
    else await navigate(dashboardPath(store), { state: { saved: id } })
  }

  const save: SaveSite = async (submit, { queue, values }) => {
    const { site, connectors, newPhotos, photoCategories, watchPhoto: watch } = submit
    const how = { watch, isAwaited: isMounted, queue, values, photoCategories }
    const result = await store.createSite(id, site, connectors, newPhotos, how)
    if (result.problem !== undefined) return describeSiteFailure(messages, result)
    const { isQueued } = result.value
    toast(isQueued ? messages.drafts.keptForLater(site.name) : messages.site.saved(site.name))
    await goOn(submit)
    return undefined
  }

  return (
    <SiteForm
      id={id}
      initial={initial}
      photos={[]}
      isNew
      slot={slot}
      draft={draft}
      save={save}
      takesFocus={props.takesFocus}
      onDiscard={onDiscard}
    />
  )
}

const blank = (business: BusinessView): SiteText => ({
  ...BLANK_SITE,
  vehicle_capacity: '1',
  contact_email: business.contact_email,
})

/** Removes the values that two sites never share, and those derived from them. Special days need their time zone. */
const withoutPlace = (text: SiteText): SiteText => {
  const { exceptional_openings, exceptional_closings } = readHours(text.opening_hours) ?? {}
  return {
    ...text,
    name: '',
    address: '',
    latitude: '',
    longitude: '',
    city: '',
    postal_code: '',
    state: '',
    country: '',
    time_zone: (exceptional_openings ?? exceptional_closings) ? text.time_zone : '',
  }
}

/** The id of a site in the state of the location. */
const readId = (state: unknown, name: string): unknown =>
  typeof state === 'object' && state !== null
    ? (state as Readonly<Record<string, unknown>>)[name]
    : undefined
