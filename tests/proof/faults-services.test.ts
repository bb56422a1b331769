import { afterAll, beforeAll, expect, test } from 'vitest'

import { API, OAUTH_PROVIDER } from '#domain/paths.ts'
import { SITES, USERS } from '#domain/collection.ts'

import {
  openFaultyProxy,
  type FaultyProxy,
  type CodedError as WayFault,
} from '../support/faulty-proxy.ts'
import { startHostileProvider, type HostileProvider } from '../support/hostile-provider.ts'
import { newOwner, newOwnerWithSite } from '../support/owner.ts'
import { QUAY, startPhoton, type Photon } from '../support/photon.ts'
import { startSecondProcess, type SecondProcess } from '../support/second-process.ts'
import { startSmtp, type SmtpServer } from '../support/smtp.ts'
import { startStack, type Stack } from '../support/stack.ts'
import { addUp, meet, within, type Ask, type CodedError } from './faults.ts'
import { times } from './figures.ts'

// The sign-in provider, the geocoder and the mail server fail, one at a time; everything else keeps working.

const ROUNDS = times(1, 5)
/** Short, so that the tests are fast; the real limits are in `server/limits.ts`. */
const LIMITS = { providerMs: 700, mailMs: 700 }

let stack: Stack
let server: SecondProcess
let owner: Awaited<ReturnType<typeof newOwnerWithSite>>
let provider: HostileProvider
let photon: Photon
let smtp: SmtpServer
const ways = new Map<string, FaultyProxy>()
const way = (name: 'provider' | 'geocoder' | 'mail'): FaultyProxy => {
  const found = ways.get(name)
  if (found === undefined) throw new TypeError(`no way to ${name}`)
  return found
}
const settings = (): Record<string, string> => ({
  OIDC_ISSUER: `http://127.0.0.1:${way('provider').port}`,
  OIDC_CLIENT_ID: provider.clientId,
  OIDC_CLIENT_SECRET: provider.clientSecret,
  GEOCODER_URL: `http://127.0.0.1:${way('geocoder').port}/api/`,
  SMTP_URL: `smtp://127.0.0.1:${way('mail').port}`,
  MAIL_FROM: 'no-reply@mail.example',
})

beforeAll(async () => {
  stack = await startStack()
  provider = await startHostileProvider()
  photon = await startPhoton()
  smtp = await startSmtp()
  const host = '127.0.0.1'
  ways.set('provider', await openFaultyProxy({ host, port: portOf(provider.issuer) }))
  ways.set('geocoder', await openFaultyProxy({ host, port: portOf(photon.url) }))
  ways.set('mail', await openFaultyProxy({ host, port: smtp.port }))
  const issuer = `http://127.0.0.1:${way('provider').port}`
  // Its issuer is the URL of the proxy.
  provider.malice = {
    discovery: (honest) =>
      Object.fromEntries(
        Object.entries(honest).map(([name, text]) => [name, text.replace(provider.issuer, issuer)]),
      ),
    claims: (honest) => ({ ...honest, iss: issuer }),
  }
  server = await startSecondProcess(stack, settings(), LIMITS)
  owner = await newOwnerWithSite(stack.url)
})
afterAll(async () => {
  await server.close()
  for (const each of ways.values()) await each.close()
  await smtp.close()
  await photon.close()
  await provider.close()
  await stack.close()
})

const portOf = (url: string): number => Number(new URL(url).port)

const get = (path: string) => (url: string) =>
  fetch(url + path, { headers: { authorization: owner.client.authStore.token } })

const others: readonly Ask[] = [
  { name: 'list', send: get(API.records(SITES)), during: 200 },
  { name: 'page', send: get('/'), during: 200 },
]

interface Method {
  readonly authURL: string
  readonly codeVerifier: string
}
const methods = async (url: string): Promise<readonly Method[]> => {
  const answer = await fetch(url + API.authMethods(USERS))
  return ((await answer.json()) as { oauth2: { providers: Method[] } }).oauth2.providers
}

/** A user with a code, after the redirect from the provider. */
const signIn = async (): Promise<Ask> => {
  const [method] = await methods(server.url)
  if (method === undefined) throw new Error('The provider is well, and not offered.')
  const code = provider.authorize(method.authURL, 'sub-of-the-faults')
  return {
    name: 'sign-in',
    send: (url) =>
      fetch(url + API.authWithOAuth2(USERS), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          provider: OAUTH_PROVIDER,
          code,
          codeVerifier: method.codeVerifier,
          redirectURL: `${server.url}/login`,
        }),
      }),
    during: 503,
    message: /sign-in provider/,
  }
}

let searches = 0
const search = async (): Promise<Ask> => {
  searches += 1
  // Results are cached; another language is another query.
  const near = `&latitude=${(searches % 80) + 0.5}&longitude=1`
  return {
    name: 'search',
    send: get(`${API.geocode}?q=${encodeURIComponent(String(QUAY.parts['street']))}${near}`),
    during: 503,
    message: /address search/,
  }
}

const WAY_FAULTS: readonly WayFault[] = ['refused', 'reset', 'closed', 'silent', 'slow', 'garbage']
const sums = {
  provider: addUp('Faults of the provider'),
  geocoder: addUp('Faults of the geocoder'),
}
afterAll(async () => {
  await sums.provider.report()
  await sums.geocoder.report()
})

const faultOf = (boundary: 'provider' | 'geocoder', fault: WayFault): CodedError => ({
  name: fault,
  begin: () => way(boundary).fail(fault),
  end: () => way(boundary).fail(undefined),
})

test.each(
  WAY_FAULTS.flatMap((fault) => [
    ['provider', fault, signIn] as const,
    ['geocoder', fault, search] as const,
  ]),
)('a %s that is %s', async (boundary, fault, prepare) => {
  for (let round = 0; round < ROUNDS; round++) {
    const outcome = await meet(
      {
        server,
        dataDir: stack.dataDir,
        asks: [await prepare(), ...others],
        connections: () => way(boundary).connections(),
        // Connections kept alive for the next request.
        mostKept: 3,
      },
      faultOf(boundary, fault),
    )
    sums[boundary].add(outcome)
    expect(outcome.problems).toEqual([])
  }
})

test('a misbehaving provider is refused with a reason', async () => {
  const honest = provider.malice
  const cells: readonly (readonly [string, HostileProvider['malice'], number])[] = [
    ['its token is no JSON', { answer: { path: '/token', status: 200, body: '<h1>' } }, 400],
    ['it is broken', { answer: { path: '/token', status: 502, body: '<h1>' } }, 503],
    ['its keys are known', { answer: { path: '/jwks', status: 500, body: '' } }, 200],
    [
      'what it knows of people is broken',
      { answer: { path: '/userinfo', status: 503, body: '' } },
      503,
    ],
    ['its clock is ten minutes behind', { claims: shifted(-600) }, 400],
    ['its clock is two minutes behind', { claims: shifted(-120) }, 200],
    ['its clock is two minutes ahead', { claims: shifted(120) }, 200],
  ]
  const problems: string[] = []
  for (const [name, malice, during] of cells) {
    const ask = { ...(await signIn()), during, message: /./ }
    const outcome = await meet(
      { server, dataDir: stack.dataDir, asks: [ask], connections: () => 0, mostKept: 0 },
      {
        name,
        begin: async () => {
          provider.malice = { ...honest, ...malice }
        },
        end: async () => {
          provider.malice = honest
        },
      },
    )
    sums.provider.add(outcome)
    problems.push(...outcome.problems)
  }
  expect(problems).toEqual([])
})

const shifted =
  (seconds: number): NonNullable<HostileProvider['malice']['claims']> =>
  (claims) => ({
    ...claims,
    iss: `http://127.0.0.1:${way('provider').port}`,
    iat: Number(claims.iat) + seconds,
    exp: Number(claims.exp) + seconds,
  })

test('a server that starts while the provider is down offers it once it is back', async () => {
  await way('provider').fail('refused')
  const late = await startSecondProcess(stack, settings(), LIMITS)
  expect(await methods(late.url)).toEqual([])
  // One for the start and one for the request.
  const told = () => late.logged().filter((line) => line.includes('"level":"warn"'))
  await within(async () => (told().length === 2 ? undefined : late.logged().join('\n')), 2_000)
  expect(told().filter((line) => line.includes('"request":"'))).toHaveLength(1)
  await way('provider').fail(undefined)
  expect(await methods(late.url)).toHaveLength(1)
  await late.close()
})

const mails = addUp('Faults of the mail server')
afterAll(() => mails.report())

test.each(WAY_FAULTS)('a mail server that is %s', async (fault) => {
  const [one, two] = [await newOwner(stack.url), await newOwner(stack.url)]
  const askFor = (email: string): Promise<Response> =>
    fetch(server.url + API.requestPasswordReset(USERS), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    })
  await way('mail').fail(fault)
  const requested = await askFor(one.email)
  const id = requested.headers.get('x-request-id') ?? ''
  const lines = () => server.logged().filter((line) => line.includes(id))
  const silent = await within(async () => (lines().length > 0 ? undefined : 'no line'))
  await way('mail').fail(undefined)
  const again = await askFor(two.email)
  const lost = await within(async () =>
    smtp.received().includes(two.email) ? undefined : 'the next mail does not arrive',
  )
  const left = await within(async () =>
    way('mail').connections() === 0 ? undefined : `${way('mail').connections()} connections`,
  )
  const problems = [silent, lost, left].filter((problem) => problem !== undefined)
  mails.add({ cells: 2, problems })
  expect([requested.status, again.status]).toEqual([204, 204])
  expect(problems).toEqual([])
  expect(lines()).toEqual([
    expect.stringMatching(/"level":"warn".*"msg":"A mail could not be sent"/),
  ])
})
