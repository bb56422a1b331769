import { readFile, readdir } from 'node:fs/promises'

/** Linux counts CPU time in hundredths of a second on all platforms. */
const TICK_MS = 10

interface Stat {
  readonly pid: number
  readonly parent: number
  /** User and system time, including ended children. */
  readonly cpuMs: number
}

/**
 * Reads the figures of a process tree from `/proc`. Linux only.
 * @throws elsewhere
 */
export const readCpuMs = async (root: number): Promise<number> =>
  (await readTree(root)).reduce((sum, { cpuMs }) => sum + cpuMs, 0)

/** The memory of a process tree in bytes; shared pages count in proportion. */
export const readMemoryBytes = async (root: number): Promise<number> => {
  const sizes = await Promise.all((await readTree(root)).map(({ pid }) => readPssBytes(pid)))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** The processes of the tree. Requires that PostgreSQL and our processes do not detach from their parents. */
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

/** An ended process counts as absent: its CPU time is part of its parent's. */
const readStat = async (pid: number): Promise<Stat | undefined> => {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : parseStat(pid, text)
}

/** Reads a line of `/proc/PID/stat` (proc_pid_stat(5)); the name in it may contain anything. */
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
