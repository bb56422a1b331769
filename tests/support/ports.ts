import { once } from 'node:events'
import { createServer } from 'node:net'

// A server finds its port some time before it listens. The system gives away ports from 32768 on (Linux) to whoever
// asks for any, so these are below, and processes that run tests at once have ranges of their own.
const PORTS = { first: 20_000, perProcess: 1000 } as const

const slot = Number(process.env['VITEST_POOL_ID'] ?? process.env['TEST_PARALLEL_INDEX'] ?? 0) % 12
const first = PORTS.first + slot * PORTS.perProcess
let last = Math.floor(Math.random() * PORTS.perProcess)

/** Finds a free local port, which no other test takes until a server listens on it. */
export const freePort = async (): Promise<number> => {
  for (let left = PORTS.perProcess; left > 0; left -= 1) {
    last = (last + 1) % PORTS.perProcess
    // Others ask meanwhile.
    const port = first + last
    // oxlint-disable-next-line no-await-in-loop -- the first that is free
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
