import type { JWTPayload } from 'jose'
import PocketBase from 'pocketbase'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { API } from '#domain/paths.ts'

import { countFailures, report } from '../proof/figures.ts'
import {
  signedWithSecret,
  startHostileProvider,
  unsigned,
  type HostileProvider,
  type Malice,
} from '../support/hostile-provider.ts'
import { startStack, type Stack } from '../support/stack.ts'

// Sign-in with a malicious provider, or with a man in the middle (RFC 9700, OpenID Connect Core 3.1.3.7). The server
// opens no session, creates no user, and logs no tokens.

let ground: Stack
let stack: Stack
let provider: HostileProvider
let attacks = 0
beforeAll(async () => {
  provider = await startHostileProvider()
  ground = await startStack()
  stack = await serverOf(provider)
})
afterEach(() => {
  provider.malice = {}
})
const { failures } = countFailures()
afterAll(async () => {
  await stack.close()
  await ground.close()
  await provider.close()
  await report('Hostile sign-in', { failures: failures(), attacks })
})

const serverOf = ({ issuer, clientId, clientSecret }: HostileProvider): Promise<Stack> =>
  startStack({
    beside: ground,
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret },
  })

const begin = async (at = stack) => {
  const { oauth2 } = await new PocketBase(at.url).collection('users').listAuthMethods()
  const [method] = oauth2.providers
  if (method === undefined) throw new Error('there is no provider')
  return method
}

const exchange = (code: string, codeVerifier: string, redirectURL = `${stack.url}/login`) =>
  fetch(stack.url + API.authWithOAuth2('users'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ provider: 'oidc', code, codeVerifier, redirectURL }),
  })

const counts = async () => {
  const [row] = await stack.sql`
    select (select count(*)::int from users) as users, (select count(*)::int from sessions) as sessions`
  return row
}

/** The attempt opens no session, creates no user, and logs none of its data. */
const expectRefused = async (attempt: () => Promise<Response>, status = 400): Promise<void> => {
  attacks++
  const before = await counts()
  const answer = await attempt()
  const body = await answer.text()
  expect(answer.status, body).toBe(status)
  expect(body).not.toMatch(/access-|eyJ/)
  expect(await counts()).toEqual(before)
  expect(stack.logged.join('\n')).not.toMatch(/access-sub|eyJ|a secret that only/)
}

test('with an honest response, the test provider signs in', async () => {
  const method = await begin()
  const answer = await exchange(provider.authorize(method.authURL), method.codeVerifier)
  expect(answer.status).toBe(200)
})

const claim = (change: JWTPayload): Malice => ({ claims: (honest) => ({ ...honest, ...change }) })
const without = (name: string): Malice => ({
  claims: (honest) => Object.fromEntries(Object.entries(honest).filter(([key]) => key !== name)),
})
const answered = (path: string, status: number, body: string): Malice => ({
  answer: { path, status, body },
})
const past = Math.floor(Date.now() / 1000) - 3600

const LIES: Readonly<Record<string, Malice>> = {
  'an id_token of another issuer': claim({ iss: 'https://evil.example' }),
  'an id_token without an issuer': without('iss'),
  'an id_token for another client': claim({ aud: 'somebody-else' }),
  'an id_token for several, and not for us': claim({ aud: ['one', 'two'] }),
  'an id_token without an audience': without('aud'),
  'an id_token for several, given to another': claim({ aud: ['voltleaf', 'two'], azp: 'two' }),
  'an id_token that has run out': claim({ exp: past }),
  'an id_token that never runs out': without('exp'),
  'an id_token of no time': without('iat'),
  'an id_token that is not good yet': claim({ nbf: past + 7200 }),
  'an id_token without a subject': without('sub'),
  'an id_token whose subject is no text': claim({ sub: 7 as never }),
  'an id_token without the nonce': without('nonce'),
  'an id_token with another nonce': claim({ nonce: 'another' }),
  'an id_token that nobody signed': { seal: unsigned },
  'an id_token signed with another key': {
    seal: (claims) => provider.signWithAnotherKey(claims),
  },
  'an id_token signed with the client secret': {
    seal: (claims) => signedWithSecret(claims, provider.clientSecret),
  },
  'an id_token signed with the public key as a secret': {
    seal: (claims) => signedWithSecret(claims, provider.publicKey),
  },
  'no id_token': { seal: async () => undefined },
  'an id_token that is none': { seal: async () => 'eyJ.noise' },
  'the profile of somebody else': { userinfo: (honest) => ({ ...honest, sub: 'somebody-else' }) },
  'a profile without a subject': { userinfo: () => ({ email: 'ada@example.org' }) },
  'a profile that is a list': { userinfo: () => [] },
  'a profile that is noise': answered('/userinfo', 200, '<html>'),
  'a profile that is withheld': answered('/userinfo', 403, '{}'),
  'an error for a token': answered('/token', 400, '{"error":"invalid_grant"}'),
  'noise for a token': answered('/token', 200, '<html>'),
  'a crash for a token': answered('/token', 500, 'eyJ access-sub'),
  'a list for a token': answered('/token', 200, '[]'),
  'a token that is no bearer token': answered(
    '/token',
    200,
    '{"access_token":"access-sub","token_type":"mac","id_token":"eyJ.a.b"}',
  ),
  'a redirect for a token': answered('/token', 302, ''),
}

test.each(Object.entries(LIES))('%s', async (_name, malice) => {
  const method = await begin()
  const code = provider.authorize(method.authURL)
  provider.malice = malice
  // A provider failure may be temporary.
  const status = malice.answer?.status === 500 ? 503 : 400
  await expectRefused(() => exchange(code, method.codeVerifier), status)
})

test('code injection at a provider that does not enforce PKCE is refused', async () => {
  const mine = await begin()
  const stolen = provider.authorize((await begin()).authURL, 'victim')
  await expectRefused(() => exchange(stolen, mine.codeVerifier))
})

test('a PKCE downgrade is refused', async () => {
  const method = await begin()
  const url = new URL(method.authURL)
  for (const name of ['code_challenge', 'code_challenge_method', 'nonce'])
    url.searchParams.delete(name)
  const code = provider.authorize(url.href)
  await expectRefused(() => exchange(code, method.codeVerifier))
  await expectRefused(() => exchange(code, ''))
})

test('a replayed id_token is refused', async () => {
  let earlier = ''
  const first = await begin()
  provider.malice = { seal: async (claims) => (earlier = await provider.sign(claims)) }
  const code = provider.authorize(first.authURL)
  expect((await exchange(code, first.codeVerifier)).status).toBe(200)
  provider.malice = { seal: async () => earlier }
  const second = await begin()
  await expectRefused(() => exchange(provider.authorize(second.authURL), second.codeVerifier))
})

test.each([
  'https://evil.example/login',
  'https://evil.example/',
  '//evil.example/login',
  '/login',
  '{url}/login/',
  '{url}/login?next=https://evil.example',
  '{url}/login#x',
  '{url}/Login',
  '{url}.evil.example/login',
  'http://x@{host}/login',
  '{url}/login\\@evil.example',
  '{url}/../login',
  '{url}//login',
  'javascript:alert(1)',
  '',
])('a return path of "%s"', async (template) => {
  const redirectURL = template
    .replace('{url}', stack.url)
    .replace('{host}', new URL(stack.url).host)
  const method = await begin()
  const code = provider.authorize(method.authURL)
  await expectRefused(() => exchange(code, method.codeVerifier, redirectURL))
})

test('a provider whose discovery document names another issuer is not offered (mix-up)', async () => {
  const liar = await startHostileProvider()
  liar.malice = { discovery: (honest) => ({ ...honest, issuer: 'https://evil.example' }) }
  const server = await serverOf(liar)
  const { oauth2 } = await new PocketBase(server.url).collection('users').listAuthMethods()
  expect(oauth2.providers).toEqual([])
  attacks++
  await server.close()
  await liar.close()
})

test('auth-methods names the issuer, which the page compares with iss (RFC 9207)', async () => {
  expect(await begin()).toMatchObject({ issuer: provider.issuer })
})

test('every sign-in has its own state, verifier and nonce', async () => {
  const methods = await Promise.all([begin(), begin(), begin()])
  for (const value of [
    ({ state }) => state,
    ({ codeVerifier }) => codeVerifier,
    ({ authURL }) => new URL(authURL).searchParams.get('nonce') ?? '',
  ] satisfies ((method: (typeof methods)[number]) => string)[]) {
    const values = methods.map(value)
    expect(new Set(values).size).toBe(3)
    for (const each of values) expect(each).toMatch(/^[\w-]{43}$/)
  }
})
