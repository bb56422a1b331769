import type PocketBase from 'pocketbase'

import { CONNECTORS, SITES } from '#domain/collection.ts'
import type { Connector } from '#domain/connector.ts'
import type { Site } from '#domain/site.ts'

import type { Environment } from './browser.ts'
import { Failed, Failure, isKeyUsed, isPassing, isTaken, toProblem } from './client.ts'
import type { Scope } from './core.ts'
import type { Files } from './files.ts'
import { changeSite, dropConnector, onBase, putConnector, putSite } from './log.ts'
import { merge, type Version } from './merge.ts'
import type { OwnerCore, UnfinishedSave, WaitingEdit } from './outbox.ts'
import { createPhotoMemory, inOrder, isSameList, sendPhotos } from './photo-uploads.ts'
import { removeRecord } from './remove.ts'
import { updateUser } from './sign-in.ts'
import type {
  ConnectorChanges,
  ConnectorInput,
  PhotoPhase,
  PhotoWatch,
  Problem,
  SiteInput,
  SiteView,
  Store,
} from './state.ts'
import {
  answered,
  connectorChanges,
  connectorCreateBody,
  fetchSiteRecord,
  FIELDS,
  siteChanges,
  siteCreateBody,
  siteFieldsOf,
  siteView,
  withPhotos,
} from './records.ts'

type Sites = Pick<
  Store,
  'createSite' | 'readSite' | 'updateSite' | 'orderPhotos' | 'removePhoto' | 'saveConnectors'
> & {
  /** Finishes what an earlier page began to save. */
  readonly resumeSaves: () => Promise<void>
  /** Sends a new site that was left to be sent; rejects with what stopped it. */
  readonly sendSave: (client: PocketBase, scope: Scope, save: UnfinishedSave) => Promise<void>
  /** Sends changes that were left to be sent; rejects with what stopped it. */
  readonly sendEdit: (client: PocketBase, scope: Scope, edit: WaitingEdit) => Promise<void>
}

interface Around {
  /** Reads everything anew. */
  readonly load: () => Promise<unknown>
  /** Forgets the draft of a new site that was not changed after that moment, in milliseconds. */
  readonly dropDraft: (id: string, keptUntil: number) => void
}

/** The calls about sites and their connectors (spec 7). */
export const createSites = (core: OwnerCore, files: Files, { load, dropDraft }: Around): Sites => {
  const siteOf = (id: string): SiteView | undefined =>
    core.getState().data?.sites.find((site) => site.id === id)
  const confirmedSite = (id: string): SiteView | undefined =>
    core.base()?.sites.find((site) => site.id === id)

  const memory = createPhotoMemory()
  const keysOf = (photos: readonly File[]): string[] => photos.map(files.keyOf)

  /** Sends with progress; counted among the writes like every other change. */
  const upload =
    (watch: (fraction: number) => void): Environment['fetch'] =>
    (url, init) =>
      core.writes.track(
        core.send(url, init, (progress) =>
          core.env.upload((fraction) => {
            progress()
            watch(fraction)
          }),
        ),
      )

  const createSite: Store['createSite'] = async (
    id,
    input,
    connectors,
    photos,
    watch = UNWATCHED,
  ) => {
    const begunAt = core.env.now()
    const kept = { id, input, connectors, photoCount: photos.length, begunAt, failed: false }
    const outbox = core.outbox()
    outbox?.putSave(kept)
    const saved = await core.attempt(
      {
        action: 'createSite',
        subject: id,
        retry: () => void createSite(id, input, connectors, photos, watch),
        failed: ({ kind }) => {
          // Without an answer the site may exist: its connectors then still have to follow.
          if (['offline', 'timeout', 'unavailable', 'unexpected', 'signedOut'].includes(kind))
            outbox?.putSave({ ...kept, failed: true })
          else outbox?.removeSave(id)
        },
      },
      async (client, scope) => {
        const wanted = { id, input, photos, watch }
        if (confirmedSite(id) === undefined) await sendSite(client, scope, wanted)
        else await correctSite(client, scope, wanted)
        return true
      },
    )
    const site = saved === undefined ? undefined : confirmedSite(id)
    if (site === undefined) return undefined
    if (core.getState().user?.onboarded === false) void updateUser(core, { onboarded: true })
    await changeConnectors(id, connectorsToward(site, connectors))
    return siteOf(id)
  }

  interface NewSite {
    readonly id: string
    readonly input: SiteInput
    readonly photos: readonly File[]
    readonly watch?: PhotoWatch
  }

  const sendSite = async (client: PocketBase, scope: Scope, site: NewSite): Promise<void> => {
    const { id, input, photos, watch = UNWATCHED } = site
    const business = core.base()?.id
    if (business === undefined) throw new Failure('notFound')
    const body = { id, ...siteCreateBody(input, photos), business }
    const before = memory.sentFor(id)
    memory.noteSent(id, keysOf(photos))
    const tellAll = (phase: PhotoPhase | undefined) =>
      photos.forEach((photo) => watch(photo, phase))
    // One request for all: how much of it has left is how much of each has.
    const progress = upload((fraction) => tellAll({ at: 'sending', fraction }))
    let record: Site
    try {
      tellAll({ at: 'sending', fraction: 0 })
      record = await client.collection(SITES).create<Site>(body, {
        fields: FIELDS.site,
        requestKey: `create ${SITES} ${id}`,
        ...(photos.length === 0 ? {} : { fetch: progress }),
      })
    } catch (error) {
      tellAll(undefined)
      if (!isTaken(error, 'id')) throw error
      // It was saved before, and only the answer was lost; the person may have gone on typing.
      scope.check()
      record = await client
        .collection(SITES)
        .getOne<Site>(id, { fields: FIELDS.site, requestKey: null })
      scope.fold(onBase(putSite(siteView(client, record, []))))
      // When no attempt of this page made it, all or none of its photos are there.
      const sent = record.photos.length > 0 ? (before ?? keysOf(photos)) : []
      memory.noteSent(id, sent)
      // They are stored in the order in which they were sent.
      if (sent.length === record.photos.length)
        sent.forEach((key, index) => memory.noteName(key, record.photos[index]))
      await correctSite(client, scope, site)
      return
    }
    for (const [index, photo] of photos.entries()) {
      const name = record.photos[index]
      memory.noteName(files.keyOf(photo), name)
      watch(photo, { at: 'stored', name })
    }
    scope.fold(onBase(putSite(siteView(client, record, []))))
  }

  /** Brings a site that was saved before to what the person wants now. */
  const correctSite = async (
    client: PocketBase,
    scope: Scope,
    { id, input, photos, watch = UNWATCHED }: NewSite,
  ): Promise<void> => {
    const wanted = keysOf(photos)
    const sent = memory.sentFor(id) ?? wanted
    const missing = photos.filter((photo) => !sent.includes(files.keyOf(photo)))
    const kept = sent.filter((key) => wanted.includes(key))
    const stored = confirmedSite(id)?.photos ?? []
    const dropped = stored.filter(({ name }) =>
      sent.some((key) => !kept.includes(key) && memory.nameOf(key) === name),
    )
    for (const { name } of dropped) await sendPhotoRemoval(client, scope, id, name)
    const { failures } = await sendChanges(client, scope, { id, input, photos: missing, watch })
    const arrived = missing.filter((photo) => !failures.has(photo))
    memory.noteSent(id, [...kept, ...keysOf(arrived)])
    failOnFirst(failures)
    await sendOrder(
      client,
      scope,
      id,
      wanted.map((key) => memory.nameOf(key) ?? key),
    )
  }

  interface SiteChange {
    readonly id: string
    readonly input: Partial<SiteInput>
    readonly photos: readonly File[]
    readonly etag?: string | undefined
    readonly watch?: PhotoWatch
  }

  /** Sends what differs: the fields in one request, and each photo in one, the first with the fields. */
  const sendChanges = async (
    client: PocketBase,
    scope: Scope,
    { id, input, photos, etag, watch = UNWATCHED }: SiteChange,
  ): Promise<{ readonly failures: ReadonlyMap<File, Problem> }> => {
    const none = { failures: new Map<File, Problem>() }
    const confirmed = confirmedSite(id)
    const shown = siteOf(id)
    if (confirmed === undefined || shown === undefined) return none
    // A value that is shown may still fail to arrive, and one that is confirmed may be on its way out.
    const changes = { ...siteChanges(confirmed, input), ...siteChanges(shown, input) }
    const hasChanges = Object.keys(changes).length > 0
    let version = etag
    const failures = await sendPhotos({
      photos,
      fields: hasChanges,
      send: async (photo, withFields) => {
        const key = files.keyOf(photo)
        const idempotencyKey = memory.idempotencyKey(key)
        try {
          const record = await sendUpdate(client, scope, {
            id,
            changes: withFields ? changes : {},
            photos: [photo],
            headers: {
              'Idempotency-Key': idempotencyKey,
              // Adding a photo takes nothing from anybody: only the fields can be in conflict.
              ...(withFields ? ifMatch(version) : {}),
            },
            requestKey: idempotencyKey,
            fetch: upload((fraction) => watch(photo, { at: 'sending', fraction })),
          })
          const name = record.photos.at(-1)
          memory.noteStored(key, name)
          return { name, fields: withFields }
        } catch (error) {
          if (!isKeyUsed(error)) throw error
          // It is stored: an earlier request, with other fields, got through without our knowing. The
          // version that it made is not known either.
          version = undefined
          memory.noteStored(key, undefined)
          await fetchSite(client, scope, id)
          return { name: undefined, fields: false }
        }
      },
      sendFields: async () => {
        await sendUpdate(client, scope, {
          id,
          changes,
          photos: [],
          headers: ifMatch(version),
          // A newer request for the same fields makes the older one moot; one for others does not.
          requestKey: `update ${SITES} ${id} ${Object.keys(changes).sort().join()}`,
        })
      },
      explain: core.explain,
      watch,
    })
    return { failures }
  }

  interface Update {
    readonly id: string
    readonly changes: Partial<SiteInput>
    readonly photos: readonly File[]
    readonly headers: Readonly<Record<string, string>>
    readonly requestKey: string
    readonly fetch?: Environment['fetch']
  }

  const sendUpdate = (client: PocketBase, scope: Scope, update: Update): Promise<Site> => {
    const { id, changes, photos, headers, requestKey, fetch } = update
    const before = new Set(confirmedSite(id)?.photos.map(({ name }) => name))
    return scope.optimistically(
      changeSite(id, (each) => ({ ...each, ...changes })),
      () =>
        client.collection(SITES).update<Site>(id, withPhotos(changes, photos), {
          fields: FIELDS.site,
          headers,
          requestKey,
          ...(fetch === undefined ? {} : { fetch }),
        }),
      (record) => {
        const answer = siteView(client, record, [])
        const added = answer.photos.filter(({ name }) => !before.has(name))
        // An answer speaks for what it was asked to change: another one may have overtaken it.
        return onBase(
          changeSite(id, (each) => ({
            ...each,
            ...answered(changes, answer),
            photos: [
              ...each.photos,
              ...added.filter(({ name }) => !each.photos.some((photo) => photo.name === name)),
            ],
          })),
        )
      },
    )
  }

  const foldPhotos = (client: PocketBase, scope: Scope, record: Site): void => {
    const { photos } = siteView(client, record, [])
    scope.fold(onBase(changeSite(record.id, (each) => ({ ...each, photos }))))
  }

  const sendOrder = async (
    client: PocketBase,
    scope: Scope,
    id: string,
    wanted: readonly string[],
  ): Promise<void> => {
    const known = confirmedSite(id)?.photos.map(({ name }) => name) ?? []
    if (isSameList(known, inOrder(known, wanted))) return
    for (let attempt = 1; ; attempt += 1) {
      const { site, etag } = await fetchSite(client, scope, id)
      const names = site.photos.map(({ name }) => name)
      const photos = inOrder(names, wanted)
      if (isSameList(names, photos)) return
      try {
        const record = await client
          .collection(SITES)
          .update<Site>(
            id,
            { photos },
            { fields: FIELDS.site, headers: ifMatch(etag), requestKey: `order photos ${id}` },
          )
        foldPhotos(client, scope, record)
        return
      } catch (error) {
        // The list would delete what was added in this very moment. Nothing is left to choose for the
        // person: the order is laid over the newer list.
        if (toProblem(error).kind !== 'conflict' || attempt === ORDER_ATTEMPTS) throw error
      }
    }
  }

  const orderPhotos: Store['orderPhotos'] = async (id, wanted) => {
    if (siteOf(id) === undefined) return undefined
    const names = wanted.map((each) => {
      const key = typeof each === 'string' ? each : files.keyOf(each)
      return memory.nameOf(key) ?? key
    })
    const done = await core.track(
      core.attempt(
        { action: 'orderPhotos', subject: id, retry: () => void orderPhotos(id, names) },
        async (client, scope) => {
          await sendOrder(client, scope, id, names)
          return true
        },
      ),
    )
    return done === undefined ? undefined : siteOf(id)
  }

  const updateSite: Store['updateSite'] = async (id, changes, photos, etag, watch = UNWATCHED) => {
    if (siteOf(id) === undefined) return undefined
    const scope = core.scope()
    const outcome = await core.track(
      core.attempt(
        {
          action: 'updateSite',
          subject: id,
          retry: () => void updateSite(id, changes, photos, etag, watch),
        },
        (client, now) => sendChanges(client, now, { id, input: changes, photos, etag, watch }),
      ),
    )
    if (outcome === undefined || !scope.isCurrent()) return undefined
    const { failures } = outcome
    const [problem] = failures.values()
    const call = { action: 'savePhotos', subject: id } as const
    const left = photos.filter((photo) => failures.has(photo))
    if (problem === undefined) core.settle(call)
    else
      core.notify(
        { ...call, retry: () => void updateSite(id, {}, left, undefined, watch) },
        problem,
      )
    return siteOf(id)
  }

  const removePhoto: Store['removePhoto'] = async (id, photoName) => {
    if (siteOf(id) === undefined) return undefined
    const done = await core.track(
      core.attempt(
        { action: 'removePhoto', subject: id, retry: () => void removePhoto(id, photoName) },
        (client, scope) => sendPhotoRemoval(client, scope, id, photoName),
      ),
    )
    return done === undefined ? undefined : siteOf(id)
  }

  const sendPhotoRemoval = (client: PocketBase, scope: Scope, id: string, photoName: string) => {
    const without = changeSite(id, (site) => ({
      ...site,
      photos: site.photos.filter(({ name }) => name !== photoName),
    }))
    return scope.optimistically(
      without,
      () =>
        client
          .collection(SITES)
          .update<Site>(
            id,
            { 'photos-': [photoName] },
            { fields: FIELDS.site, requestKey: `remove photo ${id} ${photoName}` },
          ),
      () => onBase(without),
    )
  }

  const readSite: Store['readSite'] = async (id) => {
    if (core.base() === null) await load()
    const known = confirmedSite(id)
    // Without a connection the site is as it was last seen; saving compares it with what is there.
    if (known !== undefined && !core.env.isOnline()) return { site: known, etag: '' }
    const read = await core.attempt(
      { action: 'load', subject: id, retry: () => void readSite(id) },
      async (client, scope) => {
        try {
          return await fetchSite(client, scope, id)
        } catch (error) {
          if (known === undefined || !UNREACHED.has(toProblem(error).kind)) throw error
          return { site: known, etag: '' }
        }
      },
    )
    if (read === undefined) return undefined
    // Made elsewhere since the data was read: its connectors are not known here yet.
    if (confirmedSite(id) === undefined) await load()
    const site = siteOf(id)
    return site === undefined
      ? undefined
      : { site: { ...read.site, connectors: site.connectors }, etag: read.etag }
  }

  /** Reads a site as it is now, with its version. */
  const fetchSite = async (client: PocketBase, scope: Scope, id: string) => {
    const rev = core.rev()
    const { record, etag } = await fetchSiteRecord(client, id, core.send)
    const site = confirmedSite(id)
    const fresh = siteView(client, record, site?.connectors ?? [])
    if (site !== undefined && rev === core.rev()) scope.fold(onBase(putSite(fresh)))
    return { site: fresh, etag }
  }

  /**
   * One call for each connector, all at once (spec 7); tells which failed, and why. Who calls
   * quietly tells it the person in another way.
   */
  const changeConnectors = async (
    siteId: string,
    changes: ConnectorChanges,
    quietly = false,
  ): Promise<ReadonlyMap<string, Problem>> => {
    const scope = core.scope()
    const failures = new Map<string, Problem>()
    const outbox = core.outbox()
    const one = async (id: string, send: (client: PocketBase) => Promise<void>): Promise<void> => {
      try {
        if (!core.session.isValid()) throw new Failure('signedOut')
        const client = await core.client()
        scope.check()
        await send(client)
        if (scope.isCurrent() && !quietly) outbox?.settleConnector(siteId, id)
      } catch (error) {
        failures.set(
          id,
          scope.isCurrent()
            ? await core.explain(error)
            : { ...toProblem(error), kind: 'signedOut' },
        )
      }
    }
    await Promise.all([
      ...changes.create.map((connector) =>
        one(connector.id, (client) => createConnector(client, scope, siteId, connector)),
      ),
      ...changes.update.map((connector) =>
        one(connector.id, (client) => updateConnector(client, scope, siteId, connector)),
      ),
      ...changes.remove.map((id) =>
        one(id, (client) =>
          scope.optimistically(
            dropConnector(siteId, id),
            () => removeRecord(core, client, CONNECTORS, id),
            () => onBase(dropConnector(siteId, id)),
          ),
        ),
      ),
    ])
    const call = { action: 'saveConnectors', subject: siteId } as const
    const [problem] = failures.values()
    if (!scope.isCurrent() || quietly) return failures
    if (outbox?.saves().find(({ id }) => id === siteId)?.connectors.length === 0)
      outbox.removeSave(siteId)
    if (problem === undefined) core.settle(call)
    else
      core.notify(
        { ...call, retry: () => void saveConnectors(siteId, only(changes, failures)) },
        problem,
        failures,
      )
    return failures
  }

  const createConnector = async (
    client: PocketBase,
    scope: Scope,
    siteId: string,
    connector: ConnectorInput,
  ): Promise<void> => {
    try {
      const record = await client
        .collection(CONNECTORS)
        .create<Connector>(connectorCreateBody(siteId, connector), {
          fields: FIELDS.connector,
          requestKey: null,
        })
      scope.fold(onBase(putConnector(record)))
    } catch (error) {
      if (!isTaken(error, 'id')) throw error
      // It was saved before, and only the answer was lost.
      const record = await client
        .collection(CONNECTORS)
        .getOne<Connector>(connector.id, { fields: FIELDS.connector, requestKey: null })
      scope.fold(onBase(putConnector(record)))
      await updateConnector(client, scope, siteId, connector)
    }
  }

  const updateConnector = async (
    client: PocketBase,
    scope: Scope,
    siteId: string,
    wanted: ConnectorInput,
  ): Promise<void> => {
    const isWanted = ({ id }: Connector): boolean => id === wanted.id
    const confirmed = confirmedSite(siteId)?.connectors.find(isWanted)
    const current = siteOf(siteId)?.connectors.find(isWanted)
    if (confirmed === undefined || current === undefined) throw new Failure('notFound')
    const changes = { ...connectorChanges(confirmed, wanted), ...connectorChanges(current, wanted) }
    if (Object.keys(changes).length === 0) return
    await scope.optimistically(
      putConnector({ ...current, ...changes }),
      () =>
        client
          .collection(CONNECTORS)
          .update<Connector>(wanted.id, changes, { fields: FIELDS.connector, requestKey: null }),
      (record) => onBase(putConnector(record)),
    )
  }

  const saveConnectors: Store['saveConnectors'] = async (siteId, changes) => {
    if (siteOf(siteId) !== undefined) return core.track(changeConnectors(siteId, changes))
    const problem = new Failure('notFound').problem
    return new Map(idsOf(changes).map((id) => [id, problem]))
  }

  /** Changes connectors as a part of something that fails as a whole. */
  const bringConnectors = async (siteId: string, changes: ConnectorChanges): Promise<void> => {
    const failures = [...(await changeConnectors(siteId, changes, true)).values()]
    // What will never work matters more than what may work in a moment.
    const worst = failures.find((problem) => !isPassing(problem)) ?? failures[0]
    if (worst !== undefined) throw new Failed(worst)
  }

  const sendSave: Sites['sendSave'] = async (client, scope, { id, input, connectors, later }) => {
    const photos = await files.fetch(scope.user.id, later?.files ?? [])
    if (confirmedSite(id) === undefined) await sendSite(client, scope, { id, input, photos })
    else await correctSite(client, scope, { id, input, photos })
    scope.check()
    if (core.getState().user?.onboarded === false) void updateUser(core, { onboarded: true })
    await bringConnectors(id, connectorsToward(confirmedSite(id), connectors))
  }

  const sendEdit: Sites['sendEdit'] = async (client, scope, edit) => {
    const { id } = edit
    const wanted = await sendWanted(client, scope, edit)
    for (const { name } of confirmedSite(id)?.photos ?? [])
      if (edit.removedPhotos.includes(name)) await sendPhotoRemoval(client, scope, id, name)
    for (const photo of await files.fetch(scope.user.id, edit.later.files)) {
      scope.check()
      // One at a time, each under its own key: it arrives once, however often it has to be sent.
      const { failures } = await sendChanges(client, scope, { id, input: {}, photos: [photo] })
      failOnFirst(failures)
      core.outbox()?.settleFile(id, files.keyOf(photo))
    }
    if (edit.photoOrder !== null) {
      const order = edit.photoOrder.map((each) => memory.nameOf(each) ?? each)
      await sendOrder(client, scope, id, order)
    }
    scope.check()
    await bringConnectors(id, connectorsToward(confirmedSite(id), wanted))
  }

  /** Sends the fields of an edit; resolves to the connectors that the site should have. */
  const sendWanted = async (
    client: PocketBase,
    scope: Scope,
    { id, base, site, connectors }: WaitingEdit,
  ): Promise<readonly ConnectorInput[]> => {
    for (let attempt = 1; ; attempt++) {
      scope.check()
      const read = await fetchSite(client, scope, id)
      const merged = merge(
        versionOf(base, base.connectors),
        versionOf(site, connectors),
        versionOf(read.site, read.site.connectors),
      )
      if (merged.conflicts.length > 0) throw new Failure('conflict', 412)
      const fields = merged.version.fields as unknown as SiteInput
      try {
        const input = siteChanges(read.site, fields)
        await sendChanges(client, scope, { id, input, photos: [], etag: read.etag })
        return merged.version.rows as unknown as readonly ConnectorInput[]
      } catch (error) {
        // Changed in the very moment: what is there now decides.
        if (toProblem(error).kind !== 'conflict' || attempt === MERGES) throw error
      }
    }
  }

  const resumeSaves = async (): Promise<void> => {
    const outbox = core.outbox()
    if (outbox === undefined || core.base() === null) return
    const saves = outbox.saves().filter(({ later }) => later === undefined)
    await Promise.all(
      saves.map(async ({ id, input, connectors, photoCount, begunAt = 0, failed }) => {
        const site = confirmedSite(id)
        if (site === undefined) {
          // Its photos are gone with the page, and the form keeps a draft with them; and what the
          // person saw fail is theirs to send again.
          if (failed || photoCount > 0) return outbox.removeSave(id)
          const saved = await createSite(id, input, connectors, [])
          if (saved !== undefined) dropDraft(id, begunAt)
          return
        }
        dropDraft(id, begunAt)
        const stored = new Set(site.connectors.map((connector) => connector.id))
        const create = connectors.filter((connector) => !stored.has(connector.id))
        const failures = await changeConnectors(id, { create, update: [], remove: [] })
        // What the server refuses will be refused again: the notice is the last word.
        const lasting = [...failures.values()].some(({ kind }) => kind !== 'invalid')
        if (!lasting) outbox.removeSave(id)
      }),
    )
  }

  return {
    createSite,
    readSite,
    updateSite,
    orderPhotos,
    removePhoto,
    saveConnectors,
    resumeSaves,
    sendSave,
    sendEdit,
  }
}

/** How often changes are put together anew with what others write at the same time. */
const MERGES = 4

/** What can be merged of a site: its fields and its connectors. */
const versionOf = (site: SiteInput, connectors: readonly ConnectorInput[]): Version => ({
  fields: siteFieldsOf(site),
  rows: connectors.map(({ id, standard, format, current_type, kw_rating }) => ({
    id,
    standard,
    format,
    current_type,
    kw_rating,
  })),
})

/** What to do so that the connectors of a site become the wanted ones. */
const connectorsToward = (
  site: SiteView | undefined,
  wanted: readonly ConnectorInput[],
): ConnectorChanges => {
  const stored = new Set(site?.connectors.map(({ id }) => id))
  const kept = new Set(wanted.map(({ id }) => id))
  return {
    create: wanted.filter(({ id }) => !stored.has(id)),
    update: wanted.filter(({ id }) => stored.has(id)),
    remove: [...stored].filter((id) => !kept.has(id)),
  }
}

const idsOf = ({ create, update, remove }: ConnectorChanges): readonly string[] => [
  ...create.map(({ id }) => id),
  ...update.map(({ id }) => id),
  ...remove,
]

const only = (
  { create, update, remove }: ConnectorChanges,
  failures: ReadonlyMap<string, Problem>,
): ConnectorChanges => ({
  create: create.filter(({ id }) => failures.has(id)),
  update: update.filter(({ id }) => failures.has(id)),
  remove: remove.filter((id) => failures.has(id)),
})

const UNWATCHED: PhotoWatch = () => {}

/** Nothing was heard from the server. */
const UNREACHED: ReadonlySet<Problem['kind']> = new Set(['offline', 'timeout'])

const failOnFirst = (failures: ReadonlyMap<File, Problem>): void => {
  const [problem] = failures.values()
  if (problem !== undefined) throw new Failed(problem)
}

const ifMatch = (etag: string | undefined): Record<string, string> =>
  etag === undefined || etag === '' ? {} : { 'If-Match': etag }

/** How often an order is laid over a list that has just changed elsewhere. */
const ORDER_ATTEMPTS = 3
