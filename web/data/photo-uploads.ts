import { toProblem } from './client.ts'
import type { PhotoWatch, Problem } from './state.ts'

/** What became of a request that carried a photo. */
export interface Sent {
  /** The name under which the photo is stored; nothing when an earlier request had stored it. */
  readonly name: string | undefined
  /** Have the fields that came with it arrived? */
  readonly fields: boolean
}

interface Sending {
  readonly photos: readonly File[]
  /** Are there changed fields to be sent along? */
  readonly fields: boolean
  /** Sends one request: one photo, with the changed fields or without. */
  readonly send: (photo: File, withFields: boolean) => Promise<Sent>
  /** Sends the fields alone. */
  readonly sendFields: () => Promise<void>
  readonly explain: (error: unknown) => Promise<Problem>
  readonly watch: PhotoWatch
}

/**
 * Sends photos one request each, in their order, the changed fields with the first. A photo that
 * fails keeps nothing else from arriving: the fields then go with the next, or alone.
 * @returns why photos were not stored
 * @throws what stands in the way of everything, such as the end of the session or a conflict
 */
export const sendPhotos = async (sending: Sending): Promise<ReadonlyMap<File, Problem>> => {
  const { photos, send, sendFields, explain, watch } = sending
  const failures = new Map<File, Problem>()
  let fieldsLeft = sending.fields
  for (const photo of photos) watch(photo, { at: 'waiting' })
  for (const [index, photo] of photos.entries()) {
    watch(photo, { at: 'sending', fraction: 0 })
    try {
      // oxlint-disable-next-line no-await-in-loop -- one after the other keeps their order
      const { name, fields } = await (fieldsLeft
        ? twice(() => send(photo, true))
        : send(photo, false))
      if (fields) fieldsLeft = false
      watch(photo, { at: 'stored', name })
    } catch (error) {
      // oxlint-disable-next-line no-await-in-loop -- the next photo depends on it
      const problem = await explain(error)
      if (stopsAll(problem, fieldsLeft)) {
        for (const left of photos.slice(index)) watch(left, undefined)
        throw error
      }
      failures.set(photo, problem)
      watch(photo, { at: 'failed', problem })
    }
  }
  if (fieldsLeft) await sendFields()
  return failures
}

/**
 * Without an answer nobody knows whether the fields have arrived, and the version that they named
 * may be gone. Only the same request under the same key can tell.
 */
const twice = async <T>(send: () => Promise<T>): Promise<T> => {
  try {
    return await send()
  } catch (error) {
    // Where nothing gets through, the same request would only be waited for once more.
    if (!isUnanswered(error) || toProblem(error).kind === 'timeout') throw error
    return send()
  }
}

/** Did the request get no answer from the server itself? It may have been carried out or not. */
const isUnanswered = (error: unknown): boolean =>
  error instanceof Error &&
  'isAbort' in error &&
  error.isAbort === false &&
  'status' in error &&
  (error.status === 0 || error.status === 502 || error.status === 504)

/** Is it no fault of this photo, so that the others would fare no better? */
const stopsAll = ({ kind, fields }: Problem, withFields: boolean): boolean => {
  if (kind === 'invalid') return Object.keys(fields).some((name) => name !== 'photos')
  if (kind === 'offline' || kind === 'unavailable') return withFields
  return ['timeout', 'signedOut', 'notFound', 'conflict', 'tooMany', 'cancelled'].includes(kind)
}

/** What this page knows about the photos that it sent. */
export interface PhotoMemory {
  /** The keys of the photos that were sent with the creation of a site, in the order of its list. */
  readonly sentFor: (siteId: string) => readonly string[] | undefined
  readonly noteSent: (siteId: string, keys: readonly string[]) => void
  /** The `Idempotency-Key` of a photo: the same until it is known to be stored. */
  readonly idempotencyKey: (key: string) => string
  /** Notes that a request with the photo's key was answered. */
  readonly noteStored: (key: string, name: string | undefined) => void
  readonly noteName: (key: string, name: string | undefined) => void
  /** The stored name of a photo that was sent. */
  readonly nameOf: (key: string) => string | undefined
}

export const createPhotoMemory = (): PhotoMemory => {
  const sent = new Map<string, readonly string[]>()
  const rounds = new Map<string, number>()
  const names = new Map<string, string>()
  const noteName: PhotoMemory['noteName'] = (key, name) => {
    if (name !== undefined) names.set(key, name)
  }
  return {
    sentFor: (siteId) => sent.get(siteId),
    noteSent: (siteId, keys) => void sent.set(siteId, keys),
    idempotencyKey: (key) => {
      const round = rounds.get(key) ?? 0
      return round === 0 ? `photo-${key}` : `photo-${key}-${round}`
    },
    noteStored: (key, name) => {
      // Sent once more, after it was removed, it is another photo.
      rounds.set(key, (rounds.get(key) ?? 0) + 1)
      noteName(key, name)
    },
    noteName,
    nameOf: (key) => names.get(key),
  }
}

/**
 * The list of stored names that puts `wanted` in its order. What is not in it, because it was added
 * on another device meanwhile, follows; what is no longer stored is left out: an order deletes nothing.
 */
export const inOrder = (stored: readonly string[], wanted: readonly string[]): string[] => {
  const known = wanted.filter((name) => stored.includes(name))
  return [...known, ...stored.filter((name) => !known.includes(name))]
}

export const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, index) => name === b[index])
