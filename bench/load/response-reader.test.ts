import { expect, test } from 'vitest'

import { ResponseReader } from './response-reader.ts'

/** The statuses found if the text arrives in chunks of a size. */
const read = (text: string, size: number): number[] => {
  const reader = new ResponseReader()
  const bytes = Buffer.from(text)
  const found: number[] = []
  for (let at = 0; at < bytes.length; at += size) {
    const status = reader.push(bytes.subarray(at, at + size))
    if (status !== undefined) found.push(status)
  }
  return found
}

const WITH_LENGTH = 'HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nhello world'
const IN_PIECES =
  'HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\na\r\n, \r\n0\r\n\r\n..\r\n0\r\n\r\n'
const WITHOUT_BODY = 'HTTP/1.1 304 Not Modified\r\nContent-Length: 500\r\n\r\n'
const EMPTY = 'HTTP/1.1 204 No Content\r\n\r\n'

test.each([
  ['with a length', WITH_LENGTH, 200],
  ['in pieces', IN_PIECES, 201],
  ['without a body', WITHOUT_BODY, 304],
  ['of nothing', EMPTY, 204],
])('finds the end of an answer %s, however it is split', (_, text, status) => {
  for (let size = 1; size <= text.length; size += 1) expect(read(text, size)).toEqual([status])
  expect(read(text.slice(0, -1), 7)).toEqual([])
  expect(read(text + text, text.length)).toEqual([status, status])
})

test('throws if the data is not an HTTP response', () => {
  expect(() => read('SSH-2.0-OpenSSH\r\n\r\n', 100)).toThrow('no answer')
  expect(() => read(`${WITH_LENGTH}!`, 100)).toThrow('More came')
})
