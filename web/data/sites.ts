import type PocketBase from 'pocketbase'

import { CONNECTORS, SITES } from '#domain/collection.ts'
import type { Connector } from '#domain/connector.ts'
import type { Site } from '#domain/site.ts'

import { Failure, isTaken, patientFetch, toProblem } from './client.ts'
import type { Core, Scope } from './core.ts'
import { changeSite, dropConnector, onBase, putConnector, putSite } from './log.ts'
import { removeRecord } from './remove.ts'
import { updateUser } from './sign-in.ts'
import type {
  ConnectorChanges,
  ConnectorInput,
  Problem,
  SiteInput,
  SiteView,
  Store,
} from './state.ts'
import {
  answered,
  connectorChanges,
  connectorCreateBody,
  FIELDS,
  siteChanges,
  siteCreateBody,
  siteView,
  withPhotos,
} from './wire.ts'

type Sites = Pick<
  Store,
  'createSite' | 'readSite' | 'updateSite' | 'removePhoto' | 'saveConnectors'
> & {
  /** Finishes what an earlier page began to save. */
  readonly resumeSaves: () => Promise<void>
}

/** The calls about sites and their connectors (spec 7). `load` reads everything anew. */
export const createSites = (core: Core, load: () => Promise<unknown>): Sites => {
  const siteOf = (id: string): SiteView | undefined =>
    core.getState().data?.sites.find((site) => site.id === id)
  const confirmedSite = (id: string): SiteView | undefined =>
    core.base()?.sites.find((site) => site.id === id)

  const uploads = createUploads(core.env.newId)

  const createSite: Store['createSite'] = async (id, input, connectors, photos) => {
    const kept = { id, input, connectors, photoCount: photos.length, failed: false }
    const outbox = core.outbox()
    outbox?.putSave(kept)
    const saved = await core.attempt(
      {
        action: 'createSite',
        subject: id,
        retry: () => void createSite(id, input, connectors, photos),
        failed: ({ kind }) => {
          // Without an answer the site may exist: its connectors then still have to follow.
          if (['offline', 'unavailable', 'unexpected', 'signedOut'].includes(kind))
            outbox?.putSave({ ...kept, failed: true })
          else outbox?.removeSave(id)
        },
      },
      async (client, scope) => {
        if (confirmedSite(id) === undefined) await sendSite(client, scope, { id, input, photos })
        else await correctSite(client, scope, { id, input, photos })
        return true
      },
    )
    const site = saved === undefined ? undefined : confirmedSite(id)
    if (site === undefined) return undefined
    if (core.getState().user?.onboarded === false) void updateUser(core, { onboarded: true })
    const known = new Set(connectors.map((connector) => connector.id))
    const stored = new Set(site.connectors.map((connector) => connector.id))
    await changeConnectors(id, {
      create: connectors.filter((connector) => !stored.has(connector.id)),
      update: connectors.filter((connector) => stored.has(connector.id)),
      remove: [...stored].filter((connectorId) => !known.has(connectorId)),
    })
    return siteOf(id)
  }

  interface NewSite {
    readonly id: string
    readonly input: SiteInput
    readonly photos: readonly File[]
  }

  const sendSite = async (client: PocketBase, scope: Scope, site: NewSite): Promise<void> => {
    const { id, input, photos } = site
    const business = core.base()?.id
    if (business === undefined) throw new Failure('notFound')
    const body = { id, ...siteCreateBody(input, photos), business }
    const before = uploads.sentFor(id)
    uploads.note(id, photos)
    let record: Site
    try {
      record = await client
        .collection(SITES)
        .create<Site>(body, { fields: FIELDS.site, requestKey: `create ${SITES} ${id}` })
    } catch (error) {
      if (!isTaken(error, 'id')) throw error
      // It was saved before, and only the answer was lost; the person may have gone on typing.
      scope.check()
      record = await client
        .collection(SITES)
        .getOne<Site>(id, { fields: FIELDS.site, requestKey: null })
      scope.fold(onBase(putSite(siteView(client, record, []))))
      // When no attempt of this page made it, all or none of its photos are there.
      uploads.note(id, record.photos.length > 0 ? (before ?? photos) : [])
      await correctSite(client, scope, site)
      return
    }
    scope.fold(onBase(putSite(siteView(client, record, []))))
  }

  /** Brings a site that was saved before to what the person wants now. */
  const correctSite = async (
    client: PocketBase,
    scope: Scope,
    { id, input, photos }: NewSite,
  ): Promise<void> => {
    const sent = uploads.sentFor(id) ?? photos
    const missing = photos.filter((photo) => !sent.includes(photo))
    const kept = sent.filter((photo) => photos.includes(photo))
    const stored = confirmedSite(id)?.photos ?? []
    // Photos are stored in the order in which they were sent.
    const dropped =
      stored.length === sent.length
        ? stored.filter((_, index) => !kept.includes(sent[index] as File))
        : []
    for (const { name } of dropped) await sendPhotoRemoval(client, scope, id, name)
    await sendChanges(client, scope, id, input, missing)
    uploads.note(id, [...kept, ...missing])
  }

  const sendChanges = async (
    client: PocketBase,
    scope: Scope,
    id: string,
    input: Partial<SiteInput>,
    photos: readonly File[],
    etag?: string,
  ): Promise<void> => {
    const confirmed = confirmedSite(id)
    const shown = siteOf(id)
    if (confirmed === undefined || shown === undefined) return
    // A value that is shown may still fail to arrive, and one that is confirmed may be on its way out.
    const changes = { ...siteChanges(confirmed, input), ...siteChanges(shown, input) }
    const names = Object.keys(changes)
    if (names.length === 0 && photos.length === 0) return
    const upload = photos.length === 0 ? undefined : uploads.keyOf(id, changes, photos)
    const headers = {
      ...(etag === undefined || etag === '' ? {} : { 'If-Match': etag }),
      ...(upload === undefined ? {} : { 'Idempotency-Key': upload.key }),
    }
    await scope.optimistically(
      changeSite(id, (each) => ({ ...each, ...changes })),
      () =>
        client.collection(SITES).update<Site>(id, withPhotos(changes, photos), {
          fields: FIELDS.site,
          headers,
          // A newer request for the same fields makes the older one moot; one for others does not.
          requestKey: `update ${SITES} ${id} ${names.sort().join()} ${upload?.key ?? ''}`,
        }),
      (record) => {
        const answer = siteView(client, record, [])
        const before = new Set(confirmed.photos.map(({ name }) => name))
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
    upload?.done()
  }

  const updateSite: Store['updateSite'] = async (id, changes, photos, etag) => {
    if (siteOf(id) === undefined) return undefined
    const done = await core.track(
      core.attempt(
        {
          action: 'updateSite',
          subject: id,
          retry: () => void updateSite(id, changes, photos, etag),
        },
        async (client, scope) => {
          await sendChanges(client, scope, id, changes, photos, etag)
          return true
        },
      ),
    )
    return done === undefined ? undefined : siteOf(id)
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
    const read = await core.attempt(
      { action: 'load', subject: id, retry: () => void readSite(id) },
      async (client, scope) => {
        const rev = core.rev()
        let etag = ''
        const record = await client.collection(SITES).getOne<Site>(id, {
          fields: FIELDS.site,
          fetch: async (url, init) => {
            const response = await patientFetch(core.env, url, init)
            etag = response.headers.get('ETag') ?? ''
            return response
          },
        })
        const site = confirmedSite(id)
        const fresh = siteView(client, record, site?.connectors ?? [])
        if (site !== undefined && rev === core.rev()) scope.fold(onBase(putSite(fresh)))
        return { site: fresh, etag }
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

  /** One call for each connector, all at once (spec 7); tells which failed, and why. */
  const changeConnectors = async (
    siteId: string,
    changes: ConnectorChanges,
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
        if (scope.isCurrent()) outbox?.settleConnector(siteId, id)
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
    if (!scope.isCurrent()) return failures
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

  const resumeSaves = async (): Promise<void> => {
    const outbox = core.outbox()
    if (outbox === undefined || core.base() === null) return
    await Promise.all(
      outbox.saves().map(async ({ id, input, connectors, photoCount, failed }) => {
        const site = confirmedSite(id)
        if (site === undefined) {
          // Its photos are gone with the page, and the form keeps a draft with them; and what the
          // person saw fail is theirs to send again.
          if (!failed && photoCount === 0) await createSite(id, input, connectors, [])
          else outbox.removeSave(id)
          return
        }
        const stored = new Set(site.connectors.map((connector) => connector.id))
        const create = connectors.filter((connector) => !stored.has(connector.id))
        const failures = await changeConnectors(id, { create, update: [], remove: [] })
        // What the server refuses will be refused again: the notice is the last word.
        const lasting = [...failures.values()].some(({ kind }) => kind !== 'invalid')
        if (!lasting) outbox.removeSave(id)
      }),
    )
  }

  return { createSite, readSite, updateSite, removePhoto, saveConnectors, resumeSaves }
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

interface Upload {
  /** The key under which the server carries the upload out at most once. */
  readonly key: string
  done(): void
}

/**
 * Remembers which photos were sent for which site, so that neither a retry nor a second press of
 * the button adds a photo twice.
 */
const createUploads = (newId: () => string) => {
  const sent = new Map<string, readonly File[]>()
  const files = new WeakMap<File, string>()
  const keys = new Map<string, string>()
  const fileId = (file: File): string => {
    const id = files.get(file) ?? newId()
    files.set(file, id)
    return id
  }
  return {
    sentFor: (siteId: string): readonly File[] | undefined => sent.get(siteId),
    note: (siteId: string, photos: readonly File[]): void => void sent.set(siteId, photos),
    keyOf: (siteId: string, changes: object, photos: readonly File[]): Upload => {
      const content = JSON.stringify([siteId, changes, photos.map(fileId)])
      const key = keys.get(content) ?? newId()
      keys.set(content, key)
      return { key, done: () => void keys.delete(content) }
    },
  }
}
