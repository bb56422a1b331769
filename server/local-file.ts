import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'

/**
 * Creates a folder that only this account can enter, with its parents: everybody can enter DATA_DIR, because the
 * embedded database may run under another account.
 * @returns the outermost folder that was missing
 */
export const makePrivateFolder = (path: string): Promise<string | undefined> =>
  mkdir(path, { recursive: true, mode: 0o700 })

/** Flushes a file or a folder to disk; the entries of a flushed folder survive a power cut. */
export const flush = async (path: string): Promise<void> => {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The SHA-256 of a file, in hexadecimal digits. */
export const checksumOf = async (path: string): Promise<string> => {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
