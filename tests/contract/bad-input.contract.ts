import { describe, expect, test } from 'vitest'

import { businesses as businessCollection } from '#domain/business.ts'
import { IMPORT_API } from '#domain/import-paths.ts'
import { API } from '#domain/paths.ts'
import { sites as siteCollection } from '#domain/site.ts'

import { makeNoise, makePhoto, makePixelBomb } from '../support/images.ts'
import { connectorBody, newOwnerWithSite, siteBody } from '../support/owner.ts'
import { withStack } from '../support/fixtures.ts'

// For any input, the response has the documented shape and is never a 500, and nothing is stored.

const stack = await withStack()
const owner = await newOwnerWithSite(stack.url)

const count = async (): Promise<unknown> => {
  const [row] = await stack.sql`
    select (select count(*) from businesses) b, (select count(*) from sites) s,
      (select count(*) from connectors) c, (select max(version) from sites) v`
  return row
}

const refused = async (
  attempt: () => Promise<unknown>,
  data: Record<string, unknown>,
  status = 400,
) => {
  const before = await count()
  const error = await attempt().then(
    () => expect.fail('it was accepted'),
    (reason: { status: number; response: Record<string, unknown> }) => reason,
  )
  expect(error.status).toBe(status)
  expect(Object.keys(error.response).toSorted()).toEqual(['data', 'message', 'status'])
  expect(error.response).toMatchObject({ status, data })
  expect(await count()).toEqual(before)
}

const create = (collection: string, body: Record<string, unknown>) =>
  owner.client.collection(collection).create(body)

describe('sites: every limit, on create and on update', () => {
  const long = (length: number) => 'é'.repeat(length)
  const rows: readonly [string, unknown, string, Record<string, unknown>?][] = [
    ['name', '', 'validation_required'],
    ['name', '   ', 'validation_required'],
    ['name', null, 'validation_required'],
    ['name', '\u200b\u2060\ufeff', 'validation_required'],
    ['country', 'ZZZ', 'validation_invalid_format'],
    [
      'name',
      long(siteCollection.fields.name.max + 1),
      'validation_max_text_constraint',
      { max: 200 },
    ],
    ['name', 'a\u0000b', 'validation_invalid_format'],
    ['name', 'a\ud800', 'validation_invalid_format'],
    ['address', '', 'validation_required'],
    [
      'address',
      long(siteCollection.fields.address.max + 1),
      'validation_max_text_constraint',
      { max: 500 },
    ],
    ['latitude', '', 'validation_required'],
    ['latitude', 90.000_001, 'validation_max_number_constraint', { max: 90 }],
    ['latitude', -90.1, 'validation_min_number_constraint', { min: -90 }],
    ['latitude', 'north', 'validation_not_a_number'],
    ['latitude', '7,4', 'validation_not_a_number'],
    ['latitude', 'Infinity', 'validation_not_a_number'],
    ['latitude', 'nan', 'validation_not_a_number'],
    ['latitude', '0x10', 'validation_not_a_number'],
    ['latitude', [1], 'validation_not_a_number'],
    ['latitude', { a: 1 }, 'validation_not_a_number'],
    ['longitude', 180.5, 'validation_max_number_constraint', { max: 180 }],
    ['longitude', -181, 'validation_min_number_constraint', { min: -180 }],
    ['contact_email', 'nobody', 'validation_is_email'],
    ['contact_email', 'a@b', 'validation_is_email'],
    ['contact_email', '.a@b.de', 'validation_is_email'],
    ['contact_email', 'a..b@c.de', 'validation_is_email'],
    ['contact_email', 'a.@b.de', 'validation_is_email'],
    ['contact_email', 'a@-b.de', 'validation_is_email'],
    ['contact_email', 'a@b..de', 'validation_is_email'],
    ['contact_phone', long(51), 'validation_max_text_constraint', { max: 50 }],
    ['cost', long(201), 'validation_max_text_constraint', { max: 200 }],
    ['vehicle_capacity', 1.5, 'validation_only_int_constraint'],
    ['vehicle_capacity', -1, 'validation_min_number_constraint', { min: 0 }],
    ['vehicle_capacity', 10_001, 'validation_max_number_constraint', { max: 10_000 }],
    ['vehicle_capacity', 'many', 'validation_not_a_number'],
    ['status', 'OPEN', 'validation_invalid_value', { value: 'OPEN' }],
    ['status', 'CHARGING', 'validation_invalid_value', { value: 'CHARGING' }],
    ['status', '', 'validation_required'],
    ['photos', ['not-there.png'], 'validation_invalid_file', { invalidFiles: ['not-there.png'] }],
  ]
  test.each(rows)('%s = %j', async (name, value, code, params) => {
    const expected = { [name]: { code, message: expect.any(String), ...(params && { params }) } }
    await refused(
      () => create('sites', { ...siteBody(owner.business.id), [name]: value }),
      expected,
    )
    await refused(
      () => owner.client.collection('sites').update(owner.site.id, { [name]: value }),
      expected,
    )
  })

  test('a status of null is refused and changes nothing', async () => {
    const site = await create('sites', { ...siteBody(owner.business.id), status: 'PLANNED' })
    const error = { code: 'validation_required', message: 'Cannot be blank.' }
    const sites = owner.client.collection('sites')
    await refused(() => sites.update(site.id, { status: null }), { status: error })
    const batch = owner.client.createBatch()
    batch.collection('sites').upsert({ ...siteBody(owner.business.id), id: site.id, status: null })
    await expect(batch.send()).rejects.toMatchObject({
      response: { data: { requests: { 0: { response: { data: { status: error } } } } } },
    })
    expect(await sites.getOne(site.id)).toMatchObject({ status: 'PLANNED' })
    // A new site has no status yet.
    expect(await create('sites', { ...siteBody(owner.business.id), status: null })).toMatchObject({
      status: 'AVAILABLE',
    })
  })

  test.each([null, ''])('a field with a default cannot be emptied with %j', async (nothing) => {
    const error = { code: 'validation_required', message: 'Cannot be blank.' }
    const { client, business } = await newOwnerWithSite(stack.url)
    const businesses = client.collection('businesses')
    await refused(() => businesses.update(business.id, { licence: nothing }), { licence: error })
    expect(await businesses.getOne(business.id)).toMatchObject({ licence: 'CC-BY-4.0' })
    await client.collection('businesses').delete(business.id)
    const again = { name: 'Quay', user: business['user'] as string, licence: nothing }
    expect(await businesses.create(again)).toMatchObject({ licence: 'CC-BY-4.0' })
    const sites = owner.client.collection('sites')
    await refused(() => sites.update(owner.site.id, { published: nothing }), { published: error })
  })

  test('opening hours with a misspelt key are refused', async () => {
    const period = { period_begin: '2026-12-24T22:00:00Z', period_end: '2026-12-25T22:00:00Z' }
    const span = { weekday: 1, period_begin: '08:00', period_end: '18:00' }
    for (const hours of [
      { twentyfourseven: true, exceptional_closing: [period] },
      { twentyfourseven: false, regular_hours: [{ ...span, weekdays: 2 }] },
      { twentyfourseven: true, exceptional_closings: [{ ...period, reason: 'x' }] },
    ])
      await expect(
        owner.client.collection('sites').update(owner.site.id, { opening_hours: hours }),
      ).rejects.toMatchObject({
        response: { data: { opening_hours: { code: 'validation_json_shape' } } },
      })
  })

  test('values at the limit are accepted', async () => {
    const site = await create('sites', {
      ...siteBody(owner.business.id),
      name: '🔌'.repeat(siteCollection.fields.name.max),
      latitude: -90,
      longitude: 180,
      vehicle_capacity: 10_000,
    })
    expect(site['vehicle_capacity']).toBe(10_000)
    await owner.client.collection('sites').delete(site.id)
  })

  test('all fields are reported together', async () => {
    await refused(() => create('sites', { business: owner.business.id }), {
      name: { code: 'validation_required', message: 'Cannot be blank.' },
      address: { code: 'validation_required' },
      latitude: { code: 'validation_required' },
      longitude: { code: 'validation_required' },
    })
  })

  test('an owner may keep, but not set, a status that is reserved for machines', async () => {
    await stack.sql`update sites set status = 'CHARGING' where id = ${owner.site.id}`
    const sites = owner.client.collection('sites')
    expect(await sites.update(owner.site.id, { status: 'CHARGING', cost: 'Free' })).toMatchObject({
      status: 'CHARGING',
    })
    await refused(() => sites.update(owner.site.id, { status: 'RESERVED' }), {
      status: { code: 'validation_invalid_value' },
    })
  })
})

describe('connectors', () => {
  const rows: readonly [string, unknown, string][] = [
    ['standard', 'TYPE_2', 'validation_invalid_value'],
    ['standard', 'IEC_60309_2_THREE_32', 'validation_invalid_value'],
    ['standard', '', 'validation_required'],
    ['format', 'PLUG', 'validation_invalid_value'],
    ['format', null, 'validation_required'],
    ['current_type', 'AC', 'validation_invalid_value'],
    ['current_type', '', 'validation_required'],
    ['kw_rating', 0, 'validation_above_number_constraint'],
    ['kw_rating', -1, 'validation_above_number_constraint'],
    ['kw_rating', 4000.1, 'validation_max_number_constraint'],
    ['kw_rating', '', 'validation_required'],
    ['kw_rating', 'fast', 'validation_not_a_number'],
  ]
  test.each(rows)('%s = %j', async (name, value, code) => {
    const expected = { [name]: { code } }
    await refused(
      () => create('connectors', { ...connectorBody(owner.site.id), [name]: value }),
      expected,
    )
    await refused(
      () => owner.client.collection('connectors').update(owner.connector.id, { [name]: value }),
      expected,
    )
  })
})

describe('businesses', () => {
  const rows: readonly [string, unknown, string][] = [
    ['name', 'x'.repeat(businessCollection.fields.name.max + 1), 'validation_max_text_constraint'],
    [
      'description',
      'x'.repeat(businessCollection.fields.description.max + 1),
      'validation_max_text_constraint',
    ],
    ['website', 'foo', 'validation_invalid_url'],
    ['website', 'http//x', 'validation_invalid_url'],
    ['website', 'javascript:alert(1)', 'validation_invalid_url'],
    ['contact_email', 'me@', 'validation_is_email'],
  ]
  test.each(rows)('%s = %j', async (name, value, code) => {
    const businesses = owner.client.collection('businesses')
    await refused(() => businesses.update(owner.business.id, { [name]: value }), {
      [name]: { code },
    })
  })

  test.each(['example.com', 'http://localhost:3000/x', 'https://münchen.example/ä?q=1'])(
    'website %s is valid',
    async (website) => {
      const businesses = owner.client.collection('businesses')
      expect(await businesses.update(owner.business.id, { website })).toMatchObject({ website })
    },
  )

  test.each(['info@bäckerei.de', "jürgen.o'neill+ev@example.org", 'सेवा@उदाहरण.भारत'])(
    'address %s is valid',
    async (contact_email) => {
      const saved = owner.client.collection('businesses')
      expect(await saved.update(owner.business.id, { contact_email })).toMatchObject({
        contact_email,
      })
    },
  )

  test('a second business is refused', async () => {
    await refused(() => create('businesses', { name: 'Another', user: owner.id }), {
      user: { code: 'validation_not_unique', message: 'Value must be unique.' },
    })
  })
})

describe('ids', () => {
  test.each([
    ['short', 'validation_min_text_constraint'],
    ['muchlongerthan15', 'validation_max_text_constraint'],
    ['UPPERCASE_IDS__', 'validation_invalid_format'],
  ])('%s', async (id, code) => {
    await refused(() => create('sites', { ...siteBody(owner.business.id), id }), { id: { code } })
  })

  test('an id cannot be changed', async () => {
    await refused(
      () => owner.client.collection('sites').update(owner.site.id, { id: 'a23456789012345' }),
      {
        id: { code: 'validation_pk_change' },
      },
    )
  })
})

describe('files', () => {
  const add = (photo: File) =>
    owner.client.collection('sites').update(owner.site.id, { photos: [photo] })

  test('a text file named .png', async () => {
    const file = new File(['just words'], 'words.png', { type: 'image/png' })
    await refused(() => add(file), {
      photos: {
        code: 'validation_invalid_mime_type',
        message: expect.stringContaining('image/jpeg'),
      },
    })
  })

  test.each(['svg', 'html', 'tiff', 'torn'])('%s with the name of a picture', async (kind) => {
    const whole = await makePhoto('whole.jpg', { width: 2000, height: 1500 })
    const files: Record<string, File> = {
      svg: new File(['<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'], 'a.png'),
      html: new File(['<html><script>alert(1)</script>'], 'a.jpg'),
      tiff: await makePhoto('a.jpg', { type: 'tiff' }),
      torn: new File([(await whole.arrayBuffer()).slice(0, 3000)], 'a.jpg'),
    }
    await refused(() => add(files[kind] as File), {
      photos: { code: 'validation_invalid_mime_type' },
    })
  })

  test.each(['jpeg', 'png', 'gif', 'webp', 'avif'] as const)('a truncated %s', async (type) => {
    const whole = await makePhoto('whole', { type, width: 600, height: 450 })
    const torn = new File([(await whole.arrayBuffer()).slice(0, whole.size * 0.6)], 'torn')
    await refused(() => add(torn), { photos: { code: 'validation_invalid_mime_type' } })
  })

  test('an image over the pixel limit', async () => {
    await refused(async () => add(await makePixelBomb('large.png')), {
      photos: { code: 'validation_image_pixel_limit', params: { maxPixels: 50_000_000 } },
    })
  })

  test('a photo over 20 MiB and a logo over 5 MiB', async () => {
    await refused(() => add(makeNoise('large.jpg', siteCollection.fields.photos.maxBytes + 1)), {
      photos: {
        code: 'validation_file_size_limit',
        params: { file: 'large.jpg', maxSize: siteCollection.fields.photos.maxBytes },
      },
    })
    const logo = makeNoise('logo.jpg', businessCollection.fields.logo.maxBytes + 1)
    await refused(() => owner.client.collection('businesses').update(owner.business.id, { logo }), {
      logo: { code: 'validation_file_size_limit' },
    })
  })

  test('a 21st photo', async () => {
    const { client, site } = await newOwnerWithSite(stack.url)
    const photos = await Promise.all(
      Array.from({ length: siteCollection.fields.photos.maxCount + 1 }, (_, i) =>
        makePhoto(`p${i}.jpg`, { width: 8, height: 8 }),
      ),
    )
    const update = (body: object) => client.collection('sites').update(site.id, body)
    await refused(() => update({ photos }), {
      photos: { code: 'validation_too_many_files', params: { maxSelect: 20 } },
    })
    expect((await update({ photos: photos.slice(0, 20) }))['photos']).toHaveLength(20)
    await refused(() => update({ photos: photos.slice(20) }), {
      photos: { code: 'validation_too_many_files' },
    })
  })
})

describe('requests', () => {
  const send = async (
    path: string,
    init: RequestInit = {},
    headers: Record<string, string> = {},
  ) => {
    const answer = await fetch(`${stack.url}${path}`, {
      ...init,
      headers: { authorization: owner.client.authStore.token, ...headers },
    })
    return { status: answer.status, body: await answer.text() }
  }
  const json = { 'content-type': 'application/json' }
  const generic = 'Something went wrong while processing your request.'
  const records = '/api/collections/sites/records'

  test.each<[string, string, RequestInit, Record<string, string>, number, string]>([
    ['malformed JSON', records, { method: 'POST', body: '{"name":' }, json, 400, generic],
    ['JSON that is no object', records, { method: 'POST', body: '[1]' }, json, 400, generic],
    [
      'JSON in another encoding',
      records,
      { method: 'POST', body: Buffer.from('{"cost":"\u00e9"}', 'latin1') },
      { 'content-type': 'application/json; charset=iso-8859-1' },
      400,
      'Unsupported Content-Type.',
    ],
    ...['application/json', 'application/x-www-form-urlencoded; charset=utf-8'].map(
      (type): [string, string, RequestInit, Record<string, string>, number, string] => [
        `a body that is not UTF-8, as ${type}`,
        records,
        { method: 'POST', body: Buffer.from('{"cost":"\u00e9"}', 'latin1') },
        { 'content-type': type },
        400,
        'The body is not UTF-8.',
      ],
    ),
    [
      'a text body',
      records,
      { method: 'POST', body: 'x' },
      { 'content-type': 'text/plain' },
      400,
      'Unsupported Content-Type.',
    ],
    [
      'multipart without a boundary',
      records,
      { method: 'POST', body: 'x' },
      { 'content-type': 'multipart/form-data' },
      400,
      generic,
    ],
    [
      'truncated multipart',
      records,
      { method: 'POST', body: '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nabc' },
      { 'content-type': 'multipart/form-data; boundary=x' },
      400,
      generic,
    ],
    [
      'a malformed JSON payload',
      records,
      {
        method: 'POST',
        body: '--x\r\nContent-Disposition: form-data; name="@jsonPayload"\r\n\r\n{"a\r\n--x--\r\n',
      },
      { 'content-type': 'multipart/form-data; boundary=x' },
      400,
      generic,
    ],
    [
      'an unknown collection, read',
      '/api/collections/cars/records',
      {},
      {},
      404,
      'Missing collection context.',
    ],
    [
      'an unknown collection, written',
      '/api/collections/cars/records',
      { method: 'POST', body: '{}' },
      json,
      404,
      'Missing or invalid collection context.',
    ],
    [
      'a file of an unknown collection',
      '/api/files/cars/a/b.png',
      {},
      {},
      404,
      'Missing or invalid collection context.',
    ],
    ['an unknown route', '/api/nothing', {}, {}, 404, "The requested resource wasn't found."],
    [
      'a method that is not offered',
      records,
      { method: 'PUT', body: '{}' },
      json,
      404,
      "The requested resource wasn't found.",
    ],
    ['a trailing slash', '/api/health/', {}, {}, 404, "The requested resource wasn't found."],
    ['an id with a NUL', `${records}/a%00b`, {}, {}, 404, "The requested resource wasn't found."],
    ['an id that cannot be decoded', `${records}/%E0%A4%A`, {}, {}, 400, generic],
    [
      'a deeply nested value',
      records,
      { method: 'POST', body: `{"name":${'['.repeat(20_000)}${']'.repeat(20_000)}}` },
      json,
      400,
      'Failed to create record.',
    ],
    [
      'a number of many digits',
      records,
      { method: 'POST', body: `{"latitude":"${'1'.repeat(80_000)}x"}` },
      json,
      400,
      'Failed to create record.',
    ],
    [
      'more form fields than any form has',
      records,
      { method: 'POST', body: 'a&'.repeat(40_000) },
      { 'content-type': 'application/x-www-form-urlencoded' },
      413,
      'Request entity too large.',
    ],
    [
      'a file part without a name',
      records,
      {
        method: 'POST',
        body: '--x\r\nContent-Disposition: form-data; filename="a.png"\r\n\r\nabc\r\n--x--\r\n',
      },
      { 'content-type': 'multipart/form-data; boundary=x' },
      400,
      'Failed to create record.',
    ],
    ['fields nested deep', `${records}?fields=${'a.'.repeat(2000)}a`, {}, {}, 400, generic],
    [
      'the same back relation twice on one path',
      `/api/collections/businesses/records?expand=sites_via_business.business.sites_via_business`,
      {},
      {},
      400,
      generic,
    ],
    [
      'all sites of the business of each site',
      `${records}?expand=business.sites_via_business`,
      {},
      {},
      400,
      generic,
    ],
    [
      'all sites with the price of each site of a business',
      '/api/collections/businesses/records?expand=sites_via_business.tariff.sites_via_tariff',
      {},
      {},
      400,
      generic,
    ],
    [
      'all sites of the account of each connector',
      '/api/collections/connectors/records?expand=site.business.user.businesses_via_user.sites_via_business',
      {},
      {},
      400,
      generic,
    ],
    ['a page that is not a number', `${records}?page=a`, {}, {}, 400, generic],
    ['a page beyond integers', `${records}?page=99999999999`, {}, {}, 400, generic],
    ['a fractional perPage', `${records}?perPage=1.5`, {}, {}, 400, generic],
    ['a skipTotal that is not a boolean', `${records}?skipTotal=maybe`, {}, {}, 400, generic],
    ['a sort by an unknown field', `${records}?sort=nope`, {}, {}, 400, generic],
    ['a sort by a property of the prototype', `${records}?sort=constructor`, {}, {}, 400, generic],
    ['fields with a modifier that is none', `${records}?fields=name:foo`, {}, {}, 400, generic],
    [
      'sign-in to a collection without it',
      '/api/collections/sites/auth-methods',
      {},
      {},
      404,
      'Missing or invalid auth collection context.',
    ],
    [
      'a filter by a locked name',
      `${records}?filter=${encodeURIComponent('@request.auth.id != ""')}`,
      {},
      {},
      403,
      'Only superusers can filter by @request.',
    ],
  ])('%s', async (_name, path, init, headers, status, message) => {
    const before = await count()
    const answer = await send(path, init, headers)
    expect(answer.status).toBe(status)
    expect(JSON.parse(answer.body)).toMatchObject({ status, message, data: expect.any(Object) })
    expect(await count()).toEqual(before)
  })

  test.each([
    ['name', 4],
    ['name =', 6],
    ['name = "x', 7],
    ['name = "x" && ', 14],
    ['(name = "x"', 11],
    ['nope = 1', 0],
    ['name = "x" name = "y"', 11],
    ['name ?= "x"; drop table sites', 11],
    ['business.nope = 1', 0],
    [`${'('.repeat(70)}name = 1`, 65],
  ])('filter %s reports an error at character %i', async (filter, position) => {
    const { status, body } = await send(`${records}?filter=${encodeURIComponent(filter)}`)
    expect(status).toBe(400)
    expect(JSON.parse(body)).toMatchObject({
      message: generic,
      data: { filter: { code: 'validation_invalid_filter', params: { position } } },
    })
  })

  test('a body over the limit', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(65 * 1024 * 1024) })
    const answer = await send(records, { method: 'POST', body }, json)
    expect(answer.status).toBe(413)
    expect(JSON.parse(answer.body)).toEqual({
      status: 413,
      message: 'Request entity too large.',
      data: {},
    })
  })

  test.each(['of a stated length', 'of no stated length'])(
    'a multipart body over the limit, %s',
    async (kind) => {
      const before = await count()
      const form = new FormData()
      for (const name of ['a', 'b', 'c', 'd'])
        form.append('photos', makeNoise(`${name}.jpg`, 17 * 1024 * 1024))
      const encoded = new Response(form)
      const type = encoded.headers.get('content-type') ?? ''
      const answer = await send(
        `${records}/${owner.site.id}`,
        kind === 'of a stated length'
          ? { method: 'PATCH', body: form }
          : ({ method: 'PATCH', body: encoded.body, duplex: 'half' } as RequestInit),
        kind === 'of a stated length' ? {} : { 'content-type': type },
      )
      expect(answer.status).toBe(413)
      expect(await count()).toEqual(before)
    },
  )

  test.each([
    ['a record', records, 512 * 1024],
    ['an import', IMPORT_API.imports, 3 * 1024 * 1024],
  ])('texts in a form of %s that are over the limit only together', async (_, path, bytes) => {
    const form = new FormData()
    for (const name of ['a', 'b', 'c']) form.append(name, 'x'.repeat(bytes))
    expect((await send(path, { method: 'POST', body: form })).status).toBe(413)
  })

  test('more values of JSON than any request has', async () => {
    const many = `{"name":[${'[],'.repeat(600_000)}1]}`
    const form = new FormData()
    form.append('@jsonPayload', many)
    expect((await send(records, { method: 'POST', body: many }, json)).status).toBe(413)
    expect((await send(API.batch, { method: 'POST', body: form })).status).toBe(413)
    // Signs in a text are no values.
    const text = JSON.stringify({ text: `name,address\n${'"a","[{"\n'.repeat(200_000)}` })
    expect((await send(IMPORT_API.imports, { method: 'POST', body: text }, json)).status).toBe(200)
  })

  test('unknown keys are ignored, and dangerous ones are harmless', async () => {
    const site = await create('sites', {
      ...siteBody(owner.business.id),
      created: '1999-01-01 00:00:00.000Z',
      collectionName: 'users',
      nothing: 1,
      constructor: 'x',
    })
    expect(site).toMatchObject({ collectionName: 'sites' })
    expect(String(site['created'])).not.toContain('1999')
    const answer = await send(records, { method: 'POST', body: '{"__proto__":{"a":1}}' }, json)
    expect(answer.status).toBe(400)
  })
})

describe('values that the database cannot store get a 400', () => {
  const cursor = (kind: string, key: number) =>
    Buffer.from(JSON.stringify([kind, key, 'a'.repeat(15)])).toString('base64url')
  const nines = '9'.repeat(308)
  test.each<[string, string, object?]>([
    ['GET', '/api/public/suggest?q=abc%00'],
    ['GET', '/api/public/sites?q=abc%00'],
    ['GET', `/api/public/sites?bbox=-10,50,0,60&cursor=${cursor('box', 0.5)}`],
    ['GET', `/api/public/sites?bbox=-10,50,0,60&cursor=${cursor('box', 1e300)}`],
    ['GET', `/api/public/sites?near=55,-6&cursor=${cursor('near', 1e308)}`],
    [
      'GET',
      `/api/collections/sites/records?filter=geoDistance(-${nines},${nines},${nines},-${nines})<1`,
    ],
    ['POST', '/api/imports/%00/run'],
    ['PATCH', '/api/imports/%00', { missing: 'REMOVE' }],
    ['POST', '/api/feeds/%00/read'],
  ])('%s %s', async (method, path, body) => {
    const answer = await fetch(stack.url + path, {
      method,
      headers: { authorization: owner.client.authStore.token, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    expect([answer.status, await answer.json()]).toMatchObject([400, { status: 400 }])
  })

  const url = 'https://example.org/a'
  const long = 'x'.repeat(4097)
  test.each<[string, string, string, object]>([
    ['POST', '/api/feeds', 'token', { name: 'A', url, token: 'a\0b' }],
    ['PUT', '/api/feeds/aaaaaaaaaaaaaaa/token', 'token', { token: 'a\0b' }],
    ['PUT', '/api/feeds/aaaaaaaaaaaaaaa/token', 'token', { token: 'a\ud800' }],
    ['POST', '/api/imports', 'token', { url, token: 'a\0b' }],
    ['POST', '/api/imports', 'token', { url, token: long }],
    ['PATCH', '/api/imports/aaaaaaaaaaaaaaa', 'where', { included: true, where: { name: '\0' } }],
  ])('%s %s: an error of "%s"', async (method, path, field, body) => {
    await expect(owner.client.send(path, { method, body })).rejects.toMatchObject({
      status: 400,
      response: { data: { [field]: { code: 'validation_json_shape' } } },
    })
  })
})
