import { SITES } from '#domain/collection.ts'
import type { Site } from '#domain/site.ts'

import { Failed, Failure, isNotUnique } from './client.ts'
import { onBase, putSite } from './log.ts'
import { mergeSite } from './merge.ts'
import type { CreateSite, SentSite } from './mutations.ts'
import { isSameList } from './photo-uploads.ts'
import { FIELDS, pick, siteChanges, siteCreateBody, siteFieldsOf, siteView } from './records.ts'
import { diffConnectors, sendConnectors, type ConnectorChanges } from './send-connectors.ts'
import {
  DERIVED_FIELDS,
  noteSent,
  removePhoto,
  rowOf,
  sendCategories,
  sendChanges,
  sendOrder,
  siteIn,
  versionOf,
  type SiteSending,
} from './send-site.ts'
import { updateUser } from './sign-in.ts'
import type { ConnectorInput, PhotoPhase, SavedWrite, SiteInput } from './state.ts'
import type { Run } from './sync-queue.ts'
import { upload } from './upload.ts'

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
