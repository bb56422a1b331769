import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { findCollection } from '#domain/collections.ts'

import type { Sql } from '../db/db.ts'
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

/**
 * A file is stored before the row that names it is written, so that no row is without its file;
 * when the process ends in between, the file is without a row. A pass goes through the store and
 * asks the database, some hundred names at a time, which of the old ones a record still names.
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

  const pass = async (): Promise<void> => {
    const before = Date.now() - AGE_MS
    await emptyFolder(tempDir, before)
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

/** Which of the files of a collection its records name, as `record/name`. */
const findNamed = async (
  sql: Sql,
  name: string,
  keys: readonly FileKey[],
): Promise<ReadonlySet<string>> => {
  const collection = findCollection(name)
  const columns = Object.entries(collection?.fields ?? {}).flatMap(([field, declared]) =>
    declared.kind === 'files'
      ? [declared.single ? sql`t.${sql(field)} = f.name` : sql`f.name = any(t.${sql(field)})`]
      : [],
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
