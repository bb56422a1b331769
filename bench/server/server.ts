import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { StartupError } from '../../server/problem.ts'
import { measureCeiling } from '../load/ceiling.ts'
import { startLoadClient, type LoadClient } from '../load/client.ts'
import { readMemoryBytes } from '../measure/process-tree.ts'
import { median, swing } from '../measure/stats.ts'
import { format, type Finding } from '../measure/verdict.ts'
import type { Part, PartRun, Report } from '../part.ts'
import { startProvider, type Provider } from '../provider.ts'
import { startOurs } from '../sides/ours.ts'
import { findPeer, startPeer, titleOf, type Peer, type Synchronous } from '../sides/peer.ts'
import type { Ground, Side } from '../sides/side.ts'
import { differences, type Answer } from './compare.ts'
import { countStatements } from './count.ts'
import { judgeCount, judgeTimes, notMeasured } from './judge.ts'
import { measurePairs, underLoad, withAudience, type Pair } from './measure.ts'
import {
  castOf,
  nPlusOneDashboard,
  STAGES,
  WORKLOADS,
  type Cast,
  type Parts,
  type StageName,
  type Workload,
} from './workloads.ts'

/** The connections of a measurement (spec 11). */
const CONNECTIONS = 32
/** Number of operations of each workload that are compared before the timed runs. */
const COMPARED = 3

/** Measures our server against the peer. */
export const serverPart: Part = {
  name: 'server',
  topics: WORKLOADS.map(({ name }) => name),
  run: async (options) => {
    const peer = await findPeer(options.peer)
    const provider = await startProvider()
    const client = startLoadClient()
    try {
      const ceiling = await measureCeiling(client, CONNECTIONS)
      const acts: Act[] = []
      for (const stage of Object.keys(STAGES) as StageName[]) {
        const workloads = WORKLOADS.filter(
          (each) => each.stage === stage && options.wants(each.name),
        )
        if (workloads.length > 0)
          acts.push(await perform(stage, workloads, { options, peer, provider, client, ceiling }))
      }
      return {
        findings: acts.flatMap(({ findings }) => findings),
        details: acts.flatMap(({ details }) => details),
        notes: [
          `Compared with ${titleOf(peer)}. ${CONNECTIONS} connections, ${options.effort.pairs} interleaved pairs of ${options.effort.ms / 1000} s each, after ${options.effort.warmUpMs / 1000} s to warm up.`,
          'In brackets: what the median lies between with 95 % confidence. A target within it is neither met nor missed.',
          'Both: the same rows from one generator; token, rules and validation on; no log of requests, no limit of rates; answers without compression; their answers were compared before anything was timed.',
          'Ours answers a write when PostgreSQL has it on the disk (fsync). So does the peer, with synchronous FULL; but for the lines that say otherwise, with its own NORMAL, where a power cut may take the last writes.',
          `The client has a process of its own on the same cores; its processor time is in the table. With a server that does nothing it manages ${format(ceiling)} operations per second.`,
          ...acts.flatMap(({ notes }) => notes),
        ],
      }
    } finally {
      await client.close()
      await provider.close()
    }
  },
}

/** The results of the workloads of one stage. */
type Act = Report

interface Tools {
  readonly options: PartRun
  readonly peer: Peer
  readonly provider: Provider
  readonly client: LoadClient
  /** Operations per second that the client reaches with a server that does no work. */
  readonly ceiling: number
}

const perform = async (
  stage: StageName,
  workloads: readonly Workload[],
  { options, peer, provider, client, ceiling }: Tools,
): Promise<Act> => {
  const { cast, owners } = castOf(stage)
  const ground = async (name: string): Promise<Ground> => {
    const folder = join(options.folder, `server-${stage}-${name}`)
    await mkdir(folder, { recursive: true })
    return { folder, owners, signedIn: [cast.reader, cast.writer], provider }
  }
  options.say(`Filling both sides with ${format(sum(owners.map(({ sites }) => sites)))} sites.`)
  const grounds = { ours: await ground('ours'), peer: await ground('peer') }
  const sides = await startBoth(peer, grounds, STAGES[stage].synchronous)
  const judged = new Map<Play, readonly Finding[]>()
  const details: Report['details'][number][] = []
  const notes: string[] = []
  const plays: Play[] = []
  try {
    plays.push(...(await prepareAll(workloads, sides, cast, provider)))
    await compareAll(plays, client, cast)
    for (const play of plays) {
      try {
        const pairs = await race(client, play, cast, options)
        const found = judgeTimes(play.workload, pairs, ceiling, options.doubt)
        options.say(`${play.workload.title}: ${found[0]?.measured ?? ''}`)
        judged.set(play, found)
        details.push(describe(play, pairs))
      } catch (error) {
        // Keeps the results of the other workloads.
        const failed = notMeasured(play.workload, error)
        options.say(`${failed.what}: ${failed.reason ?? ''}`)
        judged.set(play, [failed])
      }
    }
    const [ours, theirs] = await Promise.all(
      [sides.ours, sides.peer].map(({ pid }) => readMemoryBytes(pid)),
    )
    notes.push(
      `Memory after the workloads on the stage "${stage}": ours ${megabytes(ours)}, the peer ${megabytes(theirs)}.`,
    )
  } finally {
    await Promise.all([sides.ours.stop(), sides.peer.stop()])
  }
  const counts = await countStatements(
    grounds.ours,
    sides.ours.port,
    plays.map((play) => operationsOf(play, 'ours', cast, options)),
  )
  const findings = plays.flatMap((play, index) => [
    ...(judged.get(play) ?? []),
    judgeCount(play.workload, counts[index] ?? Number.NaN),
  ])
  return { findings, details, notes }
}

/** Sequential, because each start fills a database and needs the whole machine. */
const startBoth = async (
  program: Peer,
  grounds: Readonly<Record<'ours' | 'peer', Ground>>,
  synchronous: Synchronous,
): Promise<Play['sides']> => {
  const ours = await startOurs(grounds.ours)
  try {
    return { ours, peer: await startPeer(program, grounds.peer, synchronous) }
  } catch (error) {
    await ours.stop()
    throw error
  }
}

/** A workload with the operations of each side. */
interface Play {
  readonly workload: Workload
  readonly sides: { readonly ours: Side; readonly peer: Side }
  readonly operations: { readonly ours: readonly Parts[]; readonly peer: readonly Parts[] }
}

const prepareAll = async (
  workloads: readonly Workload[],
  sides: Play['sides'],
  cast: Cast,
  provider: Provider,
): Promise<readonly Play[]> => {
  const plays: Play[] = []
  for (const workload of workloads) {
    const ours = await workload.operations(sides.ours, cast, provider)
    const peer = await workload.operations(sides.peer, cast, provider)
    plays.push({ workload, sides, operations: { ours, peer } })
  }
  return plays
}

/** A timing is only meaningful if both sides do the same work. */
const compareAll = async (
  plays: readonly Play[],
  client: LoadClient,
  cast: Cast,
): Promise<void> => {
  const found: string[] = []
  for (const { workload, sides, operations } of plays) {
    for (let index = 0; index < Math.min(COMPARED, operations.ours.length); index += 1) {
      const ours = await ask(sides.ours, operations.ours[index] ?? [])
      const theirs = await ask(sides.peer, operations.peer[index] ?? [])
      for (const [step, answer] of ours.entries()) {
        const other = theirs[step]
        const lines = other ? differences(answer, other, workload.allowed) : ['no answer there']
        found.push(
          ...lines.map((line) => `${workload.name}, operation ${index + 1}.${step + 1}: ${line}`),
        )
      }
    }
  }
  for (const { workload, sides, operations } of plays) {
    const { name, audience, allowed } = workload
    if (audience === undefined) continue
    const hear = async (side: 'ours' | 'peer'): Promise<Answer> => {
      const one = { ...audience, listeners: 1 }
      const token = sides[side].tokenOf(cast.writer)
      const teller = await withAudience(client, sides[side], operations[side], one, token)
      const heard = await teller.hearOnce()
      await teller.leave()
      return heard
    }
    const ours = await hear('ours')
    const lines = differences(ours, await hear('peer'), allowed)
    found.push(...lines.map((line) => `${name}, heard: ${line}`))
  }
  if (found.length === 0) return
  throw new StartupError(
    `The two sides answer differently, so nothing is timed:\n${found.slice(0, 20).join('\n')}`,
  )
}

const ask = async ({ port }: Side, operation: Parts): Promise<readonly Answer[]> => {
  const answers: Answer[] = []
  for (const { method = 'GET', path, headers, body } of operation) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { 'accept-encoding': 'identity', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : Buffer.from(body) }),
    })
    const type = (answer.headers.get('content-type') ?? '').split(';')[0] ?? ''
    const bytes = Buffer.from(await answer.arrayBuffer())
    const json = type === 'application/json' ? (JSON.parse(bytes.toString()) as unknown) : undefined
    answers.push({ status: answer.status, type, body: json })
  }
  return answers
}

const operationsOf = (
  { workload, operations, sides }: Play,
  side: 'ours' | 'peer',
  cast: Cast,
  { broken }: PartRun,
): readonly Parts[] =>
  broken === 'n-plus-one' && side === 'ours' && workload.name.startsWith('dashboard')
    ? [nPlusOneDashboard(sides.ours, cast)]
    : operations[side]

const race = async (
  client: LoadClient,
  play: Play,
  cast: Cast,
  options: PartRun,
): Promise<readonly Pair[]> => {
  const { status = 200, allowed, audience, connections = CONNECTIONS } = play.workload
  const effort = { ...options.effort, connections }
  const [ours, peer] = (['ours', 'peer'] as const).map((name) => ({
    side: play.sides[name],
    operations: operationsOf(play, name, cast, options),
    status: name === 'peer' ? (allowed?.peerStatus ?? status) : status,
  }))
  if (ours === undefined || peer === undefined) throw new Error('A race has two sides.')
  if (audience === undefined) {
    return measurePairs(
      underLoad(client, ours.side, ours.operations, effort, ours.status),
      underLoad(client, peer.side, peer.operations, effort, peer.status),
      effort,
    )
  }
  const token = (side: Side) => side.tokenOf(cast.writer)
  const first = await withAudience(client, ours.side, ours.operations, audience, token(ours.side))
  try {
    const second = await withAudience(
      client,
      peer.side,
      peer.operations,
      audience,
      token(peer.side),
    )
    try {
      return await measurePairs(first, second, effort)
    } finally {
      await second.leave()
    }
  } finally {
    await first.leave()
  }
}

const describe = (play: Play, pairs: readonly Pair[]): Readonly<Record<string, string>> => {
  const middle = (pick: (pair: Pair) => number) => format(median(pairs.map(pick)))
  const both = (pick: (side: Pair['ours']) => number) =>
    `${middle(({ ours }) => pick(ours))} / ${middle(({ peer }) => pick(peer))}`
  return {
    workload: play.workload.title,
    'per second': both(({ perSecond }) => perSecond),
    'p50 ms': both(({ p50Ms }) => p50Ms),
    'p99 ms': both(({ p99Ms }) => p99Ms),
    'CPU ms each': both(({ cpuMsEach }) => cpuMsEach),
    "client's CPU ms each": both(({ clientCpuMs, operations }) => clientCpuMs / operations),
    "peer's swing": `${format(swing(pairs.map(({ peer }) => peer.perSecond)))}x`,
  }
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0)
const megabytes = (bytes = 0): string => `${format(bytes / 1e6)} MB`
