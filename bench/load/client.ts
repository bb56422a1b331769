import { fork } from 'node:child_process'
import { join } from 'node:path'

import type { Job, Listening, Reply, Run, Sample, Telling } from './protocol.ts'

/** The load client. It runs in its own process, so that the bench does not disturb it. */
export interface LoadClient {
  /** Sends operations for a while. @throws if a response has the wrong status */
  run(run: Run): Promise<Sample>
  /** Opens event streams. @throws if one cannot be opened */
  listen(listening: Listening): Promise<Listeners>
  close(): Promise<void>
}

/** Open event streams. */
interface Listeners {
  /** Makes changes, and waits until every stream has received each of them. `heard` is the last event of one stream. */
  tell(telling: Telling): Promise<{ readonly sample: Sample; readonly heard: string }>
  leave(): Promise<void>
}

export const startLoadClient = (): LoadClient => {
  const child = fork(join(import.meta.dirname, 'worker.ts'), {
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = new Promise<never>((_, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`The client ended (${code}).`)))
  })
  ended.catch(() => {})
  const perform = async (job: Job): Promise<{ sample: Sample; heard: string }> => {
    const answered = new Promise<Reply>((resolve) => child.once('message', resolve))
    child.send(job)
    const reply = await Promise.race([answered, ended])
    if ('problem' in reply) throw new Error(reply.problem)
    return { sample: reply.sample ?? NOTHING, heard: reply.heard ?? '' }
  }
  let names = 0
  return {
    run: async (run) => (await perform({ kind: 'run', run })).sample,
    listen: async (listening) => {
      const name = `listeners ${(names += 1)}`
      await perform({ kind: 'listen', name, listening })
      return {
        tell: (telling) => perform({ kind: 'tell', name, telling }),
        leave: async () => {
          await perform({ kind: 'leave', name })
        },
      }
    },
    close: async () => {
      child.kill()
      await ended.catch(() => {})
    },
  }
}

const NOTHING: Sample = { operations: 0, seconds: 0, p50Ms: 0, p99Ms: 0, clientCpuMs: 0 }
