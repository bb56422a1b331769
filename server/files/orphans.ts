import { randomUUID } from 'node:crypto'
import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { ID_LENGTH } from '#domain/collection.ts'
import { findCollection } from '#domain/collections.ts'
import type { FilesField } from '#domain/field.ts'

import type { Sql } from '../db/db.ts'
import { randomText } from '../db/random.ts'
import type { FileKey, FileStore } from './files.ts'

/** Removes what a process left behind that ended in the middle of a request. */
export interface Orphans {
  /** Starts a pass unless one is under way; problems wait for the next one. */
  collect(): void
  /** Ends the pass that is under way. */
  stop(): Promise<void>
}

export interface OrphansDeps {
  readonly sql: Sql
  readonly files: FileStore
  /** Where the files of requests are until they are stored. */
  readonly tempDir: string
  readonly onProblem: (error: unknown) => void
}

/** Longer than any request takes: what is younger may still get its row. */
const AGE_MS = 60 * 60 * 1000
const BATCH = 200

/** Where the store notes whose it is: `record` is the mark of the database. */
const OWNER = '_database'

/**
 * A file is stored before the row that names it is written, so that no row is without its file;
 * when the process ends in between, the file is without a row. A pass goes through the store and
 * asks the database, some hundred names at a time, which of the old ones a record still names. To
 * a database that is not the store's own every file is without a row, so it removes none.
 */
export const createOrphans = ({ sql, files, tempDir, onProblem }: OrphansDeps): Orphans => {
  let running: Promise<void> | undefined
  let stopped = false

  const removeUnnamed = async (keys: readonly FileKey[]): Promise<void> => {
    for (const [name, group] of Map.groupBy(keys, ({ collection }) => collection)) {
      const named = await findNamed(sql, name, group)
      for (const key of group) if (!named.has(`${key.record}/${key.name}`)) await files.remove(key)
    }
  }

  /** A store without a mark is taken when it is empty, or when a record names one of its files. */
  const isOurs = async (): Promise<boolean> => {
    const mark = { collection: OWNER, record: await databaseMark(sql), name: 'mark' }
    if ((await files.open(mark)) !== undefined) return true
    const some: FileKey[] = []
    for await (const key of files.list()) {
      // Another process on the same database may have put the mark meanwhile.
      if (key.collection === OWNER) return key.record === mark.record
      if (some.push(key) === BATCH) break
    }
    const [sample] = some
    const named = await Promise.all(
      [...Map.groupBy(some, ({ collection }) => collection)]
        .filter(([name]) => filesOf(name).length > 0)
        .map(([name, group]) => findNamed(sql, name, group)),
    )
    if (sample !== undefined && named.every(({ size }) => size === 0)) return false
    const path = join(tempDir, randomUUID())
    await writeFile(path, '')
    await files.put(mark, path)
    return true
  }

  const pass = async (): Promise<void> => {
    const before = Date.now() - AGE_MS
    await emptyFolder(tempDir, before)
    if (!(await isOurs())) throw new Error('The files belong to another database; none is removed.')
    let keys: FileKey[] = []
    for await (const { modified, ...key } of files.list()) {
      if (stopped) return
      if (modified.getTime() < before) keys.push(key)
      if (keys.length < BATCH) continue
      await removeUnnamed(keys)
      keys = []
    }
    await removeUnnamed(keys)
  }

  return {
    collect: () => {
      running ??= pass()
        .catch(onProblem)
        .finally(() => {
          running = undefined
        })
    },
    stop: async () => {
      stopped = true
      await running
    },
  }
}

/** A text that no other database has. */
const databaseMark = async (sql: Sql): Promise<string> => {
  await sql`
    insert into settings (name, value) values ('files_mark', ${randomText(ID_LENGTH)})
    on conflict (name) do nothing`
  const [row] = await sql<[{ value: string }]>`
    select value from settings where name = 'files_mark'`
  return row.value
}

/** The fields of a collection that hold files. */
const filesOf = (name: string): readonly (readonly [string, FilesField])[] =>
  Object.entries(findCollection(name)?.fields ?? {}).flatMap(([key, field]) =>
    field.kind === 'files' ? [[key, field] as const] : [],
  )

/** Which of the files of a collection its records name, as `record/name`. */
const findNamed = async (
  sql: Sql,
  name: string,
  keys: readonly FileKey[],
): Promise<ReadonlySet<string>> => {
  const columns = filesOf(name).map(([field, { single }]) =>
    single ? sql`t.${sql(field)} = f.name` : sql`f.name = any(t.${sql(field)})`,
  )
  // What is of no collection of ours is not ours to remove.
  if (columns.length === 0) return new Set(keys.map((key) => `${key.record}/${key.name}`))
  const rows = await sql<{ path: string }[]>`
    select f.record || '/' || f.name as path
    from unnest(${keys.map(({ record }) => record)}::text[], ${keys.map((key) => key.name)}::text[])
      as f(record, name)
    join ${sql(name)} t on t.id = f.record
    where ${columns.reduce((all, one) => sql`${all} or ${one}`)}`
  return new Set(rows.map(({ path }) => path))
}

const emptyFolder = async (folder: string, before: number): Promise<void> => {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    // It may be gone before it is looked at.
    const found = await stat(path).catch(() => undefined)
    if (found?.isFile() && found.mtimeMs < before) await rm(path, { force: true })
  }
}
