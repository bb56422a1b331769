import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'

import type { ImportPatch } from '#domain/import.ts'

import { actFor, stopActing } from '../server/auth/auth.ts'
import type { Caller } from '../server/caller.ts'
import type { Config } from '../server/config.ts'
import { upgrade } from '../server/db/migrate.ts'
import { randomText } from '../server/db/random.ts'
import type { Sql } from '../server/db/sql.ts'
import { openFileStore } from '../server/files/store.ts'
import { dependencyOf } from '../server/http/dependency.ts'
import {
  createImports,
  sentenceOf,
  type Imports,
  type Progress,
} from '../server/imports/imports.ts'
import { makePrivateFolder } from '../server/local-file.ts'
import { StartupError } from '../server/problem.ts'
import { withDatabase } from './database.ts'
import { countOf } from './process.ts'

/** The source of a command's import: a file of the user, which stays in its place, or an address. */
export type Source =
  | { readonly file: string; readonly name: string }
  | { readonly url: string; readonly token?: string }

/** The owner of a business. */
export interface BusinessOwner {
  readonly user: string
  readonly business: string
}

/** The outcome of an import. */
export interface Outcome extends Progress {
  readonly id: string
}

/** An import run by a command. Each step is repeated if the connection to the database is lost. */
export interface CommandImport {
  /** Reads and plans the source. */
  plan(source: Source): Promise<Outcome>
  /** Changes the plan. */
  change(patch: ImportPatch): Promise<void>
  /** Applies the plan. */
  run(): Promise<Outcome>
  /** Writes the report of every row into a file. */
  saveReport(file: string): Promise<void>
  /** Runs a query on the database. */
  ask<T>(question: (sql: Sql) => Promise<T>): Promise<T>
}

const RETRY_MS = 1000
/** A command gives up after this time without progress. */
const GIVE_UP_MS = 120_000

/**
 * Runs a function with an import of an owner, without the public API and its rate limits, but in the owner's name and
 * with all checks. It works with and without a running server; with one, both share the work.
 */
export const importFor = async <T>(
  config: Config,
  owner: BusinessOwner,
  work: (one: CommandImport) => Promise<T>,
): Promise<T> => {
  const lease = randomText(15)
  let id = ''
  const step = <R>(run: (imports: Imports, caller: Caller, sql: Sql) => Promise<R>): Promise<R> =>
    persist(config, async (sql) => {
      const tempDir = join(config.dataDir, 'tmp')
      await makePrivateFolder(tempDir)
      const files = await openFileStore(config, () => {})
      const imports = createImports({
        sql,
        files,
        tempDir,
        fetching: {
          allowsPrivate: config.importPrivateAddresses,
          userAgent: `${config.productName} (${config.publicUrl})`,
        },
        onProblem: (error) => console.error(String(error)),
        lease,
      })
      const caller = await actFor(sql, owner.user, randomText(15))
      try {
        return await run(imports, caller, sql)
      } finally {
        await stopActing(sql, caller).catch(() => {})
        await imports.stop()
      }
    })
  const finish = (label: string): Promise<Outcome> =>
    step(async (imports) => {
      const progress = await imports.finish(id, ({ done, total }) => {
        if (total > 0 && done < total)
          showProgress(`${label}: ${done} of ${countOf(total, 'station')}`, false)
      })
      if (progress.state === 'FAILED')
        throw new StartupError(
          progress.problem === null ? 'The import failed.' : sentenceOf(progress.problem),
        )
      if (progress.total > 0)
        showProgress(`${label}: ${progress.done} of ${countOf(progress.total, 'station')}`, true)
      return { ...progress, id }
    })
  return work({
    plan: async (source) => {
      await step(async (imports, caller) => {
        const input = 'url' in source ? source : await copyOf(config, source)
        ;({ id } = await imports.create(caller, input))
      })
      return finish('Planned')
    },
    change: (patch) => step((imports, caller) => imports.change(caller, id, patch)),
    run: async () => {
      await step(async (imports, caller, sql) => {
        await finishOthers(imports, sql, owner.business, id)
        const [found] = await sql<{ state: string }[]>`select state from imports where id = ${id}`
        if (found?.state === 'PLANNED') await imports.run(caller, id)
      })
      return finish('Applied')
    },
    saveReport: (file) =>
      step(async (imports, caller) => {
        const rows = await imports.report(caller, id)
        await pipeline(Readable.from(rows, { objectMode: false }), createWriteStream(file))
      }),
    ask: (question) => persist(config, question),
  })
}

/** Copies the file, because the store moves the file that it stores. */
const copyOf = async ({ dataDir }: Config, { file, name }: Extract<Source, { file: string }>) => {
  const path = join(dataDir, 'tmp', randomUUID())
  await copyFile(file, path)
  return { path, name }
}

/** An earlier command may have been killed during a run. */
const finishOthers = async (
  imports: Imports,
  sql: Sql,
  business: string,
  id: string,
): Promise<void> => {
  const others = await sql<{ id: string }[]>`
    select id from imports where business = ${business} and id <> ${id} and state in ('RUNNING', 'UNDOING')`
  for (const other of others) {
    console.log('An earlier import has not finished: completing it first.')
    await imports.finish(other.id, () => {})
  }
}

/** Repeats a step while the database does not respond: its server may be restarting. */
const persist = async <T>(config: Config, run: (sql: Sql) => Promise<T>): Promise<T> => {
  for (const end = Date.now() + GIVE_UP_MS; ;) {
    try {
      return await withDatabase(config, run, { max: 3 })
    } catch (error) {
      if (dependencyOf(error) !== 'database') throw error
      if (Date.now() > end)
        throw new StartupError(
          'The database no longer answers. Run the same command again to continue.',
          { cause: error },
        )
      console.log('The database does not answer; retrying.')
      await sleep(RETRY_MS)
    }
  }
}

/** Finds the owner with an email address and a business. */
export const findOwner = (config: Config, email: string): Promise<BusinessOwner | undefined> =>
  withDatabase(config, async (sql) => {
    await upgrade(sql)
    const [owner] = await sql<BusinessOwner[]>`
      select u.id as "user", b.id as business from users u join businesses b on b."user" = u.id
      where lower(u.email) = lower(${email}) and u.email <> ''`
    return owner
  })

const PROGRESS_EVERY_MS = 5_000
let shownAtMs = 0

const showProgress = (line: string, last: boolean): void => {
  if (process.stdout.isTTY) process.stdout.write(`\r${line}${last ? '\n' : ''}`)
  else if (last || Date.now() - shownAtMs > PROGRESS_EVERY_MS) {
    shownAtMs = Date.now()
    console.log(line)
  }
}
