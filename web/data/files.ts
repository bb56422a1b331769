import type { Environment } from './environment.ts'

/** Files of forms, kept on the device for a user: photos and logos on their way to the server. */
export interface Files {
  /** The name under which a file is kept. It stays the same when the file comes back from there. */
  readonly keyOf: (file: File) => string
  /** Rejects when the device is full, or refuses. */
  readonly keep: (userId: string, files: readonly File[]) => Promise<void>
  /** The files that are still there, in the order asked for. */
  readonly fetch: (userId: string, keys: readonly string[]) => Promise<readonly File[]>
  /** Forgets all files of the user but these. */
  readonly keepOnly: (userId: string, wanted: () => ReadonlySet<string>) => Promise<void>
}

export const createFiles = (env: Pick<Environment, 'objects' | 'newId'>): Files => {
  const keys = new WeakMap<File, string>()
  const kept = new Set<string>()
  const prefix = (userId: string): string => `file:${userId}:`
  const keyOf: Files['keyOf'] = (file) => {
    const key = keys.get(file) ?? env.newId()
    keys.set(file, key)
    return key
  }
  return {
    keyOf,
    keep: async (userId, files) => {
      await Promise.all(
        files.map(async (file) => {
          const key = prefix(userId) + keyOf(file)
          if (kept.has(key)) return
          await env.objects.set(key, file)
          kept.add(key)
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
        kept.add(prefix(userId) + (wanted[index] ?? ''))
        return [file]
      })
    },
    keepOnly: async (userId, wanted) => {
      const stored = await env.objects.keys(prefix(userId)).catch(() => [])
      // Asked for after the wait: another form may have kept a file meanwhile.
      const names = wanted()
      const gone = stored.filter((key) => !names.has(key.slice(prefix(userId).length)))
      if (gone.length === 0) return
      for (const key of gone) kept.delete(key)
      await env.objects.remove(gone).catch(() => undefined)
    },
  }
}
