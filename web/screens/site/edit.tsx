import { useEffect, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'

import { useStore } from '../../data/react.ts'
import type { Action, Problem, SiteView } from '../../data/state.ts'
import { useLanguage } from '../../messages/messages.ts'
import { PATHS } from '../../ui/paths.ts'
import { toast } from '../../ui/toast.ts'
import { clearNotices, describeFailure, findNotice } from '../shared/failure.ts'
import { FormSkeleton, LoadFailed, WithBusiness } from '../shared/with-business.tsx'
import { NO_ROWS, rowFailures } from './failures.ts'
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
    <WithBusiness>
      {(business) =>
        business === null ? (
          <Gone />
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

  useEffect(() => {
    clearNotices(store, 'load')
    void store.readSite(id).then((found) => {
      setRead(found ?? findNotice(store, 'load')?.problem.kind ?? 'notFound')
      // The screen itself says so from here on.
      clearNotices(store, 'load')
    })
  }, [store, id])

  if (read === undefined) return <FormSkeleton />
  if (read === 'notFound') return <Gone />
  if (typeof read === 'string') {
    return <LoadFailed text={messages.problems[read]} onRetry={readAgain} />
  }
  return <ChangeSite read={read} reload={readAgain} />
}

interface ChangeProps {
  readonly read: Read
  readonly reload: () => void
}

const ChangeSite = ({ read, reload }: ChangeProps) => {
  const { messages, locale } = useLanguage()
  const store = useStore()
  const navigate = useNavigate()
  const [initial] = useState(() => siteText(read.site, locale))
  // What the changes are counted from; it moves on when a save did only a part.
  const [stored, setStored] = useState(read)
  const { id } = read.site

  const failed = (action: Action): Omit<SiteFailure, 'rows'> => {
    const failure = describeFailure(messages, action, findNotice(store, action)?.problem)
    if (failure.kind !== 'conflict') {
      return { ...failure, text: `${failure.text} ${messages.form.notSaved}` }
    }
    return {
      ...failure,
      title: messages.site.saveConflict,
      text: messages.site.reloadSiteHint,
      action: (
        <button type="button" className="button" onClick={reload}>
          {messages.site.reloadSite}
        </button>
      ),
    }
  }

  /** Sends what differs, in the order that loses nothing; tells what failed first. */
  const send = async (submit: SiteSubmit) => {
    const changes = changesOf(stored.site, submit.site)
    const { newPhotos, removedPhotos } = submit
    // Removing makes room: only then can as many be added.
    const photosLater = removedPhotos.length > 0
    const photosNow = photosLater ? [] : newPhotos
    let sentNew = newPhotos.length === 0

    if (Object.keys(changes).length > 0 || photosNow.length > 0) {
      if ((await store.updateSite(id, changes, photosNow, stored.etag)) === undefined) {
        return { failure: { ...failed('updateSite'), rows: NO_ROWS }, began: false, sentNew: false }
      }
      sentNew ||= !photosLater
    }
    for (const name of removedPhotos) {
      if ((await store.removePhoto(id, name)) === undefined) {
        return { failure: { ...failed('removePhoto'), rows: NO_ROWS }, began: true, sentNew }
      }
    }
    if (photosLater && newPhotos.length > 0) {
      if ((await store.updateSite(id, {}, newPhotos)) === undefined) {
        return { failure: { ...failed('updateSite'), rows: NO_ROWS }, began: true, sentNew }
      }
      sentNew = true
    }
    const connectors = connectorChangesOf(stored.site.connectors, submit.connectors)
    if (!isEmptyChange(connectors)) {
      const failures = await store.saveConnectors(id, connectors)
      if (failures.size > 0) {
        const failure = {
          title: messages.failed.saveConnectors,
          text: messages.form.partlySaved,
          fields: {},
          rows: rowFailures(messages, failures),
        }
        return { failure, began: true, sentNew }
      }
    }
    return undefined
  }

  const save = async (submit: SiteSubmit): Promise<SiteFailure | undefined> => {
    clearNotices(store, 'updateSite', 'removePhoto', 'saveConnectors')
    const outcome = await send(submit)
    if (outcome === undefined) {
      toast(messages.dashboard.saved(submit.site.name))
      await navigate(PATHS.dashboard, { state: { saved: id } })
      return undefined
    }
    if (!outcome.began) return outcome.failure
    const now = await store.readSite(id)
    if (now === undefined) return outcome.failure
    setStored(now)
    return {
      ...outcome.failure,
      progress: { photos: now.site.photos, sentNew: outcome.sentNew },
    }
  }

  return (
    <SiteForm
      initial={initial}
      photos={read.site.photos}
      isNew={false}
      newId={store.newId}
      save={save}
    />
  )
}

const Gone = () => {
  const { messages } = useLanguage()
  return (
    <div className="card centre-card">
      <h2>{messages.site.notFoundTitle}</h2>
      <p className="muted">{messages.site.notFound}</p>
      <Link className="button primary" to={PATHS.dashboard}>
        {messages.notFound.dashboard}
      </Link>
    </div>
  )
}
