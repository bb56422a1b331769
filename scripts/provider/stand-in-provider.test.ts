import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as oidc from 'openid-client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startStandInProvider, type StandInProvider } from './stand-in-provider.ts'

const ORIGIN = 'http://127.0.0.1:18999'
const REDIRECT = `${ORIGIN}/ev/login`

const warn = vi.spyOn(console, 'warn')
let provider: StandInProvider

const start = (dataDir?: string): Promise<StandInProvider> =>
  startStandInProvider({ origins: [ORIGIN], basePath: '/ev', ...(dataDir && { dataDir }) })

beforeAll(async () => {
  provider = await start()
})
afterAll(() => provider.close())

/** A minimal browser: keeps cookies and follows redirects. */
const createBrowser = () => {
  const cookies = new Map<string, string>()
  const open = async (url: string, form?: Record<string, string>): Promise<Response> => {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    const next = response.headers.get('location')
    if (next === null) return response
    const address = new URL(next, url).href
    return address.startsWith(ORIGIN) ? response : open(address)
  }
  return open
}

const begin = async (at: StandInProvider) => {
  const client = await oidc.discovery(new URL(at.issuer), at.clientId, at.clientSecret, undefined, {
    execute: [oidc.allowInsecureRequests],
  })
  const pkceCodeVerifier = oidc.randomPKCECodeVerifier()
  const url = oidc.buildAuthorizationUrl(client, {
    redirect_uri: REDIRECT,
    scope: 'openid email profile',
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  return { client, pkceCodeVerifier, url: url.href }
}

const signIn = async (
  person: { name: string; email: string },
  at = provider,
  open = createBrowser(),
) => {
  const { client, pkceCodeVerifier, url } = await begin(at)
  const page = await open(url)
  expect(await page.text()).toContain('Sign in')
  const answer = await open(page.url, person)
  const back = new URL(answer.headers.get('location') ?? '')
  const tokens = await oidc.authorizationCodeGrant(client, back, {
    pkceCodeVerifier,
    idTokenExpected: true,
  })
  const sub = tokens.claims()?.sub ?? ''
  return oidc.fetchUserInfo(client, tokens.access_token, sub)
}

test('accepts any name and email, and reports the email as verified', async () => {
  expect(await signIn({ name: 'Ada Lovelace', email: 'ada@example.org' })).toMatchObject({
    name: 'Ada Lovelace',
    email: 'ada@example.org',
    email_verified: true,
  })
})

test('the same email, in any case and with any name, is the same account', async () => {
  const one = await signIn({ name: 'Ada', email: 'ada@example.org' })
  const other = await signIn({ name: '', email: 'ADA@example.org' })
  expect(other.sub).toBe(one.sub)
  expect(other.name).toBe('')
  expect((await signIn({ name: 'Ada', email: 'eve@example.org' })).sub).not.toBe(one.sub)
})

test('sends no email claim if none was entered', async () => {
  const person = await signIn({ name: 'Nemo', email: '' })
  expect(person).not.toHaveProperty('email')
  expect(person.name).toBe('Nemo')
})

test('shows the page every time, so that another person can sign in with the same browser', async () => {
  const browser = createBrowser()
  const one = await signIn({ name: 'One', email: 'one@example.org' }, provider, browser)
  const two = await signIn({ name: 'Two', email: 'two@example.org' }, provider, browser)
  expect([one.email, two.email]).toEqual(['one@example.org', 'two@example.org'])
})

test('reports an invalid email, and keeps and escapes the input', async () => {
  const open = createBrowser()
  const { url } = await begin(provider)
  const page = await open(url)
  const refused = await open(page.url, { name: '"><script>x()</script>', email: 'ada' })
  expect(refused.status).toBe(422)
  const html = await refused.text()
  expect(html).toContain('not an email address')
  expect(html).not.toContain('<script')
  expect(html).toContain('value="ada"')
})

test('the page has two labelled fields, a button, and a strict content security policy', async () => {
  const { url } = await begin(provider)
  const page = await createBrowser()(url)
  const html = await page.text()
  expect(html).toMatch(/<label>Name<input[^>]* name="name"|<label>Name<input name="name"/)
  expect(html).toMatch(/<label>Email<input name="email"/)
  expect(html).toContain('<button>Sign in</button>')
  const policy = page.headers.get('content-security-policy')
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain(`form-action 'self' ${ORIGIN}`)
  expect(policy).not.toContain('unsafe')
})

test('redirects only to the app', async () => {
  const { url } = await begin(provider)
  const foreign = url.replace(encodeURIComponent(ORIGIN), encodeURIComponent('http://127.0.0.1:1'))
  const answer = await createBrowser()(foreign)
  expect(answer.status).toBe(400)
  expect(await answer.text()).toContain('redirect_uri')
})

test('keeps accounts and keys over a restart', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'voltleaf-provider-'))
  const first = await start(dataDir)
  const before = await signIn({ name: 'Ada', email: 'ada@example.org' }, first)
  await first.close()
  const second = await start(dataDir)
  const after = await signIn({ name: 'Ada', email: 'ada@example.org' }, second)
  await second.close()
  await rm(dataDir, { recursive: true })
  expect(after.sub).toBe(before.sub)
  expect(second.clientSecret).toBe(first.clientSecret)
})

test('starts without a warning', () => {
  expect(warn).not.toHaveBeenCalled()
})
