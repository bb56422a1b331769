import { afterAll, beforeAll, expect, test } from 'vitest'

import { newOwner, newOwnerWithSite } from '../support/owner.ts'
import { startStack, type Stack } from '../support/stack.ts'

// What every request meets before it reaches a record: headers, origins, limits (decisions 5.6, 8).

const FRIEND = 'https://friend.example'

let stack: Stack
beforeAll(async () => {
  stack = await startStack({ env: { RATE_LIMITS: 'on', CORS_ORIGINS: FRIEND } })
})
afterAll(() => stack.close())

test.each(['/', '/dashboard', '/api/health', '/api/nothing', '/api/collections/sites/records'])(
  '%s carries a content security policy without exceptions, and no sniffing',
  async (path) => {
    const { headers } = await fetch(stack.url + path)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("style-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('x-powered-by')).toBeNull()
  },
)

test('the page carries the settings, and is never kept without asking', async () => {
  const answer = await fetch(`${stack.url}/site/edit/abc`)
  expect(answer.headers.get('cache-control')).toBe('no-cache')
  const html = await answer.text()
  expect(html).toContain('<meta name="voltleaf:product-name" content="Voltleaf" />')
  expect(html).toContain('<meta name="voltleaf:analytics-host" content="" />')
})

test('what is missing below /api and /assets is a 404, not the page', async () => {
  for (const path of ['/api', '/api/', '/api/x', '/assets/gone.js']) {
    const answer = await fetch(stack.url + path)
    expect([path, answer.status]).toEqual([path, 404])
    expect(await answer.json()).toMatchObject({ status: 404 })
  }
})

test('only the configured origins may call from another page', async () => {
  const ask = (origin: string, method = 'GET') =>
    fetch(`${stack.url}/api/health`, { method, headers: { origin } })
  expect((await ask(FRIEND)).headers.get('access-control-allow-origin')).toBe(FRIEND)
  expect((await ask('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull()
  const preflight = await ask(FRIEND, 'OPTIONS')
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-methods')).toContain('PATCH')
})

test('HEAD answers like GET without a body', async () => {
  const { client, site } = await newOwnerWithSite(stack.url)
  const url = `${stack.url}/api/collections/sites/records/${site.id}`
  const headers = { authorization: client.authStore.token }
  const [get, head] = [await fetch(url, { headers }), await fetch(url, { headers, method: 'HEAD' })]
  expect(head.status).toBe(200)
  expect(head.headers.get('etag')).toBe(get.headers.get('etag'))
  expect(await head.text()).toBe('')
})

test('over 600 writes a minute an account is told to wait, and another account is not', async () => {
  const [busy, other] = [await newOwner(stack.url), await newOwner(stack.url)]
  const write = (owner: typeof busy) =>
    fetch(`${stack.url}/api/collections/users/records/${owner.id}`, {
      method: 'PATCH',
      headers: { authorization: owner.client.authStore.token, 'content-type': 'application/json' },
      body: '{"name":"x"}',
    })
  const answers = await Promise.all(Array.from({ length: 605 }, () => write(busy)))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(5)
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused[0]?.json()).toEqual({ status: 429, message: 'Too Many Requests.', data: {} })
  expect((await write(other)).status).toBe(200)
})

test('over 30 sign-ins a minute an address is told to wait', async () => {
  const attempt = () =>
    fetch(`${stack.url}/api/collections/users/auth-with-oauth2`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"provider":"none"}',
    })
  const statuses = await Promise.all(
    Array.from({ length: 31 }, async () => (await attempt()).status),
  )
  expect(statuses).toContain(429)
})
