import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { RecordModel } from 'pocketbase'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { businesses } from '#domain/business.ts'
import { ALWAYS_THUMB } from '#domain/field.ts'
import { COVER_THUMB, sites } from '#domain/site.ts'

import { makePhoto } from '../support/images.ts'
import { newOwnerWithSite } from '../support/owner.ts'
import { startStack, type Stack } from '../support/stack.ts'

// Thumbnails (record interface 4.3); WebP stays WebP (9, 11).

let stack: Stack
let owner: Awaited<ReturnType<typeof newOwnerWithSite>>
let record: RecordModel
let jpeg: string
let png: string
let webp: string
beforeAll(async () => {
  stack = await startStack()
  owner = await newOwnerWithSite(stack.url)
  record = await owner.client.collection('sites').update(owner.site.id, {
    photos: [
      // Portrait and rotated: the left of the file is the top of the stored image.
      await makePhoto('upright.jpg', { width: 400, height: 200, orientation: 6 }),
      await makePhoto('wide.png', { type: 'png', width: 400, height: 200 }),
      await makePhoto('wide.webp', { type: 'webp', width: 400, height: 200 }),
    ],
  })
  ;[jpeg = '', png = '', webp = ''] = record['photos'] as string[]
})
afterAll(() => stack.close())

const url = (name: string, query: string): string =>
  `${stack.url}/api/files/sites/${owner.site.id}/${name}?${query}`

const get = async (name: string, query: string) => {
  const answer = await fetch(url(name, query))
  const bytes = Buffer.from(await answer.arrayBuffer())
  return { answer, bytes }
}

const folder = (name: string): string => `sites/${owner.site.id}/thumbs_${name}`
const thumbsOf = (name: string): Promise<string[]> => stack.stored.names(folder(name))

/** The colour at a position, given as fractions of the width and the height. */
const colourAt = async (bytes: Buffer, x: number, y: number): Promise<string> => {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  const at =
    (Math.floor(y * (info.height - 1)) * info.width + Math.floor(x * (info.width - 1))) *
    info.channels
  return (data[at] ?? 0) > (data[at + 2] ?? 0) ? 'red' : 'blue'
}

test('the sizes of the record interface are declared', () => {
  const sizes = ['100x100', '0x300', '300x0', '70x50', '70x50t', '70x50b', '70x50f']
  expect(sites.fields.photos.thumbs).toEqual([...sizes, COVER_THUMB])
  expect(businesses.fields.logo.thumbs).toEqual(sizes)
  expect(sizes).toContain(ALWAYS_THUMB)
})

// The stored JPEG is 200 wide and 400 high, red above and blue below.
test.each([
  ['100x100', 100, 100, 'red', 'blue'],
  ['0x300', 150, 300, 'red', 'blue'],
  ['300x0', 300, 600, 'red', 'blue'],
  ['70x50', 70, 50, 'red', 'blue'],
  ['70x50t', 70, 50, 'red', 'red'],
  ['70x50b', 70, 50, 'blue', 'blue'],
  ['70x50f', 25, 50, 'red', 'blue'],
])('%s is %i by %i, %s above and %s below', async (size, width, height, above, below) => {
  const { answer, bytes } = await get(jpeg, `thumb=${size}`)
  expect(answer.status).toBe(200)
  expect(await sharp(bytes).metadata()).toMatchObject({ width, height, format: 'jpeg' })
  expect([await colourAt(bytes, 0.5, 0.05), await colourAt(bytes, 0.5, 0.95)]).toEqual([
    above,
    below,
  ])
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/jpeg',
    'content-disposition': `inline; filename=${size}_${jpeg}`,
    'cache-control': 'public, max-age=31536000, immutable',
    etag: `"${size}_${jpeg}"`,
    'content-length': String(bytes.length),
  })
})

test('a thumbnail has the type of its image', async () => {
  for (const [name, format] of [
    [jpeg, 'jpeg'],
    [png, 'png'],
    [webp, 'webp'],
  ] as const) {
    const { answer, bytes } = await get(name, 'thumb=70x50')
    expect(answer.headers.get('content-type')).toBe(`image/${format}`)
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 70, height: 50, format })
  }
})

test.each([
  '101x101',
  '70x50F',
  '70x50tb',
  '0x0',
  '0x0f',
  '70X50',
  'x50',
  '100x100 ',
  '../../x',
  '9999x9999',
  '1e2x100',
  'a%00b',
])('a size that is not offered (%s) gets the original', async (size) => {
  const { answer, bytes } = await get(png, `thumb=${size.replace(' ', '%20')}`)
  expect(answer.status).toBe(200)
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 400, height: 200 })
  expect(answer.headers.get('content-disposition')).toBe(`inline; filename=${png}`)
  expect(answer.headers.get('etag')).toBe(`"${png}"`)
})

test('a download, a range, a HEAD and a 304 of a thumbnail', async () => {
  const name = `100x100_${png}`
  const download = await get(png, 'thumb=100x100&download=1')
  expect(download.answer.headers.get('content-disposition')).toBe(`attachment; filename=${name}`)
  const ask = (init: RequestInit) => fetch(url(png, 'thumb=100x100'), init)
  const part = await ask({ headers: { range: 'bytes=0-3' } })
  expect([part.status, await part.text()]).toEqual([206, download.bytes.toString('utf8', 0, 4)])
  const head = await ask({ method: 'HEAD' })
  expect(head.headers.get('content-length')).toBe(String(download.bytes.length))
  expect((await ask({ headers: { 'if-none-match': `"${name}"` } })).status).toBe(304)
  expect((await ask({ headers: { 'if-none-match': `"${png}"` } })).status).toBe(200)
})

test('a thumbnail is created at the first request, once for concurrent requests, and cached', async () => {
  const [name = ''] = (
    await owner.client.collection('sites').update(owner.site.id, {
      '+photos': await makePhoto('fresh.jpg', { width: 3000, height: 2000 }),
    })
  )['photos'] as string[]
  expect(await thumbsOf(name)).toEqual([])
  const answers = await Promise.all(Array.from({ length: 8 }, () => get(name, 'thumb=300x0')))
  expect(new Set(answers.map(({ bytes }) => bytes.toString('base64'))).size).toBe(1)
  expect(await thumbsOf(name)).toEqual([`300x0_${name}`])
  // A cached thumbnail is served, and not created again.
  await stack.stored.write(`${folder(name)}/300x0_${name}`, 'kept')
  expect((await get(name, 'thumb=300x0')).bytes.toString()).toBe('kept')
  expect(await readdir(join(stack.dataDir, 'tmp'))).toEqual([])
})

test('if a thumbnail cannot be created, the original is served, and the log has the reason', async () => {
  const [name = ''] = (
    await owner.client
      .collection('sites')
      .update(owner.site.id, { '+photos': await makePhoto('torn.jpg') })
  )['photos'] as string[]
  await stack.stored.write(`sites/${owner.site.id}/${name}`, 'no image')
  const { answer, bytes } = await get(name, 'thumb=70x50')
  expect([answer.status, bytes.toString()]).toEqual([200, 'no image'])
  expect(answer.headers.get('content-disposition')).toBe(`inline; filename=${name}`)
  // A later request may succeed.
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(stack.logged.join('\n')).toContain('a thumbnail cannot be made')
})

test('a thumbnail is removed with the image and with the record', async () => {
  const all = (await owner.client.collection('sites').getOne(owner.site.id))['photos'] as string[]
  for (const name of all) await get(name, 'thumb=100x100')
  expect(await thumbsOf(png)).toContain(`100x100_${png}`)
  await owner.client.collection('sites').update(owner.site.id, { 'photos-': png })
  await expect.poll(() => thumbsOf(png)).toEqual([])
  expect((await get(png, 'thumb=100x100')).answer.status).toBe(404)
  await owner.client.collection('sites').delete(owner.site.id)
  await expect.poll(() => stack.stored.names('sites')).not.toContain(owner.site.id)
})

test('a missing file gets 404, also with a size', async () => {
  const logo = await makePhoto('logo.png', { type: 'png', width: 50, height: 50 })
  const business = await owner.client.collection('businesses').update(owner.business.id, { logo })
  const path = `businesses/${business.id}/${String(business['logo'])}`
  await stack.stored.remove(path)
  for (const query of ['', '?thumb=100x100'])
    expect((await fetch(`${stack.url}/api/files/${path}${query}`)).status).toBe(404)
})
