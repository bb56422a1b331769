import { setTimeout as sleep } from 'node:timers/promises'

import { readConfig } from '../../server/config.ts'
import { serve } from '../../server/main.ts'
import { isBackground } from '../../tests/support/statements.ts'
import { settingsOf } from '../sides/ours.ts'
import type { Ground } from '../sides/side.ts'
import type { Parts } from './workloads.ts'

const isOfRequest = (text: string): boolean =>
  !isBackground(text) && !/^\s*(begin|commit)\b/i.test(text)

const WARM_UPS = 2
const COUNTED = 10
/** Without a statement for this long, the tasks of the start are over: in a large database they take a while. */
const IDLE_MS = 1000

/**
 * Counts the SQL statements of one operation of each workload, in addition to BEGIN and COMMIT. It uses the data of the
 * timed runs, but a separate run, because counting takes time.
 */
export const countStatements = async (
  ground: Pick<Ground, 'folder' | 'provider'>,
  port: number,
  workloads: readonly (readonly Parts[])[],
): Promise<readonly number[]> => {
  let texts: string[] = []
  const server = await serve(readConfig(settingsOf(ground, port)), {
    onStatement: (text) => texts.push(text),
    log: () => {},
  })
  const untilIdle = async (): Promise<void> => {
    let known: number
    do {
      known = texts.length
      await sleep(IDLE_MS)
    } while (texts.length > known)
  }
  try {
    await untilIdle()
    const counts: number[] = []
    for (const operations of workloads) {
      const perform = async (count: number): Promise<void> => {
        for (let i = 0; i < count; i += 1) await send(port, operations[i % operations.length] ?? [])
      }
      await perform(WARM_UPS)
      texts = []
      await perform(COUNTED)
      counts.push(texts.filter(isOfRequest).length / COUNTED)
    }
    return counts
  } finally {
    await server.close()
  }
}

const send = async (port: number, operation: Parts): Promise<void> => {
  for (const { method = 'GET', path, headers, body } of operation) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(headers && { headers }),
      ...(body !== undefined && { body: typeof body === 'string' ? body : Buffer.from(body) }),
    })
    await answer.arrayBuffer()
  }
}
