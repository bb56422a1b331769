import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

import { forEachConcurrently } from '../concurrency.ts'
import type { Sql } from '../db/sql.ts'
import { makePrivateFolder } from '../local-file.ts'
import { StartupError } from '../problem.ts'
import { pathOf, type FileKey, type FileStore, type StoredFile } from './files.ts'
import { STORE_OWNER, markOf, readNotedStore } from './store-owner.ts'
import { filesOf, findReferencedFiles, namedFiles, withCleanupLock } from './referenced-files.ts'

export interface MoveDeps {
  readonly sql: Sql
  readonly from: FileStore
  readonly to: FileStore
  /** The folder for files in transit; on the same file system as a store on disk. */
  readonly tempDir: string
}

/** The outcome of a copy, by file. */
export interface Copied {
  readonly copied: number
  /** Files that the target already had, complete. */
  readonly there: number
  /** Files that neither store has. */
  readonly missing: readonly string[]
}

const ATTEMPTS = 3
/** A newer file without a row may still get one. */
const AGE_MS = 60 * 60 * 1000
const BATCH = 200

/**
 * Copies every file that a record names to another store, while servers run. A file that is complete in the target
 * is skipped, so an interrupted copy can be continued. Thumbnails are regenerated.
 * @throws {StartupError} if the target contains the files of another database
 */
export const copyFiles = async (deps: MoveDeps): Promise<Copied> => {
  const { sql, to } = deps
  const mark = await markOf(sql)
  for await (const { record } of to.list(STORE_OWNER))
    if (record !== mark.record)
      throw new StartupError(
        `The files in ${to.place} belong to another database: choose another place. Nothing was copied.`,
      )
  await makePrivateFolder(deps.tempDir)
  let copied = 0
  let there = 0
  const missing: string[] = []
  const copy = async (key: FileKey): Promise<void> => {
    const outcome = await patiently(() => copyFile(deps, key))
    if (outcome === 'copied') copied += 1
    else if (outcome === 'there') there += 1
    else missing.push(pathOf(key) ?? '')
  }
  for await (const some of namedFiles(sql)) await forEachConcurrently(some, copy)
  return { copied, there, missing: await stillNamed(sql, missing) }
}

/** Retries, so that a brief outage of a store does not end a copy of hours. */
const patiently = async <T>(run: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await run()
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
    }
}

const copyFile = async (
  { from, to, tempDir }: MoveDeps,
  key: FileKey,
): Promise<'copied' | 'there' | 'missing'> => {
  const [source, target] = [await from.open(key), await to.open(key)]
  if (source === undefined) return target === undefined ? 'missing' : 'there'
  if (target !== undefined && (await isSame(source, target))) return 'there'
  const path = join(tempDir, randomUUID())
  try {
    const hash = createHash('sha256')
    await pipeline(
      await source.read(),
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk)
          yield chunk
        }
      },
      createWriteStream(path, { flags: 'wx' }),
    )
    const sha256 = hash.digest('hex')
    if ((source.sha256 ?? sha256) !== sha256)
      throw new Error(`${pathOf(key)} in ${from.place} does not match its checksum.`)
    await to.put(key, path)
    const put = await to.open(key)
    if (put?.bytes !== source.bytes || (await checksumOf(put)) !== sha256)
      throw new Error(`${pathOf(key)} was not copied completely to ${to.place}.`)
    return 'copied'
  } finally {
    await rm(path, { force: true })
  }
}

const isSame = async (one: StoredFile, other: StoredFile): Promise<boolean> =>
  one.bytes === other.bytes && (await checksumOf(one)) === (await checksumOf(other))

const checksumOf = async (file: StoredFile): Promise<string> => {
  if (file.sha256 !== undefined) return file.sha256
  const hash = createHash('sha256')
  await pipeline(await file.read(), hash)
  return hash.digest('hex')
}

/** The missing files that a record still references. */
const stillNamed = async (sql: Sql, paths: readonly string[]): Promise<string[]> => {
  const named: string[] = []
  for (const path of paths) {
    const [collection = '', record = '', name = ''] = path.split('/')
    const found = await findReferencedFiles(sql, collection, [{ collection, record, name }])
    if (found.size > 0) named.push(path)
  }
  return named.toSorted()
}

/**
 * Removes from the source, at the end of a move, the files that are complete in the target and those that no
 * record references. Removes nothing while a server uses the source.
 * @returns the number of removed files
 * @throws {StartupError} if the server that started last uses another store than the target
 */
export const deleteSource = async ({ sql, from, to }: MoveDeps): Promise<number> => {
  const used = await readNotedStore(sql)
  if (used !== to.place)
    throw new StartupError(
      `The server uses ${used ?? 'an unknown store'}, not ${to.place}: start it with the new settings first. Nothing was removed.`,
    )
  const before = Date.now() - AGE_MS
  let removed = 0
  const remove = async (keys: readonly (FileKey & { modified: Date })[]): Promise<void> => {
    const done = await withCleanupLock(sql, async (connection) => {
      for (const [collection, group] of Map.groupBy(keys, (key) => key.collection)) {
        const named = await findReferencedFiles(connection, collection, group)
        for (const key of group) {
          const isNamed = named.has(`${key.record}/${key.name}`)
          if (isNamed ? (await to.open(key)) === undefined : key.modified.getTime() > before)
            continue
          await from.remove(key)
          removed += 1
        }
      }
    })
    if (!done)
      throw new StartupError('A backup is running: remove the files after it has finished.')
  }
  let keys: (FileKey & { modified: Date })[] = []
  for await (const key of from.list()) {
    if (filesOf(key.collection).length > 0) keys.push(key)
    if (keys.length < BATCH) continue
    await remove(keys)
    keys = []
  }
  await remove(keys)
  for await (const { collection } of from.list()) if (collection !== STORE_OWNER) return removed
  await from.remove(await markOf(sql))
  return removed
}
