import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

import { PbfReader } from 'pbf'
import { expect, onTestFinished, test } from 'vitest'

import { API } from '#domain/paths.ts'
import { SITES } from '#domain/collection.ts'

import { newOwnerWithSite } from '../support/owner.ts'
import { launch, until, usedDataDir } from './launch.ts'

// Traces with the standard variables of OpenTelemetry, as received by a collector.

interface Span {
  trace: string
  id: string
  parent: string
  name: string
  kind: number
  text: string
}
const [SERVER, CLIENT] = [2, 3]

/** Reads the required fields of a message: opentelemetry/proto/trace/v1/trace.proto. */
const readSpan = (bytes: Uint8Array): Span => {
  const hex = (part: Uint8Array): string => Buffer.from(part).toString('hex')
  const span: Span = { trace: '', id: '', parent: '', name: '', kind: 0, text: '' }
  span.text = Buffer.from(bytes).toString('latin1')
  new PbfReader(bytes).readFields((tag, read, reader) => {
    if (tag === 1) read.trace = hex(reader.readBytes())
    if (tag === 2) read.id = hex(reader.readBytes())
    if (tag === 4) read.parent = hex(reader.readBytes())
    if (tag === 5) read.name = reader.readString()
    if (tag === 6) read.kind = reader.readVarint()
  }, span)
  return span
}

/** The messages in a field of a message. */
const parts = (bytes: Uint8Array, field: number): Uint8Array[] =>
  new PbfReader(bytes).readFields((tag, found, reader) => {
    if (tag === field) found.push(reader.readBytes())
  }, [] as Uint8Array[])

/** A collector that responds with `status()`. */
const startCollector = async (status = () => 200) => {
  const spans: Span[] = []
  const bodies: string[] = []
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      bodies.push(body.toString('latin1'))
      const found = parts(body, 1).flatMap((one) => parts(one, 2).flatMap((two) => parts(two, 2)))
      spans.push(...found.map(readSpan))
      response.writeHead(status()).end()
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, spans, bodies }
}

test('a request is a child span of its proxy’s, its statements are child spans of it, and no content is sent', async () => {
  const collector = await startCollector()
  const server = launch({
    env: {
      DATA_DIR: await usedDataDir(),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: 'charging',
    },
  })
  const url = await server.ready()
  const { client, site } = await newOwnerWithSite(url)
  const [trace, parent] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
  const headers = {
    authorization: client.authStore.token,
    'content-type': 'application/json',
    traceparent: `00-${trace}-${parent}-01`,
  }
  const body = JSON.stringify({ cost: 'a price that nobody else reads' })
  const path = API.record(SITES, site.id)
  expect((await fetch(url + path, { method: 'PATCH', headers, body })).status).toBe(200)
  await fetch(`${url}/api/ready`)
  server.child.kill('SIGTERM')
  expect(await server.ended()).toBe(0)

  const ours = collector.spans.filter((span) => span.trace === trace)
  const [request, ...others] = ours.toSorted((a, b) => a.kind - b.kind)
  expect(request).toMatchObject({
    parent,
    kind: SERVER,
    name: 'PATCH /api/collections/:collection/records/:id',
  })
  expect(others.length).toBeGreaterThan(0)
  for (const statement of others)
    expect(statement).toMatchObject({ kind: CLIENT, parent: request?.id })
  expect(others.some(({ text }) => /update "?sites/.test(text))).toBe(true)
  const sent = collector.bodies.join('\n')
  expect(sent).toContain('charging')
  for (const secret of ['a price that nobody', site.id, client.authStore.token, '/api/ready'])
    expect(sent).not.toContain(secret)
})

test('without the variables nothing is loaded or sent, and an unknown exporter is refused', async () => {
  const off = await startCollector()
  const server = launch({
    env: {
      DATA_DIR: await usedDataDir(),
      OTEL_EXPORTER_OTLP_ENDPOINT: off.url,
      OTEL_SDK_DISABLED: 'true',
    },
  })
  await fetch(`${await server.ready()}/api/health`)
  server.child.kill('SIGTERM')
  expect(await server.ended()).toBe(0)
  expect(off.bodies).toEqual([])

  const wrong = launch({ env: { DATA_DIR: await usedDataDir(), OTEL_TRACES_EXPORTER: 'zipkin' } })
  await expect(wrong.ready()).rejects.toThrow('OTEL_TRACES_EXPORTER must be otlp or none')
})

test('a collector that refuses traces is reported once, and so is its recovery', async () => {
  let status = 404
  const collector = await startCollector(() => status)
  const server = launch({
    env: {
      DATA_DIR: await usedDataDir(),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '100',
    },
  })
  const url = await server.ready()
  const told = () => server.output().match(/Traces .*/g) ?? []
  const ask = () => fetch(`${url}/api/collections/users/auth-methods`)
  const sent = () => collector.bodies.length
  for (const count of [1, 2, 3]) {
    await ask()
    await until(() => sent() >= count)
  }
  status = 200
  await until(async () => (await ask()).ok && told().length > 1)
  expect(told()).toEqual([
    'Traces cannot be sent to the OpenTelemetry collector: Not Found.',
    'Traces are sent again.',
  ])
})
