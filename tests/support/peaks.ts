import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

/** A file, and its result in a separate or a shared process. */
export interface Taken {
  readonly about: string
  readonly outcome: string
  /** The peak memory of the process above the memory before the first file, in bytes. */
  readonly bytes: number
  readonly ms: number
}

interface Named {
  readonly about: string
  readonly bytes: Buffer
}

const PROGRAM = join(import.meta.dirname, 'image-peak.ts')

/** Stores images with thumbnails in child processes of the tests, one per group and two at a time, like the server. */
export const measurePeaks = async (groups: readonly (readonly Named[])[]): Promise<Taken[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'voltleaf-peaks-'))
  const waiting = groups.map((group, index) => ({ group, index }))
  const taken: Taken[] = []
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      taken.push(...(await measureGroup(folder, next.group, next.index)))
  }
  try {
    await Promise.all([work(), work()])
    return taken
  } finally {
    await rm(folder, { recursive: true })
  }
}

const measureGroup = async (
  folder: string,
  group: readonly Named[],
  index: number,
): Promise<Taken[]> => {
  const paths = group.map((_, place) => join(folder, `${index}-${place}`))
  await Promise.all(group.map(({ bytes }, place) => writeFile(paths[place] ?? '', bytes)))
  const child = spawn(process.execPath, [PROGRAM], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // The C library's per-thread pools of freed memory do not count.
    env: { ...process.env, MALLOC_ARENA_MAX: '1' },
  })
  child.stdin.end(JSON.stringify({ folder, paths }))
  const answer = await text(child.stdout)
  await Promise.all(paths.map((path) => rm(path)))
  // A crashed process prints nothing.
  if (answer === '') throw new Error(`did not live: ${group.map(({ about }) => about).join('; ')}`)
  const found = JSON.parse(answer) as readonly Omit<Taken, 'about'>[]
  return found.map((each, place) => ({ ...each, about: group[place]?.about ?? '' }))
}
