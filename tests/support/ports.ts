import { once } from 'node:events'
import { createServer } from 'node:net'

// A server learns its port some time before it listens. The system assigns ports from 32768 on (Linux) to any program,
// so these are below; processes that run tests concurrently have separate ranges.
const PORTS = { first: 20_000, perProcess: 1000 } as const

const slot = Number(process.env['VITEST_POOL_ID'] ?? process.env['TEST_PARALLEL_INDEX'] ?? 0) % 12
const first = PORTS.first + slot * PORTS.perProcess
let last = Math.floor(Math.random() * PORTS.perProcess)

/** Finds a free local port. No other test uses it before a server listens on it. */
export const freePort = async (): Promise<number> => {
  for (let left = PORTS.perProcess; left > 0; left -= 1) {
    last = (last + 1) % PORTS.perProcess
    // Concurrent calls change `last`.
    const port = first + last
    // oxlint-disable-next-line no-await-in-loop -- uses the first free port
    if (await isFree(port)) return port
  }
  throw new Error(`Another program listens on each port from ${first} on.`)
}

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  await new Promise((resolve) => server.close(resolve))
  return true
}
