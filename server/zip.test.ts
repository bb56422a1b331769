import { buffer } from 'node:stream/consumers'

import { expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'

import { zip, type ZipEntry } from './zip.ts'

const content = async function* (...chunks: (string | Buffer)[]) {
  yield* chunks
}

const archiveOf = async (entries: () => AsyncIterable<ZipEntry>): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of zip(entries())) chunks.push(chunk)
  return Buffer.concat(chunks)
}

test('an archive preserves names, times and contents', async () => {
  const modified = new Date('2026-11-20T09:30:58Z')
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7919) % 251))
  const archive = await archiveOf(async function* () {
    yield { path: 'Straße/é.txt', modified, level: 6, content: content('abc', 'déf') }
    yield { path: 'b.bin', modified, level: undefined, content: content(bytes) }
    yield { path: 'empty', modified, level: 6, content: content() }
  })
  const opened = await fromBufferPromise(archive)
  const read: [string, Buffer][] = []
  for await (const entry of opened.eachEntry()) {
    expect(entry.getLastModDate({ timezone: 'UTC' })).toEqual(modified)
    read.push([entry.fileName, await buffer(await opened.openReadStreamPromise(entry))])
  }
  expect(read).toEqual([
    ['Straße/é.txt', Buffer.from('abcdéf')],
    ['b.bin', bytes],
    ['empty', Buffer.alloc(0)],
  ])
})

test('an error in an entry aborts the archive', async () => {
  const broken = async function* () {
    yield 'a'
    throw new Error('unreadable')
  }
  const entries = async function* () {
    yield { path: 'a', modified: new Date(), level: 6, content: broken() }
  }
  await expect(archiveOf(entries)).rejects.toThrow('unreadable')
})

test('an archive may have more entries than the old format can count', async () => {
  const count = 66_000
  const modified = new Date()
  const archive = await archiveOf(async function* () {
    for (let index = 0; index < count; index += 1)
      yield { path: `${index}`, modified, level: undefined, content: content() }
  })
  const opened = await fromBufferPromise(archive)
  expect(opened.entryCount).toBe(count)
  let last = ''
  for await (const entry of opened.eachEntry()) last = entry.fileName
  expect(last).toBe(`${count - 1}`)
})
