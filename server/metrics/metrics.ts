import { monitorEventLoopDelay } from 'node:perf_hooks'

import type { Replicas } from '../db/replicas.ts'
import { createRegistry, type Reading, type Registry } from './registry.ts'

/** Services outside of this process. */
const DEPENDENCIES = ['database', 'files', 'provider', 'mail', 'geocoder'] as const
type Dependency = (typeof DEPENDENCIES)[number]

/** The concurrency limits that a request can meet. */
const OVERLOADS = ['working', 'publicReads', 'uploads', 'bytes'] as const
export type Overload = (typeof OVERLOADS)[number]

const STATUSES = ['2xx', '3xx', '4xx', '5xx']

/** One request with its response. */
interface Answered {
  /** The pattern of the route. */
  readonly route: string
  readonly method: string
  readonly status: number
  /** Undefined for event streams, whose duration the client decides. */
  readonly seconds: number | undefined
  /** The size of an upload; 0 for other requests. */
  readonly uploadBytes: number
}

/** The metrics of the server for Prometheus. */
export interface Metrics {
  /** Registers a route; its series begin at 0. */
  route(route: string, method: string): void
  answered(request: Answered): void
  /** A request was refused before routing. */
  broken(status: number): void
  /** A request or a response was aborted because it stalled. */
  stalled(): void
  /** A request was refused because of load, with the limit that was reached. */
  overloaded(reason: Overload): void
  /** A request exceeded a rate limit, by its name. */
  limited(limit: string): void
  /** A dependency did not respond, or failed. */
  failed(dependency: Dependency): void
  /** A file without a record was removed. */
  collected(): void
  /** The process survived an uncaught error. */
  survived(): void
  /** Adds the values that are read on each rendering. Call it once. */
  watch(sources: Sources): void
  /** All values in the text format of Prometheus. */
  render(): Promise<string>
  close(): void
}

/** The values that are read on each rendering. */
interface Sources {
  /** Pending requests and uploads, and the bytes of buffered bodies. */
  readonly load: () => { working: number; uploads: number; heldBytes: number }
  readonly streams: () => number
  readonly connections: () => Promise<number>
  readonly images: () => { busy: number; waiting: number }
  readonly mails: () => number
  /** Connections to the database by state, and the duration of the query in seconds; undefined after a timeout. */
  readonly database: () => Promise<DatabaseState | undefined>
  readonly replicas: Pick<Replicas, 'states' | 'reads'>
  /** The memory and the processor time of the process. */
  readonly usage: () => Usage | undefined
}

interface DatabaseState {
  readonly connections: readonly { readonly state: string; readonly count: number }[]
  readonly seconds: number
}

export interface Usage {
  readonly residentBytes: number
  readonly heapBytes: number
  readonly cpuSeconds: number
}

const BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const NS = 1e9

/** @param rateLimits the names of the rate limits, whose counts begin at 0 */
export const createMetrics = (rateLimits: readonly string[]): Metrics => {
  const registry = createRegistry()
  const requests = registry.counter('voltleaf_http_requests_total', 'Requests that got a response.')
  const durations = registry.histogram(
    'voltleaf_http_request_seconds',
    'Time from the headers of a request to the end of its response.',
    BUCKETS_S,
  )
  const broken = registry.counter(
    'voltleaf_http_broken_requests_total',
    'Requests that were malformed, or whose headers arrived too slowly.',
  )
  const stalled = registry.counter(
    'voltleaf_http_stalled_total',
    'Requests and responses aborted because they made almost no progress.',
    [{}],
  )
  const overloaded = registry.counter(
    'voltleaf_http_overload_total',
    'Requests refused with 503 because of overload, by the exhausted resource.',
    OVERLOADS.map((reason) => ({ reason })),
  )
  const limited = registry.counter(
    'voltleaf_http_limited_total',
    'Requests refused with 429, by rate limit.',
    rateLimits.map((limit) => ({ limit })),
  )
  const failures = registry.counter(
    'voltleaf_failures_total',
    'Failures of dependencies, by boundary.',
    DEPENDENCIES.map((boundary) => ({ boundary })),
  )
  const survived = registry.counter(
    'voltleaf_uncaught_errors_total',
    'Uncaught errors that the process survived.',
    [{}],
  )
  const uploaded = registry.counter('voltleaf_upload_bytes_total', 'Bytes of uploads.', [{}])
  const collected = registry.counter(
    'voltleaf_orphans_total',
    'Removed files that no record referenced.',
    [{}],
  )

  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  const lag = { sum: 0, count: 0 }
  registry.summary(
    'voltleaf_event_loop_lag_seconds',
    'Lag of the event loop; quantiles since the last scrape.',
    () => {
      const quantiles = {
        '0.5': delay.percentile(50) / NS,
        '0.99': delay.percentile(99) / NS,
        '1': delay.max / NS,
      }
      // Without samples there is no mean.
      if (delay.count > 0) lag.sum += (delay.mean * delay.count) / NS
      lag.count += delay.count
      delay.reset()
      return { quantiles, ...lag }
    },
  )
  const startedS = Date.now() / 1000
  registry.gauge('process_start_time_seconds', 'When the process started.', () => startedS)

  return {
    route: (route, method) => {
      for (const status of STATUSES) requests.add({ route, method, status }, 0)
    },
    answered: ({ route, method, status, seconds, uploadBytes }) => {
      const labels = { route, method, status: `${Math.floor(status / 100)}xx` }
      requests.add(labels)
      if (seconds !== undefined) durations.observe(seconds, { route, method })
      if (uploadBytes > 0) uploaded.add({}, uploadBytes)
    },
    stalled: () => stalled.add(),
    broken: (status) => broken.add({ status: String(status) }),
    overloaded: (reason) => overloaded.add({ reason }),
    limited: (limit) => limited.add({ limit }),
    failed: (dependency) => failures.add({ boundary: dependency }),
    collected: () => collected.add(),
    survived: () => survived.add(),
    watch: (sources) => watchSources(registry, sources),
    render: () => registry.render(),
    close: () => delay.disable(),
  }
}

const watchSources = (registry: Registry, sources: Sources): void => {
  registry.gauge('voltleaf_http_in_flight', 'Requests in progress.', () => {
    const { working, uploads } = sources.load()
    return [
      [{ kind: 'request' }, working],
      [{ kind: 'upload' }, uploads],
    ]
  })
  registry.gauge(
    'voltleaf_http_held_bytes',
    'Bytes of large request bodies held in memory.',
    () => sources.load().heldBytes,
  )
  registry.gauge('voltleaf_http_connections', 'Open connections.', () => sources.connections())
  registry.gauge('voltleaf_streams', 'Open event streams.', () => sources.streams())
  registry.gauge('voltleaf_image_jobs', 'Images being processed, and waiting.', () => {
    const { busy, waiting } = sources.images()
    return [
      [{ state: 'busy' }, busy],
      [{ state: 'waiting' }, waiting],
    ]
  })
  registry.gauge('voltleaf_mail_queue', 'Mails waiting to be sent.', () => sources.mails())

  // Two gauges share one query.
  let pending: Promise<DatabaseState | undefined> | undefined
  const database = (): Promise<DatabaseState | undefined> => {
    pending ??= sources.database().finally(() => (pending = undefined))
    return pending
  }
  registry.gauge('voltleaf_database_up', 'Whether the database answers.', async () =>
    (await database()) === undefined ? 0 : 1,
  )
  registry.gauge(
    'voltleaf_database_wait_seconds',
    'Time that a trivial query takes, including the wait for a connection.',
    async () => (await database())?.seconds ?? [],
  )
  registry.gauge(
    'voltleaf_database_connections',
    'Connections of all processes to the database, by state.',
    async (): Promise<Reading> =>
      ((await database())?.connections ?? []).map(
        ({ state, count }) => [{ state }, count] as const,
      ),
  )
  registry.gauge('voltleaf_replica_lag_seconds', 'How far a replica is behind the database.', () =>
    sources.replicas
      .states()
      .flatMap(({ replica, lagS }) => (Number.isFinite(lagS) ? [[{ replica }, lagS ?? 0]] : [])),
  )
  registry.gauge('voltleaf_replica_usable', 'Whether a replica is used for public reads.', () =>
    sources.replicas.states().map(({ replica, isUsable }) => [{ replica }, isUsable ? 1 : 0]),
  )
  registry.gauge(
    'voltleaf_replica_reads_total',
    'Public reads, by the server that answered them, if there are replicas.',
    () => Object.entries(sources.replicas.reads()).map(([from, count]) => [{ from }, count]),
    'counter',
  )
  registry.gauge(
    'process_resident_memory_bytes',
    'Resident memory of the process.',
    () => sources.usage()?.residentBytes ?? [],
  )
  registry.gauge(
    'voltleaf_heap_bytes',
    'Memory used on the JavaScript heap.',
    () => sources.usage()?.heapBytes ?? [],
  )
  registry.gauge(
    'process_cpu_seconds_total',
    'Processor time, user and system.',
    () => sources.usage()?.cpuSeconds ?? [],
    'counter',
  )
}
