import { Failure, toProblem } from './client.ts'
import type { Core } from './core.ts'
import type { Files } from './files.ts'
import { siteOf } from './log.ts'
import {
  wantedSite,
  type CategoriesByKey,
  type CreateSite,
  type QueuedFile,
  type UpdateSite,
} from './mutations.ts'
import type { PhotoMemory } from './photo-uploads.ts'
import { siteChanges } from './records.ts'
import { diffConnectors } from './send-connectors.ts'
import { readSiteNow } from './send-site.ts'
import type {
  PhotoCategories,
  Problem,
  ReadSite,
  Refusal,
  SiteEdit,
  SiteView,
  Store,
  WriteOptions,
} from './state.ts'
import type { SyncQueue } from './sync-queue.ts'

/** The dependencies of an owner's writes. */
export interface WriteContext {
  readonly core: Core
  readonly files: Files
  readonly memory: PhotoMemory
  readonly queue: SyncQueue
  /** Reads all data. */
  readonly load: () => Promise<unknown>
}

type Sites = Pick<Store, 'createSite' | 'readSite' | 'updateSite'>
type UpdateOptions = NonNullable<Parameters<Store['updateSite']>[2]>

/** The common fields of a mutation. */
export const newMutation = (
  { core, files, memory }: Pick<WriteContext, 'core' | 'files' | 'memory'>,
  subject: string,
  sent: readonly File[],
  { queue = false, values = null }: WriteOptions,
) => ({
  id: core.env.newId(),
  subject,
  at: core.env.now(),
  isKept: queue,
  isHeld: false,
  values,
  files: sent.map((file): QueuedFile => {
    const key = files.keyOf(file)
    return { key, idempotencyKey: memory.idempotencyKey(key) }
  }),
})

/** The calls about sites and their connectors (spec 7). */
export const createSites = (writing: WriteContext): Sites => {
  const { core, files, queue, load } = writing
  const confirmedSite = (id: string): SiteView | undefined => siteOf(core.base(), id)
  const shownSite = (id: string): SiteView | undefined => siteOf(core.getState().data, id)

  const createSite: Store['createSite'] = (id, fields, connectors, photos, how = {}) => {
    const before = queue.about('createSite', id)
    const mutation: CreateSite = {
      ...newMutation(writing, id, photos, how),
      kind: 'createSite',
      payload: { fields, connectors, photoCategories: categoriesByKey(writing, how) },
      base: before?.base ?? null,
    }
    const retry = (): void => void createSite(id, fields, connectors, photos, how)
    return queue.commit(mutation, photos, { ...how, retry })
  }

  const extendCreation = async (
    { subject, payload, files: queued, values }: CreateSite,
    edit: SiteEdit,
    how: UpdateOptions,
  ): ReturnType<Store['updateSite']> => {
    const owner = core.getState().user?.id ?? ''
    const photos = await files.fetch(
      owner,
      queued.map(({ key }) => key),
    )
    return createSite(
      subject,
      { ...payload.fields, ...edit.fields },
      edit.connectors ?? payload.connectors,
      [...photos, ...(edit.newPhotos ?? [])],
      { values, ...how, queue: true, photoCategories: joinCategories(payload, edit) },
    )
  }

  const updateSite: Store['updateSite'] = async (id, edit, how = {}) => {
    const shown = shownSite(id)
    const seen = how.base ?? shown
    const created = queue.about('createSite', id)
    if (shown === undefined || seen === undefined) return notFound()
    // The site is not on the server yet: the update is merged into its creation.
    if (created?.isKept === true && confirmedSite(id) === undefined)
      return extendCreation(created, edit, how)
    const queued = queue.about('updateSite', id)
    const before = queued?.isKept === true ? queued : undefined
    const mutation = composeUpdate(writing, {
      id,
      edit,
      how,
      seen,
      before,
      confirmed: confirmedSite(id),
    })
    const { newPhotos = [] } = edit
    if (isEmpty(mutation)) {
      // The queued change was reverted.
      if (before !== undefined) queue.remove(before.id)
      queue.show()
      return { value: { isQueued: false } }
    }
    const retry = (left: ReadonlySet<string>): void => {
      const now = shownSite(id)
      if (now === undefined) return
      const photos = newPhotos.filter((photo) => left.has(files.keyOf(photo)))
      const { base: _, etag: __, ...rest } = how
      void updateSite(id, { ...onto(now, seen, edit), newPhotos: photos }, rest)
    }
    return queue.commit(mutation, newPhotos, { ...how, retry })
  }

  const readSite: Store['readSite'] = async (id, isAwaited) => {
    if (core.base() === null) await load()
    const known = confirmedSite(id)
    // Offline, returns the last known site; the save is merged with the stored one.
    if (known !== undefined && !core.env.isOnline()) return { value: { site: known, etag: '' } }
    const call = { action: 'load', subject: id, isAwaited, retry: () => void readSite(id) } as const
    const read = await core.attempt(call, async (client, scope): Promise<ReadSite> => {
      try {
        return await readSiteNow(writing, { client, scope }, id)
      } catch (error) {
        if (known === undefined || !UNREACHED.has(toProblem(error).kind)) throw error
        return { site: known, etag: '' }
      }
    })
    if (read.problem !== undefined) return read
    // Another device created the site after the data was read: its connectors are not loaded yet.
    if (confirmedSite(id) === undefined) await load()
    const shown = shownSite(id)
    if (shown === undefined) return notFound('load')
    const { site, etag } = read.value
    return { value: { site: { ...site, connectors: shown.connectors }, etag } }
  }

  return { createSite, readSite, updateSite }
}

interface Update {
  readonly id: string
  readonly edit: SiteEdit
  readonly how: UpdateOptions
  /** The site as the owner saw it, and as the server last confirmed it. */
  readonly seen: SiteView
  readonly confirmed: SiteView | undefined
  /** A queued update of the same site, which is merged into this one and keeps its base. */
  readonly before: UpdateSite | undefined
}

const composeUpdate = (writing: WriteContext, update: Update): UpdateSite => {
  const { id, edit, how, seen, confirmed, before } = update
  const { newPhotos = [], removedPhotos = [] } = edit
  const base = before?.base ?? seen
  // A form includes the photo changes of the queued update.
  const former = how.values === undefined ? before : undefined
  const wanted = { ...(before && wantedSite(before)), ...edit.fields }
  const isQueued = how.queue === true || before !== undefined
  const common = newMutation(writing, id, newPhotos, { ...how, queue: isQueued })
  return {
    ...common,
    kind: 'updateSite',
    payload: {
      fields: {
        ...siteChanges(base, wanted),
        // Compared with both: a shown value may still be refused, and a confirmed one is about to be replaced.
        ...(how.base === undefined && siteChanges(confirmed ?? base, wanted)),
      },
      connectors: edit.connectors ?? before?.payload.connectors ?? null,
      removedPhotos: [...new Set([...(former?.payload.removedPhotos ?? []), ...removedPhotos])],
      photoOrder: photoOrderOf(writing, edit) ?? former?.payload.photoOrder ?? null,
      photoCategories:
        edit.photoCategories === undefined
          ? (before?.payload.photoCategories ?? {})
          : changedCategories(base, categoriesByKey(writing, edit)),
    },
    base,
    ...(how.etag === undefined ? {} : { etag: how.etag }),
    // Without a form, the files of the queued update are unknown, and stay.
    ...(how.values === undefined && before !== undefined
      ? { files: [...before.files, ...common.files], values: before.values }
      : {}),
  }
}

/** The order of photos by name; photos without a name yet by the key of their file. */
const photoOrderOf = (
  { files, memory }: WriteContext,
  { photoOrder }: SiteEdit,
): readonly string[] | undefined => photoOrder?.map((photo) => nameOrKey({ files, memory }, photo))

const nameOrKey = (
  { files, memory }: Pick<WriteContext, 'files' | 'memory'>,
  photo: string | File,
): string => {
  const key = typeof photo === 'string' ? photo : files.keyOf(photo)
  return memory.nameOf(key) ?? key
}

const categoriesByKey = (
  writing: WriteContext,
  { photoCategories = [] }: Pick<SiteEdit, 'photoCategories'>,
): CategoriesByKey =>
  Object.fromEntries(
    photoCategories.map(([photo, category]) => [nameOrKey(writing, photo), category] as const),
  )

/** The categories of photos that wait to be sent, and those of an edit. */
const joinCategories = (
  { photoCategories = {} }: CreateSite['payload'],
  edit: SiteEdit,
): PhotoCategories => [...Object.entries(photoCategories), ...(edit.photoCategories ?? [])]

/** The categories of new photos, and those that differ from the stored ones. */
const changedCategories = ({ photos }: SiteView, categories: CategoriesByKey): CategoriesByKey =>
  Object.fromEntries(
    Object.entries(categories).filter(
      ([key, category]) => photos.find(({ name }) => name === key)?.category !== category,
    ),
  )

/** Rebases an edit of the site `seen` onto the site `now`. */
const onto = (now: SiteView, seen: SiteView, edit: SiteEdit): SiteEdit => {
  const { connectors, removedPhotos = [] } = edit
  const names = new Set(now.photos.map(({ name }) => name))
  const left = { ...edit, removedPhotos: removedPhotos.filter((name) => names.has(name)) }
  if (connectors === undefined) return left
  const { create, update, remove } = diffConnectors(seen.connectors, connectors)
  const there = new Set(now.connectors.map(({ id }) => id))
  return {
    ...left,
    connectors: [
      ...now.connectors
        .filter(({ id }) => !remove.includes(id))
        .map((connector) => update.find(({ id }) => id === connector.id) ?? connector),
      ...create.filter(({ id }) => !there.has(id)),
    ],
  }
}

const isEmpty = ({ payload, files, base }: UpdateSite): boolean => {
  const { fields, connectors, removedPhotos, photoOrder, photoCategories = {} } = payload
  const { create, update, remove } = diffConnectors(base.connectors, connectors ?? base.connectors)
  const changes = [fields, photoCategories].flatMap((each) => Object.keys(each))
  const all = [changes, create, update, remove, removedPhotos, files]
  return all.every(({ length }) => length === 0) && photoOrder === null
}

const notFound = (action: 'updateSite' | 'load' = 'updateSite'): Refusal => ({
  problem: new Failure('notFound').problem,
  action,
})

/** Problems that mean that the server was not reached. */
const UNREACHED: ReadonlySet<Problem['kind']> = new Set(['offline', 'timeout'])
