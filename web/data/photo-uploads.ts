import { toProblem } from './client.ts'
import type { PhotoWatch, Problem } from './state.ts'

/** The result of a request with a photo. */
export interface Sent {
  /** The stored name of the photo; undefined if an earlier request had stored it. */
  readonly name: string | undefined
  /** True if the fields in the request were stored. */
  readonly fields: boolean
}

interface Sending {
  readonly photos: readonly File[]
  /** True if there are changed fields to send. */
  readonly fields: boolean
  /** Sends one photo, with the changed fields or without. */
  readonly send: (photo: File, withFields: boolean) => Promise<Sent>
  /** Sends the fields alone. */
  readonly sendFields: () => Promise<void>
  readonly explain: (error: unknown) => Promise<Problem>
  readonly watch: PhotoWatch
}

/**
 * Sends photos one per request, in order, the changed fields with the first. A failed photo does not prevent the
 * rest: the fields then go with the next one, or alone.
 * @returns the problems of the photos that were not stored
 * @throws errors that affect every request, such as an expired session or a conflict
 */
export const sendPhotos = async (sending: Sending): Promise<ReadonlyMap<File, Problem>> => {
  const { photos, send, sendFields, explain, watch } = sending
  const failures = new Map<File, Problem>()
  let fieldsLeft = sending.fields
  for (const photo of photos) watch(photo, { at: 'waiting' })
  for (const [index, photo] of photos.entries()) {
    watch(photo, { at: 'sending', fraction: 0 })
    try {
      // oxlint-disable-next-line no-await-in-loop -- sequential, to keep their order
      const { name, fields } = await (fieldsLeft
        ? retryOnce(() => send(photo, true))
        : send(photo, false))
      if (fields) fieldsLeft = false
      watch(photo, { at: 'stored', name })
    } catch (error) {
      // oxlint-disable-next-line no-await-in-loop -- the next photo depends on it
      const problem = await explain(error)
      if (affectsAllPhotos(problem, fieldsLeft)) {
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
 * Without a response, it is unknown whether the fields were stored, and their ETag may be outdated. Repeating the
 * request with the same idempotency key returns the original response.
 */
const retryOnce = async <T>(send: () => Promise<T>): Promise<T> => {
  try {
    return await send()
  } catch (error) {
    // After a timeout, repeating the request would only time out again.
    if (!isUnanswered(error) || toProblem(error).kind === 'timeout') throw error
    return send()
  }
}

/** Returns whether the server itself did not answer, so that the request may or may not have been carried out. */
const isUnanswered = (error: unknown): boolean =>
  error instanceof Error &&
  'isAbort' in error &&
  error.isAbort === false &&
  'status' in error &&
  (error.status === 0 || error.status === 502 || error.status === 504)

/** Returns whether the problem is not specific to this photo, so that the other photos would fail too. */
const affectsAllPhotos = ({ kind, fields }: Problem, withFields: boolean): boolean => {
  if (kind === 'invalid') return Object.keys(fields).some((name) => name !== 'photos')
  if (kind === 'offline' || kind === 'unavailable') return withFields
  return ['timeout', 'signedOut', 'notFound', 'conflict', 'tooMany', 'cancelled'].includes(kind)
}

/** Tracks the photos sent by this page. */
export interface PhotoMemory {
  /** The `Idempotency-Key` of a photo: constant until the photo is known to be stored. */
  readonly idempotencyKey: (key: string) => string
  /** Records that a request with the photo's key was answered. */
  readonly noteStored: (key: string, name: string | undefined) => void
  readonly noteName: (key: string, name: string | undefined) => void
  /** The stored name of an uploaded photo. */
  readonly nameOf: (key: string) => string | undefined
}

export const createPhotoMemory = (): PhotoMemory => {
  const rounds = new Map<string, number>()
  const names = new Map<string, string>()
  const noteName: PhotoMemory['noteName'] = (key, name) => {
    if (name !== undefined) names.set(key, name)
  }
  return {
    idempotencyKey: (key) => {
      const round = rounds.get(key) ?? 0
      return round === 0 ? `photo-${key}` : `photo-${key}-${round}`
    },
    noteStored: (key, name) => {
      // A photo uploaded again after its removal is a new photo.
      rounds.set(key, (rounds.get(key) ?? 0) + 1)
      noteName(key, name)
    },
    noteName,
    nameOf: (key) => names.get(key),
  }
}

/**
 * Reorders the stored names as in `wanted`. Names not in it, added by another device, come last. Names no longer stored
 * are left out: reordering deletes nothing.
 */
export const inOrder = (stored: readonly string[], wanted: readonly string[]): string[] => {
  const known = wanted.filter((name) => stored.includes(name))
  return [...known, ...stored.filter((name) => !known.includes(name))]
}

export const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, index) => name === b[index])
