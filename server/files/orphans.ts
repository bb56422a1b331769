import { randomUUID } from 'node:crypto'
import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Sql } from '../db/sql.ts'
import { OperatorError } from '../problem.ts'
import type { FileKey, FileStore } from './files.ts'
import { STORE_OWNER, markOf } from './store-owner.ts'
import { filesOf, findReferencedFiles, namedFiles, withCleanupLock } from './referenced-files.ts'

/** Removes files that a process left behind when it ended during a request. */
export interface Orphans {
  /** Starts a pass unless one is running; errors are left to the next pass. */
  collect(): void
  /** Aborts the running pass. */
  stop(): Promise<void>
}

export interface OrphansDeps {
  readonly sql: Sql
  readonly files: FileStore
  /** The folder of uploads until they are stored. */
  readonly tempDir: string
  readonly onProblem: (error: unknown) => void
  /** Called once if the store lacks files that records reference. */
  readonly onMissing: (problem: OperatorError) => void
  /** Called for each removed file. */
  readonly onRemoved: () => void
}

/** Longer than any request takes: a newer file may still get its row. */
const AGE_MS = 60 * 60 * 1000
const BATCH = 200
/** If each process has its own store, every store has some of any twenty files. */
const SAMPLE = 20

/**
 * A file is stored before the row that references it, so that no row is without its file. If the process ends in
 * between, the file is orphaned. A pass lists the store and asks the database, some hundred names at a time, which of
 * the old files a record references. To a database that does not own the store, every file would look like an orphan,
 * so it removes none.
 */
export const createOrphans = (deps: OrphansDeps): Orphans => {
  const { sql, files, tempDir, onProblem, onMissing, onRemoved } = deps
  let running: Promise<void> | undefined
  let stopped = false
  let isMissingTold = false

  const removeUnnamed = (keys: readonly FileKey[]): Promise<boolean> =>
    withCleanupLock(sql, async (connection) => {
      for (const [name, group] of Map.groupBy(keys, ({ collection }) => collection)) {
        const named = await findReferencedFiles(connection, name, group)
        for (const key of group) {
          if (named.has(`${key.record}/${key.name}`)) continue
          await files.remove(key)
          onRemoved()
        }
      }
    })

  /** Claims a store without an owner mark if it is empty, or if a record references one of its files. */
  const isOurs = async (): Promise<boolean> => {
    const mark = await markOf(sql)
    if ((await files.open(mark)) !== undefined) return true
    for await (const _ of files.list(STORE_OWNER)) return false
    const some: FileKey[] = []
    for await (const key of files.list()) if (some.push(key) === BATCH) break
    const [sample] = some
    const named = await Promise.all(
      [...Map.groupBy(some, ({ collection }) => collection)]
        .filter(([name]) => filesOf(name).length > 0)
        .map(([name, group]) => findReferencedFiles(sql, name, group)),
    )
    if (sample !== undefined && named.every(({ size }) => size === 0)) return false
    const path = join(tempDir, randomUUID())
    try {
      await writeFile(path, '')
      await files.put(mark, path)
    } finally {
      await rm(path, { force: true })
    }
    return true
  }

  /**
   * Checks that some of the referenced files are in the store: another process, or an earlier run, may use a different
   * store.
   */
  const findMissing = async (): Promise<void> => {
    if (isMissingTold) return
    const sample: FileKey[] = []
    for await (const named of namedFiles(sql)) {
      sample.push(...named.slice(0, SAMPLE - sample.length))
      if (sample.length === SAMPLE) break
    }
    const found = await Promise.all(sample.map((key) => files.open(key)))
    const missing = found.filter((file) => file === undefined).length
    if (missing === 0) return
    isMissingTold = true
    onMissing(
      new OperatorError(
        `Of ${sample.length} files that records name, ${missing} are not in ${files.place}: all processes of a database need one bucket (the S3_ settings) or one folder, and files have to be moved with them.`,
      ),
    )
  }

  const pass = async (): Promise<void> => {
    const before = Date.now() - AGE_MS
    await emptyFolder(tempDir, before)
    await findMissing()
    if (!(await isOurs()))
      throw new OperatorError('The files belong to another database; none was removed.')
    let keys: FileKey[] = []
    for await (const { modified, ...key } of files.list()) {
      if (stopped) return
      if (modified.getTime() < before) keys.push(key)
      if (keys.length < BATCH) continue
      if (!(await removeUnnamed(keys))) return
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

const emptyFolder = async (folder: string, before: number): Promise<void> => {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    // It may have been removed meanwhile.
    const found = await stat(path).catch(() => undefined)
    if (found?.isFile() && found.mtimeMs < before) await rm(path, { force: true })
  }
}
