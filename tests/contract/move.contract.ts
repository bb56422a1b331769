import { spawn } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { root } from '../../scripts/process.ts'
import { makePhoto } from '../support/images.ts'
import { newOwnerWithSite, siteBody } from '../support/owner.ts'
import { startS3Server, type S3Server } from '../support/s3-server.ts'
import { settingsBeside, startStack, type Stack } from '../support/stack.ts'

// `npm run files:move` while servers run: from the data folder to S3 and back. Every URL keeps working.

let s3: S3Server
let onDisk: Stack
let owner: Awaited<ReturnType<typeof newOwnerWithSite>>
beforeAll(async () => {
  s3 = await startS3Server()
  onDisk = await startStack()
  owner = await newOwnerWithSite(onDisk.url)
  const { client, business } = owner
  const photos = await Promise.all(
    Array.from({ length: 20 }, (_, index) => makePhoto(`p${index}.jpg`, { width: 64 + index })),
  )
  await client.collection('sites').update(owner.site.id, { photos })
  await client.collection('sites').create({ ...siteBody(business.id), photos: [photos[0]] })
  await client.collection('businesses').update(business.id, { logo: photos[1] })
})
afterAll(async () => {
  await onDisk.close()
  await s3.stop()
})

/** Runs the command; kills it as soon as the condition is met. */
const move = async (
  args: readonly string[],
  killWhen: () => boolean = () => false,
): Promise<{ end: number | string; output: string }> => {
  const child = spawn(process.execPath, ['scripts/files-move.ts', ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', ...settingsBeside(onDisk), ...s3.env },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const end = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'))
  })
  const over = end.then(() => true)
  while (!killWhen()) if (await Promise.race([over, sleep(2, false)])) break
  child.kill('SIGKILL')
  return { end: await end, output }
}

/** The path and content of every file that a record references. */
const readAll = async (url: string): Promise<Map<string, string>> => {
  const sites = await owner.client.collection('sites').getFullList()
  const [business] = await owner.client.collection('businesses').getFullList()
  const paths = [
    ...sites.flatMap(({ id, photos }) => (photos as string[]).map((name) => `sites/${id}/${name}`)),
    `businesses/${business?.id}/${String(business?.['logo'])}`,
  ]
  return new Map(
    await Promise.all(
      paths.map(async (path) => {
        const answer = await fetch(`${url}/api/files/${path}`)
        return [path, `${answer.status} ${await answer.text()}`] as const
      }),
    ),
  )
}

const countsOf = (output: string): { copied: number; there: number } => {
  const [, copied, there] =
    /^Copied (\d+) files? to .+; already there: (\d+)\.$/m.exec(output) ?? []
  return { copied: Number(copied), there: Number(there) }
}

test('files move to S3 and back while servers run, interrupted by kills, and every URL keeps working', async () => {
  const original = await readAll(onDisk.url)
  expect(original.size).toBe(22)
  expect([...original.values()].every((answer) => answer.startsWith('200 '))).toBe(true)

  // Killed during the copy and restarted: complete files are skipped.
  const killed = await move(['--to', 's3'], () => s3.objects.size >= 5)
  expect(killed.end).toBe('SIGKILL')
  const before = s3.objects.size
  // Files in transit are removed after an hour, like those of requests.
  const left = await readdir(join(onDisk.dataDir, 'tmp'))
  expect(before).toBeLessThan(22)
  const [half] = s3.objects.values()
  // An incomplete file under its final name, as another program may leave it.
  if (half !== undefined)
    Object.assign(half, { metadata: {}, bytes: Buffer.alloc(half.bytes.length) })
  const again = await move(['--to', 's3'])
  expect(again.end).toBe(0)
  const counts = countsOf(again.output)
  expect(counts.copied + counts.there).toBe(22)
  expect(counts.there).toBeGreaterThanOrEqual(before - 1 - 8)
  expect(counts.copied).toBeGreaterThanOrEqual(22 - before + 1)
  expect(await readAll(onDisk.url)).toEqual(original)

  const early = await move(['--to', 's3', '--delete-source'])
  expect(countsOf(early.output)).toEqual({ copied: 0, there: 22 })
  expect(early.end).toBe(1)
  expect(early.output).toMatch(/The server uses the folder .+ start it with the new settings first/)
  expect(await readAll(onDisk.url)).toEqual(original)

  // The new server is running; the old one still accepts an upload.
  const inS3 = await startStack({ beside: onDisk, env: s3.env })
  const sites = owner.client.collection('sites')
  await sites.create({ ...siteBody(owner.business.id), photos: [await makePhoto('late.jpg')] })
  const later = await readAll(onDisk.url)
  expect(later.size).toBe(23)
  expect(await readAll(inS3.url)).toEqual(later)
  const last = await move(['--to', 's3', '--delete-source'])
  expect(last).toMatchObject({ end: 0 })
  expect(countsOf(last.output)).toEqual({ copied: 1, there: 22 })
  expect(last.output).toContain('Removed 23 files from the folder ')
  expect(await readAll(inS3.url)).toEqual(later)
  expect(await readdir(join(onDisk.dataDir, 'storage'))).toEqual([])
  expect(inS3.logged).toEqual([])
  await inS3.close()

  // Moves the files back.
  const [path = ''] = later.keys()
  const back = await move(['--to', 'disk'])
  expect(countsOf(back.output)).toEqual({ copied: 23, there: 0 })
  const file = join(onDisk.dataDir, 'storage', path)
  await writeFile(file, Buffer.alloc((await readFile(file)).length))
  expect(countsOf((await move(['--to', 'disk'])).output)).toEqual({ copied: 1, there: 22 })
  expect(await readAll(onDisk.url)).toEqual(later)
  expect(await readdir(join(onDisk.dataDir, 'tmp'))).toEqual(left)
})

test('each problem is reported in one sentence', async () => {
  expect((await move(['--to', 'tape'])).output).toMatch(/^Use: npm run files:move/)
  s3.objects.set('_database/another00000000/mark', {
    bytes: Buffer.alloc(0),
    modified: new Date(),
    type: '',
    metadata: {},
  })
  const foreign = await move(['--to', 's3'])
  expect(foreign).toMatchObject({ end: 1 })
  expect(foreign.output).toMatch(/^The files in the bucket .+ belong to another database: /)
  s3.objects.clear()
  await s3.stop()
  expect((await move(['--to', 's3'])).output).toMatch(
    /^The file store at http:\S+ cannot be used: ECONNREFUSED\.\n$/,
  )
  await s3.start()
  const [name = ''] = await onDisk.stored.names('sites')
  const [photo = ''] = await onDisk.stored.names(`sites/${name}`)
  await onDisk.stored.remove(`sites/${name}/${photo}`)
  const lost = await move(['--to', 's3', '--delete-source'])
  expect(lost).toMatchObject({ end: 1 })
  expect(lost.output).toContain(
    `Files that records refer to, but that are in neither place: 1, such as sites/`,
  )
  expect(await onDisk.stored.names(`businesses`)).toHaveLength(1)
})
