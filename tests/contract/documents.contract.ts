import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'

import { ID_LENGTH } from '#domain/collection.ts'
import { NOT_OFFERED } from '#domain/paths.ts'
import { REPAIR_RULES } from '#domain/repair.ts'
import { root } from '../../scripts/process.ts'
import { createApp } from '../../server/app.ts'
import { randomText } from '../../server/db/random.ts'
import { makePhoto } from '../support/images.ts'
import { connectorBody, newOwnerWithSite, siteBody, tariffBody } from '../support/owner.ts'
import { withStack } from '../support/fixtures.ts'

// The documents match the behaviour of the server.

interface Operation {
  readonly requestBody?: { readonly required?: boolean }
  readonly parameters?: readonly {
    readonly name: string
    readonly schema: { readonly pattern?: string }
  }[]
  readonly responses: Record<
    string,
    {
      readonly content?: Record<string, { schema: object }>
      readonly headers?: Record<string, { readonly required: boolean }>
    }
  >
}
interface Document {
  readonly openapi: string
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { readonly schemas: Record<string, object> }
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

const stack = await withStack()
const document = (await (await fetch(`${stack.url}/api/openapi.json`)).json()) as Document

const operations = (): string[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).flatMap((method) => (METHODS.includes(method) ? [`${method} ${path}`] : [])),
  )

test('docs/api.md: the examples run unchanged, in order', async () => {
  const { client } = await newOwnerWithSite(stack.url)
  const text = await readFile(join(root, 'docs/api.md'), 'utf8')
  const examples = [...text.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code ?? '')
  expect(examples.length).toBeGreaterThan(5)
  // Next to the dependencies, so that imports resolve.
  await mkdir(join(root, '.cache'), { recursive: true })
  const folder = await mkdtemp(join(root, '.cache', 'examples-'))
  try {
    const [program, photo] = [join(folder, 'examples.mjs'), join(folder, 'photo.jpg')]
    await writeFile(program, examples.join('\n'))
    await writeFile(photo, Buffer.from(await (await makePhoto('photo.jpg')).arrayBuffer()))
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--experimental-eventsource', program],
      {
        env: {
          ...process.env,
          VOLTLEAF_URL: stack.url,
          VOLTLEAF_TOKEN: client.authStore.token,
          PHOTO: photo,
        },
      },
    )
    expect(stdout).toContain('Harbour Lane Quay: 1 connectors')
    expect(stdout).toMatch(/api\/files\/\w+\/\w+\/car_park_\w+\.jpg\?thumb=300x0/)
    const [picture = ''] = /http\S+\/api\/files\/sites\/\w+\/\w+\.jpg\?thumb=\w+/.exec(stdout) ?? []
    expect((await fetch(picture)).headers.get('content-type')).toBe('image/jpeg')
    expect(stdout).toMatch(/^1 by id$/m)
    expect(stdout).toContain('update: Harbour Lane Quay')
    expect(stdout).toMatch(/^create sites \w{15}$/m)
    expect(stdout).toMatch(/\d+ m: Harbour Lane Quay, up to 150 kW/)
    expect(stdout).toContain('site: Harbour Lane Quay')
    expect(stdout).toContain('cost: none -> €0.45 / kWh')
    expect(stdout).toContain('validation_max_number_constraint { max: 90 }')
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('a record whose optional fields are empty may be sent as it was read', async () => {
  const { client, business, site, connector } = await newOwnerWithSite(stack.url)
  const tariff = await client.collection('tariffs').create(tariffBody(business.id))
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ajv.addSchema({ $id: 'api', components: document.components })
  for (const [name, { id }] of Object.entries({ business, site, connector, tariff })) {
    const records = client.collection(`${name}${name.endsWith('s') ? 'es' : 's'}`)
    const record = await records.getOne(id)
    await records.update(id, { ...record })
    const schema = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`
    const validate = ajv.compile({ $ref: `api#/components/schemas/${schema}` })
    validate(record)
    expect([schema, validate.errors ?? []]).toEqual([schema, []])
  }
})

/** All values of a key anywhere in the description. */
const valuesOf = (key: string, within: unknown = document): unknown[] =>
  typeof within === 'object' && within !== null
    ? Object.entries(within).flatMap(([name, value]) => [
        ...(name === key ? [value as unknown] : []),
        ...valuesOf(key, value),
      ])
    : []

test('programs in any language can compile the patterns of the description', () => {
  const patterns = valuesOf('pattern').filter((value) => typeof value === 'string')
  expect(patterns.length).toBeGreaterThan(10)
  // Only what JSON Schema recommends (2020-12, 6.4): no classes of Unicode, no lookaround.
  expect(patterns.filter((pattern) => /\\[pPuxk]|\(\?[^:]/.test(pattern))).toEqual([])
})

test('programs that generate clients find all operations, types and required bodies', () => {
  type Described = Record<string, unknown>
  const described = (within: unknown): Described[] =>
    typeof within === 'object' && within !== null
      ? [within as Described, ...Object.values(within).flatMap(described)]
      : []
  const all = described(document)
  const hasType = ({ type }: Described, name: string): boolean => [type].flat().includes(name)
  expect(all.filter((schema) => hasType(schema, 'array') && !('items' in schema))).toEqual([])
  // Without either, generated types have no keys.
  const isBare = (schema: Described): boolean =>
    hasType(schema, 'object') && !('properties' in schema) && !('additionalProperties' in schema)
  expect(all.filter(isBare)).toEqual([])
  // "kw_rating+" and "kw_rating-" have the same name in most languages.
  const collisions = all.flatMap(({ properties }) => {
    const names = Object.keys(properties ?? {}).map((name) => name.replaceAll(/\W/g, ''))
    return names.filter((name, index) => names.indexOf(name) !== index)
  })
  expect(collisions).toEqual([])
  // Generated readers take the first of two types of text, and refuse a value that is not the constant.
  expect(all.filter(({ anyOf }) => JSON.stringify(anyOf)?.startsWith('[{"const":""'))).toEqual([])
  const declared = document.tags.map(({ name }) => name)
  expect(new Set(valuesOf('tags', document.paths).flat())).toEqual(new Set(declared))
  const optional = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { requestBody }]) =>
      requestBody === undefined || requestBody.required ? [] : [`${method} ${path}`],
    ),
  )
  expect(optional.filter((name) => !/^patch |impersonate/.test(name))).toEqual([])
  // Generated clients send defaults: an update of the name would publish the site and change its status.
  const bodiesOf = (method: string): object[] =>
    Object.values(document.paths).flatMap((item) => item[method]?.requestBody ?? [])
  const schemasIn = (bodies: object[]): unknown[] =>
    valuesOf('$ref', bodies).map(
      (name) => document.components.schemas[String(name).split('/').at(-1) ?? ''],
    )
  expect(valuesOf('default', schemasIn(bodiesOf('post'))).length).toBeGreaterThan(0)
  expect(valuesOf('default', schemasIn(bodiesOf('patch')))).toEqual([])
})

test('the bodies of new records leave out stored files and old passwords', () => {
  const schemas = document.components.schemas as Record<
    string,
    { properties?: Record<string, object>; patternProperties?: Record<string, object> }
  >
  const keysOf = (name: string): string[] => [
    ...Object.keys(schemas[name]?.properties ?? {}),
    ...Object.keys(schemas[name]?.patternProperties ?? {}),
  ]
  expect(keysOf('SiteInput').filter((key) => key.includes('photos'))).toEqual([])
  expect(keysOf('SiteForm').filter((key) => key.includes('photos'))).toEqual([
    'photos',
    '^(\\+photos|photos\\+)$',
  ])
  expect(keysOf('SiteUpdate')).toEqual(expect.arrayContaining(['photos', '^photos-$']))
  expect(keysOf('SiteUpdateForm')).toEqual(expect.arrayContaining(['photos', '^photos-$']))
  expect(keysOf('BusinessInput')).not.toContain('logo')
  expect(keysOf('BusinessForm')).toContain('logo')
  for (const name of ['UserInput', 'SuperuserInput']) {
    expect(keysOf(name)).toContain('password')
    expect(keysOf(name)).not.toContain('oldPassword')
    expect(keysOf(name.replace('Input', 'Update'))).toContain('oldPassword')
  }
})

test('the description says which errors the data of an error response has', () => {
  const ajv = new Ajv2020({ strict: false })
  ajv.addSchema({ $id: 'api', components: document.components })
  const describes = (method: string, path: string, status: number, data: object): unknown => {
    const answer = document.paths[path]?.[method]?.responses[String(status)]
    const schema = JSON.stringify(answer?.content?.['application/json']?.schema ?? false)
    const whole = schema.replaceAll('#/components', 'api#/components')
    return ajv.validate(JSON.parse(whole) as object, { status, message: 'No.', data })
  }
  const records = '/api/collections/sites/records'
  const wrong = { code: 'validation_required', message: 'Cannot be blank.' }
  expect(describes('post', records, 400, {})).toBe(true)
  expect(describes('post', records, 400, { name: wrong })).toBe(true)
  expect(describes('post', records, 400, { name: { 0: wrong } })).toBe(false)
  expect(describes('post', records, 400, { name: 'Cannot be blank.' })).toBe(false)
  for (const [path, name] of [
    ['/api/batch', 'requests'],
    ['/api/realtime', 'subscriptions'],
  ] as const) {
    expect(describes('post', path, 400, { [name]: wrong })).toBe(true)
    expect(describes('post', path, 400, { [name]: 'Cannot be blank.' })).toBe(false)
  }
  const site = '/api/public/sites/{id}'
  expect(describes('get', site, 410, { latitude: 1, longitude: 2 })).toBe(true)
  expect(describes('get', site, 410, { name: wrong })).toBe(false)
})

test('the description says how a time in the query of open data is written', async () => {
  const times = [
    '',
    '2026-12-24',
    '2026-12-24 23:00:00.000Z',
    '2026-12-24T23:00:00',
    '2026-12-24T23:00%2B01:00',
    // Many clients do not escape the plus sign.
    '2026-12-24T23:00:00.5+01:00',
    'soon',
    '24.12.2026',
    '2026-12-24T23',
    '2026-12',
    ' 2026-12-24',
    '1798153200',
  ]
  for (const [path, name] of [
    ['/open/sites.csv', 'since'],
    ['/open/ocpi/2.2.1/locations', 'date_from'],
    ['/open/ocpi/2.3.0/tariffs', 'date_to'],
  ] as const) {
    const parameters = document.paths[path]?.['get']?.parameters ?? []
    const { pattern = '(none)' } = parameters.find((each) => each.name === name)?.schema ?? {}
    for (const time of times) {
      const { ok } = await fetch(`${stack.url}${path}?${name}=${time}`)
      const sent = new URLSearchParams(`${name}=${time}`).get(name) ?? ''
      expect([name, time, new RegExp(pattern).test(sent)]).toEqual([name, time, ok])
    }
  }
})

test('the description has the limits of keys and the rules of responses', async () => {
  const { client } = await newOwnerWithSite(stack.url)
  const [key] = document.paths['/api/feeds']?.['post']?.parameters ?? []
  for (const [value, status] of [
    ['', 400],
    ['x'.repeat(256), 400],
    ['x'.repeat(255), 200],
  ] as const) {
    const answer = await fetch(`${stack.url}/api/feeds`, {
      method: 'POST',
      headers: {
        authorization: client.authStore.token,
        'content-type': 'application/json',
        'idempotency-key': value,
      },
      body: JSON.stringify({ url: 'https://feed.example/locations' }),
    })
    expect(answer.status).toBe(status)
    expect(new RegExp(key?.schema.pattern ?? '').test(value)).toBe(status === 200)
  }
  const answers = valuesOf('answers') as { propertyNames?: { enum: string[] } }[]
  for (const { propertyNames } of answers)
    expect(propertyNames?.enum).toEqual(Object.keys(REPAIR_RULES))
})

test('the description contains every route of the server, and no others', async () => {
  const routes = new Set<string>()
  const app = await createApp({
    config: stack.config,
    sql: stack.sql,
    tokenSecret: new Uint8Array(32),
    log: () => {},
    onRoute: ({ method, url }) => {
      for (const each of [method].flat()) routes.add(`${each.toLowerCase()} ${url}`)
    },
  })
  await app.close()
  // The pattern of a route can serve several collections.
  const described = operations().map((operation) =>
    operation
      .replace(/\/collections\/\w+\//, '/collections/:collection/')
      .replace(/\{(\w+)\}/g, ':$1'),
  )
  const served = [...routes].filter(
    (route) =>
      METHODS.includes(route.split(' ')[0] ?? '') &&
      // These routes return 404 to unknown paths.
      !/\/ocpi(?:\/\*)?$/.test(route),
  )
  expect([...new Set(described)].toSorted()).toEqual(served.toSorted())
})

test('responses match the description for every operation', async () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ajv.addSchema({ $id: 'api', components: document.components })
  const validators = new Map<string, ValidateFunction>()
  const validatorOf = (key: string, schema: object): ValidateFunction => {
    const known = validators.get(key)
    if (known !== undefined) return known
    const text = JSON.stringify(schema).replaceAll('#/components', 'api#/components')
    const made = ajv.compile(JSON.parse(text) as object)
    validators.set(key, made)
    return made
  }

  const owner = await newOwnerWithSite(stack.url)
  const other = await newOwnerWithSite(stack.url)
  const { business, site, connector } = owner
  const { photos } = await owner.client
    .collection('sites')
    .update(site.id, { photos: [await makePhoto('a.jpg')] })
  const tariff = await owner.client.collection('tariffs').create(tariffBody(business.id))
  const answered = new Set<string>()

  /** Sends a request and validates the response against the document. */
  const ask = async (
    method: string,
    template: string,
    status: number,
    options: {
      path?: Record<string, string>
      query?: string
      body?: unknown
      guest?: boolean
    } = {},
  ): Promise<void> => {
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => options.path?.[name] ?? name)
    const answer = await fetch(`${stack.url}${path}${options.query ?? ''}`, {
      method: method.toUpperCase(),
      redirect: 'manual',
      headers: {
        ...(options.guest !== true && { authorization: owner.client.authStore.token }),
        ...(options.body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
    })
    const key = `${method} ${template}`
    const described = document.paths[template]?.[method]?.responses[String(answer.status)]
    expect([key, answer.status, described !== undefined]).toEqual([key, status, true])
    answered.add(key)
    const headers = described?.headers ?? {}
    const required = Object.keys(headers).filter((name) => headers[name]?.required)
    expect([key, required.filter((name) => !answer.headers.has(name))]).toEqual([key, []])
    expect([key, answer.headers.has('etag')]).toEqual([key, 'ETag' in headers])
    const [type = ''] = answer.headers.get('content-type')?.split(';') ?? []
    if (answer.headers.get('content-type')?.startsWith('text/event-stream')) {
      await answer.body?.cancel()
      return
    }
    const text = await answer.text()
    if (!type.endsWith('json')) return
    const content = described?.content?.[type]
    expect([key, type, content !== undefined]).toEqual([key, type, true])
    const validate = validatorOf(`${key} ${status} ${type}`, content?.schema ?? {})
    validate(JSON.parse(text))
    expect([key, validate.errors ?? []]).toEqual([key, []])
  }

  const tell = '/api/public/sites/{id}/reports'
  const message = { reason: 'NO_ACCESS', message: 'The gate is shut.', email: 'ida@example.org' }
  await ask('post', tell, 204, { path: { id: site.id }, body: message, guest: true })
  await ask('post', tell, 400, { path: { id: site.id }, body: {} })
  await ask('post', tell, 404, { path: { id: 'nosuchrecord123' }, body: message })
  const [report] = await owner.client.collection('reports').getFullList()
  const nowhere = { path: { id: 'nosuchrecord123' } }
  await ask('post', '/api/imports', 200, { body: { text: 'x' } })
  await ask('post', '/api/imports', 400, { body: {} })
  await ask('post', '/api/imports', 401, { body: {}, guest: true })
  await ask('patch', '/api/imports/{id}', 404, { ...nowhere, body: { missing: 'KEEP' } })
  const missingRow = { path: { ...nowhere.path, number: '1' }, body: { included: true } }
  await ask('patch', '/api/imports/{id}/rows/{number}', 404, missingRow)
  await ask('post', '/api/imports/{id}/mapping', 404, { ...nowhere, body: { mapping: [''] } })
  await ask('post', '/api/imports/{id}/run', 404, nowhere)
  await ask('post', '/api/imports/{id}/undo', 404, nowhere)
  const source = { url: 'https://feed.example/locations' }
  await ask('post', '/api/feeds', 200, { body: source })
  await ask('post', '/api/feeds', 400, { body: {} })
  await ask('put', '/api/feeds/{id}/token', 404, { ...nowhere, body: { token: '' } })
  await ask('post', '/api/feeds/{id}/read', 404, nowhere)
  const [imported] = await owner.client.collection('imports').getFullList()
  const feed = randomText(ID_LENGTH)
  await stack.sql`insert into feeds (id, business, url, is_active)
    values (${feed}, ${business.id}, 'https://feed.example/locations', false)`

  const ids: Record<string, string> = {
    users: owner.id,
    businesses: business.id,
    sites: site.id,
    connectors: connector.id,
    tariffs: tariff.id,
    reports: report?.id ?? '',
    imports: imported?.id ?? '',
    feeds: feed,
    _superusers: 'a23456789012345',
  }
  const bodies: Record<string, Record<string, unknown>> = {
    users: {},
    businesses: { name: 'A', user: owner.id },
    sites: siteBody(business.id),
    connectors: connectorBody(site.id),
    tariffs: tariffBody(business.id),
    _superusers: {},
  }
  const REFUSED: Record<string, number> = {
    users: 403,
    _superusers: 403,
    businesses: 400,
  }
  /** Actions that are declared for nobody are not described. */
  const NEVER: Record<string, readonly string[]> = {
    reports: ['post', 'delete'],
    imports: ['post', 'patch'],
    feeds: ['post'],
  }
  for (const [name, id] of Object.entries(ids)) {
    const locked = name === '_superusers'
    const list = `/api/collections/${name}/records`
    const one = `${list}/{id}`
    await ask('get', list, locked ? 403 : 200, { query: '?expand=business,site,user' })
    await ask('get', list, locked ? 403 : 400, { query: '?filter=(' })
    await ask('get', one, locked ? 403 : 200, { path: { id } })
    await ask('get', one, locked ? 403 : 404, { path: { id: 'nosuchrecord123' } })
    const offers = (method: string): boolean => NEVER[name]?.includes(method) !== true
    if (offers('post')) await ask('post', list, REFUSED[name] ?? 200, { body: bodies[name] })
    if (offers('patch')) {
      await ask('patch', one, locked ? 403 : 200, { path: { id }, body: {} })
      await ask('patch', one, locked ? 403 : 404, { path: { id: 'nosuchrecord123' }, body: {} })
    }
    if (offers('delete'))
      await ask('delete', one, locked ? 403 : 404, { path: { id: 'nosuchrecord123' } })
  }
  const rows = '/api/collections/import_rows/records'
  const row = randomText(ID_LENGTH)
  await stack.sql`insert into import_rows (id, import, number) values (${row}, ${imported?.id ?? ''}, 7)`
  await ask('get', rows, 200)
  await ask('get', `${rows}/{id}`, 200, { path: { id: row } })
  const changes = '/api/collections/changes/records'
  const { items } = await owner.client.collection('changes').getList(1, 1)
  await ask('get', changes, 200)
  await ask('get', `${changes}/{id}`, 200, { path: { id: items[0]?.id ?? '' } })
  await ask('delete', '/api/collections/connectors/records/{id}', 204, {
    path: { id: connector.id },
  })

  // Without a session, bodies are limited to 16 KiB.
  const long = { guest: true, body: 'x'.repeat(16 << 10) }
  await ask('post', '/api/collections/sites/records', 401, long)

  for (const name of ['users', '_superusers']) {
    const at = (action: string) => `/api/collections/${name}/${action}`
    await ask('get', at('auth-methods'), 200)
    // The request of the SDK.
    await ask('get', at('auth-methods'), 200, { query: '?fields=mfa,otp,password,oauth2' })
    await ask('post', at('auth-with-password'), 413, long)
    await ask('post', at('auth-with-password'), 400, { body: { identity: 'x', password: 'y' } })
    await ask('post', at('auth-with-oauth2'), name === 'users' ? 400 : 403, { body: {} })
    await ask('post', at('auth-refresh'), name === 'users' ? 200 : 403)
    await ask('post', at('auth-refresh'), 401, { guest: true })
    await ask('post', at('end-sessions'), 401, { guest: true })
    await ask('post', at('request-password-reset'), 400, { body: { email: 'x' } })
    await ask('post', at('request-password-reset'), 204, { body: { email: 'x@example.org' } })
    await ask('post', at('confirm-password-reset'), 400, { body: {} })
    await ask('post', at('request-verification'), 204, { body: { email: 'x@example.org' } })
    await ask('post', at('confirm-verification'), 400, { body: {} })
    for (const { action } of NOT_OFFERED) await ask('post', at(action), 403, { body: {} })
    await ask('post', at('impersonate/{id}'), 403, { path: { id: other.id }, body: {} })
  }

  const file = '/api/files/{collection}/{id}/{name}'
  const path = { collection: 'sites', id: site.id, name: (photos as string[])[0] ?? '' }
  await ask('get', file, 200, { path })
  await ask('get', file, 404, { path: { ...path, name: 'no.jpg' } })
  await ask('post', '/api/files/token', 200)
  await ask('post', '/api/files/token', 401, { guest: true })
  await ask('get', '/api/export', 200)
  await ask('get', '/api/export', 401, { guest: true })
  const write = {
    method: 'POST',
    url: '/api/collections/connectors/records',
    body: connectorBody(site.id),
  }
  await ask('post', '/api/batch', 200, { body: { requests: [write] } })
  await ask('post', '/api/batch', 400, { body: { requests: [] } })
  await ask('post', '/api/batch', 400, { body: { requests: [write, { ...write, url: '' }] } })
  const refused = { ...write, body: { ...write.body, kw_rating: -1 } }
  await ask('post', '/api/batch', 400, { body: { requests: [write, refused] } })
  // The stack has no geocoder.
  await ask('get', '/api/geocode', 503, { query: '?q=x' })
  await ask('get', '/api/geocode', 400, { query: '?q=' })
  await ask('get', '/api/geocode', 401, { query: '?q=x', guest: true })
  const place = `?lat=${site.latitude as number}&lng=${site.longitude as number}&name=harbour`
  await ask('get', '/api/duplicates', 200, { query: place })
  await ask('get', '/api/duplicates', 400, { query: '?lat=1' })
  await ask('get', '/api/duplicates', 401, { query: place, guest: true })
  await ask('get', '/api/realtime', 200)
  await ask('post', '/api/realtime', 400, { body: {} })
  const topics = (subscriptions: string[]) => ({ body: { clientId: 'x', subscriptions } })
  await ask('post', '/api/realtime', 400, topics(['sites/*', 'x'.repeat(2501)]))
  await ask('post', '/api/realtime', 400, topics(Array<string>(1001).fill('sites/*')))
  await ask('get', '/api/oauth2-redirect', 200)
  await ask('post', '/api/oauth2-redirect', 303, { body: {} })
  const redirectURL = `${stack.url}/login`
  await ask('post', '/api/provider-sign-out', 200, { body: { redirectURL } })
  await ask('post', '/api/provider-sign-out', 400, { body: {} })
  const everyone = { guest: true } as const
  await ask('get', '/api/public/sites', 200, { ...everyone, query: '?near=55.2,-6.6' })
  await ask('get', '/api/public/sites', 200, {
    ...everyone,
    query: '?near=55.2,-6.6&format=geojson',
  })
  await ask('get', '/api/public/sites', 400, everyone)
  await ask('get', '/api/public/sites/{id}', 200, { ...everyone, path: { id: other.site.id } })
  await ask('get', '/api/public/sites/{id}', 404, { ...everyone, path: { id: 'nosuchrecord123' } })
  const { site: former, client } = await newOwnerWithSite(stack.url)
  await client.collection('sites').delete(former.id)
  await ask('get', '/api/public/sites/{id}', 410, { ...everyone, path: { id: former.id } })
  const line = { type: 'LineString', coordinates: [[-6.7, 55.2]] }
  await ask('post', '/api/public/route', 200, { ...everyone, body: line })
  await ask('post', '/api/public/route', 400, { ...everyone, body: {} })
  await ask('get', '/api/public/suggest', 200, { ...everyone, query: '?q=harbour' })
  await ask('get', '/api/public/tiles/{z}/{x}/{y}.mvt', 200, {
    ...everyone,
    path: { z: '0', x: '0', y: '0' },
  })
  for (const operation of operations()) {
    const [method = '', template = ''] = operation.split(' ')
    if (!template.startsWith('/open/')) continue
    const named = { business: business.id, site: site.id, id: site.id, evse: connector.id }
    // Without a party id, a business has no Locations.
    const status = template.includes('{id}') ? 404 : 200
    await ask(method, template, status, { ...everyone, path: named })
  }
  await ask('get', '/api/health', 200)
  await ask('get', '/api/ready', 200)
  await ask('get', '/metrics', 200)
  await ask('get', '/api/openapi.json', 200)

  expect([...answered].toSorted()).toEqual(operations().toSorted())
})
