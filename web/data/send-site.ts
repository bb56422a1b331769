import { SITES } from '#domain/collection.ts'
import { CONNECTOR_INPUTS } from '#domain/connector.ts'
import { namesFromPosition, saysPosition } from '#domain/record.ts'
import { sites, type Site } from '#domain/site.ts'

import type { Environment } from './environment.ts'
import { isKeyUsed, toProblem } from './client.ts'
import type { Core } from './core.ts'
import type { Files } from './files.ts'
import { changeSite, onBase, putSite, siteOf } from './log.ts'
import type { Row, Version } from './merge.ts'
import type { CategoriesByKey, CreateSite, Mutation, SentSite } from './mutations.ts'
import { inOrder, isSameList, sendPhotos, type PhotoMemory } from './photo-uploads.ts'
import {
  answered,
  fetchSiteRecord,
  FIELDS,
  pick,
  siteFieldsOf,
  siteView,
  withPhotos,
} from './records.ts'
import type { ConnectorInput, Problem, ReadSite, SiteInput, SiteView } from './state.ts'
import type { Run } from './sync-queue.ts'
import { upload } from './upload.ts'

// The steps of sending a site that its creation and its updates share.

/** The dependencies of sending a site, apart from the attempt itself. */
export interface SiteSending {
  readonly core: Core
  readonly files: Files
  readonly memory: PhotoMemory
  /** Reads all data again in the background. */
  readonly reload: () => Promise<unknown>
}

/** The site as the server has confirmed it. */
export const siteIn = ({ core }: Pick<SiteSending, 'core'>, id: string): SiteView | undefined =>
  siteOf(core.base(), id)

/** Records the parts of a new site that are sent. The first fields are kept as the base of later merges. */
export const noteSent = (
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
export const sendChanges = async (
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

export const sendFields = async (
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

export const removePhoto = async (
  { client, scope, mutation }: Run,
  name: string,
): Promise<void> => {
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
export const sendOrder = async (
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
export const sendCategories = async (
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
export const versionOf = (site: SiteInput, connectors: readonly ConnectorInput[]): Version => ({
  fields: siteFieldsOf(site),
  rows: connectors.map(rowOf),
})

export const rowOf = (connector: ConnectorInput): Row => ({
  ...Object.fromEntries(CONNECTOR_INPUTS.map((name) => [name, connector[name]])),
  id: connector.id,
})

export const DERIVED_FIELDS = namesFromPosition(sites)

const ifMatch = (etag: string | undefined): Record<string, string> =>
  etag === undefined || etag === '' ? {} : { 'If-Match': etag }

/** Maximum attempts to send the order of photos while other devices change the list. */
const MAX_ORDER_ATTEMPTS = 3
