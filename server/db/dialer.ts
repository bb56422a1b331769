import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, isIP, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'

import type { Address, Host, Target, Tls } from './address.ts'
import { lost, ofDatabase, watch, type Greeting, type Patience } from './sockets.ts'

export interface DialerOptions {
  readonly patience: Patience
  /** Settings of every session, by name. */
  readonly settings: Readonly<Record<string, string>>
  /** Called when two connections turn out to have one session: see `demandOwnSessions`. */
  readonly onShared?: () => void
}

/** After a failure nobody tries again for so long: whoever waits for a connection is told at once. */
const PAUSE_MS = 250

/** Codes of what another host would say as well: who is refused, and a database that is not there. */
const FINAL = /^(28|3D|42)/

/**
 * Makes the sockets of a pool: reaches one of the hosts, encrypts, sets the session up. Whoever waits for
 * a connection waits a bounded time: the driver by itself lets everybody try one after the other. Of
 * several hosts each is tried, and all of them again for as long as a connection may take, so that a
 * failover is waited for; after that, as with a single host, one failure is everybody's for a moment.
 */
export const createDialer = (
  { hosts, tls, target }: Pick<Address, 'hosts' | 'tls' | 'target'>,
  { patience, settings, onShared }: DialerOptions,
): (() => Promise<Socket>) => {
  const live = new Set<string>()
  const failed = new Set<number>()
  let preferred = 0
  let brokenSince: number | undefined
  let pause: { readonly error: Error; readonly untilMs: number } | undefined

  const succeed = (index: number): void => {
    preferred = index
    brokenSince = pause = undefined
    failed.clear()
  }
  /** Notes a failure; true when there is something left to try, sooner or later. */
  const fail = (index: number, error: Error & { code?: string }): boolean => {
    failed.add(index)
    const now = performance.now()
    brokenSince ??= now
    const isLate = now - brokenSince > patience.connectMs
    const isLeft = failed.size < hosts.length || (hosts.length > 1 && !isLate)
    if (isLeft && !FINAL.test(error.code ?? '')) return true
    failed.clear()
    pause = { error, untilMs: now + PAUSE_MS }
    return false
  }
  /** The next host to try, after a moment when all of them have just failed. */
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
      if (pause !== undefined && performance.now() < pause.untilMs) return broken(pause.error)
      const index = await choose()
      const host = hosts[index]
      if (host === undefined) throw new TypeError('an address without a host')
      const deadline = performance.now() + patience.connectMs
      const socket = await reach(host, tls, patience.connectMs).catch(ofDatabase)
      if (socket instanceof Error) {
        if (fail(index, socket)) continue
        return broken(socket)
      }
      const token = randomUUID()
      const connectMs = Math.max(1, deadline - performance.now())
      return watch(
        socket,
        { ...patience, connectMs },
        {
          statement: setUp(token, settings),
          judge: ([before = '', isCopy = '', isReadOnly = '']) => {
            if (live.has(before)) {
              onShared?.()
              return lost('CONNECT_SHARED', 'two connections have one session')
            }
            return isWanted(target, isCopy, isReadOnly)
              ? undefined
              : lost('CONNECT_READ_ONLY', 'the database takes no writes')
          },
          opened: () => {
            live.add(token)
            succeed(index)
          },
          refused: (error) => fail(index, error),
          ended: () => live.delete(token),
        },
      )
    }
  }
}

/** The setting by which a session knows whose it is. */
export const SESSION_TOKEN = 'voltleaf.connection'

/** Poolers refuse settings that a connection begins with, or leave them out: so they are set afterwards. */
const setUp = (token: string, settings: Readonly<Record<string, string>>): string => {
  const set = Object.entries({ ...settings, [SESSION_TOKEN]: token }).map(
    ([name, value]) => `set_config('${name}', '${value}', false)`,
  )
  return (
    `select current_setting('${SESSION_TOKEN}', true), pg_is_in_recovery(),` +
    ` current_setting('transaction_read_only'), ${set.join(', ')}`
  )
}

const isWanted = (target: Target, isCopy: string, isReadOnly: string): boolean =>
  target === 'any' || (isCopy === 'f' && (target === 'primary' || isReadOnly === 'off'))

/** A socket that tells its one user why it could not be had. */
const broken = (error: Error): Socket => {
  const socket = watch(new Socket(), { connectMs: PAUSE_MS }, NO_GREETING)
  return socket.destroy(error)
}

const NO_GREETING: Greeting = {
  statement: '',
  judge: () => undefined,
  opened: () => {},
  refused: () => false,
  ended: () => {},
}

const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
const OFFERED = 0x53

/** Connects, and encrypts the connection where that is asked for. */
const reach = async (host: Host, tls: Tls | undefined, ms: number): Promise<Socket> => {
  const signal = AbortSignal.timeout(ms)
  const plain = connect({ ...host, allowHalfOpen: true })
  // Whoever uses it listens, too; between the two nothing may be thrown.
  plain.on('error', () => {})
  try {
    await once(plain, 'connect', { signal })
    if (tls === undefined) return plain
    if (!tls.isDirect && !(await isTlsOffered(plain, signal))) {
      if (tls.isOptional) return plain
      throw lost('CONNECT_TLS', 'the database offers no encryption, which sslmode demands')
    }
    const socket = connectTls({
      socket: plain,
      ...tls.options,
      ...('host' in host && isIP(host.host) === 0 && { servername: host.host }),
      ...('host' in host && { host: host.host }),
      ...(tls.isDirect && { ALPNProtocols: ['postgresql'] }),
    })
    socket.on('error', () => {})
    await once(socket, 'secureConnect', { signal })
    return socket
  } catch (error) {
    plain.destroy()
    throw signal.aborted ? lost('CONNECT_TIMEOUT', 'the database does not answer') : error
  }
}

const isTlsOffered = async (socket: Socket, signal: AbortSignal): Promise<boolean> => {
  const hangUp = (): void => void socket.destroy(lost('ECONNRESET', 'the database has hung up'))
  socket.once('end', hangUp)
  socket.write(SSL_REQUEST)
  const [answer] = (await once(socket, 'data', { signal })) as [Buffer]
  socket.off('end', hangUp)
  // More than one byte was not said by the server, but put in on the way.
  if (answer.length !== 1) throw lost('ECONNRESET', 'no PostgreSQL answers there')
  return answer[0] === OFFERED
}
