import fs, { type FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join, resolve } from 'node:path'

/** What a disk would still have if the power went now, as far as fsync has made it sure. */
export interface DiskRecorder {
  /** The files that are there for sure: their bytes, their names, and the folders that they are in. */
  survivors(): ReadonlySet<string>
  /** How often fsync was asked for. */
  syncs(): number
  stop(): void
}

/**
 * Watches what this process writes below a folder. A file survives a power cut when it was fsynced,
 * and the folder that it was renamed into after that; a new folder only when the one above was.
 * (What rename and fsync promise is POSIX; that a file system may do better is no promise.)
 */
export const recordDisk = (root: string): DiskRecorder => {
  const { open, rename, mkdir } = fs
  const paths = new WeakMap<FileHandle, string>()
  /** Files whose bytes are on the disk, under whatever name they have now. */
  const synced = new Set<string>()
  /** Entries that are in their folder, but perhaps not on the disk. */
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
      // The class of handles is not exported; the first handle leads to it.
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
    // Every folder from the first new one down is a new entry.
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

/** Where the disk store keeps a photo of a site. */
export const photoPath = (dataDir: string, record: string, name: string): string =>
  join(dataDir, 'storage/sites', record, name)
