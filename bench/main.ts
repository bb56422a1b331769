import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { root } from '../scripts/process.ts'
import { StartupError } from '../server/problem.ts'
import { attackPart } from './attack/attack.ts'
import { BIG_BUNDLE, browserPart } from './browser/browser.ts'
import { growthPart } from './growth/growth.ts'
import { findingsTable, table } from './measure/table.ts'
import { importPart } from './imports/imports.ts'
import { networkPart } from './network/network.ts'
import type { Part, Report } from './part.ts'
import { serverPart } from './server/server.ts'

/** All parts, in the order in which they run. */
const PARTS: readonly Part[] = [
  serverPart,
  attackPart,
  growthPart,
  networkPart,
  importPart,
  browserPart,
]
/** Deliberate regressions, which the bench has to detect. */
const BROKEN = ['n-plus-one', BIG_BUNDLE]

const USAGE = `npm run bench -- [${PARTS.map(({ name }) => name).join('|')} [TOPIC…]] [--quick] [--broken ${BROKEN.join('|')}]`

interface Wish {
  readonly parts: readonly Part[]
  readonly topics: readonly string[]
  readonly quick: boolean
  readonly broken: string | undefined
}

/**
 * Seven pairs: six are needed for 95 % confidence, and one is spare. With nine visits, one disturbed visit has no
 * effect.
 */
const FULL = { pairs: 7, ms: 3000, warmUpMs: 1500, visits: 9 }
const QUICK = { pairs: 2, ms: 700, warmUpMs: 300, visits: 3 }

/**
 * Runs the selected parts and prints one table: figure, target, measured, verdict.
 * @param args of the command line
 * @throws {StartupError} if they are invalid, or nothing can be measured on this computer
 */
export const bench = async (args: readonly string[]): Promise<void> => {
  const wish = readWish(args)
  if (process.platform !== 'linux')
    throw new StartupError('The bench reads processor time and memory from /proc: run it on Linux.')
  const kept = join(root, '.cache/bench')
  await mkdir(kept, { recursive: true, mode: 0o711 })
  await sweep(kept)
  const folder = await mkdtemp(join(kept, `run-${process.pid}-`))
  const reports: { part: Part; report: Report }[] = []
  try {
    for (const part of wish.parts) {
      const report = await part.run({
        folder,
        peer: process.env['PEER'] || undefined,
        wants: (topic) => wish.topics.length === 0 || wish.topics.includes(topic),
        effort: wish.quick ? QUICK : FULL,
        doubt: wish.quick ? 'quick: not a result' : undefined,
        broken: wish.broken,
        say: (sentence) => console.error(sentence),
      })
      reports.push({ part, report })
      // A part that fails after half an hour only costs its own figures.
      await writeFile(join(kept, 'last.md'), print(wish, reports))
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  console.log(print(wish, reports))
}

/** Removes the folders of killed runs; another run may be in progress. */
const sweep = async (kept: string): Promise<void> => {
  for (const name of await readdir(kept)) {
    const pid = /^run-(\d+)-/.exec(name)?.[1]
    if (pid !== undefined && !existsSync(`/proc/${pid}`))
      await rm(join(kept, name), { recursive: true, force: true })
  }
}

const readWish = (args: readonly string[]): Wish => {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { quick: { type: 'boolean' }, broken: { type: 'string' } },
    })
    const [name, ...topics] = positionals
    const parts = PARTS.filter((part) => name === undefined || part.name === name)
    const [part] = parts
    if (part === undefined) throw new Error(`There is no part "${name}".`)
    const unknown = topics.find((topic) => !part.topics.includes(topic))
    if (unknown !== undefined)
      throw new Error(`"${unknown}" is none of ${part.name}: ${part.topics.join(', ')}.`)
    if (values.broken !== undefined && !BROKEN.includes(values.broken))
      throw new Error(`--broken knows ${BROKEN.join(', ')}.`)
    return { parts, topics, quick: values.quick ?? false, broken: values.broken }
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    throw new StartupError(`${said}\nUse: ${USAGE}`, { cause: error })
  }
}

const print = (wish: Wish, reports: readonly { part: Part; report: Report }[]): string => {
  const findings = reports.flatMap(({ report }) => report.findings)
  const count = (verdict: string) => findings.filter((each) => each.verdict === verdict).length
  const models = new Set(cpus().map(({ model }) => model.trim()))
  return [
    `# Bench of ${new Date().toISOString().slice(0, 10)}, on ${cpus().length} cores${models.size === 1 ? ` (${[...models].join()})` : ''}`,
    ...(wish.quick ? ['**quick: not a result**'] : []),
    ...(wish.broken === undefined ? [] : [`**broken on purpose: ${wish.broken}**`]),
    findingsTable(findings),
    ...reports.flatMap(({ part, report }) => [
      `## Behind it: ${part.name}`,
      ...(report.details.length > 0 ? [table(report.details)] : []),
      report.notes.map((note) => `- ${note}`).join('\n'),
    ]),
    `${count('met')} met, ${count('not met')} not met, ${count('inconclusive')} inconclusive, ${count('no target')} without a target`,
    '',
  ].join('\n\n')
}
