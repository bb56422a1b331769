import { createStore, delMany, get, promisifyRequest, set } from 'idb-keyval'

/**
 * Large or binary values that are kept on this device by key: photos, and the data last seen. Every
 * call rejects when the device is full or refuses storage.
 */
export interface ObjectStorage {
  readonly get: (key: string) => Promise<unknown>
  /** Resolves once the value is on the disk. */
  readonly set: (key: string, value: unknown) => Promise<void>
  readonly remove: (keys: readonly string[]) => Promise<void>
  /** The keys that begin with `prefix`. */
  readonly keys: (prefix: string) => Promise<readonly string[]>
}

/** Storage in this browser's IndexedDB, which is opened when it is first needed. */
export const indexedObjects = (): ObjectStorage => {
  const store = createStore('voltleaf', 'objects')
  // A browser that refuses IndexedDB may throw on opening: `async` turns that into a rejection.
  return {
    get: async (key) => get<unknown>(key, store),
    set: async (key, value) => set(key, value, store),
    remove: async (keys) => delMany([...keys], store),
    keys: async (prefix) => {
      const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`)
      const keys = await store('readonly', (objects) => promisifyRequest(objects.getAllKeys(range)))
      return keys.map(String)
    },
  }
}
