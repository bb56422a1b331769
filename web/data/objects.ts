/**
 * What is too large or no text, kept on this device by key: photos, and the data last seen. Every
 * call rejects when the device is full or refuses.
 */
export interface ObjectStorage {
  readonly get: (key: string) => Promise<unknown>
  readonly set: (key: string, value: unknown) => Promise<void>
  readonly remove: (keys: readonly string[]) => Promise<void>
  /** The keys that begin so. */
  readonly keys: (prefix: string) => Promise<readonly string[]>
}

const DATABASE = 'voltleaf'
const STORE = 'objects'

/** The objects in this browser's IndexedDB, which is opened when it is first needed. */
export const indexedObjects = (): ObjectStorage => {
  let opening: Promise<IDBDatabase> | undefined
  const open = (): Promise<IDBDatabase> => {
    opening ??= new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(DATABASE, 1)
      request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE))
      request.addEventListener('success', () => {
        // Whoever clears the data of the site closes it.
        request.result.addEventListener('close', () => (opening = undefined))
        resolve(request.result)
      })
      request.addEventListener('error', () => reject(asError(request.error)))
    })
    opening.catch(() => (opening = undefined))
    return opening
  }
  /** Resolves once what was asked for is on the disk. */
  const run = async <T>(
    mode: IDBTransactionMode,
    ask: (store: IDBObjectStore) => IDBRequest<T> | undefined,
  ): Promise<T | undefined> => {
    const database = await open()
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode)
      const request = ask(transaction.objectStore(STORE))
      transaction.addEventListener('complete', () => resolve(request?.result))
      transaction.addEventListener('abort', () => reject(asError(transaction.error)))
    })
  }
  return {
    get: (key) => run<unknown>('readonly', (store) => store.get(key)),
    set: async (key, value) => void (await run('readwrite', (store) => store.put(value, key))),
    remove: async (keys) => {
      await run('readwrite', (store) => {
        for (const key of keys) store.delete(key)
        return undefined
      })
    },
    keys: async (prefix) =>
      (await run('readonly', (store) => store.getAllKeys(startingWith(prefix))))?.map(String) ?? [],
  }
}

const startingWith = (prefix: string): IDBKeyRange => IDBKeyRange.bound(prefix, `${prefix}\uffff`)

const asError = (error: DOMException | null): Error => error ?? new Error('IndexedDB failed')
