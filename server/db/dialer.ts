import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

import { Client } from 'pg'

import type { Address, Host, Target } from '../database-address.ts'
import { codeOf } from '../problem.ts'
import { connectionError, explain } from './errors.ts'

/** Timeouts of the database. */
export interface Timeouts {
  /** Until a connection is established. */
  readonly connectMs: number
  /** Between a statement and its response, or two parts of it; absent: no timeout. */
  readonly answerMs?: number
}

/** A connection whose session is set up. */
export interface OpenConnection {
  readonly client: Client
  /** Below the protocol and TLS, to count received bytes and to break the connection. */
  readonly socket: Socket
  /** Terminates the session; resolves when the connection is closed. */
  close(): Promise<void>
}

export type Dial = () => Promise<OpenConnection>

export interface DialerOptions {
  readonly connectMs: number
  /** Settings of every session, by name. */
  readonly settings: Readonly<Record<string, string>>
  /** Whether a pooler lends sessions for one transaction at a time; sessions are then not marked. */
  readonly isPooled?: boolean
  /** Called when two connections share one session: see `demandDedicatedSessions`. */
  readonly onShared?: () => void
}

/** After a failure, attempts fail fast for this long. */
const PAUSE_MS = 250

/** Codes of errors that another host would repeat: a wrong password, a missing database. */
const FINAL = /^(28|3D|42)/

/**
 * Opens connections to one of the hosts of an address. To survive a failover, it retries all hosts until the connection
 * timeout. After that, or if there is a single host, attempts fail fast for a while.
 */
export const createDialer = (address: Address, options: DialerOptions): Dial => {
  const { hosts } = address
  const { connectMs, onShared } = options
  const live = new Set<string>()
  const failed = new Set<number>()
  let preferred = 0
  let brokenSinceMs: number | undefined
  let pause: { readonly error: Error; readonly untilMs: number } | undefined

  const succeed = (index: number): void => {
    preferred = index
    brokenSinceMs = pause = undefined
    failed.clear()
  }
  /** Records a failure. @returns whether there is a host left to try, now or later */
  const fail = (index: number, error: Error & { code?: string }): boolean => {
    failed.add(index)
    const nowMs = performance.now()
    brokenSinceMs ??= nowMs
    const isLate = nowMs - brokenSinceMs > connectMs
    const isLeft = failed.size < hosts.length || (hosts.length > 1 && !isLate)
    if (isLeft && !FINAL.test(error.code ?? '')) return true
    failed.clear()
    pause = { error, untilMs: nowMs + PAUSE_MS }
    return false
  }
  /** The next host to try, after a delay if all of them have just failed. */
  const choose = async (): Promise<number> => {
    if (failed.size >= hosts.length) {
      await sleep(PAUSE_MS)
      failed.clear()
    }
    const order = hosts.map((_, index) => (preferred + index) % hosts.length)
    return order.find((index) => !failed.has(index)) ?? preferred
  }

  return async () => {
    for (;;) {
      if (pause !== undefined && performance.now() < pause.untilMs) throw pause.error
      const index = await choose()
      const host = hosts[index]
      if (host === undefined) throw new TypeError('an address without a host')
      try {
        const opened = await open(address, host, options, live)
        succeed(index)
        return opened
      } catch (error) {
        if (!(error instanceof Error)) throw error
        if (codeOf(error) === 'CONNECT_SHARED') onShared?.()
        if (!fail(index, error)) throw error
      }
    }
  }
}

/** Connects to a host, with encryption if the address requires it, and sets up the session. */
const open = async (
  address: Address,
  host: Host,
  { connectMs, settings, isPooled = false }: DialerOptions,
  live: Set<string>,
): Promise<OpenConnection> => {
  const untilMs = performance.now() + connectMs
  const token = randomUUID()
  const statement = setUp({
    ...settings,
    ...address.settings,
    ...(!isPooled && { [SESSION_TOKEN]: token }),
  })
  const start = (isEncrypted: boolean) => greet(address, host, statement, untilMs, isEncrypted)
  const { client, socket, greeting } = await start(address.tls !== undefined).catch((error) => {
    if (!NO_TLS.test(String(error))) throw error
    if (address.tls?.isOptional) return start(false)
    throw connectionError(
      'CONNECT_TLS',
      'the database does not offer the encryption that sslmode requires',
    )
  })
  const refusal = judge(greeting, address.target, live)
  if (refusal !== undefined) {
    socket.destroy()
    throw refusal
  }
  live.add(token)
  client.once('end', () => live.delete(token))
  const close = async (): Promise<void> => {
    live.delete(token)
    const late = setTimeout(() => socket.destroy(), connectMs).unref()
    await client.end()
    clearTimeout(late)
  }
  return { client, socket, close }
}

/** The driver's message if a server offers no encryption; it has no code. */
const NO_TLS = /does not support SSL/

const greet = async (
  { user, password, database, options, tls }: Address,
  { host, port }: Host,
  statement: string,
  untilMs: number,
  isEncrypted: boolean,
) => {
  const socket = new Socket()
  const client = new Client({
    host,
    port,
    user,
    password,
    database,
    options,
    ssl: isEncrypted && tls !== undefined && tls.options,
    sslnegotiation: tls?.isDirect ? 'direct' : 'postgres',
    application_name: APPLICATION_NAME,
    keepAlive: true,
    pipeline: true,
    stream: () => socket,
  })
  // Statements receive the error as well; without a listener it would end the process.
  client.on('error', () => {})
  const late = setTimeout(
    () => socket.destroy(connectionError('CONNECT_TIMEOUT', 'the database does not answer')),
    Math.max(1, untilMs - performance.now()),
  )
  try {
    await client.connect()
    const [greeting] = (await client.query<Greeting>(statement)).rows
    if (greeting === undefined) throw connectionError('ECONNRESET', 'no PostgreSQL answers there')
    return { client, socket, greeting }
  } catch (error) {
    socket.destroy()
    throw error instanceof Error ? explain(error) : error
  } finally {
    clearTimeout(late)
  }
}

/** Identifies connections of this software to the database and to other processes. */
export const APPLICATION_NAME = 'voltleaf'

/** The setting that marks a session with its connection. */
export const SESSION_TOKEN = 'voltleaf.connection'

/** The state of a new session. */
interface Greeting {
  /** The mark of the connection that had the session before, if any. */
  readonly token: string | null
  readonly is_standby: boolean
  readonly read_only: string
}

/** Poolers reject or ignore settings in the startup message, so they are set afterwards. */
const setUp = (settings: Readonly<Record<string, string>>): string => {
  const set = Object.entries(settings).map(
    ([name, value]) => `set_config(${quote(name)}, ${quote(value)}, false)`,
  )
  return (
    `select current_setting('${SESSION_TOKEN}', true) as token, pg_is_in_recovery() as is_standby,` +
    ` current_setting('transaction_read_only') as read_only, ${set.join(', ')}`
  )
}

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`

const judge = (
  { token, is_standby: isStandby, read_only: readOnly }: Greeting,
  target: Target,
  live: ReadonlySet<string>,
): Error | undefined => {
  if (token !== null && live.has(token))
    return connectionError('CONNECT_SHARED', 'two connections share a session')
  const isWanted = target === 'any' || (!isStandby && (target === 'primary' || readOnly === 'off'))
  return isWanted ? undefined : connectionError('CONNECT_READ_ONLY', 'the database is read-only')
}
