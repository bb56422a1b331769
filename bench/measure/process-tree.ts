import { readFile, readdir } from 'node:fs/promises'

/** Linux counts processor time in hundredths of a second, wherever it runs. */
const TICK_MS = 10

interface Stat {
  readonly pid: number
  readonly parent: number
  /** User and system time, with that of children that have ended. */
  readonly cpuMs: number
}

/** What a process and everything that it started have used so far, and hold now. */
export interface Usage {
  readonly cpuMs: number
  /** Proportional: memory that processes share is counted once. */
  readonly memoryBytes: number
}

/**
 * Looks at a process and all its descendants, by `/proc`: Linux only.
 * @throws where there is none
 */
export const readCpuMs = async (root: number): Promise<number> =>
  (await readTree(root)).reduce((sum, { cpuMs }) => sum + cpuMs, 0)

/** The memory of a process and all its descendants, shared pages in proportion, in bytes. */
export const readMemoryBytes = async (root: number): Promise<number> => {
  const sizes = await Promise.all((await readTree(root)).map(({ pid }) => readPssBytes(pid)))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** The processes of the tree; which is whose is kept by what PostgreSQL's and ours do: nobody leaves his parent. */
const readTree = async (root: number): Promise<readonly Stat[]> => {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const stats = (await Promise.all(names.map((name) => readStat(Number(name))))).filter(
    (stat) => stat !== undefined,
  )
  const byParent = Map.groupBy(stats, ({ parent }) => parent)
  const below = (pid: number): readonly Stat[] =>
    (byParent.get(pid) ?? []).flatMap((child) => [child, ...below(child.pid)])
  return [...stats.filter(({ pid }) => pid === root), ...below(root)]
}

/** A process that has ended meanwhile is none: its parent has taken over its time. */
const readStat = async (pid: number): Promise<Stat | undefined> => {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : parseStat(pid, text)
}

/** Reads a line of `/proc/PID/stat` (proc_pid_stat(5)); the name in it may hold anything. */
export const parseStat = (pid: number, text: string): Stat => {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  // From the third field on: state, ppid, …; utime, stime, cutime and cstime are 14 to 17.
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return { pid, parent: Number(fields[1]), cpuMs: ticks * TICK_MS }
}

const readPssBytes = async (pid: number): Promise<number> => {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) * 1024
}
