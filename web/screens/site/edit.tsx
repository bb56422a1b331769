import { useEffect, useRef, useState, type ComponentType, type RefObject } from 'react'
import { Link, Navigate, useNavigate, useParams } from 'react-router'

import { CONNECTOR_INPUTS } from '#domain/connector.ts'
import { canonicalJson } from '#domain/record.ts'
import { useSavesInProgress } from '../../browser/saves-in-progress.ts'
import { useStore, useStoreState } from '../../data/react.ts'
import { etagOf } from '../../data/site-etags.ts'
import type {
  Draft,
  DraftSlot,
  Problem,
  ReadSite as SiteRead,
  Refusal,
  SiteView,
} from '../../data/state.ts'
import { localeOfPage } from '../../messages/locale.ts'
import { loadMessages, useLanguage } from '../../messages/messages.ts'
import { PATHS, newSitePath } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { MessageCard } from '../../ui/message-card.tsx'
import { toast } from '../../ui/toast.ts'
import { dashboardPath, rememberOpened } from '../shared/dashboard-place.ts'
import { useAddDraftAgain } from '../shared/deleted-record.ts'
import { remoteChangesOf } from '../shared/remote-changes.ts'
import { useIsMounted } from '../shared/use-is-mounted.ts'
import { SlowLoad } from '../shared/slow-load.tsx'
import { LoadFailed, WithBusiness } from '../shared/with-business.tsx'
import { WithDraft } from '../shared/with-draft.tsx'
import { describeMerged } from './describe-conflicts.tsx'
import { describeSiteFailure, type SiteFailure } from './failures.ts'
import { countPhotoChanges, draftAsNew } from './site-draft.ts'
import { SiteSkeleton } from './site-skeleton.tsx'
import { SiteForm, type SaveSite } from './site-form.tsx'
import { siteText } from './site-values.ts'

type Publication = ComponentType<{ readonly id: string }>

/** Loads the part above the form; undefined if that fails, because the form works without it. */
const fetchPublication = async (): Promise<Publication | undefined> => {
  try {
    const [{ SitePublication }] = await Promise.all([
      import('./site-publication.tsx'),
      loadMessages(localeOfPage(), ['open']),
    ])
    return SitePublication
  } catch {
    return undefined
  }
}

/** Edits a site: its fields, connectors and photos. */
export const EditSite = () => {
  const { id = '' } = useParams()
  const [attempt, setAttempt] = useState(0)
  useEffect(() => rememberOpened(id), [id])
  return (
    <WithBusiness skeleton={<SiteSkeleton isStored />}>
      {(business) =>
        business === null ? (
          <Gone id={id} />
        ) : (
          <ReadSite
            // Another site, or a retry, starts with a new state.
            key={`${id} ${attempt}`}
            id={id}
            readAgain={() => setAttempt(attempt + 1)}
          />
        )
      }
    </WithBusiness>
  )
}

interface ReadProps {
  readonly id: string
  readonly readAgain: () => void
}

const ReadSite = ({ id, readAgain }: ReadProps) => {
  const { messages } = useLanguage()
  const store = useStore()
  const [read, setRead] = useState<SiteRead | Problem['kind']>()
  const [Publication, setPublication] = useState<Publication>()
  const isNew = store.queuedWrites().some((each) => each.id === id && each.action === 'createSite')
  // Waits for a save that an earlier form of the site has begun: its result is not a change of another device.
  const isSaving = useSavesInProgress().some(({ form }) => form === `site:${id}`)
  const [hasBegun, setBegun] = useState(!isSaving)
  if (!hasBegun && !isSaving) setBegun(true)

  useEffect(() => {
    if (isNew || !hasBegun) return
    // Together, so that the part above the form does not push it down later.
    void Promise.all([store.readSite(id, () => true), fetchPublication()]).then(
      ([{ value, problem }, publication]) => {
        setPublication(() => publication)
        setRead(value ?? problem?.kind ?? 'notFound')
      },
    )
    // oxlint-disable-next-line react/exhaustive-deps -- later writes do not matter
  }, [store, id, hasBegun])

  if (isNew && read === undefined) {
    return <Navigate to={newSitePath(id)} replace />
  }
  if (read === undefined) {
    return (
      <>
        <SlowLoad onRetry={readAgain} />
        <SiteSkeleton isStored />
      </>
    )
  }
  if (read === 'notFound') return <Gone id={id} />
  if (typeof read === 'string') {
    return <LoadFailed text={messages.problems[read]} onRetry={readAgain} />
  }
  return (
    <WithDraft form={`site:${id}`} skeleton={<SiteSkeleton isStored />}>
      {(slot, draft) => (
        <ChangeSite read={read} Publication={Publication} slot={slot} draft={draft} />
      )}
    </WithDraft>
  )
}

interface ChangeProps {
  readonly read: SiteRead
  readonly Publication: Publication | undefined
  readonly slot: DraftSlot
  readonly draft: Draft | undefined
}

const ChangeSite = ({ read, Publication, slot, draft }: ChangeProps) => {
  const { messages, locale } = useLanguage()
  const store = useStore()
  const navigate = useNavigate()
  const isMounted = useIsMounted()
  const [initial] = useState(() => siteText(read.site, locale))
  const { id } = read.site
  // The base of the changes; updated after a partial save.
  const stored = useRef(read)
  const saving = useRef(false)
  const newer = useNewer(id, stored, saving)
  const { data } = useStoreState()
  const isDeleted = data !== null && data.sites.every((site) => site.id !== id)

  const save: SaveSite = async (submit, { queue, values }) => {
    const { site: fields, watchPhoto: watch, another: _, ...edit } = submit
    const { site: base, etag } = stored.current
    saving.current = true
    const how = { base, etag, watch, isAwaited: isMounted, queue, values }
    const result = await store.updateSite(id, { fields, ...edit }, how)
    saving.current = false
    if (result.problem !== undefined) return learnFrom(result)
    const { isQueued, merged } = result.value
    toast(isQueued ? messages.drafts.keptForLater(fields.name) : messages.site.saved(fields.name))
    if (merged !== undefined) {
      const photos = countPhotoChanges(base.photos, merged.newer.photos)
      const remote = remoteChangesOf(merged.result, photos)
      if (remote !== undefined) toast(messages.drafts.merged(describeMerged(messages, remote)))
    }
    if (isMounted()) await navigate(dashboardPath(store), { state: { saved: id } })
    return undefined
  }

  /** Describes a refusal, and reads the stored site. */
  const learnFrom = async (refusal: Refusal): Promise<SiteFailure> => {
    const failure = describeSiteFailure(messages, refusal)
    const { newer: changed, hasBegun, problem } = refusal
    if (failure.stalled) {
      // The server is unreachable, so the confirmed state shows the progress.
      const known = store.getState().data?.sites.find((site) => site.id === id)
      return { ...failure, progress: known && { photos: known.photos } }
    }
    if (changed !== undefined) {
      stored.current = changed
      return { ...failure, newer: changed.site }
    }
    const now = hasBegun === true ? await store.readSite(id, isMounted) : refusal
    // After a 404, the site may have been deleted; a reload shows whether it was.
    if ((now.problem ?? problem).kind === 'notFound') await store.load()
    if (now.problem !== undefined) return failure
    stored.current = now.value
    return { ...failure, progress: { photos: now.value.site.photos } }
  }

  return (
    <SiteForm
      id={id}
      initial={initial}
      publication={isDeleted || Publication === undefined ? undefined : <Publication id={id} />}
      photos={read.site.photos}
      isNew={false}
      slot={slot}
      draft={draft}
      newer={newer}
      isDeleted={isDeleted}
      save={save}
    />
  )
}

/** The site as changed by another device under the open form; updates `stored`. */
const useNewer = (
  id: string,
  stored: RefObject<SiteRead>,
  saving: RefObject<boolean>,
): SiteView | undefined => {
  const store = useStore()
  const { data } = useStoreState()
  const shown = data?.sites.find((site) => site.id === id)
  const mark = shown === undefined ? '' : markOf(shown)
  const [newer, setNewer] = useState<SiteView>()

  useEffect(() => {
    // Ignores the form's own saves and queued changes.
    const isOwn = saving.current || store.queuedWrites().some((each) => each.id === id)
    if (shown === undefined || isOwn || mark === markOf(stored.current.site)) return
    const etag = etagOf(shown)
    const read =
      etag === undefined
        ? store.readSite(id, () => true)
        : Promise.resolve({ value: { site: shown, etag } })
    void read.then(({ value: now }) => {
      if (now === undefined || saving.current) return
      stored.current = now
      setNewer(now.site)
    })
  }, [store, id, shown, mark, stored, saving])
  return newer
}

/** A canonical form of a site for comparison. */
const markOf = (site: SiteView): string => {
  const { connectors, photos, ...fields } = site
  return canonicalJson([
    fields,
    connectors
      .map((connector) =>
        [connector.id, ...CONNECTOR_INPUTS.map((name) => connector[name])].join(' '),
      )
      .toSorted(),
    photos.map(({ name, category }) => [name, category]),
  ])
}

const Gone = ({ id }: { readonly id: string }) => {
  const { messages } = useLanguage()
  const addAgain = useAddDraftAgain(`site:${id}`, draftAsNew)
  return (
    <MessageCard title={messages.site.notFoundTitle} text={messages.site.notFound}>
      {addAgain && (
        <Button look="primary" onClick={() => void addAgain()}>
          {messages.site.addAgain}
        </Button>
      )}
      <Link className={addAgain ? 'button' : 'button primary'} to={PATHS.dashboard}>
        {messages.notFound.dashboard}
      </Link>
    </MessageCard>
  )
}
