import PocketBase from 'pocketbase'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { makePhoto } from '../support/images.ts'
import { connectorBody, newOwner, siteBody } from '../support/owner.ts'
import { expectScenario, type Scenario } from '../support/scenario.ts'
import { startStack, type Stack } from '../support/stack.ts'

// The record interface seen from outside, as a table: each request, and what its response must and must not contain.
// The tests run against their own server, or against any other given by CONTRACT_URL (and, if there is no stand-in
// provider, CONTRACT_TOKEN and CONTRACT_OTHER_TOKEN, of two users without businesses).

let stack: Stack | undefined
let url: string
let known: Record<string, string>

beforeAll(async () => {
  const given = process.env['CONTRACT_URL']
  stack = given === undefined ? await startStack() : undefined
  url = given ?? stack?.url ?? ''
  const [me, other] = [await signIn('CONTRACT_TOKEN'), await signIn('CONTRACT_OTHER_TOKEN')]
  const [mine, theirs] = [await furnish(me), await furnish(other)]
  known = {
    token: me.authStore.token,
    ...mine,
    ...Object.fromEntries(Object.entries(theirs).map(([key, value]) => [`foreign_${key}`, value])),
  }
})
afterAll(() => stack?.close())

const signIn = async (variable: string): Promise<PocketBase> => {
  const token = process.env[variable]
  if (token === undefined) return (await newOwner(url)).client
  const client = new PocketBase(url)
  client.autoCancellation(false)
  client.authStore.save(token)
  await client.collection('users').authRefresh()
  return client
}

const furnish = async (client: PocketBase): Promise<Record<string, string>> => {
  const user = client.authStore.record?.id ?? ''
  const email = String(client.authStore.record?.['email'])
  const business = await client
    .collection('businesses')
    .create({ user, name: 'Quay Hotels', description: 'A <b>quiet</b> place' })
  const photos = [await makePhoto('front.jpg', { width: 64, height: 48 })]
  const site = await client.collection('sites').create({ ...siteBody(business.id), photos })
  const second = await client
    .collection('sites')
    .create({ ...siteBody(business.id), name: 'Mill Yard', latitude: 0, status: 'PLANNED' })
  const connector = await client.collection('connectors').create(connectorBody(site.id))
  const photo = (site['photos'] as string[])[0] ?? ''
  return {
    user,
    email,
    business: business.id,
    site: site.id,
    second: second.id,
    connector: connector.id,
    photo,
  }
}

const API = '/api/collections'
const GENERIC = '"message":"Something went wrong while processing your request."'
const MISSING = `{"status":404,"message":"The requested resource wasn't found.","data":{}}`
const mine = { authorization: '{token}' }
const json = { ...mine, 'content-type': 'application/json' }
/** Encodes a text for a query, but not its `{name}` placeholders. */
const q = (text: string): string =>
  encodeURIComponent(text).replaceAll('%7B', '{').replaceAll('%7D', '}')

const run = (rows: readonly Scenario[]): void => {
  test.each(rows)('$name', async (scenario) => {
    await expectScenario(url, scenario, known)
    expect.assertions(1 + (scenario.has?.length ?? 0) + (scenario.lacks?.length ?? 0))
  })
}

/** A row about a list of the caller's records. */
const list = (
  query: string,
  has: readonly string[],
  lacks: readonly string[] = [],
  status = 200,
  collection = 'sites',
): Scenario => ({
  name: `${collection}?${decodeURIComponent(query)}`,
  send: `GET ${API}/${collection}/records?${query}`,
  headers: mine,
  status,
  has,
  lacks,
})

describe('lists: the envelope', () => {
  run([
    list('', [
      '"page":1',
      '"perPage":30',
      '"totalItems":2',
      '"totalPages":1',
      'content-type: application/json',
    ]),
    list('page=0', ['"page":1']),
    list('page=-3', ['"page":1']),
    list('page=7', ['"page":7', '"items":[]', '"totalItems":2']),
    list('perPage=1', ['"perPage":1', '"totalPages":2']),
    list('perPage=1&page=2', ['"page":2', '{second}'], ['"id":"{site}"']),
    list('perPage=0', ['"perPage":30']),
    list('perPage=-1', ['"perPage":30']),
    list('perPage=1000', ['"perPage":1000']),
    list('perPage=1001', ['"perPage":1000']),
    list('perPage=abc', [GENERIC], ['"items"'], 400),
    list('perPage=1.5', [GENERIC], [], 400),
    list('page=x', [GENERIC], [], 400),
    list('page=1e3', [GENERIC], [], 400),
    ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((value) =>
      list(`skipTotal=${value}`, ['"totalItems":-1', '"totalPages":-1', '{site}']),
    ),
    ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((value) =>
      list(`skipTotal=${value}`, ['"totalItems":2']),
    ),
    list('skipTotal=yes', [GENERIC], [], 400),
    list('page=1&page=x', ['"page":1']),
    list('unknown=1', ['"totalItems":2']),
    list(`filter=${q('name="nobody"')}`, ['"items":[]', '"totalItems":0', '"totalPages":0']),
  ])
})

describe('lists: filters', () => {
  const found = (filter: string) => list(`filter=${q(filter)}`, ['"id":"{site}"'])
  const empty = (filter: string) => list(`filter=${q(filter)}`, ['"items":[]'])
  const wrong = (filter: string) =>
    list(
      `filter=${q(filter)}`,
      [GENERIC, '"code":"validation_invalid_filter"', '"position":'],
      ['"items"'],
      400,
    )
  const locked = (filter: string) =>
    list(`filter=${q(filter)}`, ['Only superusers can filter by @'], ['"items"'], 403)
  run([
    found(`id="{site}"`),
    found(`name = 'Harbour Lane Quay'`),
    found(`'Harbour Lane Quay' = name`),
    found(`name != 'Mill Yard'`),
    found(`name ~ 'QUAY'`),
    found(`name ~ 'Harbour%Quay'`),
    empty(`name ~ 'Lane%'`),
    empty(`name ~ 'a_e'`),
    found(`name ~ 'L_ne%' || name ~ '%L_ne%'`),
    found(`name !~ 'yard'`),
    found(`latitude > 55.2 && latitude < 55.3`),
    found(`latitude >= 55.2044 && latitude <= 55.2044`),
    found(`longitude = -6.6531`),
    found(`vehicle_capacity = "2"`),
    empty(`vehicle_capacity = "two"`),
    empty(`vehicle_capacity = null`),
    found(`contact_phone = ""`),
    found(`contact_phone = null`),
    empty(`contact_phone != ''`),
    found(`status = "AVAILABLE" && (latitude = 0 || vehicle_capacity = 2)`),
    empty(`status = "AVAILABLE" && latitude = 0 && vehicle_capacity = 2`),
    found(`latitude = 99 || status = "AVAILABLE"`),
    found(`business.name = "Quay Hotels"`),
    found(`business.user = "{user}"`),
    found(`business.user.id = "{user}"`),
    found(`business.user.verified = true`),
    empty(`business.user.onboarded = true`),
    found(`photos:length = 1`),
    found(`photos:each ~ "front"`),
    empty(`photos:each ?= "nothing"`),
    found(`name:lower = "harbour lane quay"`),
    found(`connectors_via_site.kw_rating = 150`),
    found(`connectors_via_site.standard ?= "IEC_62196_T2_COMBO"`),
    list(`filter=${q('connectors_via_site.id = ""')}`, ['"id":"{second}"'], ['"id":"{site}"']),
    found(`created <= @now`),
    found(`created > "2020-01-01"`),
    empty(`created > "2999-01-01T10:00:00Z"`),
    found(`@year >= 2026`),
    found(`geoDistance(longitude, latitude, -6.65, 55.2) < 25`),
    empty(`geoDistance(longitude, latitude, 2.35, 48.85) < 25`),
    found(`strftime('%Y', created) = @year`),
    found(`1 = 1 // and nothing else`),
    found(`TRUE = true && NULL = ""`),
    list('filter=', ['"totalItems":2']),
    wrong(' '),
    wrong('name'),
    wrong('name ='),
    wrong('= 1'),
    wrong('name = 1 &&'),
    wrong('name = 1 2'),
    wrong('()'),
    wrong('(name = 1'),
    wrong('name = "x'),
    wrong('name == 1'),
    wrong('name LIKE "x"'),
    wrong('nothing = 1'),
    wrong('business.nothing = 1'),
    wrong('business.user.password = 1'),
    wrong('business.user.tokenKey = 1'),
    wrong('version = 1'),
    wrong('name.x = 1'),
    wrong('name:nothing = 1'),
    wrong('nothing(1) = 1'),
    wrong('geoDistance(1,2,3) < 1'),
    wrong('sites(business) = 1'),
    wrong(`name = "${'x'.repeat(3500)}"`),
    wrong(Array.from({ length: 201 }, () => 'id=1').join('||')),
    locked('@request.auth.id = "x"'),
    locked('name = "@collection.users.id"'),
  ])
})

describe('lists: sorts', () => {
  const first = (sort: string, id: string) =>
    list(`sort=${q(sort)}&perPage=1`, [`"id":"${id}"`, '"totalItems":2'])
  const wrong = (sort: string) =>
    list(`sort=${q(sort)}`, [GENERIC, '"code":"validation_invalid_sort"'], ['"items"'], 400)
  run([
    first('', '{site}'),
    first('created', '{site}'),
    first('-created,-id', '{second}'),
    first('@rowid', '{site}'),
    first('-@rowid', '{second}'),
    first('name', '{site}'),
    first('-name', '{second}'),
    first('+latitude', '{second}'),
    first(' -latitude ', '{site}'),
    first('business.name,-latitude', '{site}'),
    first('-connectors_via_site.kw_rating', '{second}'),
    list('sort=@random', ['"totalItems":2']),
    wrong('nothing'),
    wrong('name,,id'),
    wrong('-'),
    wrong('"x"'),
    wrong('@now'),
    wrong('business'.concat('.nothing')),
    wrong('id,id,id,id,id,id,id,id,id'),
  ])
})

describe('lists and single records: fields', () => {
  const one = (
    query: string,
    has: readonly string[],
    lacks: readonly string[] = [],
    status = 200,
  ): Scenario => ({
    name: `a business?${query}`,
    send: `GET ${API}/businesses/records/{business}?${query}`,
    headers: mine,
    status,
    has,
    lacks,
  })
  run([
    one(
      '',
      [
        '"id":"{business}"',
        '"collectionName":"businesses"',
        '"collectionId":"pbc_3548013948"',
        '"logo":""',
      ],
      ['version', 'expand', 'null'],
    ),
    one('fields=id', ['{"id":"{business}"}'], ['name']),
    one('fields=name,id', ['"name":"Quay Hotels"', '"id":'], ['created']),
    one('fields=*', ['"name":', '"created":']),
    one('fields=id:excerpt(2),created:excerpt(2)', ['"created":"20"']),
    one('fields=nothing', ['{}'], ['"id"']),
    one('fields=id,nothing', ['{"id":"{business}"}']),
    one('fields=name:excerpt(4)', ['{"name":"Quay"}']),
    one('fields=name:excerpt(4,true)', ['{"name":"Quay..."}']),
    one('fields=description:excerpt(50)', ['{"description":"A quiet place"}']),
    one('fields=name:foo', [GENERIC, 'validation_invalid_fields'], [], 400),
    one('fields=name:excerpt', [GENERIC], [], 400),
    one('expand=sites_via_business', ['"expand":{"sites_via_business":[{', '{second}']),
    one('expand=sites(business)', ['"expand":{"sites(business)":[{'], ['sites_via_business']),
    one('expand=sites(business).connectors(site)', [
      '"expand":{"connectors(site)":[{',
      '{connector}',
    ]),
    one('expand=user', ['"expand":{"user":{', '"id":"{user}"']),
    one('expand=user.businesses_via_user', ['"businesses_via_user":{"']),
    one('expand=nothing', ['"id":"{business}"'], ['"expand"']),
    one('expand=name', [], ['"expand"']),
    one('expand=user,user.nothing', [], ['"expand"']),
    one('expand=user,nothing', ['"expand":{"user":']),
    one('expand=%20user%20,', ['"expand":{"user":']),
    one('expand=connectors_via_site', [], ['"expand"']),
    one('expand=sites_via_business.business.sites_via_business', [GENERIC], [], 400),
    one('expand=user&fields=expand.user.id', ['{"expand":{"user":{"id":"{user}"}}}']),
    one('expand=user&fields=id', ['{"id":"{business}"}'], ['expand']),
    one(
      'expand=sites(business)&fields=id,expand.sites(business).name',
      ['"expand":{"sites(business)":[{"name":"Harbour Lane Quay"},{"name":"Mill Yard"}]}'],
      ['address'],
    ),
    one('expand=user&fields=*,expand.user.id', [
      '"name":"Quay Hotels"',
      '"expand":{"user":{"id":"{user}"}}',
    ]),
    list('fields=id&perPage=1', ['"items":[{"id":"{site}"}]', '"totalItems":2'], ['name']),
    list('expand=business&fields=expand.business.name', [
      '{"expand":{"business":{"name":"Quay Hotels"}}}',
    ]),
  ])
})

describe('collections and records by name', () => {
  const get = (name: string, path: string, status: number, has: readonly string[]): Scenario => ({
    name,
    send: `GET ${path}`,
    headers: mine,
    status,
    has,
  })
  run([
    get('by the name in another case', `${API}/SITES/records/{site}`, 200, ['"id":"{site}"']),
    get('by the id of the collection', `${API}/pbc_2001081480/records/{site}`, 200, [
      '"id":"{site}"',
    ]),
    get('by an encoded name', `${API}/%73ites/records/{site}`, 200, ['"id":"{site}"']),
    get('by the id in another case', `${API}/PBC_2001081480/records/{site}`, 404, [
      'Missing collection context.',
    ]),
    get('of no collection', `${API}/nothing/records/{site}`, 404, ['Missing collection context.']),
    get('a prototype', `${API}/constructor/records`, 404, ['Missing collection context.']),
    get('no such record', `${API}/sites/records/aaaaaaaaaaaaaaa`, 404, [MISSING]),
    get('an id that is none', `${API}/sites/records/x'%20or%201=1`, 404, [MISSING]),
    get('a foreign record', `${API}/sites/records/{foreign_site}`, 404, [MISSING]),
    get('a foreign business', `${API}/businesses/records/{foreign_business}`, 404, [MISSING]),
    get('a foreign connector', `${API}/connectors/records/{foreign_connector}`, 404, [MISSING]),
    get('another user', `${API}/users/records/{foreign_user}`, 404, [MISSING]),
    get('myself, with my address', `${API}/users/records/{user}`, 200, [
      '"email":"{email}"',
      '"verified":true',
    ]),
    get('superusers are locked', `${API}/_superusers/records`, 403, [
      'Only superusers can perform this action.',
    ]),
    get('health', '/api/health', 200, ['{"message":"API is healthy.","code":200,"data":{}}']),
    get('a slash behind', '/api/health/', 404, [MISSING]),
    get('an unknown path', '/api/nothing', 404, [MISSING]),
    get('a path too deep', `${API}/sites/records/{site}/more`, 404, [MISSING]),
  ])
})

describe('callers', () => {
  const ask = (
    name: string,
    authorization: string,
    status: number,
    has: readonly string[],
  ): Scenario => ({
    name,
    send: `GET ${API}/sites/records/{site}`,
    headers: { authorization },
    status,
    has,
  })
  run([
    ask('the token', '{token}', 200, ['"id":"{site}"']),
    ask('the token behind Bearer', 'Bearer {token}', 200, ['"id":"{site}"']),
    ask('the token behind bearer', 'bearer {token}', 200, ['"id":"{site}"']),
    ask('nonsense', 'nonsense', 404, [MISSING]),
    ask('the token and more', '{token}x', 404, [MISSING]),
    ask('a token without a signature', 'eyJhbGciOiJub25lIn0.eyJpZCI6IngifQ.', 404, [MISSING]),
    {
      name: 'a guest, a list',
      send: `GET ${API}/sites/records`,
      status: 200,
      has: ['"items":[]', '"totalItems":0'],
    },
    {
      name: 'a guest, a create',
      send: `POST ${API}/sites/records`,
      headers: { 'content-type': 'application/json' },
      body: siteBody('{business}'),
      status: 400,
      has: ['"message":"Failed to create record."', '"data":{}'],
    },
    {
      name: 'a guest, an update',
      send: `PATCH ${API}/sites/records/{site}`,
      body: { name: 'x' },
      status: 404,
      has: [MISSING],
    },
    {
      name: 'a guest, a delete',
      send: `DELETE ${API}/sites/records/{site}`,
      status: 404,
      has: [MISSING],
    },
    {
      name: 'a guest, a refresh',
      send: `POST ${API}/users/auth-refresh`,
      status: 401,
      has: ['The request requires valid record authorization token.'],
    },
    {
      name: 'a guest, a file token',
      send: 'POST /api/files/token',
      status: 401,
      has: ['"status":401'],
    },
    {
      name: 'a refresh',
      send: `POST ${API}/users/auth-refresh`,
      headers: json,
      status: 200,
      has: ['"token":"', '"record":{', '"id":"{user}"'],
      lacks: ['"meta"'],
    },
    {
      name: 'a refresh as another collection',
      send: `POST ${API}/_superusers/auth-refresh`,
      headers: json,
      status: 403,
      has: ['"status":403'],
    },
    {
      name: 'a refresh of a collection without sign-in',
      send: `POST ${API}/sites/auth-refresh`,
      headers: json,
      status: 404,
      has: ['Missing or invalid auth collection context.'],
    },
    {
      name: 'the auth methods',
      send: `GET ${API}/users/auth-methods`,
      status: 200,
      has: [
        '"oauth2":{"enabled":',
        '"password":{',
        '"mfa":{"enabled":false,"duration":0}',
        '"otp":{"enabled":false,"duration":0}',
      ],
    },
    {
      name: 'some of the auth methods',
      send: `GET ${API}/users/auth-methods?fields=mfa,otp`,
      status: 200,
      has: ['"mfa"', '"otp"'],
      lacks: ['oauth2', 'authProviders'],
    },
    {
      name: 'a part of one auth method',
      send: `GET ${API}/users/auth-methods?fields=password.enabled,oauth2.providers.name`,
      status: 200,
      has: ['{"password":{"enabled":true},"oauth2":{"providers":[{"name":"oidc"}]}}'],
    },
    {
      name: 'sign-in without values',
      send: `POST ${API}/users/auth-with-oauth2`,
      body: {},
      status: 400,
      has: [
        '"data":{"provider":{"code":"validation_required","message":"Cannot be blank."},"code":{"code":"validation_required"',
      ],
    },
    {
      name: 'sign-in by an unknown provider',
      send: `POST ${API}/users/auth-with-oauth2`,
      body: { provider: 'nobody', code: 'x', redirectURL: 'x' },
      status: 400,
      has: [
        'An error occurred while loading the submitted data.',
        '"validation_invalid_provider"',
        '"params":{"name":"nobody"}',
      ],
    },
    {
      name: 'sign-in with a wrong password',
      send: `POST ${API}/users/auth-with-password`,
      body: { identity: '{email}', password: 'wrong password' },
      status: 400,
      has: ['{"status":400,"message":"Failed to authenticate.","data":{}}'],
    },
    {
      name: 'sign-in to an unknown account',
      send: `POST ${API}/users/auth-with-password`,
      body: { identity: 'nobody@example.org', password: 'wrong password' },
      status: 400,
      has: ['{"status":400,"message":"Failed to authenticate.","data":{}}'],
    },
  ])
})

describe('refused writes', () => {
  const refused = (
    collection: string,
    id: string,
    name: string,
    value: unknown,
    code: string,
  ): Scenario => ({
    name: `${collection}.${name} = ${JSON.stringify(value)?.slice(0, 40)}`,
    send: `PATCH ${API}/${collection}/records/${id}`,
    headers: json,
    body: { [name]: value },
    status: 400,
    has: [
      '"message":"Failed to update record."',
      `"data":{"${name}":{"code":"${code}","message":"`,
    ],
  })
  const site = (name: string, value: unknown, code: string) =>
    refused('sites', '{site}', name, value, code)
  const connector = (name: string, value: unknown, code: string) =>
    refused('connectors', '{connector}', name, value, code)
  const business = (name: string, value: unknown, code: string) =>
    refused('businesses', '{business}', name, value, code)
  const user = (name: string, value: unknown, code: string) =>
    refused('users', '{user}', name, value, code)
  run([
    site('name', '', 'validation_required'),
    site('name', 'x'.repeat(201), 'validation_max_text_constraint'),
    site('address', '  ', 'validation_required'),
    site('address', 'x'.repeat(501), 'validation_max_text_constraint'),
    site('latitude', 91, 'validation_max_number_constraint'),
    site('latitude', -91, 'validation_min_number_constraint'),
    site('latitude', 'x', 'validation_not_a_number'),
    site('latitude', '7,4', 'validation_not_a_number'),
    site('longitude', 181, 'validation_max_number_constraint'),
    site('longitude', null, 'validation_required'),
    site('vehicle_capacity', 1.5, 'validation_only_int_constraint'),
    site('vehicle_capacity', 10_001, 'validation_max_number_constraint'),
    site('contact_email', 'x', 'validation_is_email'),
    site('contact_phone', 'x'.repeat(51), 'validation_max_text_constraint'),
    site('cost', 'x'.repeat(201), 'validation_max_text_constraint'),
    site('status', 'OPEN', 'validation_invalid_value'),
    site('status', 'CHARGING', 'validation_invalid_value'),
    site('id', 'aaaaaaaaaaaaaaa', 'validation_pk_change'),
    site('photos', ['nothing.jpg'], 'validation_invalid_file'),
    site('photos', [{ name: '{photo}' }], 'validation_invalid_file'),
    connector('standard', 'TYPE2', 'validation_invalid_value'),
    connector('format', '', 'validation_required'),
    connector('current_type', 'AC', 'validation_invalid_value'),
    connector('kw_rating', 0, 'validation_above_number_constraint'),
    connector('kw_rating', 4001, 'validation_max_number_constraint'),
    connector('kw_rating', 'x', 'validation_not_a_number'),
    business('name', 'x'.repeat(201), 'validation_max_text_constraint'),
    business('website', 'foo', 'validation_invalid_url'),
    business('contact_email', 'foo@', 'validation_is_email'),
    business('user', '{foreign_user}', 'validation_values_mismatch'),
    user('email', 'other@example.org', 'validation_values_mismatch'),
    user('verified', false, 'validation_values_mismatch'),
    {
      name: 'a second business',
      send: `POST ${API}/businesses/records`,
      headers: json,
      body: { user: '{user}', name: 'x' },
      status: 400,
      has: [
        '"message":"Failed to create record."',
        '"user":{"code":"validation_not_unique","message":"Value must be unique."}',
      ],
    },
    {
      name: 'a business for somebody else',
      send: `POST ${API}/businesses/records`,
      headers: json,
      body: { user: '{foreign_user}', name: 'x' },
      status: 400,
      has: ['"message":"Failed to create record."', '"data":{}'],
    },
    {
      name: 'a site below a foreign business',
      send: `POST ${API}/sites/records`,
      headers: json,
      body: siteBody('{foreign_business}'),
      status: 400,
      has: ['"data":{}'],
    },
    {
      name: 'a connector below a foreign site',
      send: `POST ${API}/connectors/records`,
      headers: json,
      body: connectorBody('{foreign_site}'),
      status: 400,
      has: ['"data":{}'],
    },
    {
      name: 'a site moved to a foreign business',
      send: `PATCH ${API}/sites/records/{site}`,
      headers: json,
      body: { business: '{foreign_business}' },
      status: 404,
      has: [MISSING],
    },
    {
      name: 'a foreign site changed',
      send: `PATCH ${API}/sites/records/{foreign_site}`,
      headers: json,
      body: { name: '' },
      status: 404,
      has: [MISSING],
    },
    {
      name: 'a foreign site deleted',
      send: `DELETE ${API}/sites/records/{foreign_site}`,
      headers: mine,
      status: 404,
      has: [MISSING],
    },
    {
      name: 'an id in use',
      send: `POST ${API}/sites/records`,
      headers: json,
      body: { ...siteBody('{business}'), id: '{site}' },
      status: 400,
      has: ['"id":{"code":"validation_not_unique"'],
    },
    {
      name: 'an id too short',
      send: `POST ${API}/sites/records`,
      headers: json,
      body: { ...siteBody('{business}'), id: 'abc' },
      status: 400,
      has: ['"id":{"code":"validation_min_text_constraint"', '"params":{"min":15}'],
    },
    {
      name: 'an id with other characters',
      send: `POST ${API}/sites/records`,
      headers: json,
      body: { ...siteBody('{business}'), id: 'ABCDEFGHIJKLMNO' },
      status: 400,
      has: ['"id":{"code":"validation_invalid_format"'],
    },
    {
      name: 'a user, by an owner',
      send: `POST ${API}/users/records`,
      headers: json,
      body: {},
      status: 403,
      has: ['Only superusers can perform this action.'],
    },
    {
      name: 'malformed JSON',
      send: `POST ${API}/sites/records`,
      headers: json,
      body: '{"name":',
      status: 400,
      has: [GENERIC],
    },
    {
      name: 'JSON that is not an object',
      send: `POST ${API}/sites/records`,
      headers: json,
      body: '[]',
      status: 400,
      has: [GENERIC],
    },
    {
      name: 'a body of another content type',
      send: `POST ${API}/sites/records`,
      headers: { ...mine, 'content-type': 'text/plain' },
      body: 'x',
      status: 400,
      has: ['"message":"Unsupported Content-Type."'],
    },
    {
      name: 'an unknown collection',
      send: `POST ${API}/nothing/records`,
      headers: json,
      body: {},
      status: 404,
      has: ['Missing or invalid collection context.'],
    },
    {
      name: 'PUT',
      send: `PUT ${API}/sites/records/{site}`,
      headers: json,
      body: {},
      status: 404,
      has: [MISSING],
    },
    {
      name: 'an older version',
      send: `PATCH ${API}/sites/records/{site}`,
      headers: { ...json, 'if-match': '"1-x"' },
      body: { name: 'x' },
      status: 412,
      has: ['"status":412'],
    },
    {
      name: 'an empty batch',
      send: 'POST /api/batch',
      headers: json,
      body: { requests: [] },
      status: 400,
      has: ['"message":"Invalid batch request data."', '"validation_required"'],
    },
    {
      name: 'a batch with a failing request',
      send: 'POST /api/batch',
      headers: json,
      body: {
        requests: [
          { method: 'PATCH', url: '/api/collections/sites/records/{foreign_site}', body: {} },
        ],
      },
      status: 400,
      has: [
        '"message":"Batch transaction failed."',
        '"0":{"code":"batch_request_failed"',
        '"status":404',
      ],
    },
  ])
})

describe('successful writes', () => {
  const change = (
    name: string,
    body: object,
    has: readonly string[],
    lacks: readonly string[] = [],
  ): Scenario => ({
    name,
    send: `PATCH ${API}/sites/records/{second}`,
    headers: json,
    body,
    status: 200,
    has: ['"id":"{second}"', 'etag: "', ...has],
    lacks,
  })
  run([
    change('nothing at all', {}, ['"name":"Mill Yard"']),
    change('one field, and no other', { cost: 'Free' }, [
      '"cost":"Free"',
      '"name":"Mill Yard"',
      '"latitude":0',
    ]),
    change('emptied', { cost: '' }, ['"cost":""']),
    change('numbers as text', { latitude: '-12.5' }, ['"latitude":-12.5']),
    change('0 is a value', { latitude: 0 }, ['"latitude":0,']),
    change('text from a number', { cost: 12 }, ['"cost":"12"']),
    change('text from null', { cost: null }, ['"cost":""']),
    change('trimmed', { cost: '  1 € ' }, ['"cost":"1 €"']),
    change('the alias', { vehicle: 7 }, ['"vehicle_capacity":7'], ['"vehicle":']),
    change('the name before the alias', { vehicle: 7, vehicle_capacity: 8 }, [
      '"vehicle_capacity":8',
    ]),
    change('added to', { 'vehicle_capacity+': 2 }, ['"vehicle_capacity":10']),
    change('taken from', { 'vehicle_capacity-': 4 }, ['"vehicle_capacity":6']),
    change(
      'unknown keys, and those of the server',
      { nothing: 1, created: 'x', collectionId: 'x', collectionName: 'x' },
      ['"collectionName":"sites"'],
      ['"nothing"'],
    ),
    change('its own id', { id: '{second}' }, []),
    change('each status of an owner', { status: 'OUTOFORDER' }, ['"status":"OUTOFORDER"']),
    change('a status in a list', { status: ['PLANNED', 'INOPERATIVE'] }, [
      '"status":"INOPERATIVE"',
    ]),
    change('a status in a list, then nothing', { status: ['PLANNED', '', null] }, [
      '"status":"PLANNED"',
    ]),
    change('a status in a list as text', { status: '["PLANNED","INOPERATIVE"]' }, [
      '"status":"INOPERATIVE"',
    ]),
    change('moved to the same parent', { business: '{business}' }, []),
    {
      ...change('some fields answered', { cost: 'Free' }, []),
      send: `PATCH ${API}/sites/records/{second}?fields=cost`,
      has: ['{"cost":"Free"}'],
      lacks: ['"id"'],
    },
    {
      ...change('with what it belongs to', {}, []),
      send: `PATCH ${API}/sites/records/{second}?expand=business`,
      has: ['"expand":{"business":{'],
    },
    {
      name: 'as a form',
      send: `PATCH ${API}/sites/records/{second}`,
      headers: { ...mine, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'cost=2+%E2%82%AC&vehicle=3',
      status: 200,
      has: ['"cost":"2 €"', '"vehicle_capacity":3'],
    },
    {
      name: 'a batch',
      send: 'POST /api/batch',
      headers: json,
      body: {
        requests: [
          {
            method: 'POST',
            url: '/api/collections/connectors/records',
            body: connectorBody('{second}'),
          },
        ],
      },
      status: 200,
      has: ['[{"body":{', '"status":200,"etag":"'],
    },
    {
      name: 'any version',
      send: `PATCH ${API}/sites/records/{second}`,
      headers: { ...json, 'if-match': '*' },
      body: {},
      status: 200,
      has: ['"id":"{second}"'],
    },
  ])
})

// As documented in docs/api.md.
describe('differences from PocketBase', () => {
  const email = `${API}/users/records?filter=${q('email = "{email}"')}`
  run([
    { name: 'own email', send: `GET ${email}`, headers: mine, status: 200, has: ['"id":"{user}"'] },
    list('page=3000000000', [GENERIC], [], 400),
    {
      name: 'several spaces after Bearer',
      send: `GET ${API}/sites/records/{site}`,
      headers: { authorization: 'Bearer    {token}' },
      status: 200,
      has: ['"id":"{site}"', 'charset=utf-8', 'etag: "'],
    },
    {
      name: 'a user, created by a guest',
      send: `POST ${API}/users/records`,
      headers: { 'content-type': 'application/json' },
      body: { email: 'new@example.org' },
      status: 403,
    },
    {
      name: 'text after the JSON',
      send: `PATCH ${API}/sites/records/{site}`,
      headers: json,
      body: '{"cost":"9"} and more',
      status: 400,
      has: [GENERIC],
    },
    {
      name: 'a method in lower case, and somebody else’s id',
      send: 'POST /api/batch',
      headers: json,
      body: {
        requests: [
          {
            method: 'put',
            url: '/api/collections/sites/records',
            body: { ...siteBody('{business}'), id: '{foreign_site}' },
          },
        ],
      },
      status: 400,
      has: ['"id":{"code":"validation_not_unique"'],
    },
    {
      name: 'the list of providers of an account',
      send: `GET ${API}/_externalAuths/records`,
      headers: mine,
      status: 404,
    },
    { name: 'no administration', send: 'GET /api/collections', headers: mine, status: 404 },
  ])
})

describe('files', () => {
  const file = (
    name: string,
    path: string,
    status: number,
    has: readonly string[],
    headers: Record<string, string> = {},
  ): Scenario => ({
    name,
    send: `GET /api/files/${path}`,
    headers,
    status,
    has,
  })
  const here = 'sites/{site}/{photo}'
  run([
    file('by whoever knows the name', here, 200, [
      'content-type: image/jpeg',
      'x-content-type-options: nosniff',
      'cache-control: public, max-age=31536000, immutable',
      'sandbox',
    ]),
    file('by the id of the collection', 'pbc_2001081480/{site}/{photo}', 200, [
      'content-type: image/jpeg',
    ]),
    file('a thumbnail', `${here}?thumb=100x100`, 200, ['content-type: image/jpeg']),
    file('a thumbnail of no declared size', `${here}?thumb=99x99`, 200, [
      'content-type: image/jpeg',
    ]),
    file('to be saved', `${here}?download=1`, 200, [
      'content-disposition: attachment; filename={photo}',
    ]),
    file('a part', here, 206, ['content-range: bytes 0-3/'], { range: 'bytes=0-3' }),
    file('beyond its end', here, 416, ['content-range: bytes */'], { range: 'bytes=9999999-' }),
    file('of another record', 'sites/{second}/{photo}', 404, [MISSING]),
    file('of no record', 'sites/aaaaaaaaaaaaaaa/{photo}', 404, [MISSING]),
    file('of a collection without files', 'connectors/{connector}/{photo}', 404, [MISSING]),
    file('of an unknown collection', 'nothing/{site}/{photo}', 404, [
      'Missing or invalid collection context.',
    ]),
    file('a path', 'sites/{site}/..%2F..%2Fserver.json', 404, [MISSING]),
    {
      name: 'a token for files',
      send: 'POST /api/files/token',
      headers: json,
      status: 200,
      has: ['{"token":"'],
    },
  ])
})
