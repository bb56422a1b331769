import { createStore, delMany, get, promisifyRequest, set } from 'idb-keyval'

import type { ObjectStorage } from '../data/environment.ts'

/** Object storage in IndexedDB, opened on first use. */
export const indexedObjects = (): ObjectStorage => {
  const store = createStore('voltleaf', 'objects')
  // A browser that refuses IndexedDB may throw on opening; `async` turns that into a rejection.
  return {
    get: async (key) => {
      const value = await get<unknown>(key, store)
      return isStoredFile(value) ? new File([value.bytes], value.name, value) : value
    },
    set: async (key, value) =>
      set(key, value instanceof File ? await toStoredFile(value) : value, store),
    remove: async (keys) => delMany([...keys], store),
    keys: async (prefix) => {
      const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`)
      const keys = await store('readonly', (objects) => promisifyRequest(objects.getAllKeys(range)))
      return keys.map(String)
    },
  }
}

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
