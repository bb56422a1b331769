import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { sites } from '#domain/site.ts'

import { rewriteImage, writeThumb } from '../../server/files/images.ts'
import { makePhoto } from './images.ts'

// The program of `measurePeaks`: stores the images named on standard input as the server does, with thumbnails, and
// reports the memory used.

const KIB = 1024
const STATUS = '/proc/self/status'

/**
 * The peak memory of this process, in bytes. The usual figure starts at the one of the parent process; Linux also has
 * one for the program itself.
 */
const peak = (): number =>
  existsSync(STATUS)
    ? Number(/VmHWM:\s+(\d+)/.exec(readFileSync(STATUS, 'latin1'))?.[1]) * KIB
    : process.resourceUsage().maxRSS * KIB

/** One that crops, and one that does not. */
const THUMBS = [
  '100x100',
  '300x0',
] as const satisfies readonly (typeof sites.fields.photos.thumbs)[number][]

const { folder, paths } = JSON.parse(await text(process.stdin)) as {
  folder: string
  paths: readonly string[]
}
const target = join(folder, `written-${process.pid}`)
const small = `${target}-small`

const takeIn = async (path: string): Promise<string> => {
  const made = await rewriteImage(path, 'photo', target)
  if ('error' in made) return made.error.code
  for (const size of THUMBS)
    await writeThumb(async () => createReadStream(target), size, made.type, small)
  return 'stored'
}

// Code that is loaded for the first image of a type does not count.
for (const type of ['jpeg', 'png', 'webp', 'gif', 'avif'] as const) {
  const photo = await makePhoto('photo', { type, width: 300, height: 200 })
  await writeFile(`${target}-first`, Buffer.from(await photo.arrayBuffer()))
  await takeIn(`${target}-first`)
}
const idle = process.memoryUsage.rss()
const taken: { outcome: string; bytes: number; ms: number }[] = []
for (const path of paths) {
  const start = performance.now()
  const outcome = await takeIn(path)
  taken.push({ outcome, bytes: Math.max(0, peak() - idle), ms: performance.now() - start })
}
await Promise.all([target, small, `${target}-first`].map((path) => rm(path, { force: true })))
process.stdout.write(JSON.stringify(taken))
