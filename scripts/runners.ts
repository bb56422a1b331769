import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { root } from './process.ts'

/** What one step of the tests found. */
export interface Outcome {
  readonly passed: number
  readonly failed: number
}

const bin = join(root, 'node_modules/.bin')

const CHECKS = [
  { title: 'Types', command: ['tsc', '-b'] },
  { title: 'Lint', command: ['oxlint', '--type-aware', '--deny-warnings'] },
  { title: 'Format', command: ['oxfmt', '--check'] },
] as const

/** Checks types, lint rules and format. One that finds something counts as one failed. */
export const runChecks = async (): Promise<Outcome> => {
  let failed = 0
  for (const { title, command } of CHECKS) {
    const [program, ...args] = command
    announce(title)
    if ((await run(join(bin, program), args)) !== 0) failed++
  }
  return { passed: 0, failed }
}

/** Runs one project of Vitest. */
export const runVitest = async (project: string): Promise<Outcome> => {
  const report = await freshReport(project)
  announce(`Tests: ${project}`)
  const status = await run(join(bin, 'vitest'), [
    'run',
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ])
  return judge(status, await readReport(report, countVitest))
}

/** Runs the browser tests; `args` go to Playwright as they are. */
export const runPlaywright = async (args: readonly string[] = []): Promise<Outcome> => {
  const report = await freshReport('e2e')
  announce('Tests: in the browser')
  const config = join(root, 'tests/e2e/playwright.config.ts')
  const status = await run(join(bin, 'playwright'), ['test', '--config', config, ...args])
  return judge(status, await readReport(report, countPlaywright))
}

/** The closing line of the tests. */
export const summarize = (outcomes: readonly Outcome[]): { line: string; exitCode: number } => {
  const sum = (key: keyof Outcome): number =>
    outcomes.reduce((total, outcome) => total + outcome[key], 0)
  const failed = sum('failed')
  return { line: `${sum('passed')} passed, ${failed} failed`, exitCode: failed === 0 ? 0 : 1 }
}

/**
 * Adds one failure where the numbers alone would look better than they are: nothing was run, or
 * the runner complains of something that is no test (an import, an unhandled error).
 */
export const judge = (status: number, counted: Outcome | undefined): Outcome => {
  const { passed, failed } = counted ?? { passed: 0, failed: 0 }
  const hidden = failed === 0 && (passed === 0 || status !== 0)
  return { passed, failed: hidden ? 1 : failed }
}

/** Tests in a report of Vitest; one that was skipped or left as a note counts as failed. */
export const countVitest = (report: unknown): Outcome => {
  const { numPassedTests: passed, numTotalTests: total } = report as {
    numPassedTests: number
    numTotalTests: number
  }
  return { passed, failed: total - passed }
}

/** Tests in a report of Playwright; one that passed only when tried again counts as failed. */
export const countPlaywright = (report: unknown): Outcome => {
  const { stats } = report as {
    stats: { expected: number; unexpected: number; skipped: number; flaky: number }
  }
  return { passed: stats.expected, failed: stats.unexpected + stats.skipped + stats.flaky }
}

const announce = (title: string): void => console.log(`\n== ${title}`)

const freshReport = async (name: string): Promise<string> => {
  const file = join(root, '.cache/reports', `${name}.json`)
  await mkdir(dirname(file), { recursive: true })
  await rm(file, { force: true })
  return file
}

const readReport = async (
  file: string,
  count: (report: unknown) => Outcome,
): Promise<Outcome | undefined> =>
  existsSync(file) ? count(JSON.parse(await readFile(file, 'utf8'))) : undefined

/** Runs a program to its end, its output going where ours goes. */
const run = (program: string, args: readonly string[]): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
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
