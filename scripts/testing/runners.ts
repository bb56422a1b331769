import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from '../process.ts'

/** The result of one step of the tests. */
export interface Outcome {
  readonly passed: number
  readonly failed: number
  /** Names of the failures, one per line, repeated at the end of the output. */
  readonly complaints: readonly string[]
}

const bin = join(root, 'node_modules/.bin')
const reporter = join(root, 'scripts/testing/vitest-reporter.ts')

const CHECKS = [
  { title: 'Types', command: ['tsc', '-b'] },
  { title: 'Lint', command: ['oxlint', '--type-aware', '--deny-warnings'] },
  { title: 'Format', command: ['oxfmt', '--check'] },
  { title: 'Unused exports', command: ['knip', '--no-progress'] },
] as const

/** Checks types, lint rules, formatting and unused exports. Each check that finds something is one failure. */
export const runChecks = async (): Promise<Outcome> => {
  const complaints: string[] = []
  for (const { title, command } of CHECKS) {
    const [program, ...args] = command
    announce(title)
    // oxlint-disable-next-line no-await-in-loop -- sequential, so that their outputs do not mix
    if ((await run(join(bin, program), args)) !== 0)
      complaints.push(`${title}: ${command.join(' ')}`)
  }
  return { passed: 0, failed: complaints.length, complaints }
}

/** Runs projects of Vitest together, or only their files whose names contain one of `names`. */
export const runVitest = async (
  projects: readonly string[],
  names: readonly string[] = [],
): Promise<Outcome> => {
  const title = `Tests: ${projects.join(', ')}`
  const report = await freshReport('vitest')
  announce(title)
  const status = await run(
    join(bin, 'vitest'),
    [
      'run',
      ...names,
      ...projects.map((project) => `--project=${project}`),
      '--reporter=default',
      `--reporter=${reporter}`,
    ],
    { VOLTLEAF_REPORT: report },
  )
  return judge(title, status, await readReport<Outcome>(report))
}

/** The configurations of Playwright. */
const CONFIGS = { e2e: 'playwright.config.ts', 'contact-sheet': 'contact-sheet.config.ts' }

/** Runs the browser tests, or takes the contact sheet; passes `args` on to Playwright. */
export const runPlaywright = async (
  args: readonly string[] = [],
  what: keyof typeof CONFIGS = 'e2e',
): Promise<Outcome> => {
  const report = await freshReport(what)
  announce('Tests: in the browser')
  const config = join(root, 'tests/e2e', CONFIGS[what])
  const status = await run(join(bin, 'playwright'), ['test', '--config', config, ...args])
  const found = await readReport<PlaywrightReport>(report)
  return judge('Tests: in the browser', status, found && countPlaywright(found))
}

/** The end of the output: failures by name, and one last line with the sums. */
export const summarize = (outcomes: readonly Outcome[]): { text: string; exitCode: number } => {
  const sum = (key: 'passed' | 'failed'): number =>
    outcomes.reduce((total, outcome) => total + outcome[key], 0)
  const failed = sum('failed')
  const complaints = outcomes.flatMap((outcome) => outcome.complaints)
  const lines = [...complaints, `${sum('passed')} passed, ${failed} failed`]
  return { text: lines.join('\n'), exitCode: failed === 0 ? 0 : 1 }
}

/**
 * Adds a failure if the numbers alone look too good: if no test was run, or the runner reports an error outside of
 * tests (an import, an unhandled error).
 */
export const judge = (title: string, status: number, counted: Outcome | undefined): Outcome => {
  const { passed, failed, complaints } = counted ?? { passed: 0, failed: 0, complaints: [] }
  if (failed > 0 || (passed > 0 && status === 0)) return { passed, failed, complaints }
  const complaint = `${title}: ${passed === 0 ? 'nothing was run' : 'the tests passed'}, status ${status}`
  return { passed, failed: 1, complaints: [complaint] }
}

interface PlaywrightReport {
  readonly stats: { readonly expected: number }
  readonly suites: readonly PlaywrightSuite[]
  readonly errors: readonly { readonly message?: string }[]
}

interface PlaywrightSuite {
  readonly title: string
  readonly suites?: readonly PlaywrightSuite[]
  readonly specs: readonly {
    readonly title: string
    readonly tests: readonly PlaywrightTest[]
  }[]
}

interface PlaywrightTest {
  readonly projectName: string
  readonly status: string
  readonly results: readonly { readonly error?: { readonly message?: string } }[]
}

/**
 * The result of a Playwright run. A test that was skipped or only passed on a retry counts as failed, and so does an
 * error outside of tests.
 */
export const countPlaywright = ({ stats, suites, errors }: PlaywrightReport): Outcome => {
  const complaints = [
    ...suites.flatMap((suite) => badTests(suite)),
    ...errors.map(({ message }) => message ?? 'an error without a message'),
  ]
  return { passed: stats.expected, failed: complaints.length, complaints }
}

const badTests = ({ title, suites = [], specs }: PlaywrightSuite): string[] => [
  ...specs.flatMap((spec) =>
    spec.tests
      .filter(({ status }) => status !== 'expected')
      .map(
        ({ projectName, status, results }) =>
          `[${projectName}] ${title} > ${spec.title} (${status})${reasonOf(results)}`,
      ),
  ),
  ...suites.flatMap((suite) => badTests(suite).map((line) => line.replace('] ', `] ${title} > `))),
]

const reasonOf = (results: PlaywrightTest['results']): string => {
  const message = results.flatMap(({ error }) => error?.message ?? [])[0]
  return message === undefined ? '' : `: ${onOneLine(stripVTControlCharacters(message))}`
}

const MAX_REASON = { start: 300, end: 500 } as const

/**
 * An error message on one line, without its middle if it is long. The end stays: it is what a program printed last
 * before it failed.
 */
export const onOneLine = (message: string): string => {
  const line = message.trim().replaceAll(/\s*\n\s*/g, ' | ')
  const { start, end } = MAX_REASON
  return line.length <= start + end ? line : `${line.slice(0, start)} … ${line.slice(-end)}`
}

const announce = (title: string): void => console.log(`\n== ${title}`)

const freshReport = async (name: string): Promise<string> => {
  const file = join(root, '.cache/reports', `${name}.json`)
  await mkdir(dirname(file), { recursive: true })
  await rm(file, { force: true })
  return file
}

const readReport = async <Report>(file: string): Promise<Report | undefined> =>
  existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as Report) : undefined

/** Runs a program to its end with our standard output. */
const run = (
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    const forward = (signal: NodeJS.Signals): void => {
      child.kill(signal)
      process.exitCode = 1
      stopped = true
    }
    if (stopped) child.kill()
    for (const signal of SIGNALS) process.on(signal, forward)
    child.once('error', reject)
    child.once('exit', (code) => {
      for (const signal of SIGNALS) process.off(signal, forward)
      if (stopped) process.exit(130)
      resolve(code ?? 1)
    })
  })

const SIGNALS = ['SIGINT', 'SIGTERM'] as const
let stopped = false
