import { connect, createServer, type AddressInfo, type NetConnectOpts, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * A network fault: connections are refused, reset or closed immediately, silent, or throttled to almost nothing; the
 * response is garbage; or a request stalls after its first bytes until it gets a response.
 */
export type CodedError = 'refused' | 'reset' | 'closed' | 'silent' | 'slow' | 'garbage' | 'stuck'

/** A TCP proxy with switchable faults. */
export interface FaultyProxy {
  readonly port: number
  /** Starts or ends a fault, also for open connections. */
  fail(fault: CodedError | undefined): Promise<void>
  /** The number of open connections. */
  connections(): number
  close(): Promise<void>
}

const GARBAGE = Buffer.from('\u0001\u0002 this is not what was asked for \u0000\r\n\r\n')
const SLOW_MS = 400
const STUCK_BYTES = 64 * 1024

const trickle = async (chunk: Buffer, from: Socket, to: Socket): Promise<void> => {
  from.pause()
  for (const byte of chunk) {
    if (to.destroyed) return
    to.write(Buffer.of(byte))
    await sleep(SLOW_MS)
  }
  from.resume()
}

/** Opens a local port that forwards to the target. */
export const openFaultyProxy = async (target: NetConnectOpts): Promise<FaultyProxy> => {
  let fault: CodedError | undefined
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (client) => {
    open.add(client)
    client.once('close', () => open.delete(client))
    // Broken connections are expected.
    client.on('error', () => {})
    if (fault === 'reset') return client.resetAndDestroy()
    if (fault === 'closed') return client.resume().end()
    if (fault === 'silent') return client.once('end', () => client.end()).resume()
    const onward = connect({ ...target, allowHalfOpen: true } as NetConnectOpts)
    onward.on('error', () => client.destroy())
    client.once('close', () => onward.destroy())
    let beforeStuck = STUCK_BYTES
    client.on('data', (chunk) => {
      if (fault === 'stuck') beforeStuck -= chunk.length
      if (beforeStuck < 0) client.pause()
      if (fault === 'garbage') client.end(GARBAGE)
      else if (fault !== 'silent') onward.write(chunk)
    })
    onward.on('data', (chunk) => {
      if (client.isPaused() && beforeStuck < 0) {
        beforeStuck = Infinity
        client.resume()
      }
      if (fault === 'slow') void trickle(chunk as Buffer, onward, client)
      else if (fault !== 'silent' && fault !== 'garbage') client.write(chunk)
    })
    client.once('end', () => onward.end())
    onward.once('end', () => client.end())
  })
  const listen = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', resolve)
    })
  await listen(0)
  const { port } = server.address() as AddressInfo
  const breakOff = (): void => {
    for (const client of open) client.resetAndDestroy()
  }
  const stop = (): Promise<unknown> => {
    const stopped = new Promise((resolve) => server.close(resolve))
    breakOff()
    return stopped
  }
  return {
    port,
    fail: async (next) => {
      const before = fault
      fault = next
      if (next === 'refused') await stop()
      if (next === 'reset') breakOff()
      if (next === 'closed') for (const client of open) client.end()
      if (before === 'refused') await listen(port)
    },
    connections: () => open.size,
    close: async () => {
      if (server.listening) await stop()
    },
  }
}
