import { rename } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { makePhoto } from '../support/images.ts'
import { newOwnerWithSite } from '../support/owner.ts'
import { startStack, type Stack } from '../support/stack.ts'

// Metrics are for the operator of an installation only.

const TOKEN = 'a token of at least sixteen'.replaceAll(' ', '-')

let stack: Stack
let guarded: Stack
beforeAll(async () => {
  stack = await startStack()
  guarded = await startStack({
    env: { METRICS_TOKEN: TOKEN, PUBLIC_URL: 'https://charging.example' },
    beside: stack,
  })
})
afterAll(async () => {
  await guarded.close()
  await stack.close()
})

/** Sends a request with any headers, including `Host`. */
const ask = (
  { config }: Stack,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    request({ host: config.host, port: config.port, path, headers }, (answer) => {
      let body = ''
      answer.setEncoding('utf8').on('data', (text: string) => (body += text))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }))
    })
      .once('error', reject)
      .end()
  })

test('local programs may read the metrics, but not requests through a proxy', async () => {
  expect((await ask(stack, '/metrics')).status).toBe(200)
  const unknown = await ask(stack, '/api/nothing')
  const proxied: Readonly<Record<string, string>>[] = [
    { 'x-forwarded-for': '127.0.0.1' },
    { 'x-forwarded-for': '203.0.113.9' },
    { forwarded: 'for=127.0.0.1' },
    { 'x-real-ip': '127.0.0.1' },
    { via: '1.1 proxy' },
    { host: 'charging.example' },
    { host: '127.0.0.1.charging.example' },
    { authorization: 'Bearer ' },
    { authorization: `Bearer ${TOKEN}` },
  ]
  for (const headers of proxied.slice(0, 7))
    expect([headers, await ask(stack, '/metrics', headers)]).toEqual([headers, unknown])
  for (const headers of proxied.slice(7))
    expect((await ask(stack, '/metrics', headers)).status).toBe(200)
})

test('with a public PUBLIC_URL, only the token grants access, from anywhere', async () => {
  const unknown = await ask(guarded, '/api/nothing')
  for (const authorization of ['', TOKEN, 'Bearer x', `Bearer ${TOKEN}x`, `Basic ${TOKEN}`])
    expect(await ask(guarded, '/metrics', { authorization })).toEqual(unknown)
  const headers = { authorization: `Bearer ${TOKEN}`, 'x-forwarded-for': '203.0.113.9' }
  const answer = await ask(guarded, '/metrics', headers)
  expect([answer.status, answer.body]).toEqual([200, expect.stringContaining('# TYPE')])
})

test('behind a trusted proxy, local programs need no token', async () => {
  const proxied = await startStack({
    env: { TRUST_PROXY: 'on', PUBLIC_URL: 'https://charging.example' },
    beside: stack,
  })
  try {
    expect((await ask(proxied, '/metrics')).status).toBe(200)
    expect((await ask(proxied, '/metrics', { 'x-forwarded-for': '127.0.0.1' })).status).toBe(404)
  } finally {
    await proxied.close()
  }
})

test('the metrics cover requests by route, uploads and dependencies', async () => {
  const { client, site } = await newOwnerWithSite(stack.url)
  const photo = await makePhoto('a.jpg')
  await client.collection('sites').update(site.id, { photos: [photo] })
  await fetch(`${stack.url}/api/collections/sites/records?filter=secret-of-somebody`)
  await fetch(`${stack.url}/api/nothing`)
  const { body } = await ask(stack, '/metrics')
  const value = (line: string): number =>
    Number(
      body
        .split('\n')
        .find((each) => each.startsWith(`${line} `))
        ?.slice(line.length + 1),
    )
  const list = '/api/collections/:collection/records'
  expect(value(`voltleaf_http_requests_total{route="${list}",method="GET",status="4xx"}`)).toBe(1)
  expect(
    value('voltleaf_http_requests_total{route="none",method="GET",status="4xx"}'),
  ).toBeGreaterThan(0)
  expect(value(`voltleaf_http_request_seconds_count{route="${list}",method="GET"}`)).toBe(1)
  expect(value('voltleaf_upload_bytes_total')).toBeGreaterThan(photo.size)
  expect(value('voltleaf_http_in_flight{kind="request"}')).toBe(0)
  expect(value('voltleaf_database_up')).toBe(1)
  expect(value('voltleaf_database_wait_seconds')).toBeGreaterThan(0)
  expect(value('voltleaf_database_connections{state="active"}')).toBeGreaterThan(0)
  expect(value('process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
  for (const name of [
    'voltleaf_http_connections',
    'voltleaf_http_held_bytes',
    'voltleaf_streams',
    'voltleaf_image_jobs{state="waiting"}',
    'voltleaf_mail_queue',
    'voltleaf_event_loop_lag_seconds{quantile="0.99"}',
    'process_cpu_seconds_total',
  ])
    expect([name, value(name)]).toEqual([name, expect.any(Number)])
  expect(body).not.toMatch(/NaN|secret-of-somebody/)
  expect(body).not.toContain(site.id)
})

test('every series of an alert exists from the start, and only summaries have quantiles', async () => {
  const fresh = await startStack({ beside: stack })
  try {
    const { body } = await ask(fresh, '/metrics')
    const route = '/api/collections/:collection/records'
    for (const series of [
      `voltleaf_http_requests_total{route="${route}",method="POST",status="5xx"}`,
      'voltleaf_http_overload_total{reason="working"}',
      'voltleaf_http_limited_total{limit="sign-in"}',
      'voltleaf_http_stalled_total',
      'voltleaf_orphans_total',
      'voltleaf_failures_total{boundary="provider"}',
    ])
      expect(body).toContain(`\n${series} 0\n`)
    const types = new Map(
      [...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type]) => [name, type]),
    )
    for (const [, name = ''] of body.matchAll(/^(\w+)\{[^}]*quantile=/gm))
      expect([name, types.get(name)]).toEqual([name, 'summary'])
    for (const [name, type] of types)
      expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter'])
  } finally {
    await fresh.close()
  }
})

test('readiness names the failing dependency and recovers', async () => {
  const ready = () => fetch(`${stack.url}/api/ready`)
  const healthy = await ready()
  expect([healthy.status, await healthy.json()]).toEqual([
    200,
    { message: 'Ready.', code: 200, data: {} },
  ])
  const faults: Readonly<Record<string, readonly [break_: () => unknown, mend: () => unknown]>> = {
    database: [
      () => stack.sql`alter table migrations rename to migrations_away`,
      () => stack.sql`alter table migrations_away rename to migrations`,
    ],
    files: [
      () => rename(join(stack.dataDir, 'tmp'), join(stack.dataDir, 'away')),
      () => rename(join(stack.dataDir, 'away'), join(stack.dataDir, 'tmp')),
    ],
  }
  for (const [name, [break_, mend]] of Object.entries(faults)) {
    await break_()
    await expect.poll(async () => (await ready()).status).toBe(503)
    const answer = await ready()
    expect(answer.headers.get('retry-after')).toBe('2')
    const { status, data } = (await answer.json()) as { status: number; data: object }
    expect([status, Object.keys(data)]).toEqual([503, [name]])
    // The process stays alive: a restart would not help.
    expect((await fetch(`${stack.url}/api/health`)).status).toBe(200)
    await mend()
    await expect.poll(async () => (await ready()).status).toBe(200)
  }
  expect(stack.logged).toEqual([])
})
