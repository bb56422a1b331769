import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { API, SERVICE_API } from '#domain/paths.ts'
import { BUSINESSES, SITES } from '#domain/collection.ts'
import { FIELD_ERRORS } from '#domain/error.ts'
import { sites } from '#domain/site.ts'

import { CANARY, makeHostileFiles, type HostileFile } from '../support/hostile-files.ts'
import { makeLargestImages } from '../support/largest-images.ts'
import { sendFile } from '../support/hostile-upload.ts'
import { newOwner } from '../support/owner.ts'
import { measurePeaks } from '../support/peaks.ts'
import { startStack, type Stack } from '../support/stack.ts'
import { isLong, report } from './figures.ts'

// Malicious files (record interface 9.4): each one is refused with a field error, or its stored and served bytes
// contain no payload. None takes more than 100 MB of memory. "tests/e2e/hostile-files.spec.ts" opens them in a browser.

const MAX_BYTES = 100_000_000
/** Minimum number of files. */
const FEWEST = 300

let stack: Stack
let files: readonly HostileFile[]
beforeAll(async () => {
  stack = await startStack()
  files = await makeHostileFiles()
})
afterAll(() => stack.close())

/** The problems of a stored or served file. */
const findFaults = async (bytes: Buffer): Promise<string[]> => {
  const { format, exif, xmp, iptc, icc, comments, tifftagPhotoshop } = await sharp(bytes).metadata()
  const carried = { exif, xmp, iptc, icc, comments, tifftagPhotoshop }
  return [
    ...(bytes.includes(CANARY) ? ['the payload'] : []),
    ...(['jpeg', 'png', 'webp'].includes(format) ? [] : [`a ${format}`]),
    ...Object.entries(carried).flatMap(([name, held]) => (held === undefined ? [] : [name])),
  ]
}

/** The problems of the headers that make a browser treat a file only as an image. */
const findHeaderFaults = ({ status, headers }: Response): string[] =>
  Object.entries({
    status: status === 200,
    'content-type': /^image\/(jpeg|png|webp)$/.test(headers.get('content-type') ?? ''),
    'x-content-type-options': headers.get('x-content-type-options') === 'nosniff',
    'content-security-policy':
      headers.get('content-security-policy') === "default-src 'none'; sandbox",
    'content-disposition': /^inline; filename=[\w.-]+$/.test(
      headers.get('content-disposition') ?? '',
    ),
  }).flatMap(([name, isRight]) => (isRight ? [] : [name]))

test('every hostile file is refused with a field error, or stored without its payload', async () => {
  const { client, id } = await newOwner(stack.url)
  const business = await client.collection(BUSINESSES).create({ name: 'Harbour Lane', user: id })
  const refused: string[] = []
  const stored: string[] = []
  const problems: unknown[] = []
  for (const [index, file] of files.entries()) {
    const { field, status, body } = await sendFile(client, business.id, file, index % 5 === 4)
    const code = body.data?.[field]?.code ?? ''
    if (status === 400 && code in FIELD_ERRORS) {
      refused.push(file.about)
      continue
    }
    const [name] = [body[field] ?? []].flat() as string[]
    if (status !== 200 || name === undefined || !/^[\w-]+\.(jpg|png|webp)$/.test(name)) {
      problems.push([file.about, status, body])
      continue
    }
    stored.push(file.about)
    const url = stack.url + API.file(body.collectionName, body.id, name)
    const kept = join(stack.dataDir, 'storage', body.collectionName, body.id, name)
    const { thumbs } = sites.fields.photos
    const sizes = isLong ? thumbs : [thumbs[stored.length % thumbs.length] ?? '']
    const queries = ['', ...sizes.map((size) => `?thumb=${size}`)]
    const faults = await Promise.all([
      readFile(kept).then(findFaults),
      ...queries.map(async (query) => {
        const answer = await fetch(url + query)
        const bytes = Buffer.from(await answer.arrayBuffer())
        return [...findHeaderFaults(answer), ...(await findFaults(bytes))]
      }),
    ])
    if (faults.flat().length > 0) problems.push([file.about, faults])
  }

  expect(problems).toEqual([])
  expect(refused.length + stored.length).toBe(files.length)
  expect(files.length).toBeGreaterThanOrEqual(FEWEST)
  // All files are different, except in their declared type.
  const told = files.map(({ filename, type, bytes }) =>
    [filename, type, bytes.toString('base64')].join(),
  )
  expect(new Set(told).size).toBe(files.length)
  // Refused uploads leave no files, and the others only those that a record references.
  const rows = await client.collection(SITES).getFullList()
  expect(rows.every(({ photos }) => (photos as string[]).length === 1)).toBe(true)
  expect((await stack.stored.names(SITES)).toSorted()).toEqual(rows.map((row) => row.id).toSorted())
  await expect.poll(() => readdir(join(stack.dataDir, 'tmp'))).toEqual([])
  expect((await fetch(stack.url + SERVICE_API.ready)).status).toBe(200)
  expect(stack.logged).toEqual([])
  await report('Hostile files', {
    tried: files.length,
    refused: refused.length,
    'stored clean': stored.length,
    'payloads that survived': 0,
    failures: problems.length,
  })
}, 1_800_000)

test('no hostile file, and no valid file of maximum size, takes more than 100 MB of memory', async () => {
  const large = Object.entries(await makeLargestImages()).map(([about, bytes]) => ({
    about,
    bytes,
  }))
  const first = Map.groupBy(files, ({ family }) => family).values()
  const hostile = isLong
    ? files
    : [...first].map(([file]) => file).filter((file) => file !== undefined)
  const taken = await measurePeaks([...large, ...hostile].map((image) => [image]))
  const honest = new Set(large.map(({ about }) => about))
  const tooMuch = taken.filter(({ bytes }) => bytes > MAX_BYTES)
  const inMB = (bytes: number): number => Math.round(bytes / 1_000_000)
  for (const { about, bytes, ms } of taken.filter((each) => isLong || honest.has(each.about)))
    console.log(`${about}: ${inMB(bytes)} MB, ${Math.round(ms)} ms`)
  expect(tooMuch).toEqual([])
  expect(taken).toHaveLength(hostile.length + large.length)
  expect(taken.filter(({ about, outcome }) => honest.has(about) && outcome !== 'stored')).toEqual(
    [],
  )
  await report('Memory of images', {
    tried: taken.length,
    'MB at most': Math.max(...taken.map(({ bytes }) => inMB(bytes))),
    failures: tooMuch.length,
  })
}, 1_800_000)
