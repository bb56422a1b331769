import { Failed, Failure, StepFailed, toProblem } from './client.ts'
import { mergeSite, type Merged } from './merge.ts'
import { wantedSite, type UpdateSite } from './mutations.ts'
import { siteChanges } from './records.ts'
import { diffConnectors, sendConnectors } from './send-connectors.ts'
import {
  readSiteNow,
  removePhoto,
  sendCategories,
  sendChanges,
  sendFields,
  sendOrder,
  siteIn,
  versionOf,
  type SiteSending,
} from './send-site.ts'
import type { Action, ConnectorInput, Problem, ReadSite, SavedWrite, SiteInput } from './state.ts'
import type { Run } from './sync-queue.ts'

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

/** Maximum attempts to merge while other devices write. */
const MERGES = 4
