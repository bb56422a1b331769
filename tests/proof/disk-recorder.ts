import fs, { type FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join, resolve } from 'node:path'

/** The data that a disk would contain after a power cut, as guaranteed by fsync. */
export interface DiskRecorder {
  /** The durable files: their content, their names, and their folders. */
  survivors(): ReadonlySet<string>
  /** The number of fsync calls. */
  syncs(): number
  stop(): void
}

/**
 * Records the writes of this process below a folder. A file survives a power cut if it was fsynced, and after that the
 * folder into which it was renamed; a new folder only if its parent was. (POSIX guarantees this for rename and fsync;
 * anything else that a file system does is not guaranteed.)
 */
export const recordDisk = (root: string): DiskRecorder => {
  const { open, rename, mkdir } = fs
  const paths = new WeakMap<FileHandle, string>()
  /** Files with durable content, by their current name. */
  const synced = new Set<string>()
  /** Entries that exist in their folder, but may not be durable. */
  const loose = new Set<string>()
  let syncs = 0
  let patched: FileHandle | undefined
  let original: ((this: FileHandle) => Promise<void>) | undefined

  const sync = async function (this: FileHandle): Promise<void> {
    await original?.call(this)
    const path = paths.get(this)
    if (path === undefined) return
    syncs++
    synced.add(path)
    for (const entry of loose) if (dirname(entry) === path) loose.delete(entry)
  }
  fs.open = async (...args) => {
    const handle = await open(...args)
    paths.set(handle, resolve(String(args[0])))
    if (patched === undefined) {
      // The class of handles is not exported; the first handle provides it.
      patched = Object.getPrototypeOf(handle) as FileHandle
      original = Reflect.get(patched, 'sync') as typeof original
      patched.sync = sync
    }
    return handle
  }
  fs.rename = async (from, to) => {
    const [source, target] = [resolve(String(from)), resolve(String(to))]
    const wasSynced = synced.delete(source)
    loose.add(target)
    await rename(from, to)
    if (wasSynced) synced.add(target)
  }
  fs.mkdir = (async (path: string, options: object) => {
    const made = await mkdir(path, options)
    if (made === undefined) return made
    // The first new folder and all folders below it are new entries.
    const first = resolve(String(made))
    for (let folder = resolve(path); folder.length >= first.length; folder = dirname(folder))
      loose.add(folder)
    return made
  }) as typeof fs.mkdir
  syncBuiltinESMExports()

  const isSure = (path: string): boolean => {
    for (let entry = path; entry !== root && entry !== dirname(entry); entry = dirname(entry))
      if (loose.has(entry)) return false
    return true
  }
  return {
    survivors: () => new Set([...synced].filter(isSure)),
    syncs: () => syncs,
    stop: () => {
      Object.assign(fs, { open, rename, mkdir })
      if (patched !== undefined && original !== undefined) patched.sync = original
      syncBuiltinESMExports()
    },
  }
}

/** The path of a site's photo in the disk store. */
export const photoPath = (dataDir: string, record: string, name: string): string =>
  join(dataDir, 'storage/sites', record, name)
