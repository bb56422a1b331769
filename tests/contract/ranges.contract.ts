import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { makePhoto } from '../support/images.ts'
import { newOwnerWithSite } from '../support/owner.ts'
import { expectScenario, type Scenario } from '../support/scenario.ts'
import { startStack, type Stack } from '../support/stack.ts'

// Range and conditional requests for files (record interface 4.2, RFC 9110 13 and 14).

let stack: Stack
let bytes: Buffer
let known: Record<string, string>
beforeAll(async () => {
  stack = await startStack()
  const { client, site } = await newOwnerWithSite(stack.url)
  const changed = await client.collection('sites').update(site.id, {
    photos: [await makePhoto('photo.png', { type: 'png', width: 64, height: 64 })],
  })
  const [name = ''] = changed['photos'] as string[]
  const path = `/api/files/sites/${site.id}/${name}`
  const answer = await fetch(`${stack.url}${path}`)
  bytes = Buffer.from(await answer.arrayBuffer())
  known = {
    path,
    name,
    size: String(bytes.length),
    last: String(bytes.length - 1),
    modified: answer.headers.get('last-modified') ?? '',
  }
})
afterAll(() => stack.close())

const OLD = 'Thu, 01 Jan 2015 00:00:00 GMT'
const NEW = 'Fri, 01 Jan 2100 00:00:00 GMT'

const whole = { status: 200, has: ['content-length: {size}'], lacks: ['content-range'] }
const part = (range: string, length: number) => ({
  status: 206,
  has: [
    `content-range: bytes ${range}/{size}`,
    `content-length: ${length}\n`,
    'content-type: image/png',
    'accept-ranges: bytes',
    'etag: "{name}"',
    'cache-control: public, max-age=31536000, immutable',
  ],
})
const outside = {
  status: 416,
  has: ['content-range: bytes */{size}', '"status":416', 'cache-control: no-store'],
}
const unchanged = {
  status: 304,
  has: ['etag: "{name}"', 'cache-control: public, max-age=31536000, immutable'],
  lacks: ['content-length: {size}', '\ncontent-type:'],
}

const rows: readonly (readonly [
  string,
  Record<string, string>,
  Omit<Scenario, 'name' | 'send'>,
])[] = [
  ['no range', {}, { ...whole, has: [...whole.has, 'accept-ranges: bytes'] }],
  ['the first bytes', { range: 'bytes=0-20' }, part('0-20', 21)],
  ['one byte', { range: 'bytes=5-5' }, part('5-5', 1)],
  ['to the end', { range: 'bytes=0-' }, part('0-{last}', Number.NaN)],
  ['beyond the end', { range: 'bytes=0-999999999' }, part('0-{last}', Number.NaN)],
  ['the last bytes', { range: 'bytes=-{size}' }, part('0-{last}', Number.NaN)],
  ['more than there is', { range: 'bytes=-99999999' }, part('0-{last}', Number.NaN)],
  ['with spaces', { range: 'bytes= 1 - 2 ' }, part('1-2', 2)],
  ['the unit in capitals', { range: 'Bytes=1-2' }, part('1-2', 2)],
  ['after the end', { range: 'bytes={size}-' }, outside],
  ['far after the end', { range: 'bytes=99999999-999999999' }, outside],
  ['no last bytes', { range: 'bytes=-0' }, outside],
  ['several, all outside', { range: 'bytes=999999-,9999999-' }, outside],
  ['several, one of them inside', { range: 'bytes=0-1,9999999-' }, part('0-1', 2)],
  ['backwards', { range: 'bytes=5-2' }, whole],
  ['another unit', { range: 'lines=1-2' }, whole],
  ['no numbers', { range: 'bytes=a-b' }, whole],
  ['nothing', { range: 'bytes=' }, whole],
  ['a dash', { range: 'bytes=-' }, whole],
  ['negative', { range: 'bytes=-1-2' }, whole],
  ['a comma too many', { range: 'bytes=0-1,' }, whole],
  ['more parts than anybody needs', { range: `bytes=${'0-0,'.repeat(10)}0-0` }, whole],
  ['several that are no less than all', { range: 'bytes=0-,0-' }, whole],

  ['If-Range with the ETag', { range: 'bytes=0-1', 'if-range': '"{name}"' }, part('0-1', 2)],
  ['If-Range with the date', { range: 'bytes=0-1', 'if-range': '{modified}' }, part('0-1', 2)],
  ['If-Range with another ETag', { range: 'bytes=0-1', 'if-range': '"other"' }, whole],
  ['If-Range with a weak ETag', { range: 'bytes=0-1', 'if-range': 'W/"{name}"' }, whole],
  ['If-Range with another date', { range: 'bytes=0-1', 'if-range': OLD }, whole],

  ['If-None-Match', { 'if-none-match': '"{name}"' }, unchanged],
  ['If-None-Match, weak', { 'if-none-match': 'W/"{name}"' }, unchanged],
  ['If-None-Match, in a list', { 'if-none-match': '"a", "{name}"' }, unchanged],
  ['If-None-Match, anything', { 'if-none-match': '*' }, unchanged],
  ['If-None-Match, another', { 'if-none-match': '"other"' }, whole],
  ['If-None-Match, without quotes', { 'if-none-match': '{name}' }, whole],
  ['If-None-Match before a range', { 'if-none-match': '"{name}"', range: 'bytes=0-1' }, unchanged],
  ['If-Modified-Since, the date', { 'if-modified-since': '{modified}' }, unchanged],
  ['If-Modified-Since, later', { 'if-modified-since': NEW }, unchanged],
  ['If-Modified-Since, earlier', { 'if-modified-since': OLD }, whole],
  ['If-Modified-Since, no date', { 'if-modified-since': 'yesterday' }, whole],
  [
    'If-None-Match counts more than If-Modified-Since',
    { 'if-none-match': '"other"', 'if-modified-since': NEW },
    whole,
  ],
  ['If-Unmodified-Since, earlier', { 'if-unmodified-since': OLD }, { status: 412 }],
  ['If-Unmodified-Since, later', { 'if-unmodified-since': NEW }, whole],
  ['If-Match', { 'if-match': '"{name}"' }, whole],
  ['If-Match, another', { 'if-match': '"other"' }, { status: 412, has: ['"status":412'] }],
]

test.each(rows)('%s', async (name, headers, answer) => {
  const has = answer.has?.filter((fragment) => !fragment.includes('NaN'))
  await expectScenario(
    stack.url,
    { name, send: 'GET {path}', headers, ...answer, ...(has && { has }) },
    known,
  )
})

test.each([
  ['bytes=0-20', 0, 21],
  ['bytes=7-', 7, undefined],
  ['bytes=-9', -9, undefined],
])('the bytes of %s are the requested ones', async (range, start, end) => {
  const answer = await fetch(`${stack.url}${known['path'] ?? ''}`, { headers: { range } })
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes.subarray(start, end))
})

test('several parts are sent as multipart/byteranges', async () => {
  const answer = await fetch(`${stack.url}${known['path'] ?? ''}`, {
    headers: { range: 'bytes=0-9, 20-29,-5' },
  })
  expect(answer.status).toBe(206)
  const type = answer.headers.get('content-type') ?? ''
  expect(type).toMatch(/^multipart\/byteranges; boundary=[\w-]+$/)
  expect(answer.headers.get('content-range')).toBeNull()
  const body = Buffer.from(await answer.arrayBuffer())
  expect(answer.headers.get('content-length')).toBe(String(body.length))
  const size = bytes.length
  const parts = body.toString('latin1').split(`--${type.split('boundary=')[1] ?? ''}`)
  expect(parts).toHaveLength(5)
  expect(parts.at(-1)).toBe('--\r\n')
  const expected = [
    [`0-9/${size}`, bytes.subarray(0, 10)],
    [`20-29/${size}`, bytes.subarray(20, 30)],
    [`${size - 5}-${size - 1}/${size}`, bytes.subarray(-5)],
  ] as const
  for (const [index, [range, content]] of expected.entries())
    expect(parts[index + 1]).toBe(
      `\r\ncontent-type: image/png\r\ncontent-range: bytes ${range}\r\n\r\n${content.toString('latin1')}\r\n`,
    )
})

describe('headers', () => {
  const files: readonly Scenario[] = [
    {
      name: 'HEAD has the headers of the whole file, with or without a range',
      send: 'HEAD {path}',
      headers: { range: 'bytes=0-1' },
      status: 200,
      has: ['content-length: {size}', 'content-type: image/png', 'accept-ranges: bytes'],
    },
    { name: 'HEAD of what is not there', send: 'HEAD {path}x', status: 404 },
    {
      name: 'nothing runs, and any page may embed it',
      send: 'GET {path}',
      status: 200,
      has: [
        "content-security-policy: default-src 'none'; sandbox",
        'x-content-type-options: nosniff',
        'cross-origin-resource-policy: cross-origin',
        'content-disposition: inline; filename={name}',
      ],
      lacks: ['x-frame-options', 'set-cookie'],
    },
    ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((value) => ({
      name: `download=${value}`,
      send: `GET {path}?download=${value}`,
      status: 200,
      has: ['content-disposition: attachment; filename={name}'],
    })),
    ...['0', 'yes', '', 'tRUE'].map((value) => ({
      name: `download=${value} is none`,
      send: `GET {path}?download=${value}`,
      status: 200,
      has: ['content-disposition: inline; filename={name}'],
    })),
    {
      name: 'the first value of a repeated parameter counts',
      send: 'GET {path}?download=0&download=1&thumb=&token=a&token=b',
      status: 200,
      has: ['content-disposition: inline; filename={name}'],
    },
    { name: 'a file is not written', send: 'PUT {path}', status: 404 },
  ]
  test.each(files)('$name', async (scenario) => {
    await expectScenario(stack.url, scenario, known)
  })
})
