import type { RouteOptions } from 'fastify'
import { expect, test } from 'vitest'

import { API, SERVICE_API } from '#domain/paths.ts'

import { createApp } from '../../server/app.ts'
import type { RouteKind } from '../../server/http/route-config.ts'
import { newOwnerWithSite } from '../support/owner.ts'
import { head, openRaw } from '../support/raw.ts'
import { withStack } from '../support/fixtures.ts'
import { webDirFor, startStack } from '../support/stack.ts'

// Processing of every request before it reaches a record: headers and origins (record interface 9.6).

const FRIEND = 'https://friend.example'

const stack = await withStack({ env: { CORS_ORIGINS: FRIEND } })

/** The required headers of every response, with the minimum for their values. */
const EVERYWHERE: Readonly<Record<string, RegExp>> = {
  'content-security-policy': /^default-src 'none'(?!.*unsafe).*(frame-ancestors 'none'|sandbox)/,
  'cross-origin-opener-policy': /^(same-origin-allow-popups|unsafe-none)$/,
  'cross-origin-resource-policy': /^(same|cross)-origin$/,
  'permissions-policy': /camera=\(\).*microphone=\(\)/,
  'referrer-policy': /^strict-origin-when-cross-origin$/,
  'x-content-type-options': /^nosniff$/,
  'x-request-id': /^[\w-]{8,64}$/,
}

/** The headers of pages that any website may embed. */
const FRAMED: typeof EVERYWHERE = {
  ...EVERYWHERE,
  'content-security-policy': /^default-src 'none'(?!.*unsafe).*frame-ancestors \*$/,
}

const missingHeaders = (
  headers: (name: string) => string | null,
  all: typeof EVERYWHERE = EVERYWHERE,
): string[] =>
  Object.entries(all).flatMap(([name, wanted]) => {
    const value = headers(name)
    return value !== null && wanted.test(value) ? [] : [`${name}: ${value}`]
  })

const allRoutes = async (): Promise<readonly RouteOptions[]> => {
  const routes: RouteOptions[] = []
  const app = await createApp({
    config: stack.config,
    sql: stack.sql,
    tokenSecret: new Uint8Array(32),
    log: () => {},
    webDir: await webDirFor(stack.dataDir),
    // The other hooks add to the configuration of a route later.
    onRoute: (route) => routes.push(route),
  })
  await app.close()
  return routes
}

/** Requests every route of the server, and provokes every error outside of routes. */
const everyAnswer = async (): Promise<string[]> => {
  const routes = new Set(
    (await allRoutes()).flatMap(({ method, url }) =>
      [method].flat().map((each) => `${each} ${url}`),
    ),
  )
  const filled = [...routes].map((route) =>
    route.replace(':collection', 'sites').replaceAll(/:\w+/g, 'abcdefghijklmno').replace('*', 'x'),
  )
  return [
    ...filled,
    'GET /api/nothing',
    'GET /assets/gone.js',
    'GET /api/collections/sites/records?filter=(((',
    'GET /api/%zz',
    `GET /api/collections/sites/records/${'x'.repeat(300)}`,
    'OPTIONS /api/health',
    'DELETE /',
    'PROPFIND /api/health',
  ]
}

test('the kind of each route decides which limits apply to it', async () => {
  const kindOf = (path: string): RouteKind | undefined =>
    [SERVICE_API.health, SERVICE_API.ready, SERVICE_API.metrics].some((each) => each === path)
      ? 'monitoring'
      : /^\/(api\/public|open|at|embed|poster)\/|^\/at$|^\/sitemap/.test(path)
        ? 'publicRead'
        : undefined
  const wrong = (await allRoutes()).flatMap(({ method, url, config = {} }) => {
    const isStream = method === 'GET' && url === API.realtime
    const wanted = isStream ? 'eventStream' : kindOf(url)
    return config.kind === wanted ? [] : [`${String(method)} ${url}: ${config.kind}, not ${wanted}`]
  })
  expect(wrong).toEqual([])
})

test('every route and every error has the security headers', async () => {
  const wrong: string[] = []
  const requested = await everyAnswer()
  for (const each of requested) {
    const [method = '', path = ''] = each.split(' ')
    const answer = await fetch(stack.url + path, { method, redirect: 'manual' })
    const all = path.startsWith('/embed/') ? FRAMED : EVERYWHERE
    const missing = missingHeaders((name) => answer.headers.get(name), all)
    if (missing.length > 0 || answer.headers.has('x-powered-by'))
      wrong.push(`${each} (${answer.status}): ${missing.join(', ')}`)
    await answer.body?.cancel()
  }
  expect(wrong).toEqual([])
  expect(requested.length).toBeGreaterThan(40)
  console.log(`Headers: ${requested.length} answers, ${wrong.length} without`)
})

test('the policy of a page allows only its own scripts; assets have a stricter one', async () => {
  const page = await fetch(`${stack.url}/dashboard`)
  const policy = page.headers.get('content-security-policy') ?? ''
  for (const part of ["default-src 'none'", "script-src 'self'", "style-src 'self'"])
    expect(policy).toContain(part)
  expect(policy).not.toContain('unsafe')
  expect(page.headers.get('permissions-policy')).toContain('geolocation=(self)')
  expect(page.headers.get('x-frame-options')).toBe('DENY')
  expect(page.headers.get('strict-transport-security')).toBeNull()
  const json = await fetch(`${stack.url}/api/health`)
  const length = [...json.headers].reduce((sum, pair) => sum + pair.join(': ').length + 2, 0)
  expect(length).toBeLessThan(800)
})

test('HSTS is sent if PUBLIC_URL is https', async () => {
  const open = await startStack({ env: { PUBLIC_URL: 'https://charging.example' }, beside: stack })
  try {
    const url = `http://127.0.0.1:${open.config.port}`
    for (const path of ['/', '/api/health', '/api/nothing', '/api/%zz'])
      expect((await fetch(url + path)).headers.get('strict-transport-security')).toBe(
        'max-age=31536000',
      )
  } finally {
    await open.close()
  }
})

test('a malformed request gets the same headers, and its connection is closed', async () => {
  const broken: Readonly<Record<string, readonly [status: number, bytes: string]>> = {
    'no HTTP at all': [400, 'hello\r\n\r\n'],
    'a method that does not exist': [400, head('FETCH', '/')],
    'headers without end': [431, `GET / HTTP/1.1\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`],
    'two lengths': [400, 'POST / HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n'],
    'a length and chunks': [
      400,
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
    ],
    'a tunnel': [404, 'CONNECT example.org:443 HTTP/1.1\r\nhost: example.org\r\n\r\n'],
    'a wrong chunk': [
      400,
      `${head('POST', '/api/batch', { 'transfer-encoding': 'chunked', 'content-type': 'application/json' })}zz\r\n`,
    ],
  }
  for (const [name, [status, bytes]] of Object.entries(broken)) {
    const connection = await openRaw(stack.url)
    connection.send(bytes)
    const answer = await connection.ended()
    const [first = '', ...lines] = answer.split('\r\n\r\n')[0]?.split('\r\n') ?? []
    const headers = new Headers(lines.map((line) => line.split(': ') as [string, string]))
    expect([name, first.slice(9, 12)]).toEqual([name, String(status)])
    expect([name, missingHeaders((header) => headers.get(header))]).toEqual([name, []])
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ status, data: {} })
  }
  // Requests with an unsupported expectation are handled, too.
  for (const [name, bytes] of [
    ['an expectation', head('GET', '/api/health', { expect: 'miracles', connection: 'close' })],
    ['an upgrade', head('GET', '/api/health', { upgrade: 'x', connection: 'close, upgrade' })],
  ] as const) {
    const connection = await openRaw(stack.url)
    connection.send(bytes)
    const answer = await connection.ended()
    const lines = answer.split('\r\n\r\n')[0]?.split('\r\n').slice(1) ?? []
    const headers = new Headers(lines.map((line) => line.split(': ') as [string, string]))
    expect([name, missingHeaders((header) => headers.get(header))]).toEqual([name, []])
  }
})

test('a request of HTTP/1.1 has exactly one valid host', async () => {
  const ask = async (version: string, ...hosts: readonly string[]) => {
    const connection = await openRaw(stack.url)
    const lines = [...hosts.map((host) => `Host: ${host}`), 'Connection: close']
    connection.send(`GET /api/health HTTP/${version}\r\n${lines.join('\r\n')}\r\n\r\n`)
    const answer = await connection.ended()
    const [first = '', ...fields] = answer.split('\r\n\r\n')[0]?.split('\r\n') ?? []
    const headers = new Headers(fields.map((line) => line.split(': ') as [string, string]))
    expect(missingHeaders((header) => headers.get(header))).toEqual([])
    return Number(first.slice(9, 12))
  }
  for (const host of ['a.example', 'a.example:8080', '127.0.0.1', '[::1]:3000', 'a_b.example', ''])
    expect([host, await ask('1.1', host)]).toEqual([host, 200])
  expect(await ask('1.0')).toBe(200)
  expect(await ask('1.1')).toBe(400)
  for (const version of ['1.0', '1.1']) {
    expect(await ask(version, 'a.example', 'a.example')).toBe(400)
    for (const host of ['a.example/x', 'a@b.example', 'a b', 'a.example, b.example:1:2'])
      expect([host, await ask(version, host)]).toEqual([host, 400])
  }
})

test('the request id is generated, unless a trusted proxy has set one', async () => {
  const ask = async (url: string, id: string) =>
    (await fetch(`${url}/api/health`, { headers: { 'x-request-id': id } })).headers.get(
      'x-request-id',
    )
  expect(await ask(stack.url, 'chosen-by-anybody')).toMatch(/^[0-9a-f-]{36}$/)
  const proxied = await startStack({ env: { TRUST_PROXY: 'on' }, beside: stack })
  try {
    expect(await ask(proxied.url, 'chosen-by-the-proxy')).toBe('chosen-by-the-proxy')
    expect(await ask(proxied.url, 'ada@example.org')).toMatch(/^[0-9a-f-]{36}$/)
  } finally {
    await proxied.close()
  }
})

test('the page contains the settings, and is always revalidated', async () => {
  const answer = await fetch(`${stack.url}/site/edit/abc`)
  expect(answer.headers.get('cache-control')).toBe('no-cache')
  const html = await answer.text()
  expect(html).toContain('<meta name="voltleaf:product-name" content="Voltleaf" />')
  expect(html).toContain('<meta name="voltleaf:analytics-host" content="" />')
})

test('unknown paths below /api and /assets get 404, not the page', async () => {
  for (const path of ['/api', '/api/', '/api/x', '/assets/gone.js']) {
    const answer = await fetch(stack.url + path)
    expect([path, answer.status]).toEqual([path, 404])
    expect(await answer.json()).toMatchObject({ status: 404 })
  }
})

test('only the configured origins may call from other pages', async () => {
  const ask = (origin: string, method = 'GET') =>
    fetch(`${stack.url}/api/health`, { method, headers: { origin } })
  expect((await ask(FRIEND)).headers.get('access-control-allow-origin')).toBe(FRIEND)
  expect((await ask('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull()
  const preflight = await ask(FRIEND, 'OPTIONS')
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-methods')).toContain('PATCH')
})

test('HEAD responds like GET without a body', async () => {
  const { client, site } = await newOwnerWithSite(stack.url)
  const url = `${stack.url}/api/collections/sites/records/${site.id}`
  const headers = { authorization: client.authStore.token }
  const [get, headed] = [
    await fetch(url, { headers }),
    await fetch(url, { headers, method: 'HEAD' }),
  ]
  expect(headed.status).toBe(200)
  expect(headed.headers.get('etag')).toBe(get.headers.get('etag'))
  expect(await headed.text()).toBe('')
})
