import { createHash } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'

import { checksumOf, flush, makePrivateFolder } from '../local-file.ts'
import { StartupError } from '../problem.ts'

/**
 * A backup is a folder: `manifest.json`, `tables/<name>.copy` (the text format of COPY),
 * `files/<collection>/<record>/<name>`, and `SHA256SUMS` over all of them, in the format of `sha256sum --check`.
 * The folder gets its name once everything in it is flushed to disk.
 */

/** The manifest of a backup. */
export interface Manifest {
  readonly format: typeof FORMAT
  /** The version of the software that wrote it. */
  readonly version: string
  readonly created: string
  /** The migrations of the schema, in order. */
  readonly migrations: readonly { readonly name: string; readonly checksum: string }[]
  /** In an order in which rows follow those that they reference. */
  readonly tables: readonly {
    readonly name: string
    readonly columns: readonly string[]
    readonly rows: number
  }[]
  readonly sequences: readonly { readonly name: string; readonly value: string }[]
  readonly files: number
  /** Files that a row references but the store lacked; a backup without them is better than none. */
  readonly missing: readonly string[]
}

export const FORMAT = 'voltleaf-backup-1'
const MANIFEST = 'manifest.json'
const SUMS = 'SHA256SUMS'

export const tablePath = (name: string): string => `tables/${name}.copy`
export const filePath = (path: string): string => `files/${path}`

/** A file of the backup. */
export interface Written {
  readonly bytes: number
  readonly sha256: string
  readonly lines: number
}

/** Writes a file that survives a power cut once `finish` has flushed its folder. */
export const writeWhole = async (
  path: string,
  content: AsyncIterable<Buffer>,
): Promise<Written> => {
  await makePrivateFolder(dirname(path))
  const hash = createHash('sha256')
  let bytes = 0
  let lines = 0
  const handle = await open(path, 'wx')
  try {
    for await (const chunk of content) {
      hash.update(chunk)
      bytes += chunk.length
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1
      await handle.writeFile(chunk)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  return { bytes, sha256: hash.digest('hex'), lines }
}

/** Writes the manifest and the checksums, which complete the folder. */
export const finish = async (
  folder: string,
  manifest: Manifest,
  sums: ReadonlyMap<string, string>,
): Promise<void> => {
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  const { sha256 } = await writeWhole(join(folder, MANIFEST), Readable.from([Buffer.from(text)]))
  const lines = [...sums, [MANIFEST, sha256] as const].map(([path, sum]) => `${sum}  ${path}\n`)
  await writeWhole(join(folder, SUMS), Readable.from(lines.map((line) => Buffer.from(line))))
  const folders = new Set([folder])
  for (const path of sums.keys())
    for (let each = dirname(path); each !== '.'; each = dirname(each))
      folders.add(join(folder, each))
  for (const each of folders) await flush(each)
}

/** A verified backup. */
export interface Backup {
  readonly folder: string
  /** Unique to the backup. */
  readonly id: string
  readonly manifest: Manifest
  /** The stored files, as `<collection>/<record>/<name>`, with their checksums. */
  readonly files: ReadonlyMap<string, string>
}

const LINE = /^([0-9a-f]{64}) {2}(manifest\.json|tables\/\w+\.copy|files\/[\w-]+\/[\w-]+\/[\w.-]+)$/
const FILES = 'files/'

/**
 * Reads and verifies a backup, including every byte of its files.
 * @throws {StartupError} if it is not a backup, or has changed since it was written
 */
export const readBackup = async (folder: string): Promise<Backup> => {
  const text = await readFile(join(folder, SUMS), 'utf8').catch((error: unknown) => {
    throw new StartupError(`${folder} does not contain a backup (it has no ${SUMS}).`, {
      cause: error,
    })
  })
  const damaged = (what: string): StartupError =>
    new StartupError(`The backup in ${folder} is damaged: ${what}. Nothing was restored.`)
  const lines = text.split('\n').slice(0, -1)
  const sums = new Map<string, string>()
  for (const line of lines) {
    const [, sum = '', path = ''] = LINE.exec(line) ?? []
    if (path === '') throw damaged(`${SUMS} has an invalid line`)
    sums.set(path, sum)
  }
  for (const [path, sum] of sums) {
    const found = await checksumOf(join(folder, path)).catch(() => 'missing')
    if (found === 'missing') throw damaged(`${path} is missing or cannot be read`)
    if (found !== sum) throw damaged(`${path} does not match its checksum`)
  }
  if (!sums.has(MANIFEST) || !text.endsWith('\n')) throw damaged(`${SUMS} is cut off`)
  const manifest = JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')) as Manifest
  if (manifest.format !== FORMAT)
    throw new StartupError(
      `The backup in ${folder} was written by another version of this software, in a format that this version cannot read.`,
    )
  const files = new Map(
    [...sums].flatMap(([path, sum]) =>
      path.startsWith(FILES) ? [[path.slice(FILES.length), sum] as const] : [],
    ),
  )
  const tables = manifest.tables.filter(({ name }) => sums.has(tablePath(name)))
  if (files.size !== manifest.files || tables.length !== manifest.tables.length)
    throw damaged(`${SUMS} does not list everything in the manifest`)
  const id = createHash('sha256').update(text).digest('hex').slice(0, 15)
  return { folder, id, manifest, files }
}
