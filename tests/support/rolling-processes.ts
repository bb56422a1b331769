import type { Limits } from '../../server/limits.ts'
import { openBalancer } from './balancer.ts'
import { startSecondProcess, type SecondProcess } from './second-process.ts'
import type { Stack } from './stack.ts'

/** Processes of one installation behind a load balancer, which are restarted one after the other. */
export interface RollingProcesses {
  /** The URL of the load balancer, which uses round robin. */
  readonly url: string
  /** The processes that accept requests. */
  running(): readonly SecondProcess[]
  /** Removes a process from the load balancer and stops it. */
  stop(index: number): Promise<void>
  /** Starts a new process in place of a stopped one. */
  start(index: number): Promise<void>
  close(): Promise<void>
}

/** Connections that the load balancer has begun to open are still accepted. */
const STOP_DELAY_SECONDS = '2'

/**
 * Starts processes with the database, the files and the provider of a stack.
 * @param env settings to override; all processes use the URL of the load balancer
 * @param limits limits to override
 */
export const startRollingProcesses = async (
  stack: Stack,
  count: number,
  env: Readonly<Record<string, string>>,
  limits: Partial<Limits>,
): Promise<RollingProcesses> => {
  const balancer = await openBalancer()
  const processes: (SecondProcess | undefined)[] = []
  const running = (): readonly SecondProcess[] => processes.filter((each) => each !== undefined)
  const spread = (): void => {
    let turn = 0
    const urls = running().map(({ url }) => url)
    balancer.serve(urls, () => turn++ % urls.length)
  }
  const start = async (index: number): Promise<void> => {
    processes[index] = await startSecondProcess(
      stack,
      { PUBLIC_URL: balancer.url, STOP_DELAY_SECONDS, ...env },
      limits,
    )
    spread()
  }
  await Promise.all(Array.from({ length: count }, (_, index) => start(index)))
  return {
    url: balancer.url,
    running,
    stop: async (index) => {
      const stopped = processes[index]
      processes[index] = undefined
      spread()
      await stopped?.close()
    },
    start,
    close: async () => {
      await Promise.all(running().map((each) => each.close()))
      await balancer.close()
    },
  }
}
