import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

import type { LoadClient } from './client.ts'
import { encodeRequest } from './protocol.ts'

const MS = 1500

/**
 * Measures the operations per second that the client reaches with a server in another process that does no work. This
 * is an upper bound for any real server; a figure close to it is meaningless.
 */
export const measureCeiling = async (client: LoadClient, connections: number): Promise<number> => {
  const child = fork(join(import.meta.dirname, 'idle-server.ts'))
  try {
    const [port] = (await once(child, 'message')) as [number]
    const operations = [[encodeRequest({ path: '/' })]]
    const { operations: done, seconds } = await client.run({
      port,
      operations,
      connections,
      ms: MS,
      status: 200,
    })
    return done / seconds
  } finally {
    child.kill()
  }
}
