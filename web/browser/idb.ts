import { createStore, delMany, get, promisifyRequest, set } from 'idb-keyval'

import type { ObjectStorage } from '../data/environment.ts'

/** Object storage in IndexedDB, opened on first use. */
export const indexedObjects = (): ObjectStorage => {
  const store = createStore('voltleaf', 'objects')
  // A browser that refuses IndexedDB may throw on opening; `async` turns that into a rejection.
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
