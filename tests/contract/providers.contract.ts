import PocketBase from 'pocketbase'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { API } from '#domain/paths.ts'

import {
  signedWithSecret,
  startHostileProvider,
  type HostileProvider,
  type Malice,
} from '../support/hostile-provider.ts'
import { startStack, type Stack } from '../support/stack.ts'

// Sign-in with realistic providers: some omit metadata, some are misconfigured. The log names each problem in the terms
// of the standard, and the page says who can fix it.

let ground: Stack
let stack: Stack
let provider: HostileProvider
beforeAll(async () => {
  provider = await startHostileProvider()
  ground = await startStack()
  stack = await serverOf()
})
afterEach(() => {
  provider.malice = {}
})
afterAll(async () => {
  await stack.close()
  await ground.close()
  await provider.close()
})

/** Another server with the provider, which fetches the metadata on every request. */
const serverOf = (env: Record<string, string> = {}): Promise<Stack> =>
  startStack({
    beside: ground,
    limits: { providerMaxAgeMs: 0 },
    env: {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: provider.clientId,
      OIDC_CLIENT_SECRET: provider.clientSecret,
      ...env,
    },
  })

const methodsAt = (at: Stack) => new PocketBase(at.url).collection('users').listAuthMethods()

const post = (at: Stack, body: object) =>
  fetch(at.url + API.authWithOAuth2('users'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ provider: 'oidc', redirectURL: `${at.url}/login`, ...body }),
  })

const signIn = async (sub: string, at = stack) => {
  const [method] = (await methodsAt(at)).oauth2.providers
  if (method === undefined) throw new Error('there is no provider')
  const answer = await post(at, {
    code: provider.authorize(method.authURL, sub),
    codeVerifier: method.codeVerifier,
  })
  const body = (await answer.json()) as {
    record: { id: string; name: string; email: string; verified: boolean }
    meta: Record<string, unknown>
    data: Record<string, unknown>
  }
  return { status: answer.status, ...body }
}

const linesSince = (at: Stack) => {
  const from = at.logged.length
  return () => at.logged.slice(from).join('\n')
}

const MISCONFIGURED = { provider: { code: 'sign_in_misconfigured' } }

describe('client authentication', () => {
  test.each([
    ['in the body, if only that is offered', 'client_secret_post', ['client_secret_post']],
    ['by Basic, if only that is offered', 'client_secret_basic', ['client_secret_basic']],
    ['by Basic, if the provider does not list its methods', 'client_secret_basic', undefined],
    [
      'by the other method, if both are offered and the first is refused',
      'client_secret_basic',
      ['client_secret_basic', 'client_secret_post'],
    ],
  ] as const)('%s', async (_name, takes, offered) => {
    provider.malice = {
      takes,
      discovery: (honest) => ({ ...honest, token_endpoint_auth_methods_supported: offered }),
    }
    expect(await signIn(`sub-${takes}`)).toMatchObject({ status: 200 })
  })

  test('a public client sends no secret', async () => {
    const server = await serverOf({ OIDC_CLIENT_SECRET: 'none' })
    provider.malice = { takes: 'none' }
    expect(await signIn('sub-public', server)).toMatchObject({ status: 200 })
    await server.close()
  })
})

describe('misconfiguration is named', () => {
  test('a wrong secret', async () => {
    const server = await serverOf({ OIDC_CLIENT_SECRET: 'mistyped' })
    provider.malice = { takes: 'client_secret_basic' }
    const lines = linesSince(server)
    expect(await signIn('sub', server)).toMatchObject({ status: 400, data: MISCONFIGURED })
    expect(lines()).toContain('invalid_client. Check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.')
    expect(lines()).not.toMatch(/planted|mistyped/)
    await server.close()
  })

  test.each<[string, Malice, RegExp]>([
    [
      'HS256',
      { seal: (claims) => signedWithSecret(claims, provider.clientSecret) },
      /OAUTH_\w+.*(HS256|declares)/,
    ],
    [
      'the clock',
      { claims: (honest) => ({ ...honest, exp: 1_000_000_000 }) },
      /OAUTH_JWT_TIMESTAMP_CHECK_FAILED.*clocks/,
    ],
    ['another client', { claims: (honest) => ({ ...honest, aud: 'other' }) }, /OIDC_CLIENT_ID/],
  ])('%s', async (_name, malice, words) => {
    const lines = linesSince(stack)
    provider.malice = malice
    expect(await signIn('sub')).toMatchObject({ status: 400, data: MISCONFIGURED })
    expect(lines()).toMatch(words)
  })

  test.each([
    ['invalid_scope', MISCONFIGURED, 'invalid_scope. Check OIDC_SCOPES.'],
    ['unauthorized_client', MISCONFIGURED, 'unauthorized_client'],
    ['login_required', {}, 'login_required'],
    ['<script>alert(1)</script> planted', MISCONFIGURED, 'an unknown error'],
  ])('the error "%s" that the provider returns to the browser', async (error, data, words) => {
    const lines = linesSince(stack)
    const answer = await post(stack, { error })
    expect(answer.status).toBe(400)
    expect(((await answer.json()) as { data: object }).data).toMatchObject(data)
    expect(lines()).toContain(words)
    expect(lines()).not.toMatch(/script|planted/)
  })

  test('an issuer with a trailing slash, at startup and on the page', async () => {
    const server = await serverOf({ OIDC_ISSUER: `${provider.issuer}/realm/` })
    await expect.poll(() => server.logged.join('\n')).toContain('Check OIDC_ISSUER')
    const { oauth2 } = await methodsAt(server)
    expect(oauth2).toMatchObject({
      enabled: false,
      providers: [],
      problem: MISCONFIGURED.provider.code,
    })
    await server.close()
  })

  test('unsupported requirements of the provider, at startup', async () => {
    provider.malice = {
      discovery: (honest) => ({
        ...honest,
        require_pushed_authorization_requests: true,
        code_challenge_methods_supported: ['plain'],
        id_token_signing_alg_values_supported: ['HS256'],
      }),
    }
    const server = await serverOf()
    await expect.poll(() => server.logged.join('\n')).toMatch(/PAR[^]*HS256[^]*PKCE/)
    await server.close()
  })
})

test('an unknown key, as after a rotation, asks the person to start again', async () => {
  const lines = linesSince(stack)
  const header = Buffer.from(JSON.stringify({ alg: 'RS256', kid: 'two' })).toString('base64url')
  provider.malice = {
    seal: async (claims, honest) =>
      [header, ...(await honest.sign(claims)).split('.').slice(1)].join('.'),
  }
  const { status, data } = await signIn('sub')
  expect([status, data]).toEqual([400, {}])
  expect(lines()).toMatch(/OAUTH_KEY_SELECTION_FAILED.*does not publish the key/)
})

describe('a response without end is read up to 1 MiB', () => {
  // Sockets buffer some MiB of what nobody reads.
  const MAX_TAKEN = 64 * 1024 * 1024

  test('of the metadata: the provider is not offered', async () => {
    provider.malice = { endless: '/.well-known/openid-configuration' }
    const [lines, before] = [linesSince(stack), provider.taken()]
    expect((await methodsAt(stack)).oauth2.enabled).toBe(false)
    expect(lines()).toMatch(/RESPONSE_TOO_LARGE. It is larger than 1 MiB/)
    expect(provider.taken() - before).toBeLessThan(MAX_TAKEN)
  })

  test.each(['/jwks', '/token', '/userinfo'])('of %s: the sign-in is refused', async (endless) => {
    provider.malice = { endless }
    const [lines, before] = [linesSince(stack), provider.taken()]
    expect((await signIn(`sub-endless${endless}`)).status).toBe(400)
    expect(lines()).toContain('RESPONSE_TOO_LARGE')
    expect(provider.taken() - before).toBeLessThan(MAX_TAKEN)
  })
})

test.each(['/jwks', '/token', '/userinfo'])(
  'if the connection breaks during the response of %s, the person is asked to wait',
  async (torn) => {
    provider.malice = { torn }
    expect(await signIn('sub-torn')).toMatchObject({ status: 503, data: {} })
    provider.malice = {}
    expect(await signIn('sub-torn')).toMatchObject({ status: 200 })
  },
)

test.each([
  ['4 minutes ahead', 200, 240, /^$/],
  ['4 minutes behind', 200, -240, /^$/],
  ['a day ahead', 400, 86_400, /compare the clocks/],
  ['a day behind', 400, -86_400, /compare the clocks/],
])('if the clock of the provider is %s, a sign-in gets %i', async (_name, status, by, logged) => {
  const lines = linesSince(stack)
  provider.malice = {
    claims: ({ iat = 0, ...honest }) => ({
      ...honest,
      iat: iat + by,
      nbf: iat + by,
      exp: iat + by + 60,
    }),
  }
  expect((await signIn('sub-clock')).status).toBe(status)
  expect(lines()).toMatch(logged)
})

test('an unreachable provider is no longer offered', async () => {
  expect((await methodsAt(stack)).oauth2.enabled).toBe(true)
  provider.malice = { answer: { path: '/.well-known/openid-configuration', status: 503, body: '' } }
  expect((await methodsAt(stack)).oauth2).toEqual({ enabled: false, providers: [] })
  provider.malice = {}
  expect((await methodsAt(stack)).oauth2.enabled).toBe(true)
})

test('a provider whose host does not exist is reported with the setting that names it', async () => {
  const server = await serverOf({ OIDC_ISSUER: 'https://accounts.invalid' })
  expect((await methodsAt(server)).oauth2.enabled).toBe(false)
  expect(server.logged.join()).toMatch(
    /cannot be used: (ENOTFOUND|EAI_AGAIN)\. Check the host name in OIDC_ISSUER/,
  )
  await server.close()
})

test('signing out redirects to the provider, and the next sign-in asks for the account', async () => {
  const server = await serverOf({ OIDC_NAME: 'Example ID' })
  const redirectURL = `${server.url}/login`
  const signOut = async (body: object) => {
    const answer = await fetch(server.url + API.providerSignOut, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { answer, url: ((await answer.json()) as { url?: string }).url }
  }
  expect((await signOut({ redirectURL })).url).toBe('')
  provider.malice = {
    discovery: (honest) => ({ ...honest, end_session_endpoint: `${provider.issuer}/end` }),
  }
  const { answer, url = '' } = await signOut({ redirectURL })
  expect(url).toMatch(`${provider.issuer}/end?`)
  expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
    client_id: provider.clientId,
    post_logout_redirect_uri: redirectURL,
  })
  expect((await signOut({ redirectURL: 'https://evil.example/login' })).answer.status).toBe(400)

  const [cookie = ''] = answer.headers.getSetCookie()
  expect(cookie).toMatch(/HttpOnly; SameSite=Lax$/)
  const promptWith = async (headers: Record<string, string>) => {
    const methods = await fetch(server.url + API.authMethods('users'), { headers })
    const { oauth2 } = (await methods.json()) as {
      oauth2: { providers: { authURL: string; displayName: string }[] }
    }
    expect(oauth2.providers[0]?.displayName).toBe('Example ID')
    return new URL(oauth2.providers[0]?.authURL ?? '').searchParams.get('prompt')
  }
  const headers = { cookie: cookie.split(';')[0] ?? '' }
  expect(await promptWith({})).toBeNull()
  expect(await promptWith(headers)).toBe('select_account')
  provider.malice = {
    discovery: (honest) => ({ ...honest, prompt_values_supported: ['none', 'login'] }),
  }
  expect(await promptWith(headers)).toBe('login')

  // If the provider refuses to ask for the account, the next attempt does not request it.
  const refused = async (error: string) => {
    const refusal = await fetch(server.url + API.authWithOAuth2('users'), {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ provider: 'oidc', redirectURL, error }),
    })
    return refusal.headers.getSetCookie().join()
  }
  expect(await refused('invalid_request')).toContain('signed_out=1')
  expect(await refused('invalid_request')).toContain('Max-Age=0')
  expect(await refused('access_denied')).toBe('')
  expect(await refused('server_error')).toBe('')
  await server.close()
})

test('OIDC_SIGN_OUT=off neither redirects to the provider nor asks for the account', async () => {
  const server = await serverOf({ OIDC_SIGN_OUT: 'off' })
  provider.malice = {
    discovery: (honest) => ({ ...honest, end_session_endpoint: `${provider.issuer}/end` }),
  }
  const answer = await fetch(server.url + API.providerSignOut, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirectURL: `${server.url}/login` }),
  })
  expect(await answer.json()).toEqual({ url: '' })
  expect(answer.headers.getSetCookie()).toEqual([])
  // From a browser that signed out while it was on.
  const methods = await fetch(server.url + API.authMethods('users'), {
    headers: { cookie: 'signed_out=1' },
  })
  const { oauth2 } = (await methods.json()) as { oauth2: { providers: { authURL: string }[] } }
  expect(new URL(oauth2.providers[0]?.authURL ?? '').searchParams.has('prompt')).toBe(false)
  await server.close()
})

describe('the profile', () => {
  const person = { name: 'Ada', email: 'ada.claims@example.org', email_verified: true }

  test('comes from the id_token if the userinfo endpoint returns only the subject', async () => {
    provider.malice = {
      claims: (honest) => ({ ...honest, ...person }),
      userinfo: ({ sub }) => ({ sub }),
    }
    const { record } = await signIn('sub-claims')
    expect(record).toMatchObject({ name: 'Ada', email: person.email, verified: true })
  })

  test('comes from the id_token if there is no userinfo endpoint', async () => {
    provider.malice = {
      discovery: (honest) => ({ ...honest, userinfo_endpoint: undefined }),
      claims: (honest) => ({ ...honest, ...person }),
    }
    expect(await signIn('sub-claims')).toMatchObject({
      status: 200,
      record: { email: person.email },
    })
  })

  test.each([
    [
      'an address that is unverified at the userinfo endpoint, whatever the id_token states',
      { email_verified: false },
      { email: 'mixed@example.org', email_verified: true },
      '',
    ],
    [
      'an address that is verified by Entra ID',
      { email_verified: undefined },
      { email: 'mixed@example.org', xms_edov: '1' },
      'mixed@example.org',
    ],
    ['an address without a claim of verification', { email_verified: undefined }, {}, ''],
  ])('%s', async (_name, info, claims, email) => {
    provider.malice = {
      claims: (honest) => ({ ...honest, ...claims }),
      userinfo: (honest) => ({ ...honest, email: 'mixed@example.org', ...info }),
    }
    expect((await signIn(`sub-mixed-${email}`)).meta['email']).toBe(email)
  })

  test('has a name composed of its parts, without bidi controls, truncated to the maximum length', async () => {
    provider.malice = {
      userinfo: ({ sub }) => ({ sub, given_name: 'Ada\u202E', family_name: '\u2066Byron\0' }),
    }
    expect((await signIn('sub-parts')).record.name).toBe('Ada Byron')
    provider.malice = { userinfo: ({ sub }) => ({ sub, name: 'é'.repeat(600) }) }
    const { record, meta } = await signIn('sub-long')
    expect(record.name).toBe('é'.repeat(255))
    expect(meta['name']).toBe(record.name)
  })
})

describe('an address', () => {
  const telling = (email: string, email_verified = true): Malice => ({
    userinfo: (honest) => ({ ...honest, email, email_verified }),
  })

  test('that is verified later is stored at the next sign-in', async () => {
    provider.malice = telling('later@example.org', false)
    const { record } = await signIn('sub-later')
    expect(record.email).toBe('')
    provider.malice = telling('later@example.org')
    expect((await signIn('sub-later')).record).toMatchObject({
      id: record.id,
      email: 'later@example.org',
      verified: true,
    })
  })

  test('that changed at the provider is updated, and one that was set here is kept', async () => {
    provider.malice = telling('before@example.org')
    const { record } = await signIn('sub-changed')
    provider.malice = telling('after@example.org')
    expect((await signIn('sub-changed')).record).toMatchObject({
      id: record.id,
      email: 'after@example.org',
    })
    await stack.sql`update users set email = 'chosen@example.org' where id = ${record.id}`
    provider.malice = telling('third@example.org')
    expect((await signIn('sub-changed')).record.email).toBe('chosen@example.org')
  })

  test('that another account uses is not stored until it is free', async () => {
    provider.malice = telling('holder@example.org')
    const holder = await signIn('sub-holder')
    provider.malice = telling('mover@example.org')
    const mover = await signIn('sub-mover')
    provider.malice = telling('holder@example.org')
    const again = await signIn('sub-mover')
    expect(again.record).toMatchObject({ id: mover.record.id, email: 'mover@example.org' })
    await stack.sql`delete from users where id = ${holder.record.id}`
    expect((await signIn('sub-mover')).record).toMatchObject({
      id: mover.record.id,
      email: 'holder@example.org',
    })
  })
})
