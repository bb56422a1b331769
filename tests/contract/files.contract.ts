import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'

import sharp from 'sharp'
import { expect, test } from 'vitest'

import { CAMERA, makePhoto } from '../support/images.ts'
import { newOwnerWithSite, siteBody } from '../support/owner.ts'
import { withStack } from '../support/fixtures.ts'

// Files (record interface 4, 9.4 and 9.5).

const stack = await withStack()
const owner = await newOwnerWithSite(stack.url)

const upload = async (
  photo: File,
): Promise<{ name: string; url: string; bytes: Buffer; answer: Response }> => {
  const site = await owner.client.collection('sites').update(owner.site.id, { photos: [photo] })
  const name = (site['photos'] as string[]).at(-1) ?? ''
  const url = owner.client.files.getURL(site, name)
  const answer = await fetch(url)
  return { name, url, answer, bytes: Buffer.from(await answer.arrayBuffer()) }
}

/** Colours at the left and at the top of an image reveal its orientation. */
const colourAt = async (bytes: Buffer, x: number, y: number): Promise<string> => {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  const at = (y * info.width + x) * info.channels
  return (data[at] ?? 0) > (data[at + 2] ?? 0) ? 'red' : 'blue'
}

test('a photo is stored upright and without metadata', async () => {
  const photo = await makePhoto('phone.jpg', {
    width: 400,
    height: 300,
    orientation: 6,
    withPosition: true,
  })
  expect(Buffer.from(await photo.arrayBuffer()).includes(CAMERA)).toBe(true)
  const { bytes } = await upload(photo)
  const metadata = await sharp(bytes).metadata()
  expect(metadata).toMatchObject({ width: 300, height: 400, format: 'jpeg' })
  expect(metadata.exif ?? metadata.xmp ?? metadata.iptc).toBeUndefined()
  expect(bytes.includes(CAMERA)).toBe(false)
  // Rotated to the right by 90°: the former left half is on top.
  expect([await colourAt(bytes, 150, 10), await colourAt(bytes, 150, 390)]).toEqual(['red', 'blue'])
})

test.each([
  ['jpeg', '.jpg', 'image/jpeg', 'jpeg'],
  ['png', '.png', 'image/png', 'png'],
  ['webp', '.webp', 'image/webp', 'webp'],
  ['gif', '.png', 'image/png', 'png'],
  ['avif', '.webp', 'image/webp', 'webp'],
] as const)(
  '%s is accepted, whatever its file name',
  async (type, extension, contentType, format) => {
    const { name, bytes, answer } = await upload(
      await makePhoto('photo.exe', { type, width: 64, height: 64 }),
    )
    expect(name.endsWith(extension)).toBe(true)
    expect(answer.headers.get('content-type')).toBe(contentType)
    expect((await sharp(bytes).metadata()).format).toBe(format)
  },
)

test('the first frame of an animation is stored', async () => {
  const frame = (background: string) =>
    sharp({ create: { width: 20, height: 20, channels: 3, background } })
      .png()
      .toBuffer()
  const frames = await Promise.all(['#ff0000', '#0000ff', '#000080'].map(frame))
  const animated = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer()
  expect((await sharp(animated).metadata()).pages).toBe(3)
  const { bytes } = await upload(new File([new Uint8Array(animated)], 'moving.gif'))
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 20, height: 20 })
  expect(await colourAt(bytes, 10, 10)).toBe('red')
})

test('compressed texts in a PNG, which may decompress without bound, are removed before decoding', async () => {
  const plain = Buffer.from(await (await makePhoto('a.png', { type: 'png' })).arrayBuffer())
  const text = deflateSync(Buffer.alloc(20_000_000, 'x'))
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const frame = Buffer.alloc(4)
    frame.writeUInt32BE(data.length)
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([frame, body, sum])
  }
  const bomb = chunk('zTXt', Buffer.concat([Buffer.from(`${CAMERA}\0\0`), text]))
  const header = 8 + 25
  const loaded = Buffer.concat([plain.subarray(0, header), bomb, bomb, plain.subarray(header)])
  const { bytes } = await upload(new File([new Uint8Array(loaded)], 'loaded.png'))
  expect(bytes.includes(CAMERA)).toBe(false)
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 640, height: 480, format: 'png' })
})

test('a file name of the maximum length works', async () => {
  const { answer } = await upload(
    await makePhoto(`${'a'.repeat(240)}.jpg`, { width: 8, height: 8 }),
  )
  expect(answer.status).toBe(200)
})

test('a large photo is limited to 4096 pixels a side', async () => {
  const { bytes } = await upload(await makePhoto('wide.jpg', { width: 5000, height: 1000 }))
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 4096, height: 819 })
})

test('stored names are readable, contain no path, and cannot be guessed', async () => {
  const { name } = await upload(
    await makePhoto('../../etc/My Photo "1".jpg', { width: 8, height: 8 }),
  )
  expect(name).toMatch(/^[a-z0-9_]*my_photo_[a-z0-9_]*_[a-z0-9]{10}\.jpg$/)
})

test('a file is served sandboxed, and cached forever', async () => {
  const { name, url, answer } = await upload(await makePhoto('a photo.jpg'))
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-security-policy': "default-src 'none'; sandbox",
    'content-disposition': `inline; filename=${name}`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=31536000, immutable',
    etag: `"${name}"`,
  })
  const again = await fetch(url, { headers: { 'if-none-match': `"${name}"` } })
  expect(again.status).toBe(304)
  const head = await fetch(url, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length')]).toEqual([
    200,
    answer.headers.get('content-length'),
  ])
  const download = await fetch(`${url}?download=1`)
  expect(download.headers.get('content-disposition')).toBe(`attachment; filename=${name}`)
})

test('only files that the record references are found', async () => {
  const { name } = await upload(await makePhoto('here.jpg'))
  const other = await owner.client.collection('sites').create(siteBody(owner.business.id))
  for (const path of [
    `sites/${other.id}/${name}`,
    `businesses/${owner.site.id}/${name}`,
    `connectors/${owner.site.id}/${name}`,
    `sites/${owner.site.id}/${name}x`,
    `sites/${owner.site.id}/..%2f..%2fserver.json`,
  ])
    expect([path, (await fetch(`${stack.url}/api/files/${path}`)).status]).toEqual([path, 404])
  const byId = await fetch(`${stack.url}/api/files/pbc_2001081480/${owner.site.id}/${name}`)
  expect(byId.status).toBe(200)
})

test('removed files leave the store, and a failed write leaves no files', async () => {
  const { client, site, business } = await newOwnerWithSite(stack.url)
  const stored = async (record: string): Promise<string[]> => stack.stored.names(`sites/${record}`)
  const sites = client.collection('sites')
  const { photos } = await sites.update(site.id, {
    photos: [await makePhoto('a.jpg'), await makePhoto('b.jpg')],
  })
  expect(await stored(site.id)).toHaveLength(2)
  await sites.update(site.id, { 'photos-': [(photos as string[])[0]] })
  await expect.poll(() => stored(site.id)).toEqual([(photos as string[])[1]])
  await expect(
    sites.update(site.id, { photos: [await makePhoto('c.jpg')], name: '' }),
  ).rejects.toMatchObject({ status: 400 })
  expect(await stored(site.id)).toHaveLength(1)
  await client.collection('businesses').delete(business.id)
  await expect.poll(() => stored(site.id)).toEqual([])
  expect(await readdir(join(stack.dataDir, 'tmp'))).toEqual([])
})
