import { constants, createReadStream } from 'node:fs'
import { access, opendir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { flush, makePrivateFolder } from '../local-file.ts'
import { pathOf, THUMBS, type FileKey, type FileStore } from './files.ts'

/**
 * Stores files in a folder: `<root>/<collection>/<record>/<name>`, with the thumbnails in `thumbs_<name>/<size>_<name>`
 * beside the file.
 */
export const createDiskStore = (root: string): FileStore => {
  const locate = (key: FileKey): string | undefined => {
    const path = pathOf(key)
    return path === undefined ? undefined : join(root, path)
  }
  return {
    place: `the folder ${root}`,
    check: async () => {
      await makePrivateFolder(root)
      await access(root, constants.W_OK)
    },
    put: async (key, path) => {
      const target = locate(key)
      if (target === undefined) throw new TypeError('not a name that can be stored')
      await flush(path)
      const folder = dirname(target)
      let made = await makePrivateFolder(folder)
      await rename(path, target).catch(async (error: NodeJS.ErrnoException) => {
        // The removal of a record's last file removes the folder as well.
        if (error.code !== 'ENOENT') throw error
        made = (await makePrivateFolder(folder)) ?? made
        await rename(path, target)
      })
      await flush(folder)
      // A new folder is itself an entry that has to be flushed.
      if (made !== undefined) await flushParents(folder, dirname(made))
    },
    open: async (key) => {
      const path = locate(key)
      const found = path === undefined ? undefined : await stat(path).catch(ifMissing)
      if (path === undefined || found === undefined || !found.isFile()) return undefined
      return {
        bytes: found.size,
        modified: found.mtime,
        read: async (range) => createReadStream(path, range),
      }
    },
    remove: async (key) => {
      const path = locate(key)
      if (path === undefined) return
      await rm(path, { force: true })
      if (key.thumb !== undefined) return
      await rm(join(dirname(path), THUMBS + key.name), { recursive: true, force: true })
      for (const folder of [dirname(path), dirname(dirname(path))])
        await rmdir(folder).catch(ifMissingOrUsed)
    },
    list: async function* (only) {
      for await (const collection of only === undefined ? entries(root) : [only])
        for await (const record of entries(join(root, collection)))
          for await (const entry of entries(join(root, collection, record))) {
            const found = await stat(join(root, collection, record, entry)).catch(ifMissing)
            if (found === undefined) continue
            const name = found.isDirectory() ? entry.replace(THUMBS, '') : entry
            yield { collection, record, name, modified: found.mtime }
          }
    },
  }
}

/** The names in a folder; none if it does not exist, or is not a folder. */
const entries = async function* (folder: string): AsyncIterable<string> {
  const opened = await opendir(folder).catch(ifMissing)
  if (opened === undefined) return
  for await (const { name } of opened) yield name
}

const flushParents = async (from: string, upTo: string): Promise<void> => {
  for (let folder = dirname(from); folder.length >= upTo.length; folder = dirname(folder)) {
    await flush(folder)
    if (folder === dirname(folder)) return
  }
}

const ifMissing = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
}

const ifMissingOrUsed = (error: NodeJS.ErrnoException): void => {
  if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(error.code ?? '')) throw error
}
