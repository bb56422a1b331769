import type { Environment } from './environment.ts'

/** Files of forms, stored on the device per user: photos and logos until they are uploaded. */
export interface Files {
  /** The key of a file; it stays the same when the file is read back from storage. */
  readonly keyOf: (file: File) => string
  /** Stores files; rejects if the device is full or refuses storage. */
  readonly store: (userId: string, files: readonly File[]) => Promise<void>
  /** The files that are still stored, in the requested order. */
  readonly fetch: (userId: string, keys: readonly string[]) => Promise<readonly File[]>
  /** Removes all files of the user except these. */
  readonly keepOnly: (userId: string, wanted: () => ReadonlySet<string>) => Promise<void>
}

export const createFiles = (env: Pick<Environment, 'objects' | 'newId'>): Files => {
  const keys = new WeakMap<File, string>()
  const storedKeys = new Set<string>()
  const prefix = (userId: string): string => `file:${userId}:`
  const keyOf: Files['keyOf'] = (file) => {
    const key = keys.get(file) ?? env.newId()
    keys.set(file, key)
    return key
  }
  return {
    keyOf,
    store: async (userId, files) => {
      await Promise.all(
        files.map(async (file) => {
          const key = prefix(userId) + keyOf(file)
          // Another tab may have removed it.
          if (storedKeys.has(key) && (await env.objects.get(key)) instanceof File) return
          await env.objects.set(key, file)
          storedKeys.add(key)
        }),
      )
    },
    fetch: async (userId, wanted) => {
      const found = await Promise.all(
        wanted.map((key) => env.objects.get(prefix(userId) + key).catch(() => undefined)),
      )
      return found.flatMap((file, index) => {
        if (!(file instanceof File)) return []
        keys.set(file, wanted[index] ?? '')
        storedKeys.add(prefix(userId) + (wanted[index] ?? ''))
        return [file]
      })
    },
    keepOnly: async (userId, wanted) => {
      const stored = await env.objects.keys(prefix(userId)).catch(() => [])
      // Computed after the wait: another form may have stored a file in the meantime.
      const names = wanted()
      const gone = stored.filter((key) => !names.has(key.slice(prefix(userId).length)))
      if (gone.length === 0) return
      for (const key of gone) storedKeys.delete(key)
      await env.objects.remove(gone).catch(() => undefined)
    },
  }
}
