import { EventEmitter } from 'node:events'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { resolve } from 'node:path'

// Preloaded into a server with `--import`: messages on the channel make its disk fail and its clock jump. The server is
// unaware of it.

/** The faults; absent ones are off. */
export interface ProcessFaults {
  /** Operations on files below a folder fail with this code. */
  readonly disk?: {
    readonly folder: string
    readonly code: string
    /** Whether reads fail, too. */
    readonly reads?: boolean
  }
  /** Offset of the clock from real time. */
  readonly clockMs?: number
  /** The origin of an error without a listener. */
  readonly uncaught?: keyof typeof UNCAUGHT
}

const UNCAUGHT = {
  'an error event': () => new EventEmitter().emit('error', new Error('planted')),
  'a rejection': () => void Promise.reject(new Error('planted')),
  'a timer': () => {
    throw new Error('planted')
  },
}

let faults: ProcessFaults = {}
process.on('message', (message: { faults?: ProcessFaults }) => {
  if (message.faults === undefined) return
  faults = message.faults
  process.send?.({ faulty: true })
  if (faults.uncaught !== undefined) setTimeout(UNCAUGHT[faults.uncaught])
})
// Other users of the channel keep it open.
process.channel?.unref()

const failure = (path: unknown, syscall: string, writes: boolean): Error | undefined => {
  const { disk } = faults
  if (disk === undefined || (!writes && disk.reads !== true)) return undefined
  if (typeof path !== 'string' || !resolve(path).startsWith(disk.folder)) return undefined
  return Object.assign(new Error(`${disk.code}: planted, ${syscall} '${path}'`), {
    code: disk.code,
    syscall,
    path,
    errno: -1,
  })
}

const isWriting = (flags: unknown): boolean =>
  typeof flags === 'number' ? (flags & 3) !== 0 : typeof flags === 'string' && /[wa+]/.test(flags)

type Operation = (...args: unknown[]) => Promise<unknown>
const promises = fs.promises as unknown as Record<string, Operation>
const guard = (name: string, writes: (args: readonly unknown[]) => boolean): void => {
  const real = promises[name]
  if (real === undefined) throw new TypeError(`no operation: ${name}`)
  promises[name] = async (...args) => {
    const error = failure(args[0], name, writes(args))
    if (error !== undefined) throw error
    return real(...args)
  }
}
guard('open', ([, flags]) => isWriting(flags))
for (const name of ['writeFile', 'mkdir', 'rename']) guard(name, () => true)
for (const name of ['readFile', 'stat', 'opendir']) guard(name, () => false)

// Streams use these functions.
const { open } = fs
fs.open = ((path: string, ...rest: unknown[]) => {
  const error = failure(path, 'open', isWriting(rest[0]))
  const done = rest.at(-1) as (error: Error) => void
  if (error !== undefined) return void setImmediate(done, error)
  return Reflect.apply(open, fs, [path, ...rest]) as undefined
}) as typeof fs.open

const { now } = Date
const RealDate = Date
class ShiftedDate extends RealDate {
  constructor(...args: []) {
    if (args.length === 0) super(now() + (faults.clockMs ?? 0))
    else super(...args)
  }
  static override now(): number {
    return now() + (faults.clockMs ?? 0)
  }
}
globalThis.Date = ShiftedDate as DateConstructor
syncBuiltinESMExports()
