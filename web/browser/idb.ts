import type { ObjectStorage } from '../data/environment.ts'

/**
 * Object storage in IndexedDB, opened on first use. Every transaction is committed as soon as its requests are made: one
 * that waits for a result when the page enters the back/forward cache of Safari blocks the storage for all later pages.
 */
export const indexedObjects = (): ObjectStorage => {
  let opening: Promise<IDBDatabase> | undefined
  // A browser that refuses IndexedDB may throw; `async` turns that into a rejection.
  const begin = async (mode: IDBTransactionMode): Promise<IDBObjectStore> => {
    // The browser may close the database at any time, as Safari does.
    opening ??= openDatabase(() => (opening = undefined))
    try {
      return (await opening).transaction(STORE, mode).objectStore(STORE)
    } catch (error) {
      opening = undefined
      throw error
    }
  }
  const read = async <T>(ask: (objects: IDBObjectStore) => IDBRequest<T>): Promise<T> => {
    const objects = await begin('readonly')
    const request = ask(objects)
    objects.transaction.commit()
    return settle(request, OF_REQUEST)
  }
  const write = async (change: (objects: IDBObjectStore) => void): Promise<void> => {
    const objects = await begin('readwrite')
    change(objects)
    objects.transaction.commit()
    await settle(objects.transaction, OF_TRANSACTION)
  }
  return {
    get: async (key) => {
      const value: unknown = await read((objects) => objects.get(key))
      return isStoredFile(value) ? new File([value.bytes], value.name, value) : value
    },
    set: async (key, value) => {
      const stored = value instanceof File ? await toStoredFile(value) : value
      await write((objects) => objects.put(stored, key))
    },
    remove: (keys) => write((objects) => keys.forEach((key) => objects.delete(key))),
    keys: async (prefix) => {
      const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`)
      return (await read((objects) => objects.getAllKeys(range))).map(String)
    },
  }
}

const STORE = 'objects'

/** Safari may never answer, for example after it left a page that was creating the database. */
const MAX_WAIT_MS = 10_000

const openDatabase = async (onClose: () => void): Promise<IDBDatabase> => {
  const request = indexedDB.open('voltleaf')
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE))
  const database = await settle(request, OF_REQUEST)
  database.addEventListener('close', onClose)
  return database
}

/** The result of a request, or the end of a transaction; rejects if it fails or takes too long. */
const settle = <T>(
  asked: EventTarget & { readonly error: DOMException | null; readonly result?: T },
  [done, failed]: readonly [done: string, failed: string],
): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new DOMException('IndexedDB does not answer', 'TimeoutError')),
      MAX_WAIT_MS,
    )
    const once = (event: string, task: () => void) =>
      asked.addEventListener(event, () => {
        clearTimeout(timer)
        task()
      })
    once(done, () => resolve(asked.result as T))
    once(failed, () => reject(asked.error))
  })

const OF_REQUEST = ['success', 'error'] as const
const OF_TRANSACTION = ['complete', 'abort'] as const

/** A file as its bytes: a private window of Safari refuses to store a `File`. */
interface StoredFile {
  readonly bytes: ArrayBuffer
  readonly name: string
  readonly type: string
  readonly lastModified: number
}

const toStoredFile = async (file: File): Promise<StoredFile> => {
  const { name, type, lastModified } = file
  return { bytes: await file.arrayBuffer(), name, type, lastModified }
}

const isStoredFile = (value: unknown): value is StoredFile =>
  typeof value === 'object' &&
  value !== null &&
  'bytes' in value &&
  value.bytes instanceof ArrayBuffer
