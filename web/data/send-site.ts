import { SITES } from '#domain/collection.ts'
import { CONNECTOR_INPUTS } from '#domain/connector.ts'
import { namesFromPosition, saysPosition } from '#domain/record.ts'
import { sites, type Site } from '#domain/site.ts'

import type { Environment } from './environment.ts'
import { Failed, Failure, isKeyUsed, isNotUnique, StepFailed, toProblem } from './client.ts'
import type { Core } from './core.ts'
import type { Files } from './files.ts'
import { changeSite, onBase, putSite, siteOf } from './log.ts'
import { mergeSite, type Merged, type Row, type Version } from './merge.ts'
import {
  wantedSite,
  type CategoriesByKey,
  type CreateSite,
  type Mutation,
  type SentSite,
  type UpdateSite,
} from './mutations.ts'
import { inOrder, isSameList, sendPhotos, type PhotoMemory } from './photo-uploads.ts'
import {
  answered,
  fetchSiteRecord,
  FIELDS,
  pick,
  siteChanges,
  siteCreateBody,
  siteFieldsOf,
  siteView,
  withPhotos,
} from './records.ts'
import { diffConnectors, sendConnectors, type ConnectorChanges } from './send-connectors.ts'
import { updateUser } from './sign-in.ts'
import type {
  Action,
  ConnectorInput,
  PhotoPhase,
  Problem,
  ReadSite,
  SavedWrite,
  SiteInput,
  SiteView,
} from './state.ts'
import type { Run } from './sync-queue.ts'
import { upload } from './upload.ts'

/** The dependencies of sending a site, apart from the attempt itself. */
export interface SiteSending {
  readonly core: Core
  readonly files: Files
  readonly memory: PhotoMemory
  /** Reads all data again in the background. */
  readonly reload: () => Promise<unknown>
}

const siteIn = ({ core }: Pick<SiteSending, 'core'>, id: string): SiteView | undefined =>
  siteOf(core.base(), id)

/** Sends a new site with its photos, then its connectors. Parts that have arrived before are not sent again. */
export const sendCreateSite = async (
  sending: SiteSending,
  run: Run<CreateSite>,
): Promise<SavedWrite> => {
  const { core } = sending
  const { subject: id, payload, base } = run.mutation
  if (siteIn(sending, id) === undefined) await createSite(sending, run)
  else await correctSite(sending, run, base ?? { fields: null, photos: storedKeys(sending, run) })
  run.scope.check()
  if (core.getState().user?.onboarded === false) void updateUser(core, { onboarded: true })

  const stored = siteIn(sending, id)?.connectors ?? []
  const before = new Map(base?.connectors.map((connector) => [connector.id, connector]))
  const arrived = new Set(base?.stored)
  run.note((mutation) => noteSent(mutation, { connectors: payload.connectors }))
  const { create, update, remove } = diffConnectors(stored, payload.connectors)
  const changes: ConnectorChanges = {
    // A connector that had arrived and is now missing was removed on another device.
    create: create.filter((connector) => !arrived.has(connector.id)),
    // A connector that is unchanged since it was sent, but differs on the server, was changed on another device.
    update: update.filter((connector) => {
      const sent = before.get(connector.id)
      return sent === undefined || !isSameConnector(sent, connector)
    }),
    remove: remove.filter((each) => before.has(each)),
  }
  await sendConnectors(core, run, changes, (connector) =>
    run.note((mutation) =>
      noteSent(mutation, { stored: [...(mutation.base?.stored ?? []), connector] }),
    ),
  )
  await sendCategories(sending, run, payload.photoCategories)
  return { isQueued: false }
}

/** The photos of a creation that this page knows to be stored. */
const storedKeys = (sending: SiteSending, { mutation }: Run<CreateSite>): readonly string[] => {
  const stored = new Set(siteIn(sending, mutation.subject)?.photos.map(({ name }) => name))
  return mutation.files
    .map(({ key }) => key)
    .filter((key) => stored.has(sending.memory.nameOf(key) ?? ''))
}

/** Records the parts of a new site that are sent. The first fields are kept as the base of later merges. */
const noteSent = (
  mutation: CreateSite,
  { connectors = [], ...sent }: Partial<SentSite>,
): CreateSite => {
  const { fields } = mutation.payload
  const base = mutation.base ?? { fields, connectors: [], stored: [], photos: [] }
  const others = base.connectors.filter((each) => !connectors.some(({ id }) => id === each.id))
  return {
    ...mutation,
    base: {
      ...base,
      ...sent,
      connectors: [...others, ...connectors],
      ...(sent.names && { names: { ...base.names, ...sent.names } }),
    },
  }
}

const isSameConnector = (one: ConnectorInput, other: ConnectorInput): boolean =>
  JSON.stringify(rowOf(one)) === JSON.stringify(rowOf(other))

const createSite = async (sending: SiteSending, run: Run<CreateSite>): Promise<void> => {
  const { core, files, memory } = sending
  const { client, scope, mutation, files: photos, watch, note } = run
  const { subject: id, payload, base } = mutation
  const business = core.base()?.id
  if (business === undefined) throw new Failure('notFound')
  const body = { id, ...siteCreateBody(payload.fields, photos), business }
  const keys = photos.map(files.keyOf)
  note((now) => noteSent(now, { photos: keys }))
  const tellAll = (phase: PhotoPhase | undefined) => photos.forEach((photo) => watch(photo, phase))
  // One request for all photos, so they share its progress.
  const progress = upload(core, (fraction) => tellAll({ at: 'sending', fraction }))
  try {
    tellAll({ at: 'sending', fraction: 0 })
    const record = await client.collection(SITES).create<Site>(body, {
      fields: FIELDS.site,
      requestKey: `create ${SITES} ${id}`,
      ...(photos.length === 0 ? {} : { fetch: progress }),
    })
    const names = namesByKey(keys, record.photos)
    note((now) => noteSent(now, { fields: payload.fields, names }))
    for (const photo of photos) {
      const key = files.keyOf(photo)
      memory.noteName(key, names[key])
      watch(photo, { at: 'stored', name: names[key] })
    }
    scope.confirm(onBase(putSite(siteView(client, record, []))))
  } catch (error) {
    tellAll(undefined)
    if (!isNotUnique(error, 'id')) throw error
    // The site was saved before, and only the response was lost. The owner may have typed more since.
    scope.check()
    const record = await client
      .collection(SITES)
      .getOne<Site>(id, { fields: FIELDS.site, requestKey: null })
    scope.confirm(onBase(putSite(siteView(client, record, []))))
    // One request stores all of its photos or none, in the order of sending.
    const sent = record.photos.length > 0 ? (base?.photos ?? keys) : []
    await correctSite(sending, run, { fields: base?.fields ?? null, photos: sent })
  }
}

/** The stored names of photos that were sent together, which are in the order of sending. */
const namesByKey = (
  keys: readonly string[],
  names: readonly string[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    keys.flatMap((key, index) => {
      const name = names[index]
      return name === undefined ? [] : [[key, name] as const]
    }),
  )

/** Updates a site that was saved before to the wanted values. `sent` is what is known of the earlier attempt. */
const correctSite = async (
  sending: SiteSending,
  run: Run<CreateSite>,
  sent: Pick<SentSite, 'photos' | 'names'> & { readonly fields: SiteInput | null },
): Promise<void> => {
  const { files, memory } = sending
  const { subject: id, payload, files: queued } = run.mutation
  const site = siteIn(sending, id)
  if (site === undefined) throw new Failure('notFound')
  const stored = site.photos.map(({ name }) => name)
  // One request stores all of its photos or none.
  const isComplete = stored.length === sent.photos.length
  const names = sent.names ?? (isComplete ? namesByKey(sent.photos, stored) : {})
  for (const key of sent.photos)
    if (memory.nameOf(key) === undefined) memory.noteName(key, names[key])
  const wanted = queued.map(({ key }) => key)
  const missing = run.files.filter((photo) => !sent.photos.includes(files.keyOf(photo)))
  const kept = sent.photos.filter((key) => wanted.includes(key))
  for (const { name } of site.photos) {
    const isDropped = sent.photos.some((key) => !kept.includes(key) && memory.nameOf(key) === name)
    if (isDropped) await removePhoto(run, name)
  }
  const mine = siteFieldsOf(payload.fields)
  const before = sent.fields && versionOf(sent.fields, [])
  // Without a record of the sent values, the owner's values win, except empty ones that the server fills in.
  const fields =
    before === null
      ? {
          ...mine,
          ...pick(
            site,
            DERIVED_FIELDS.filter((name) => mine[name] === ''),
          ),
        }
      : (mergeSite(before, versionOf(mine, []), versionOf(site, [])).version
          .fields as unknown as SiteInput)
  const failures = await sendChanges(sending, run, {
    fields: siteChanges(site, fields),
    photos: missing,
  })
  const arrived = missing.filter((photo) => !failures.has(photo)).map(files.keyOf)
  run.note((now) => noteSent(now, { fields: payload.fields, photos: [...kept, ...arrived] }))
  const [problem] = failures.values()
  if (problem !== undefined) throw new Failed(problem)
  // The photos were sent in this order, so only another device can have changed it since.
  if (!isSameList([...kept, ...arrived], wanted)) await sendOrder(sending, run, wanted)
}

/**
 * Sends the changes of a stored site. A first attempt sends the ETag of the site as the owner saw it. A later one, or
 * one that was refused for its ETag, is merged with the stored site.
 */
export const sendUpdateSite = async (
  sending: SiteSending,
  run: Run<UpdateSite>,
): Promise<SavedWrite> => {
  const { core } = sending
  const { subject: id, payload, base, etag } = run.mutation
  let action: Action = 'updateSite'
  let hasBegun = false
  const step = async <T>(name: Action, work: () => Promise<T>): Promise<T> => {
    action = name
    const result = await work()
    hasBegun = true
    return result
  }
  // Removing photos makes room, so new ones are added afterwards.
  const makesRoom = payload.removedPhotos.length > 0
  const watch: Run['watch'] = (photo, phase) => {
    hasBegun ||= phase?.at === 'stored'
    run.watch(photo, phase)
  }
  const watched = { ...run, watch }
  let photosLeft = run.files
  let photoFailures: ReadonlyMap<File, Problem> = new Map()
  let merged: SavedWrite['merged']
  try {
    if (run.isFirst) {
      try {
        const photos = makesRoom ? [] : run.files
        if (photos.length > 0 || Object.keys(payload.fields).length > 0)
          photoFailures = await step('updateSite', () =>
            sendChanges(sending, watched, { fields: payload.fields, photos, etag }),
          )
        if (!makesRoom) photosLeft = []
      } catch (error) {
        if (hasBegun || toProblem(error).kind !== 'conflict') throw error
        await sending.reload()
        merged = await step('updateSite', () => sendMerged(sending, run))
      }
    } else merged = await step('updateSite', () => sendMerged(sending, run))

    const stored = siteIn(sending, id)?.photos ?? []
    for (const name of payload.removedPhotos)
      if (run.isFirst || stored.some((photo) => photo.name === name))
        await step('removePhoto', () => removePhoto(run, name))
    if (photosLeft.length > 0)
      photoFailures = await step('updateSite', () =>
        sendChanges(sending, watched, { fields: {}, photos: photosLeft }),
      )
    const { photoOrder } = payload
    if (photoOrder !== null) await step('orderPhotos', () => sendOrder(sending, run, photoOrder))
    const { photoCategories = {} } = payload
    if (Object.keys(photoCategories).length > 0)
      await step('updateSite', () => sendCategories(sending, run, photoCategories))
    run.scope.check()
    const changes =
      merged === undefined
        ? diffConnectors(base.connectors, payload.connectors ?? base.connectors)
        : diffConnectors(
            siteIn(sending, id)?.connectors ?? [],
            merged.result.version.rows as unknown as readonly ConnectorInput[],
          )
    await sendConnectors(core, run, changes)
  } catch (error) {
    if (error instanceof StepFailed) throw error
    const isConflict = merged === undefined && toProblem(error).kind === 'conflict'
    throw new StepFailed(error, { action, hasBegun, ...(isConflict ? newerOf(error) : {}) })
  }
  const [problem] = photoFailures.values()
  if (problem !== undefined)
    throw new StepFailed(new Failed(problem), { action: 'savePhotos', hasBegun: true })
  return {
    isQueued: false,
    ...(merged === undefined || isUnchanged(merged.result) ? {} : { merged }),
  }
}

const isUnchanged = ({ mergedFields, mergedRows }: Merged): boolean =>
  mergedFields.length + mergedRows === 0

/** The fields conflict with changes of another device, and the owner has to choose. */
class Conflict extends Failure {
  readonly newer: ReadSite

  constructor(newer: ReadSite) {
    super('conflict', 412)
    this.newer = newer
  }
}

const newerOf = (error: unknown): { readonly newer?: ReadSite } =>
  error instanceof Conflict ? { newer: error.newer } : {}

/** Sends the fields of an update, merged with the stored site. */
const sendMerged = async (
  sending: SiteSending,
  run: Run<UpdateSite>,
): Promise<NonNullable<SavedWrite['merged']>> => {
  const { base, payload, subject: id } = run.mutation
  const mine = versionOf(wantedSite(run.mutation), payload.connectors ?? base.connectors)
  for (let attempt = 1; ; attempt++) {
    run.scope.check()
    const newer = await readSiteNow(sending, run, id)
    const theirs = versionOf(newer.site, newer.site.connectors)
    const result = mergeSite(versionOf(base, base.connectors), mine, theirs)
    if (result.conflicts.length > 0) throw new Conflict(newer)
    const fields = result.version.fields as unknown as SiteInput
    try {
      await sendFields(sending, run, siteChanges(newer.site, fields), newer.etag)
      return { newer: newer.site, result }
    } catch (error) {
      // The site was changed again in between, so the next attempt merges with its newest state.
      if (toProblem(error).kind !== 'conflict' || attempt === MERGES) throw error
    }
  }
}

/** Reads a site in its current state, with its ETag. */
export const readSiteNow = async (
  { core }: Pick<SiteSending, 'core'>,
  { client, scope }: Pick<Run, 'client' | 'scope'>,
  id: string,
): Promise<ReadSite> => {
  const rev = core.rev()
  const { record, etag } = await fetchSiteRecord(client, id, core.send)
  const site = siteIn({ core }, id)
  const fresh = siteView(client, record, site?.connectors ?? [])
  if (site !== undefined && rev === core.rev()) scope.confirm(onBase(putSite(fresh)))
  return { site: fresh, etag }
}

interface Changes {
  readonly fields: Readonly<Record<string, unknown>>
  readonly photos: readonly File[]
  readonly etag?: string | undefined
}

/**
 * Sends the fields, and one request per photo; the first carries the fields.
 * @returns the problems of the photos that were not stored
 */
const sendChanges = async (
  sending: SiteSending,
  run: Run,
  { fields: wanted, photos, etag }: Changes,
): Promise<ReadonlyMap<File, Problem>> => {
  const { core, files, memory } = sending
  const { mutation, note } = run
  const fields = wanted as Partial<SiteInput>
  let version = etag
  return sendPhotos({
    photos,
    fields: Object.keys(fields).length > 0,
    send: async (photo, withFields) => {
      const key = files.keyOf(photo)
      const idempotencyKey =
        mutation.files.find((each) => each.key === key)?.idempotencyKey ??
        memory.idempotencyKey(key)
      const settle = (name: string | undefined): void => {
        memory.noteStored(key, name)
        note((now) =>
          // A creation keeps all of its files, and compares them with the stored photos itself.
          now.kind === 'createSite'
            ? noteSent(now, name === undefined ? {} : { names: { [key]: name } })
            : withoutFile(now, key, name),
        )
      }
      try {
        const record = await sendUpdate(sending, run, {
          fields: withFields ? fields : {},
          photos: [photo],
          headers: {
            'Idempotency-Key': idempotencyKey,
            // Adding a photo overwrites nothing, so only the fields can conflict.
            ...(withFields ? ifMatch(version) : {}),
          },
          requestKey: idempotencyKey,
          fetch: upload(core, (fraction) => run.watch(photo, { at: 'sending', fraction })),
        })
        const name = record.photos.at(-1)
        settle(name)
        return { name, fields: withFields }
      } catch (error) {
        if (!isKeyUsed(error)) throw error
        // The photo is stored: an earlier request with other fields succeeded, but its response was lost. Its ETag is
        // unknown, too.
        version = undefined
        const known = knownNames(sending, mutation)
        const { site } = await readSiteNow(sending, run, mutation.subject)
        const [added, ...others] = site.photos.filter((stored) => !known.has(stored.name))
        const name = others.length === 0 ? added?.name : undefined
        settle(name)
        return { name, fields: false }
      }
    },
    sendFields: () => sendFields(sending, run, fields, version),
    explain: core.explain,
    watch: run.watch,
  })
}

/** The names of the photos that existed before a mutation, and of those that it has stored, as far as known. */
const knownNames = (sending: SiteSending, mutation: Mutation): ReadonlySet<string> => {
  const found = mutation.kind === 'updateSite' ? mutation.base : siteIn(sending, mutation.subject)
  const stored = mutation.files.flatMap(({ key }) => sending.memory.nameOf(key) ?? [])
  const arrived =
    mutation.kind === 'updateSite' ? Object.keys(mutation.payload.photoCategories ?? {}) : []
  return new Set([...(found?.photos ?? []).map(({ name }) => name), ...stored, ...arrived])
}

/** The mutation without a file that has arrived, under its stored name if that is known. */
const withoutFile = <M extends Mutation>(mutation: M, key: string, name = key): M => {
  const files = mutation.files.filter((each) => each.key !== key)
  if (mutation.kind !== 'updateSite') return { ...mutation, files }
  const { payload } = mutation
  const photoOrder = payload.photoOrder?.map((each) => (each === key ? name : each)) ?? null
  const photoCategories = Object.fromEntries(
    Object.entries(payload.photoCategories ?? {}).map(([each, category]) => [
      each === key ? name : each,
      category,
    ]),
  )
  return { ...mutation, files, payload: { ...payload, photoOrder, photoCategories } }
}

const sendFields = async (
  sending: SiteSending,
  run: Run,
  fields: Partial<SiteInput>,
  etag: string | undefined,
): Promise<void> => {
  if (Object.keys(fields).length === 0) return
  await sendUpdate(sending, run, {
    fields,
    photos: [],
    headers: ifMatch(etag),
    // A newer request for the same fields supersedes the older one; a request for other fields does not.
    requestKey: `update ${SITES} ${run.mutation.subject} ${Object.keys(fields).sort().join()}`,
  })
}

interface Update {
  readonly fields: Partial<SiteInput>
  readonly photos: readonly File[]
  readonly headers: Readonly<Record<string, string>>
  readonly requestKey: string
  readonly fetch?: Environment['fetch']
}

const sendUpdate = async (sending: SiteSending, run: Run, update: Update): Promise<Site> => {
  const { client, scope } = run
  const { subject: id } = run.mutation
  const { fields, photos, headers, requestKey, fetch } = update
  const before = new Set(siteIn(sending, id)?.photos.map(({ name }) => name))
  const record = await client.collection(SITES).update<Site>(id, withPhotos(fields, photos), {
    fields: FIELDS.site,
    headers,
    requestKey,
    ...(fetch === undefined ? {} : { fetch }),
  })
  const answer = siteView(client, record, [])
  const added = answer.photos.filter(({ name }) => !before.has(name))
  // Applies only the submitted fields of a response: another response may have overtaken it.
  scope.confirm(
    onBase(
      changeSite(id, (each) => ({
        ...each,
        ...answered(
          { ...fields, ...(saysPosition(fields) && pick(answer, DERIVED_FIELDS)) },
          answer,
        ),
        photos: [
          ...each.photos,
          ...added.filter(({ name }) => !each.photos.some((photo) => photo.name === name)),
        ],
      })),
    ),
  )
  return record
}

const removePhoto = async ({ client, scope, mutation }: Run, name: string): Promise<void> => {
  const { subject: id } = mutation
  await client
    .collection(SITES)
    .update<Site>(
      id,
      { 'photos-': [name] },
      { fields: FIELDS.site, requestKey: `remove photo ${id} ${name}` },
    )
  scope.confirm(
    onBase(
      changeSite(id, (site) => ({
        ...site,
        photos: site.photos.filter((photo) => photo.name !== name),
      })),
    ),
  )
}

/** Sends the order of the photos: stored names, or keys of files that were sent. */
const sendOrder = async (
  sending: SiteSending,
  run: Run,
  keys: readonly string[],
): Promise<void> => {
  const { client, scope, mutation } = run
  const { subject: id } = mutation
  const wanted = keys.map((key) => sending.memory.nameOf(key) ?? key)
  const known = siteIn(sending, id)?.photos.map(({ name }) => name) ?? []
  if (isSameList(known, inOrder(known, wanted))) return
  for (let attempt = 1; ; attempt += 1) {
    const { site, etag } = await readSiteNow(sending, run, id)
    const names = site.photos.map(({ name }) => name)
    const photos = inOrder(names, wanted)
    if (isSameList(names, photos)) return
    const options = {
      fields: FIELDS.site,
      headers: ifMatch(etag),
      requestKey: `order photos ${id}`,
    }
    try {
      const record = await client.collection(SITES).update<Site>(id, { photos }, options)
      const answer = siteView(client, record, [])
      scope.confirm(onBase(changeSite(id, (each) => ({ ...each, photos: answer.photos }))))
      return
    } catch (error) {
      // The list would delete a photo that was added in the meantime. The owner need not choose: the order is applied
      // to the newer list.
      if (toProblem(error).kind !== 'conflict' || attempt === MAX_ORDER_ATTEMPTS) throw error
    }
  }
}

/**
 * Sends the categories of photos, by their stored names or the keys of files that were sent. It sends no `If-Match`,
 * because entries are independent of one another. A photo that could not be sent is left out.
 */
const sendCategories = async (
  sending: SiteSending,
  { client, scope, mutation }: Run,
  categories: CategoriesByKey = {},
): Promise<void> => {
  const { subject: id } = mutation
  const photos = siteIn(sending, id)?.photos ?? []
  const changes = Object.entries(categories).flatMap(([key, category]) => {
    const name = sending.memory.nameOf(key) ?? key
    const isOther = photos.some((photo) => photo.name === name && photo.category !== category)
    return isOther ? [[name, category] as const] : []
  })
  if (changes.length === 0) return
  const sent = Object.fromEntries(changes)
  const body = { 'photo_categories+': sent }
  const requestKey = `photo categories ${id} ${Object.keys(sent).toSorted().join()}`
  await client.collection(SITES).update<Site>(id, body, { fields: 'id', requestKey })
  scope.confirm(
    onBase(
      changeSite(id, (site) => ({
        ...site,
        photos: site.photos.map((photo) => ({
          ...photo,
          category: sent[photo.name] ?? photo.category,
        })),
      })),
    ),
  )
}

/** The parts of a site that can be merged: its fields and its connectors. */
const versionOf = (site: SiteInput, connectors: readonly ConnectorInput[]): Version => ({
  fields: siteFieldsOf(site),
  rows: connectors.map(rowOf),
})

const rowOf = (connector: ConnectorInput): Row => ({
  ...Object.fromEntries(CONNECTOR_INPUTS.map((name) => [name, connector[name]])),
  id: connector.id,
})

const DERIVED_FIELDS = namesFromPosition(sites)

const ifMatch = (etag: string | undefined): Record<string, string> =>
  etag === undefined || etag === '' ? {} : { 'If-Match': etag }

/** Maximum attempts to merge while other devices write. */
const MERGES = 4

/** Maximum attempts to send the order of photos while other devices change the list. */
const MAX_ORDER_ATTEMPTS = 3
