import { OPEN_FILE_NAMES, openPath } from '../../domain/open-data.ts'

import { readCpuMs, readMemoryBytes } from '../measure/process-tree.ts'
import { estimate } from '../measure/stats.ts'
import { find, format, type Finding } from '../measure/verdict.ts'
import type { PartRun, Report } from '../part.ts'
import type { Side } from '../sides/side.ts'

/** The size to which the CPU target applies. */
const TARGET_SITES = 1_000_000
const MAX_CPU_S = 25
/** Memory may grow while pages pass through, but not with the number of sites. */
const MAX_GROWTH_MB = 200
const SAMPLE_MS = 200
/** The encodings that browsers accept; Node's client only requests up to gzip. */
const ENCODINGS = 'gzip, deflate, br, zstd'

interface Exported {
  readonly encoding: string
  readonly bytes: number
  readonly seconds: number
  readonly cpuS: number
  readonly growthMB: number
}

/** Reads a file of all sites to its end, and measures the server's processes meanwhile. */
const exportAll = async (side: Side, path: string): Promise<Exported> => {
  const look = async () => ({
    cpuMs: await readCpuMs(side.pid),
    memory: await readMemoryBytes(side.pid),
  })
  const before = await look()
  const began = performance.now()
  let most = before.memory
  const sampler = setInterval(
    () => void look().then(({ memory }) => (most = Math.max(most, memory))),
    SAMPLE_MS,
  )
  let bytes = 0
  let encoding = ''
  try {
    const answer = await fetch(`http://127.0.0.1:${side.port}${path}`, {
      headers: { 'accept-encoding': ENCODINGS },
    })
    if (!answer.ok || answer.body === null) throw new Error(`${path} answers ${answer.status}`)
    encoding = answer.headers.get('content-encoding') ?? 'none'
    for await (const chunk of answer.body as ReadableStream<Uint8Array>) bytes += chunk.length
  } finally {
    clearInterval(sampler)
  }
  const after = await look()
  return {
    encoding,
    bytes,
    seconds: (performance.now() - began) / 1000,
    cpuS: (after.cpuMs - before.cpuMs) / 1000,
    growthMB: (Math.max(most, after.memory) - before.memory) / 1e6,
  }
}

/** Exports all sites in each file once. */
export const measureExports = async (
  side: Side,
  sites: number,
  options: PartRun,
): Promise<Pick<Report, 'findings' | 'details'>> => {
  const findings: Finding[] = []
  const details: Report['details'][number][] = []
  for (const name of OPEN_FILE_NAMES) {
    const exported = await exportAll(side, openPath(name))
    const finding = (what: string, value: number, unit: string, atMost: number | undefined) =>
      find({
        part: 'network',
        what: `export of ${format(sites)} sites as ${name}: ${what}`,
        estimate: estimate([value]),
        target: atMost === undefined ? undefined : { atMost },
        unit,
        doubt: options.doubt,
      })
    findings.push(
      finding('CPU', exported.cpuS, ' s', sites === TARGET_SITES ? MAX_CPU_S : undefined),
      finding('memory gained', exported.growthMB, ' MB', MAX_GROWTH_MB),
    )
    details.push({
      read: `export as ${name}`,
      sites: format(sites),
      MB: format(exported.bytes / 1e6),
      encoding: exported.encoding,
      seconds: format(exported.seconds),
      'CPU s': format(exported.cpuS),
      'memory MB': format(exported.growthMB),
    })
    for (const { what, measured } of findings.slice(-2)) options.say(`${what}: ${measured}`)
  }
  return { findings, details }
}
