import type { LoadClient } from '../load/client.ts'
import { encodeRequest, type Operation, type Sample } from '../load/protocol.ts'
import { readCpuMs } from '../measure/process-tree.ts'
import type { Side } from '../sides/side.ts'
import type { Answer } from './compare.ts'
import type { Parts, Workload } from './workloads.ts'

/** One measurement of one side. */
export interface Measurement extends Sample {
  readonly perSecond: number
  /** CPU time of the server's process tree for one operation. */
  readonly cpuMsEach: number
}

/** Measurements of both sides at nearly the same time. */
export interface Pair {
  readonly ours: Measurement
  readonly peer: Measurement
}

export interface Effort {
  readonly pairs: number
  readonly ms: number
  readonly warmUpMs: number
  readonly connections: number
}

const encode = (operations: readonly Parts[]): readonly Operation[] =>
  operations.map((parts) => parts.map(encodeRequest))

/** The repeated work of a side. */
export interface Contender {
  readonly side: Side
  perform(ms: number): Promise<Sample>
}

/** Measures two sides in turn and swaps their order with each pair, so that disturbances and drift affect both. */
export const measurePairs = async (
  ours: Contender,
  peer: Contender,
  { pairs, ms, warmUpMs }: Effort,
): Promise<readonly Pair[]> => {
  for (const contender of [ours, peer]) await contender.perform(warmUpMs)
  const found: Pair[] = []
  for (let pair = 0; pair < pairs; pair += 1) {
    if (pair % 2 === 0) {
      const first = await measure(ours, ms)
      found.push({ ours: first, peer: await measure(peer, ms) })
    } else {
      const first = await measure(peer, ms)
      found.push({ ours: await measure(ours, ms), peer: first })
    }
  }
  return found
}

/** One measurement: operations, rate and CPU time. */
export const measure = async (contender: Contender, ms: number): Promise<Measurement> => {
  const before = await readCpuMs(contender.side.pid)
  const sample = await contender.perform(ms)
  const cpuMs = (await readCpuMs(contender.side.pid)) - before
  return {
    ...sample,
    perSecond: sample.operations / sample.seconds,
    cpuMsEach: cpuMs / sample.operations,
  }
}

/** Runs as many operations as possible over a number of connections. */
export const underLoad = (
  client: LoadClient,
  side: Side,
  operations: readonly Parts[],
  { connections }: Pick<Effort, 'connections'>,
  status = 200,
): Contender => {
  const encoded = encode(operations)
  return {
    side,
    perform: (ms) => client.run({ port: side.port, operations: encoded, connections, ms, status }),
  }
}

/** A side that sends events to subscribers. */
export interface Teller extends Contender {
  /** The event of a change that one subscriber receives, as a comparable response. */
  hearOnce(): Promise<Answer>
  leave(): Promise<void>
}

/** Opens the streams of a side; an operation ends when every subscriber has received its event. */
export const withAudience = async (
  client: LoadClient,
  side: Side,
  operations: readonly Parts[],
  { listeners, topic, markOf }: NonNullable<Workload['audience']>,
  token: string,
): Promise<Teller> => {
  const changes = encode(operations).flatMap(([request], index) =>
    request ? [{ request, mark: markOf(index) }] : [],
  )
  const audience = await client.listen({ port: side.port, token, topic, listeners })
  return {
    side,
    perform: async (ms) => (await audience.tell({ changes, ms })).sample,
    hearOnce: async () => {
      const { heard } = await audience.tell({ changes: changes.slice(0, 1), ms: 0 })
      const data = /^data: ?(\{.*\})$/m.exec(heard)?.[1] ?? '{}'
      return { status: 200, type: 'event', body: JSON.parse(data) as unknown }
    },
    leave: () => audience.leave(),
  }
}
