import { readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { SERVICE_API } from '#domain/paths.ts'

import type { SecondProcess } from '../support/second-process.ts'
import { report } from './figures.ts'

/** A request of the table, which can be repeated. */
export interface Ask {
  readonly name: string
  readonly send: (url: string) => Promise<Response>
  /** The status during the fault. */
  readonly during: number
  /** The status afterwards, if it is not 200. */
  readonly after?: number
  /** The message of the response during the fault. */
  readonly message?: RegExp
}

/** A fault with a beginning and an end. */
export interface CodedError {
  readonly name: string
  readonly begin: () => Promise<unknown>
  readonly end: () => Promise<unknown>
  /** The effect on requests and `ready`, if it differs from other faults. */
  readonly during?: Readonly<Record<string, number>>
}

export interface Table {
  readonly server: SecondProcess
  readonly dataDir: string
  readonly asks: readonly Ask[]
  /** Connections to the failing dependency. */
  readonly connections: () => number
  /** Maximum number of connections kept alive for the next request. */
  readonly mostKept: number
  /** The name under which `/api/ready` reports this dependency as failing, if it does. */
  readonly unready?: string
}

export interface Outcome {
  readonly cells: number
  readonly problems: string[]
}

const TIMEOUT_MS = 10_000
const ANSWER_MS = 15_000

/**
 * Causes a fault under requests that succeeded before, and checks every guarantee: each request gets a clear response
 * and one line in the log, requests succeed again once the fault ends, and nothing stays open.
 */
export const meet = async (table: Table, fault: CodedError): Promise<Outcome> => {
  const { server, asks } = table
  const problems: string[] = []
  const say = (what: string): void => void problems.push(`${fault.name}: ${what}`)
  const before = await openFiles(server.pid)

  await fault.begin()
  let unready: string | undefined
  try {
    await Promise.all([
      ...asks.map(async (ask) => {
        const expected = fault.during?.[ask.name] ?? ask.during
        const answer = await sendInTime(ask, server.url).catch((error: unknown) => String(error))
        if (typeof answer === 'string') return say(`${ask.name}: no answer: ${answer}`)
        const text = await answer.text().catch((error: unknown) => String(error))
        const wrong = judge(answer, text, expected, ask)
        if (wrong !== undefined) say(`${ask.name}: ${wrong}`)
        const lines = await linesOf(server, answer.headers.get('x-request-id') ?? '', expected)
        if (lines !== undefined) say(`${ask.name}: ${lines}`)
      }),
      fetch(`${server.url}${SERVICE_API.health}`).then(({ status }) => {
        if (status !== 200) say(`the process is said to be dead (${status})`)
      }),
      (async () => {
        if (table.unready === undefined || fault.during?.['ready'] === 200) return
        unready = await within(async () => {
          const answer = await fetch(`${server.url}${SERVICE_API.ready}`)
          const { data } = (await answer.json()) as { data: object }
          if (answer.status !== 503 || !answer.headers.has('retry-after')) return 'ready'
          return table.unready !== undefined && table.unready in data
            ? undefined
            : JSON.stringify(data)
        })
      })(),
    ])
  } finally {
    await fault.end()
  }
  if (unready !== undefined) say(`readiness says: ${unready}`)

  for (const ask of asks) {
    const last = await within(async () => {
      const answer = await sendInTime(ask, server.url)
      const text = await answer.text()
      return answer.status === (ask.after ?? 200) ? undefined : `${answer.status} ${text}`
    })
    if (last !== undefined) say(`${ask.name}: not well again: ${last}`)
  }
  const ready = await within(async () => {
    const { status } = await fetch(`${server.url}${SERVICE_API.ready}`)
    return status === 200 ? undefined : String(status)
  })
  if (ready !== undefined) say(`not ready again: ${ready}`)

  const left = await within(async () => {
    const more = without(await openFiles(server.pid), before)
    const kept = table.connections()
    const temporary = await readdir(join(table.dataDir, 'tmp'))
    if (more.length > 0) return `open files: ${more.join(', ')}`
    if (kept > table.mostKept) return `${kept} connections`
    return temporary.length > 0 ? `temporary files: ${temporary.join(', ')}` : undefined
  })
  if (left !== undefined) say(`left over: ${left}`)
  return { cells: asks.length, problems }
}

/** A response within a time limit is part of the guarantee. */
const sendInTime = async (ask: Ask, url: string): Promise<Response> => {
  const limit = new AbortController()
  const late = sleep(ANSWER_MS, undefined, { signal: limit.signal })
  const answer = await Promise.race([ask.send(url), late]).finally(() => limit.abort())
  if (answer === undefined) throw new Error(`nothing after ${ANSWER_MS} ms`)
  return answer
}

/** Must never be part of a response: causes, stack traces, addresses, statements. */
const INTERNAL =
  /\bE[A-Z]{4,}\b|\bat .*:\d+|\.ts\b|127\.0\.0\.1|localhost|postgres|select |\/tmp\/|node:|undefined|connection/i

const judge = (answer: Response, text: string, expected: number, ask: Ask): string | undefined => {
  if (answer.status !== expected) return `${answer.status} instead of ${expected}: ${text}`
  if (expected < 400) return undefined
  if (expected === 503 && !(Number(answer.headers.get('retry-after')) > 0))
    return 'no word of when to come back'
  if (answer.headers.get('cache-control') !== 'no-store') return 'the failure may be kept'
  const body = parse(text)
  if (body === undefined || Object.keys(body).toSorted().join() !== 'data,message,status')
    return `not of the form of an error: ${text}`
  const message = String(body['message'])
  if (body['status'] !== expected || message === '') return `says ${text}`
  if (ask.message !== undefined && !ask.message.test(message)) return `says "${message}"`
  return INTERNAL.test(text) ? `tells internals: ${text}` : undefined
}

const parse = (text: string): Record<string, unknown> | undefined => {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return undefined
  }
}

/** The problems of the log lines of a request. */
const linesOf = async (
  server: SecondProcess,
  id: string,
  status: number,
): Promise<string | undefined> => {
  if (id === '') return 'the answer has no name'
  const wanted = status >= 400 ? 1 : 0
  const find = () =>
    server
      .logged()
      .map((line) => parse(line))
      .filter((line) => line?.['request'] === id)
  // The log arrives separately from the response.
  await within(async () => (find().length >= wanted ? undefined : 'none yet'), 2_000)
  const lines = find()
  if (lines.length !== wanted) return `${lines.length} lines in the log: ${JSON.stringify(lines)}`
  return lines.every((line) => line?.['level'] === 'error' || line?.['level'] === 'warn')
    ? undefined
    : `a line of another level: ${JSON.stringify(lines)}`
}

/** The open files of a process, with duplicates. */
const openFiles = async (pid: number): Promise<readonly string[]> => {
  if (process.platform !== 'linux') return []
  const folder = `/proc/${pid}/fd`
  const targets = await Promise.all(
    // A file may be closed meanwhile.
    (await readdir(folder)).map((fd) => readlink(join(folder, fd)).catch(() => '')),
  )
  return targets.filter((target) => target.startsWith('/') && !target.startsWith('/dev/'))
}

const without = (all: readonly string[], some: readonly string[]): string[] => {
  const left = [...some]
  return all.filter((each) => {
    const at = left.indexOf(each)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

/** Retries until there is no problem. @returns the last problem */
export const within = async (
  look: () => Promise<string | undefined>,
  timeoutMs = TIMEOUT_MS,
): Promise<string | undefined> => {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const wrong = await look().catch((error: unknown) => String(error))
    if (wrong === undefined || performance.now() > deadline) return wrong
    await sleep(20)
  }
}

/** Counts the attempts against a dependency, and reports them at the end. */
export const addUp = (boundary: string) => {
  const figures = { failures: 0, faults: 0, cells: 0 }
  return {
    add: ({ cells, problems }: Outcome): void => {
      figures.faults += 1
      figures.cells += cells
      figures.failures += problems.length
    },
    report: () => report(boundary, figures),
  }
}
