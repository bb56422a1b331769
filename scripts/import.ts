import { access, constants, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'

import { ApiError } from '#domain/error.ts'
import { ROW_ACTIONS, type ImportCounts, type ImportProblem } from '#domain/import.ts'

import { sentenceOf } from '../server/imports/imports.ts'
import { StartupError } from '../server/problem.ts'
import { findOwner, importFor, type CommandImport, type Outcome, type Source } from './importing.ts'
import { checkFile, countOf, loadConfig, pathOf, readArguments, run } from './process.ts'

const USAGE =
  'npm run import -- FILE|URL --owner EMAIL [--token TOKEN] [--missing remove] [--yes] [--report FILE]'

interface Arguments {
  readonly source: Source
  readonly owner: string
  readonly isRemoving: boolean
  readonly isSure: boolean
  readonly report: string | undefined
}

const main = async (): Promise<void> => {
  const args = readArguments(USAGE, parseArguments)
  if ('file' in args.source) await checkFile(args.source.file)
  if (args.report !== undefined) await checkReport(args.report)
  const config = loadConfig()
  const owner = await findOwner(config, args.owner)
  if (owner === undefined)
    throw new StartupError(
      `No business belongs to the account ${args.owner}: sign in with that email address and add one.`,
    )
  await importFor(config, owner, (one) => bringIn(one, args, config.publicUrl)).catch(
    (error: unknown) => {
      if (!(error instanceof ApiError)) throw error
      throw new StartupError(`${error.message} See ${config.publicUrl}/import.`, {
        cause: error,
      })
    },
  )
}

const bringIn = async (one: CommandImport, args: Arguments, publicUrl: string): Promise<void> => {
  const planned = await one.plan(args.source)
  if (args.isRemoving) await one.change({ missing: 'REMOVE' })
  const page = `${publicUrl}/import/${planned.id}`
  if (planned.state === 'MAPPING')
    throw new StartupError(`Choose at ${page} what the columns of the table mean.`)
  const counts = await countsOf(one, planned)
  describePlan(counts, args.isRemoving, await firstProblems(one, planned.id), page)
  if (counts.included === 0) console.log('There is nothing to apply.')
  else if (!args.isSure && !(await isConfirmed(counts.included))) {
    console.log(`Nothing was applied. Review the plan at ${page}, or add --yes to apply it.`)
    return
  } else describeRun(await one.run())
  if (args.report !== undefined) {
    await one.saveReport(args.report)
    console.log(`The report is in ${args.report}.`)
  }
}

const parseArguments = (): Arguments | undefined => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      owner: { type: 'string' },
      token: { type: 'string' },
      missing: { type: 'string' },
      yes: { type: 'boolean' },
      report: { type: 'string' },
    },
  })
  const [source, ...rest] = positionals
  const isUrl = source !== undefined && /^https?:\/\//i.test(source)
  const isKnown = [undefined, 'keep', 'remove'].includes(values.missing)
  const isClear = isKnown && (isUrl || values.token === undefined)
  if (source !== undefined && rest.length === 0 && values.owner && isClear)
    return {
      source: isUrl
        ? { url: source, token: values.token ?? process.env['IMPORT_TOKEN'] ?? '' }
        : { file: pathOf(source), name: basename(source) },
      owner: values.owner,
      isRemoving: values.missing === 'remove',
      isSure: values.yes === true,
      report: values.report && pathOf(values.report),
    }
  return undefined
}

/** Runs before anything is imported. @throws {StartupError} if the report cannot be written */
const checkReport = async (file: string): Promise<void> => {
  const found = await stat(file).catch(() => undefined)
  if (found?.isDirectory()) throw new StartupError(`${file} is a folder: name a file in it.`)
  const place = found === undefined ? dirname(file) : file
  await access(place, constants.W_OK).catch((error: unknown) => {
    throw new StartupError(`The report cannot be written: ${String(error)}`, { cause: error })
  })
}

const countsOf = async (one: CommandImport, { id, counts }: Outcome): Promise<ImportCounts> => {
  const now = await one.ask(
    (sql) => sql<{ counts: ImportCounts }[]>`select counts from imports where id = ${id}`,
  )
  const found = now[0]?.counts ?? counts
  if (found === null) throw new Error('The import has no plan.')
  return found
}

const SHOWN_PROBLEMS = 10

interface ShownProblem {
  readonly position: string
  readonly name: string
  readonly problem: ImportProblem
}

const firstProblems = (one: CommandImport, id: string): Promise<ShownProblem[]> =>
  one.ask(
    (sql) => sql<ShownProblem[]>`
      select position, name, problem from import_rows where import = ${id} and problem <> 'null'
      order by number limit ${SHOWN_PROBLEMS}`,
  )

const describePlan = (
  counts: ImportCounts,
  isRemoving: boolean,
  problems: readonly ShownProblem[],
  page: string,
): void => {
  console.log(ROW_ACTIONS.map((action) => `${counts[action]} ${action.toLowerCase()}`).join(', '))
  if (isRemoving && (counts.missing_connectors ?? 0) > 0)
    console.log(
      `Connectors that are not in the source, and will be deleted: ${counts.missing_connectors}`,
    )
  if (counts.repaired > 0) console.log(`Corrected: ${counts.repaired}`)
  if (counts.questions > 0) console.log(`With a question: ${counts.questions} (see ${page})`)
  for (const { position, name, problem } of problems)
    console.log(`${position}${name === '' ? '' : ` (${name})`}: ${sentenceOf(problem)}`)
  if (problems.length > 0) console.log(`The plan is at ${page}.`)
}

const isConfirmed = async (count: number): Promise<boolean> => {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  // Ctrl-C and Ctrl-D are answers, too.
  const answer = await terminal.question(`Apply to ${countOf(count, 'site')}? (y/N) `).catch(() => {
    console.log()
    return ''
  })
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}

const describeRun = ({ counts }: Outcome): void => {
  const { APPLIED = 0, FAILED = 0, SKIPPED = 0 } = counts ?? {}
  console.log(
    `${APPLIED} applied, ${FAILED} refused, ${SKIPPED} skipped because they were changed in the meantime.`,
  )
}

await run(main)
