import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { startLoadClient } from '../load/client.ts'
import { readMemoryBytes } from '../measure/process-tree.ts'
import { estimate, median } from '../measure/stats.ts'
import { find, format, type Finding } from '../measure/verdict.ts'
import type { Part, PartRun, Report } from '../part.ts'
import { startProvider, type Provider } from '../provider.ts'
import { measure, underLoad, type Contender, type Measurement } from '../server/measure.ts'
import { listOf, WORKLOADS, type Cast, type Workload } from '../server/workloads.ts'
import { makeOwners, type Group } from '../sides/data.ts'
import { startOurs } from '../sides/ours.ts'
import type { Side } from '../sides/side.ts'

/** Numbers of sites in the database; the others are compared with the first. */
const SIZES = [10_000, 100_000, 1_000_000]
/** For quick runs. */
const QUICK_SIZES = [1000, 10_000, 100_000]
/** Target of p50 at the largest size, relative to the smallest (spec 11). */
const TARGET = 1.3
const CONNECTIONS = 32

/** One operator has a tenth of all sites; the reader and every other owner have 50. */
const groupsOf = (sites: number): readonly Group[] => [
  { owners: 1, sitesEach: 50, connectorsPerSite: 3 },
  { owners: 1, sitesEach: sites / 10, connectorsPerSite: 1 },
  { owners: Math.round((sites * 0.9 - 50) / 50), sitesEach: 50, connectorsPerSite: 3 },
]

type Read = Pick<Workload, 'name' | 'title' | 'operations'>

const READS: readonly Read[] = [
  ...WORKLOADS.filter(({ name }) => ['record', 'list', 'dashboard'].includes(name)),
  {
    name: 'operator',
    title: 'list of 20 of who has a tenth of all sites',
    operations: (side, { writer }) => listOf(side, writer),
  },
]

/** Runs the same reads on databases of different sizes. Their servers run at the same time and are measured in turn. */
export const growthPart: Part = {
  name: 'growth',
  topics: READS.map(({ name }) => name),
  run: async (options) => {
    const sizes = options.doubt === undefined ? SIZES : QUICK_SIZES
    const provider = await startProvider()
    const client = startLoadClient()
    const towns: Town[] = []
    try {
      for (const sites of sizes) {
        options.say(`Filling a database with ${format(sites)} sites.`)
        towns.push(await found(sites, options, provider))
      }
      const findings: Finding[] = []
      const details: Report['details'][number][] = []
      for (const read of READS.filter(({ name }) => options.wants(name))) {
        const contenders = await Promise.all(
          towns.map(async ({ side, cast }) =>
            underLoad(client, side, await read.operations(side, cast, provider), {
              connections: CONNECTIONS,
            }),
          ),
        )
        const rounds = await measureRounds(contenders, options.effort)
        findings.push(...judge(read, sizes, rounds, options))
        details.push(...describe(read, sizes, rounds))
        options.say(`${read.title}: ${findings.at(-1)?.measured ?? ''}`)
      }
      const memory = await Promise.all(towns.map(({ side }) => readMemoryBytes(side.pid)))
      return { findings, details, notes: notesOf(options, sizes, memory) }
    } finally {
      for (const { side } of towns) await side.stop()
      await client.close()
      await provider.close()
    }
  },
}

interface Town {
  readonly side: Side
  readonly cast: Cast
}

const found = async (sites: number, options: PartRun, provider: Provider): Promise<Town> => {
  const owners = makeOwners(groupsOf(sites))
  const [reader, writer] = owners
  if (reader === undefined || writer === undefined) throw new Error('A town has two owners.')
  const folder = join(options.folder, `growth-${sites}`)
  await mkdir(folder, { recursive: true })
  const side = await startOurs({ folder, owners, signedIn: [reader, writer], provider })
  return { side, cast: { reader, writer } }
}

/** Measures each size once per round; every round starts with a different size. */
const measureRounds = async (
  contenders: readonly Contender[],
  { pairs, ms, warmUpMs }: PartRun['effort'],
): Promise<readonly (readonly Measurement[])[]> => {
  for (const contender of contenders) await contender.perform(warmUpMs)
  const rounds: (readonly Measurement[])[] = []
  for (let round = 0; round < pairs; round += 1) {
    const measured = new Map<number, Measurement>()
    for (let step = 0; step < contenders.length; step += 1) {
      const index = (round + step) % contenders.length
      const contender = contenders[index]
      if (contender) measured.set(index, await measure(contender, ms))
    }
    rounds.push([...measured].toSorted(([a], [b]) => a - b).map(([, each]) => each))
  }
  return rounds
}

const judge = (
  { title }: Read,
  sizes: readonly number[],
  rounds: readonly (readonly Measurement[])[],
  { doubt }: PartRun,
): readonly Finding[] =>
  sizes.slice(1).map((sites, index) =>
    find({
      part: 'growth',
      what: `${title}: p50 at ${format(sites)} sites, by p50 at ${format(sizes[0] ?? 0)}`,
      estimate: estimate(
        rounds.map((round) => (round[index + 1]?.p50Ms ?? NaN) / (round[0]?.p50Ms ?? NaN)),
      ),
      target: index + 2 === sizes.length ? { atMost: TARGET } : undefined,
      unit: 'x',
      doubt,
    }),
  )

const describe = (
  { title }: Read,
  sizes: readonly number[],
  rounds: readonly (readonly Measurement[])[],
): Report['details'] =>
  sizes.map((sites, index) => {
    const middle = (pick: (one: Measurement) => number) =>
      format(median(rounds.map((round) => (round[index] ? pick(round[index]) : NaN))))
    return {
      read: title,
      sites: format(sites),
      'per second': middle(({ perSecond }) => perSecond),
      'p50 ms': middle(({ p50Ms }) => p50Ms),
      'p99 ms': middle(({ p99Ms }) => p99Ms),
      'CPU ms each': middle(({ cpuMsEach }) => cpuMsEach),
    }
  })

const notesOf = (
  { effort }: PartRun,
  sizes: readonly number[],
  memory: readonly number[],
): readonly string[] => [
  `Ours alone, one server for each size, all running; ${CONNECTIONS} connections, ${effort.pairs} rounds of ${effort.ms / 1000} s a size, in turn.`,
  `Memory: ${sizes.map((sites, index) => `${format((memory[index] ?? 0) / 1e6)} MB at ${format(sites)}`).join(', ')}.`,
]
