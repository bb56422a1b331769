import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import PocketBase from 'pocketbase'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { IMPORT_API } from '#domain/import-paths.ts'

import { signInThroughPage } from '../../scripts/provider/sign-in.ts'
import { makePhoto } from '../support/images.ts'
import { receiveMail } from '../support/mails.ts'
import { connectorBody, siteBody } from '../support/owner.ts'
import { head, openRaw } from '../support/raw.ts'
import { startSecondProcess, type SecondProcess } from '../support/second-process.ts'
import { startStack, type Stack } from '../support/stack.ts'
import { newPasswordUser, newSuperuser, PASSWORD } from '../support/superuser.ts'

// No output contains request data or secrets. The test plants secrets and personal data in every request, and searches
// all output for them.

/** A unique text. */
const plant = (kind: string): string => `${kind}${randomBytes(6).toString('hex')}`

const planted: Record<string, string> = {
  'database password': plant('dbsecret'),
  'S3 secret': plant('s3secret'),
  'S3 key': plant('s3key'),
  'mail password': plant('smtpsecret'),
  'metrics token': plant('metricstoken'),
  'token secret': plant('tokensecret').repeat(2),
  'provider secret': plant('oidcsecret'),
  password: plant('password'),
  'old password': plant('oldpassword'),
  email: `${plant('mail')}@example.org`,
  'person name': plant('Ada'),
  'site name': plant('Quay'),
  address: plant('Street'),
  phone: plant('0049'),
  filter: plant('wanted'),
  cookie: plant('cookie'),
  code: plant('code'),
  'code verifier': plant('verifier'),
  'file name': plant('holiday'),
  'idempotency key': plant('key'),
  'user agent': plant('agent'),
  'forwarded address': '203.0.113.77',
  'mail link': plant('link'),
  path: plant('path'),
  'broken JSON': plant('broken'),
  'broken form': plant('form'),
  'header of a broken request': plant('header'),
  'search text': plant('search'),
  'token of a feed': plant('feedtoken'),
  'query of a feed': plant('feedquery'),
  'pasted text': plant('pasted'),
}

const found = (text: string): string[] => [
  ...Object.entries(planted).flatMap(([kind, canary]) => (text.includes(canary) ? [kind] : [])),
  // The beginning of every signed token: sessions, links in mails, file tokens, id_tokens.
  ...(/eyJ[\w-]{10}/.test(text) ? ['a signed token'] : []),
]

let stack: Stack
/** A process without faults. */
let whole: SecondProcess
/** A process whose dependencies are all down, except the database. */
let lame: SecondProcess
beforeAll(async () => {
  stack = await startStack()
  const env = {
    LOG_LEVEL: 'info',
    TRUST_PROXY: 'on',
    DATABASE_URL: (stack.config.databaseUrl ?? '').replace(
      'voltleaf@',
      `voltleaf:${planted['database password']}@`,
    ),
    TOKEN_SECRET: planted['token secret'] ?? '',
    METRICS_TOKEN: planted['metrics token'] ?? '',
  }
  whole = await startSecondProcess(stack, { ...env, PUBLIC_URL: stack.url })
  lame = await startSecondProcess(stack, {
    ...env,
    OIDC_ISSUER: 'http://127.0.0.1:9',
    OIDC_CLIENT_SECRET: planted['provider secret'] ?? '',
    SMTP_URL: `smtp://voltleaf:${planted['mail password']}@127.0.0.1:9`,
    MAIL_FROM: 'voltleaf@example.org',
    GEOCODER_URL: 'http://127.0.0.1:9/api',
    S3_ENDPOINT: 'http://127.0.0.1:9',
    S3_BUCKET: 'photos',
    S3_REGION: 'eu-central-1',
    S3_ACCESS_KEY_ID: planted['S3 key'] ?? '',
    S3_SECRET_ACCESS_KEY: planted['S3 secret'] ?? '',
  })
})
afterAll(() => stack.close())

/** Sends every kind of request to a server, valid and invalid. */
const askEverything = async (url: string): Promise<void> => {
  const of = (kind: string): string => planted[kind] ?? ''
  const admin = await newSuperuser(stack)
  const account = await newPasswordUser(stack, admin)
  // Processes with different secrets do not share sessions: sign in here.
  const pb = new PocketBase(url)
  pb.autoCancellation(false)
  pb.beforeSend = (address, options) => ({
    url: address,
    options: {
      ...options,
      headers: {
        ...options.headers,
        cookie: `session=${of('cookie')}`,
        'user-agent': of('user agent'),
        'x-forwarded-for': of('forwarded address'),
        'idempotency-key': `${of('idempotency key')}${randomBytes(4).toString('hex')}`,
      },
    },
  })
  const quietly = (requested: Promise<unknown>): Promise<unknown> =>
    requested.catch(() => undefined)
  const users = pb.collection('users')
  await users.authWithPassword(account.email, PASSWORD)
  const token = pb.authStore.token
  const { id } = account
  const business = await pb.collection('businesses').create({ name: of('site name'), user: id })
  const sites = pb.collection('sites')
  const site = await sites.create({
    ...siteBody(business.id),
    name: of('site name'),
    address: of('address'),
    contact_email: of('email'),
    contact_phone: of('phone'),
  })
  await quietly(pb.collection('connectors').create(connectorBody(site.id)))
  const photo = await makePhoto(`${of('file name')}.jpg`)
  await quietly(sites.update(site.id, { photos: [photo] }))
  await quietly(sites.update(site.id, { photos: [new File(['no'], `${of('file name')}.exe`)] }))
  await quietly(sites.create({ ...siteBody(business.id), id: site.id, name: of('site name') }))
  await quietly(pb.collection('businesses').create({ name: of('person name'), user: id }))
  await quietly(sites.update(site.id, { latitude: of('address'), status: of('filter') }))
  for (const filter of [`name="${of('filter')}"`, `name=(${of('filter')}`, `${of('filter')}~1`])
    await quietly(sites.getList(1, 5, { filter, sort: of('filter'), fields: of('filter') }))
  await quietly(sites.getOne(of('path')))
  for (const address of ['https://127.0.0.1:9', 'https://[broken'])
    for (const path of [IMPORT_API.imports, IMPORT_API.feeds]) {
      const body = { url: `${address}/?key=${of('query of a feed')}`, token: of('token of a feed') }
      await quietly(pb.send(path, { method: 'POST', body }))
    }
  await quietly(pb.send(IMPORT_API.imports, { method: 'POST', body: { text: of('pasted text') } }))
  await quietly(users.update(id, { name: of('person name') }))
  const next = { password: of('password'), passwordConfirm: of('password') }
  await quietly(users.update(id, { ...next, oldPassword: of('old password') }))
  await quietly(users.authWithPassword(of('email'), of('password')))
  await quietly(
    users.authWithOAuth2Code('oidc', of('code'), of('code verifier'), `${stack.url}/login`),
  )
  await quietly(users.requestPasswordReset(account.email))
  await quietly(users.requestPasswordReset(of('email')))
  await quietly(users.confirmPasswordReset(of('mail link'), of('password'), of('password')))
  await quietly(users.confirmVerification(of('mail link')))
  const fileToken = await pb.files.getToken().catch(() => of('path'))
  const headers = { authorization: token, 'x-forwarded-for': of('forwarded address') }
  const batch = pb.createBatch()
  batch
    .collection('sites')
    .create({ ...siteBody(business.id), name: of('site name'), latitude: 91 })
  await quietly(batch.send())
  for (const path of [
    `/api/files/sites/${site.id}/${of('file name')}.jpg?token=${fileToken}`,
    `/api/export?token=${fileToken}`,
    `/api/geocode?q=${of('search text')}`,
    `/api/oauth2-redirect?code=${of('code')}&state=${of('code verifier')}`,
    `/auth/confirm-password-reset/${of('mail link')}`,
    `/api/${of('path')}?email=${of('email')}`,
    `/api/%zz${of('path')}`,
    `/api/collections/sites/records/${of('path').repeat(20)}`,
    '/metrics',
  ]) {
    const answer = await fetch(url + path, { headers })
    await answer.body?.cancel()
  }
  const send = (type: string, body: string) =>
    fetch(`${url}/api/collections/sites/records`, {
      method: 'POST',
      headers: { ...headers, 'content-type': type },
      body,
    })
  await send('application/json', `{"email":"${of('broken JSON')}`)
  await send('multipart/form-data; boundary=x', `--y\r\n${of('broken form')}`)
  await send(`application/${of('broken form')}`, of('broken form'))
  await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${of('metrics token')}` } })
  const stream = await fetch(`${url}/api/realtime`, { headers })
  await stream.body?.cancel()
  for (const bytes of [
    `GET /${of('path')} HTTP/1.1\r\nx y: ${of('header of a broken request')}\r\n\r\n`,
    head('POST', '/api/batch', { 'content-length': 'x', cookie: of('cookie') }),
  ]) {
    const connection = await openRaw(url)
    connection.send(bytes)
    await connection.ended()
  }
  // The database fails during the request.
  await stack.sql.unsafe(`
    create function fail() returns trigger language plpgsql as $$
    begin raise exception 'cannot keep %', new.name using detail = new.address; end $$;
    create trigger fail before update on sites for each row execute function fail()`)
  try {
    await quietly(sites.update(site.id, { name: of('site name'), address: of('address') }))
  } finally {
    await stack.sql.unsafe('drop trigger fail on sites; drop function fail()')
  }
  await quietly(users.delete(id))
}

test('no planted secret appears in any output', async () => {
  // The person as known to the provider.
  const person = { name: planted['person name'] ?? '', email: planted['email'] ?? '' }
  const { client } = await signInThroughPage(stack.url, person)
  planted['session token'] = client.authStore.token.split('.')[2] ?? ''
  await client.collection('users').requestPasswordReset(person.email)
  planted['token of a mail'] = (await receiveMail(stack, person.email)).token.split('.')[2] ?? ''

  await askEverything(whole.url)
  await askEverything(lame.url)
  // All output is written once the processes have ended.
  await whole.close()
  await lame.close()

  const [{ folder }] = await stack.sql<[{ folder: string }]>`
    select current_setting('data_directory') as folder`
  const outputs = {
    'the test’s own server': stack.logged.join('\n'),
    'a server where all is well': whole.logged().join('\n'),
    'a server that reaches nothing': lame.logged().join('\n'),
    'the log of the database': await readFile(join(folder, '../postgres.log'), 'utf8'),
  }
  const leaks = Object.entries(outputs).flatMap(([name, text]) =>
    found(text).map((kind) => `${kind} in ${name}`),
  )
  expect(leaks).toEqual([])

  // The search had something to search.
  const lines = [...whole.logged(), ...lame.logged()].map(
    (line) => JSON.parse(line) as Readonly<Record<string, unknown>>,
  )
  expect(lines.filter(({ msg }) => msg === 'answered').length).toBeGreaterThan(60)
  expect(lines.filter(({ level }) => level !== 'info').length).toBeGreaterThan(3)
  const routes = new Set(lines.map(({ route }) => route))
  expect(routes).toContain('/api/collections/:collection/records/:id')
  expect(routes).toContain('none')
  expect(found(`"authorization":"${planted['email']}"`)).toEqual(['email'])
  console.log(
    `Canaries: ${Object.keys(planted).length} planted, ${lines.length} lines, ${leaks.length} found`,
  )
})

test('the log line of an error has the request id of its response', async () => {
  const own = await startStack({ beside: stack })
  try {
    const admin = await newSuperuser(own)
    await stack.sql.unsafe(`
      create function fail() returns trigger language plpgsql as $$
      begin raise exception 'no'; end $$;
      create trigger fail before insert on users for each row execute function fail()`)
    const answer = await fetch(`${own.url}/api/collections/users/records`, {
      method: 'POST',
      headers: {
        authorization: admin.client.authStore.token,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        email: 'ada@example.org',
        password: 'a good password',
        passwordConfirm: 'a good password',
      }),
    })
    expect(answer.status).toBe(500)
    const lines = own.logged.map((line) => JSON.parse(line) as { request?: string; level: string })
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatchObject({
      level: 'error',
      request: answer.headers.get('x-request-id'),
      err: { code: 'P0001' },
    })
  } finally {
    await stack.sql.unsafe('drop trigger if exists fail on users; drop function if exists fail()')
    await own.close()
  }
})

test('a database without synchronous commit causes a warning at startup', async () => {
  const { sql } = stack
  const [{ name }] = await sql<[{ name: string }]>`select current_database() as name`
  await sql`alter database ${sql(name)} set synchronous_commit = off`
  try {
    const own = await startStack({ beside: stack })
    await own.close()
    const lines = own.logged.map((line) => JSON.parse(line) as { level: string; msg: string })
    expect(lines).toMatchObject([
      { level: 'warn', msg: expect.stringContaining('synchronous_commit') },
    ])
  } finally {
    await sql`alter database ${sql(name)} reset synchronous_commit`
  }
})

test('an untrusted proxy causes one warning, a trusted one none', async () => {
  const from = { headers: { 'x-forwarded-for': '203.0.113.9' } }
  const warnings = async (env: Record<string, string>): Promise<unknown[]> => {
    const own = await startStack({ beside: stack, env: { LOG_LEVEL: 'warn', ...env } })
    const { port } = own.config
    for (const init of [{}, from, from]) await fetch(`http://127.0.0.1:${port}/api/health`, init)
    await own.close()
    return own.logged.map((line) => (JSON.parse(line) as { msg: unknown }).msg)
  }
  const PUBLIC_URL = 'https://charging.example'
  expect(await warnings({ PUBLIC_URL })).toEqual([expect.stringContaining('set TRUST_PROXY to on')])
  expect(await warnings({ PUBLIC_URL, TRUST_PROXY: 'on' })).toEqual([])
  expect(await warnings({})).toEqual([])
})
