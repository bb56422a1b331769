import type { Readable } from 'node:stream'

import { FULL_LIST_BATCH } from '#domain/limits.ts'
import type { LinkedCollection } from '#domain/collection.ts'
import { COLLECTIONS } from '#domain/collections.ts'
import { fileFields } from '#domain/field.ts'

import type { Caller } from '../caller.ts'
import type { FileStore } from '../files/files.ts'
import { requireAccount, type Records } from '../records/records.ts'
import { zip, type ZipEntry } from '../zip.ts'

export interface ExportDeps {
  readonly records: Pick<Records, 'get' | 'list'>
  readonly files: Pick<FileStore, 'open'>
}

type Row = { readonly id: string; readonly name?: unknown } & Readonly<Record<string, unknown>>

/**
 * Exports the data of a user as one ZIP archive: `data.json` with all records that the user may see, in the format of
 * the record interface, and every stored file as `<collection>/<name>-<id>/<file>`. Reads the data while sending it, a
 * page of records or a chunk of a file at a time. If the session ends meanwhile, the archive is truncated and cannot be
 * opened, so that partial data does not look complete.
 */
export const exportArchive = (
  { records, files }: ExportDeps,
  caller: Caller,
): AsyncGenerator<Buffer> => {
  const pages = async function* (collection: LinkedCollection): AsyncIterable<readonly Row[]> {
    for (let last = ''; ;) {
      const { body } = await records.list(caller, collection, {
        filter: last === '' ? '' : `id > "${last}"`,
        sort: 'id',
        page: undefined,
        perPage: String(FULL_LIST_BATCH),
        skipTotal: 'true',
        picks: undefined,
        expand: '',
      })
      // Some collections have smaller pages than requested.
      const { items, perPage } = JSON.parse(body) as {
        readonly items: readonly Row[]
        readonly perPage: number
      }
      yield items
      if (items.length < perPage) return
      last = items.at(-1)?.id ?? ''
    }
  }

  const data = async function* (): AsyncIterable<string> {
    let separator = '{'
    for (const collection of owned) {
      yield `${separator}\n${JSON.stringify(collection.name)}: [`
      let comma = ''
      for await (const rows of pages(collection))
        for (const row of rows) {
          yield `${comma}\n  ${JSON.stringify(row)}`
          comma = ','
        }
      yield '\n]'
      separator = ','
    }
    yield '\n}\n'
  }

  const entries = async function* (): AsyncIterable<ZipEntry> {
    yield { path: 'data.json', modified: new Date(), level: LEVEL, content: data() }
    for (const collection of owned)
      for await (const rows of pages(collection))
        for (const row of rows)
          for (const name of namesOfFiles(collection, row)) {
            // The file may have been removed after its row was read.
            const file = await files.open({ collection: collection.name, record: row.id, name })
            if (file === undefined) continue
            yield {
              path: `${collection.name}/${folderOf(row)}/${name}`,
              modified: file.modified,
              level: undefined,
              content: opened(() => file.read()),
            }
          }
    await requireAccount(records, caller)
  }
  return zip(entries())
}

/** The default compression level. */
const LEVEL = 6

/** The collections whose records have an owner. */
const owned: readonly LinkedCollection[] = Object.values(COLLECTIONS).filter(
  ({ owner }) => owner !== null,
)

const namesOfFiles = (collection: LinkedCollection, row: Row): readonly string[] =>
  fileFields(collection)
    .flatMap(([name]) => row[name] as string | readonly string[])
    .filter((name) => name !== '')

/** Opens a file when the reader starts, and closes it with the reader. */
const opened = async function* (open: () => Promise<Readable>): AsyncIterable<Buffer> {
  yield* (await open()) as AsyncIterable<Buffer>
}

const NAME_LENGTH = 60

/** A readable folder name of letters, digits and hyphens. */
const folderOf = ({ id, name }: Row): string => {
  const readable = (typeof name === 'string' ? name : '')
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-+/, '')
  const start = Array.from(readable).slice(0, NAME_LENGTH).join('').replace(/-+$/, '')
  return start === '' ? id : `${start}-${id}`
}
