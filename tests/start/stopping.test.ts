import { expect, test } from 'vitest'

import { makePhoto } from '../support/images.ts'
import { newOwnerWithSite } from '../support/owner.ts'
import { head, openRaw, type RawConnection } from '../support/raw.ts'
import { launch, usedDataDir } from './launch.ts'

// On a stop signal, the server finishes its pending requests and then exits.

const START = '--edge\r\ncontent-disposition: form-data; name="photos"; filename="a.jpg"\r\n\r\n'
const END = '\r\n--edge--\r\n'

/** An owner with an unfinished upload to a running server, and the rest of its body. */
const beginUpload = async (url: string) => {
  const owner = await newOwnerWithSite(url)
  const photo = Buffer.from(await (await makePhoto('a.jpg')).arrayBuffer())
  const upload = await openRaw(url)
  upload.send(
    head('PATCH', `/api/collections/sites/records/${owner.site.id}`, {
      authorization: owner.client.authStore.token,
      'content-type': 'multipart/form-data; boundary=edge',
      'content-length': START.length + photo.length + END.length,
    }) + START,
  )
  upload.send(photo.subarray(0, 1000))
  // Once this request has a response, earlier bytes have been read.
  const question = await openRaw(url)
  question.send(head('GET', '/api/health', { connection: 'close' }))
  await question.ended()
  return { owner, upload, rest: [photo.subarray(1000), END] as const }
}

const answerOf = async (connection: RawConnection): Promise<{ status: string; json: unknown }> => {
  const answer = await connection.ended()
  return { status: answer.slice(9, 12), json: JSON.parse(/\{.*\}/s.exec(answer)?.[0] ?? 'null') }
}

test('it finishes uploads in progress, refuses new connections, ends streams with a retry hint, and exits with 0', async () => {
  const env = { DATA_DIR: await usedDataDir() }
  const server = launch({ env })
  const url = await server.ready()
  const { owner, upload, rest } = await beginUpload(url)
  const stream = await openRaw(url)
  stream.send(head('GET', '/api/realtime'))
  await stream.until('PB_CONNECT')
  const idle = await openRaw(url)
  idle.send(head('GET', '/api/health'))
  await idle.until('API is healthy.')

  const slow = await openRaw(url)

  server.child.kill('SIGTERM')
  // A proxy sends a request to another process if its connection is refused, so no request is lost.
  const tryAnew = (): Promise<unknown> =>
    fetch(`${url}/api/health`).then(
      ({ status }) => status,
      ({ cause }: { cause: { code: string } }) => cause.code,
    )
  await expect.poll(tryAnew).toBe('ECONNREFUSED')
  // The request of an earlier connection may arrive late. The response closes the connection.
  slow.send(head('GET', '/api/ready'))
  const { status: ready, json: reason } = await answerOf(slow)
  expect([ready, reason]).toMatchObject(['503', { message: 'The server is stopping.' }])
  expect(await stream.ended()).toMatch(/\nretry:\d{3,4}\n\n/)
  await idle.ended()

  for (const piece of rest) upload.send(piece)
  const { status, json } = await answerOf(upload)
  expect(status).toBe('200')
  expect(await server.ended()).toBe(0)

  const again = launch({ env })
  const { photos } = json as { photos: string[] }
  const file = `/api/files/sites/${owner.site.id}/${photos[0]}`
  expect((await fetch((await again.ready()) + file)).status).toBe(200)
})

test('with a delay, it first reports that it is not ready, and serves all other requests as usual', async () => {
  const env = { DATA_DIR: await usedDataDir(), STOP_DELAY_SECONDS: '6' }
  const server = launch({ env })
  const url = await server.ready()
  server.child.kill('SIGTERM')
  await expect.poll(async () => (await fetch(`${url}/api/ready`)).status).toBe(503)
  const stream = await openRaw(url)
  stream.send(head('GET', '/api/realtime'))
  await stream.until('PB_CONNECT')
  expect((await fetch(`${url}/api/collections/users/auth-methods`)).status).toBe(200)
  await stream.ended()
  expect(await server.ended()).toBe(0)
})

test('a second signal ends it immediately', async () => {
  const server = launch({ env: { DATA_DIR: await usedDataDir() } })
  const { upload } = await beginUpload(await server.ready())
  server.child.kill('SIGTERM')
  // Ctrl-C arrives twice: signals within a short time count as one.
  server.child.kill('SIGTERM')
  const impatience = setInterval(() => server.child.kill('SIGTERM'), 500)
  expect(await server.ended()).toBe(1)
  clearInterval(impatience)
  await upload.ended()
})
