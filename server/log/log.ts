import { LogController, type FastifyServerOptions } from 'fastify'

import { ApiError } from '#domain/error.ts'

import type { LogLevel } from '../config.ts'
import { StartupError, OperatorError, DependencyError } from '../problem.ts'

export interface LogOptions {
  readonly level: LogLevel
  /** Receives one line, a JSON object, without the line end. */
  readonly write: (line: string) => void
}

/**
 * The options of the log. Whatever the caller passes, a line contains only the fields below, errors without their
 * messages, and fixed messages. So no line can contain a token, a URL or a filter by mistake.
 */
export const logOptions = ({
  level,
  write,
}: LogOptions): Pick<FastifyServerOptions, 'logController'> & { logger: object } => ({
  logger: {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (fields: object) =>
        Object.fromEntries(
          Object.entries(fields).flatMap(([name, value]) => {
            const shown = FIELDS[name]?.(value)
            return shown === undefined ? [] : [[name, shown]]
          }),
        ),
    },
    // `log` above decides which fields are written.
    serializers: { err: same, req: () => undefined, res: () => undefined },
    hooks: {
      logMethod(this: unknown, args: unknown[], method: (...args: unknown[]) => void) {
        method.apply(this, plainly(args))
      },
    },
    stream: { write: (line: string) => write(line.trimEnd()) },
  },
  // Fastify's own lines contain URLs.
  logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request' }),
})

const same = (value: unknown): unknown => value
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const number = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : undefined

/** The fields of a line, and the permitted values of each. */
const FIELDS: Readonly<Record<string, (value: unknown) => unknown>> = {
  /** The id of the request that caused the work, for work after its response. */
  request: text,
  method: text,
  /** The pattern of the route, never the URL. */
  route: text,
  status: number,
  ms: number,
  /** A file of the installation, such as a mail that was written instead of sent. */
  file: text,
  err: (error) => describeError(error),
}

const PLAIN = /^[\p{L}\d_ ,.;:'’()-]*$/u
const MAX_WORD = 30

/** The fields and the message of a line. Without a message, pino would use the error's. */
const plainly = ([first, second]: readonly unknown[]): unknown[] => {
  if (typeof first === 'string') return [plainWords(first)]
  const fields = first instanceof Error ? { err: first } : first
  return [fields, typeof second === 'string' ? plainWords(second) : 'trouble']
}

const plainWords = (message: string): string =>
  PLAIN.test(message) && message.split(' ').every(({ length }) => length <= MAX_WORD)
    ? message
    : 'a message that was not written for the log'

/** Errors whose messages are written for the operator. */
const OURS = [ApiError, StartupError, OperatorError, DependencyError]

const CODE = /^[\w.-]{1,60}$/
const MAX_FRAMES = 12
const MAX_CAUSES = 4

/**
 * The loggable part of an error: its type, its codes, its stack. It includes messages only of our own errors:
 * those of parsers and of the database quote the request.
 */
const describeError = (error: unknown, depth = 0): object | undefined => {
  if (!(error instanceof Error)) return { type: typeof error }
  const parts = error as Error & Readonly<Record<string, unknown>>
  const codes = ['code', 'syscall', 'severity', 'table', 'column', 'constraint']
    .map((name) => [name, parts[name]] as const)
    .filter(([, value]) => typeof value === 'string' && CODE.test(value))
  const isOurs = OURS.some((kind) => error instanceof kind)
  const cause = depth < MAX_CAUSES && error.cause !== undefined
  return {
    type: error.constructor.name,
    ...(isOurs && { message: error.message }),
    ...Object.fromEntries(codes),
    stack: framesOf(error),
    ...(cause && { cause: describeError(error.cause, depth + 1) }),
  }
}

/** The frames of a stack, without its leading message. */
const framesOf = ({ stack = '', message }: Error): readonly string[] => {
  const start = message === '' ? 0 : stack.indexOf(message) + message.length
  return stack
    .slice(start)
    .split('\n')
    .filter((line) => /^ +at \S.*:\d+:\d+\)?$/.test(line))
    .slice(0, MAX_FRAMES)
    .map((line) => line.trim().slice(3))
}

/** Formats a line for a terminal. */
export const prettyLine = (line: string): string => {
  const { time, level, msg, err, ...fields } = JSON.parse(line) as Readonly<
    Record<string, unknown>
  > & { err?: { type: string; message?: string; code?: string; stack: string[] } }
  const clock = String(time).slice(11, 19)
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${String(value)}`)
  const cause = err && `${err.message ?? err.type}${err.code ? ` (${err.code})` : ''}`
  const first = [clock, String(level).padEnd(5), [msg, cause].filter(Boolean).join(': '), ...rest]
  const places = level === 'error' ? (err?.stack ?? []) : []
  return [first.join(' '), ...places.map((place) => `    at ${place}`)].join('\n')
}
