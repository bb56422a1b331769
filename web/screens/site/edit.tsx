import { useEffect, useRef, useState, type RefObject } from 'react'
import { Link, Navigate, useNavigate, useParams, type NavigateFunction } from 'react-router'

import { useDrafts, useStore, useStoreState } from '../../data/react.ts'
import type {
  Action,
  Draft,
  DraftContent,
  DraftSlot,
  Problem,
  SiteView,
  Store,
} from '../../data/state.ts'
import { useLanguage } from '../../messages/messages.ts'
import { PATHS, newSitePath } from '../../paths.ts'
import { toast } from '../../ui/toast.ts'
import { dashboardPath } from '../shared/dashboard-place.ts'
import { clearNotices, describeFailure, findNotice, notKept } from '../shared/failure.ts'
import { useIsHere } from '../shared/use-is-here.ts'
import { SlowLoad } from '../shared/slow-load.tsx'
import { LoadFailed, WithBusiness } from '../shared/with-business.tsx'
import { WithDraft } from '../shared/with-draft.tsx'
import { NO_ROWS, rowFailures } from './failures.ts'
import { draftAsNew } from './site-draft.ts'
import { SiteSkeleton } from './site-skeleton.tsx'
import { SiteForm, type SiteFailure, type SiteSubmit } from './site-form.tsx'
import { changesOf, connectorChangesOf, isEmptyChange, siteText } from './site-values.ts'

/** A site as it was read, and the version that a save has to name. */
interface Read {
  readonly site: SiteView
  readonly etag: string
}

/** Changes a site: its fields, its connectors and its photos. */
export const EditSite = () => {
  const { id = '' } = useParams()
  const [attempt, setAttempt] = useState(0)
  return (
    <WithBusiness skeleton={<SiteSkeleton />}>
      {(business) =>
        business === null ? (
          <Gone id={id} />
        ) : (
          <ReadSite
            // Another site, or reading the same one anew, starts from nothing.
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
  const [read, setRead] = useState<Read | Problem['kind']>()
  const isNew = store.waiting().some((each) => each.id === id && each.action === 'createSite')

  useEffect(() => {
    if (isNew) return
    clearNotices(store, 'load')
    void store.readSite(id).then((found) => {
      setRead(found ?? findNotice(store, 'load')?.problem.kind ?? 'notFound')
      // The screen itself says so from here on.
      clearNotices(store, 'load')
    })
    // oxlint-disable-next-line react/exhaustive-deps -- what is sent meanwhile does not matter
  }, [store, id])

  if (isNew && read === undefined) {
    return <Navigate to={newSitePath(id)} replace />
  }
  if (read === undefined) {
    return (
      <>
        <SlowLoad onRetry={readAgain} />
        <SiteSkeleton />
      </>
    )
  }
  if (read === 'notFound') return <Gone id={id} />
  if (typeof read === 'string') {
    return <LoadFailed text={messages.problems[read]} onRetry={readAgain} />
  }
  return (
    <WithDraft form={`site:${id}`} skeleton={<SiteSkeleton />}>
      {(slot, draft) => <ChangeSite read={read} slot={slot} draft={draft} />}
    </WithDraft>
  )
}

interface ChangeProps {
  readonly read: Read
  readonly slot: DraftSlot
  readonly draft: Draft | undefined
}

const ChangeSite = ({ read, slot, draft }: ChangeProps) => {
  const { messages, locale } = useLanguage()
  const store = useStore()
  const navigate = useNavigate()
  const isHere = useIsHere()
  const [initial] = useState(() => siteText(read.site, locale))
  const { id } = read.site
  // What the changes are counted from; it moves on when a save did only a part.
  const stored = useRef(read)
  const saving = useRef(false)
  const newer = useNewer(id, stored, saving)
  const { data } = useStoreState()
  const isDeleted = data !== null && data.sites.every((site) => site.id !== id)
  const isWaiting = () => store.waiting().some((each) => each.id === id)

  const failed = (action: Action): Omit<SiteFailure, 'rows'> => {
    const failure = describeFailure(messages, action, findNotice(store, action)?.problem)
    return { ...failure, text: `${failure.text} ${messages.form.notSaved}` }
  }

  /** Sends what differs, in the order that loses nothing; tells what failed first. */
  const send = async (submit: SiteSubmit) => {
    const changes = changesOf(stored.current.site, submit.site)
    const { newPhotos, removedPhotos, photoOrder } = submit
    // Removing makes room: only then can as many be added.
    const photosLater = removedPhotos.length > 0
    const photosNow = photosLater ? [] : newPhotos
    let began = false
    const watchPhoto: SiteSubmit['watchPhoto'] = (photo, phase) => {
      began ||= phase?.at === 'stored'
      submit.watchPhoto(photo, phase)
    }
    const stopped = (action: Action) => ({ failure: { ...failed(action), rows: NO_ROWS }, began })

    if (Object.keys(changes).length > 0 || photosNow.length > 0) {
      const updated = await store.updateSite(
        id,
        changes,
        photosNow,
        stored.current.etag,
        watchPhoto,
      )
      if (updated === undefined) return stopped('updateSite')
      began = true
    }
    for (const name of removedPhotos) {
      if ((await store.removePhoto(id, name)) === undefined) return stopped('removePhoto')
      began = true
    }
    if (photosLater && newPhotos.length > 0) {
      const updated = await store.updateSite(id, {}, newPhotos, undefined, watchPhoto)
      if (updated === undefined) return stopped('updateSite')
    }
    if (photoOrder !== undefined) {
      if ((await store.orderPhotos(id, photoOrder)) === undefined) return stopped('orderPhotos')
      began = true
    }
    const connectors = connectorChangesOf(stored.current.site.connectors, submit.connectors)
    if (!isEmptyChange(connectors)) {
      const failures = await store.saveConnectors(id, connectors)
      if (failures.size > 0) {
        const failure = {
          title: messages.failed.saveConnectors,
          text: messages.form.partlySaved,
          fields: {},
          rows: rowFailures(messages, failures),
          stalled: [...failures.values()].some(({ kind }) => kind === 'timeout'),
          mayGoLater: false,
        }
        return { failure, began: true }
      }
    }
    if (findNotice(store, 'savePhotos') !== undefined) {
      const failure = {
        title: messages.failed.savePhotos,
        text: messages.photos.partlySaved,
        fields: {},
        rows: NO_ROWS,
        stalled: false,
        mayGoLater: false,
      }
      return { failure, began: true }
    }
    return undefined
  }

  /** What the server does not find may be gone: then the data read anew lacks it. */
  const lookWhetherDeleted = async (action: Action): Promise<void> => {
    if (findNotice(store, action)?.problem.kind === 'notFound') await store.load()
  }

  const save = async (submit: SiteSubmit): Promise<SiteFailure | undefined> => {
    clearNotices(store, 'updateSite', 'savePhotos', 'orderPhotos', 'removePhoto', 'saveConnectors')
    saving.current = true
    const outcome = await send(submit)
    saving.current = false
    if (outcome === undefined) {
      toast(messages.site.saved(submit.site.name))
      if (isHere()) await navigate(dashboardPath(store), { state: { saved: id } })
      return undefined
    }
    if (outcome.failure.stalled) {
      // What was confirmed before tells how far it got; the server cannot be asked.
      const known = store.getState().data?.sites.find((site) => site.id === id)
      return { ...outcome.failure, progress: known && { photos: known.photos } }
    }
    const isConflict = findNotice(store, 'updateSite')?.problem.kind === 'conflict'
    if (!outcome.began && !isConflict) {
      await lookWhetherDeleted('updateSite')
      return outcome.failure
    }
    if (isConflict) {
      // What there is to choose is said by the form; its connectors may have changed, too.
      clearNotices(store, 'updateSite')
      await store.load()
    }
    const now = await store.readSite(id)
    if (now === undefined) {
      await lookWhetherDeleted('load')
      return outcome.failure
    }
    stored.current = now
    return isConflict
      ? { ...outcome.failure, newer: now.site }
      : { ...outcome.failure, progress: { photos: now.site.photos } }
  }

  const saveLater = async (
    submit: SiteSubmit,
    content: DraftContent,
  ): Promise<SiteFailure | undefined> => {
    clearNotices(store, 'updateSite', 'savePhotos', 'orderPhotos', 'removePhoto', 'saveConnectors')
    const { site, connectors, removedPhotos, photoOrder } = submit
    const edit = { site, connectors, removedPhotos, photoOrder }
    if (!(await store.updateSiteLater(stored.current.site, edit, content))) {
      return { ...notKept(messages), rows: NO_ROWS }
    }
    toast(messages.drafts.keptForLater(site.name))
    if (isHere()) await navigate(dashboardPath(store), { state: { saved: id } })
    return undefined
  }

  return (
    <SiteForm
      initial={initial}
      photos={read.site.photos}
      isNew={false}
      newId={store.newId}
      slot={slot}
      draft={draft}
      newer={newer}
      {...(isDeleted && {
        deleted: {
          onAddAgain: (content) => addAgain(store, navigate, content),
          onDiscard: () => void navigate(PATHS.dashboard, { replace: true }),
        },
      })}
      save={save}
      saveLater={saveLater}
      isWaiting={isWaiting}
    />
  )
}

/** The site as another device has made it under the open form; `stored` follows. */
const useNewer = (
  id: string,
  stored: RefObject<Read>,
  saving: RefObject<boolean>,
): SiteView | undefined => {
  const store = useStore()
  const { data } = useStoreState()
  const shown = data?.sites.find((site) => site.id === id)
  const mark = shown === undefined ? '' : markOf(shown)
  const [newer, setNewer] = useState<SiteView>()

  useEffect(() => {
    // Own saves tell themselves, and what waits to be sent is nobody else's.
    const isOwn = saving.current || store.waiting().some((each) => each.id === id)
    if (mark === '' || isOwn || mark === markOf(stored.current.site)) return
    void store.readSite(id).then((now) => {
      clearNotices(store, 'load')
      if (now === undefined || saving.current) return
      stored.current = now
      setNewer(now.site)
    })
  }, [store, id, mark, stored, saving])
  return newer
}

/** What there is of a site, for comparing. */
const markOf = (site: SiteView): string => {
  const { connectors, photos, ...fields } = site
  return JSON.stringify([
    Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    connectors
      .map(({ id, standard, format, current_type, kw_rating }) =>
        [id, standard, format, current_type, kw_rating].join(' '),
      )
      .toSorted(),
    photos.map(({ name }) => name),
  ])
}

/** Makes a new site of what stood in the form of another; tells whether the device could keep it. */
const addAgain = async (
  store: Store,
  navigate: NavigateFunction,
  content: DraftContent,
): Promise<boolean> => {
  const id = store.newId()
  const kept = await store.draft(`site:${id}`).keep(content, true)
  if (kept.text) await navigate(newSitePath(id), { replace: true })
  return kept.text
}

const Gone = ({ id }: { readonly id: string }) => {
  const { messages } = useLanguage()
  const store = useStore()
  const navigate = useNavigate()
  const hasDraft = useDrafts().some(({ form }) => form === `site:${id}`)
  const addDraftAgain = async () => {
    const slot = store.draft(`site:${id}`)
    const draft = await slot.read()
    const content = draft && draftAsNew(draft, store.newId)
    if (content !== undefined && (await addAgain(store, navigate, content))) slot.drop()
  }
  return (
    <div className="card centre-card">
      <h2>{messages.site.notFoundTitle}</h2>
      <p className="muted">{messages.site.notFound}</p>
      {hasDraft && (
        <button type="button" className="button primary" onClick={() => void addDraftAgain()}>
          {messages.site.addAgain}
        </button>
      )}
      <Link className={hasDraft ? 'button' : 'button primary'} to={PATHS.dashboard}>
        {messages.notFound.dashboard}
      </Link>
    </div>
  )
}
