import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { RecordModel } from 'pocketbase'
import { beforeEach, describe, expect, test } from 'vitest'

import { makePhoto } from '../support/images.ts'
import { connectorBody, newOwner, newOwnerWithSite, siteBody } from '../support/owner.ts'
import { expectScenario, formOf, type Scenario } from '../support/scenario.ts'
import { withStack } from '../support/fixtures.ts'

// Modifiers in writes: record interface 2.1 to 2.4, 9.1 and 9.2.

const stack = await withStack()
const owner = await newOwnerWithSite(stack.url)
const known: Record<string, string> = {
  token: owner.client.authStore.token,
  business: owner.business.id,
  site: owner.site.id,
  connector: owner.connector.id,
}

const SITES = '/api/collections/sites/records'
const SITE = `PATCH ${SITES}/{site}`
const headers = { authorization: '{token}' }
const urlencoded = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }
const site = siteBody('{business}')

describe('numbers, from a capacity of 10 and a latitude of 50', () => {
  beforeEach(async () => {
    await stack.sql`
      update sites set vehicle_capacity = 10, latitude = 50, name = 'Before', cost = 'Free'
      where id = ${owner.site.id}`
  })
  const capacity = (value: number): readonly string[] => [`"vehicle_capacity":${value},`]
  const refused = (field: string, code: string): Partial<Scenario> => ({
    status: 400,
    has: ['"message":"Failed to update record."', `"data":{"${field}":{"code":"${code}"`],
  })
  const rows: readonly Scenario[] = [
    ...(
      [
        ['adds', { 'vehicle_capacity+': 5 }, 15],
        ['subtracts', { 'vehicle_capacity-': 3 }, 7],
        ['both apply', { 'vehicle_capacity+': 5, 'vehicle_capacity-': 1 }, 14],
        ['a plain value comes first', { 'vehicle_capacity+': 5, vehicle_capacity: 1 }, 6],
        ['numbers as text', { 'vehicle_capacity+': '5', 'vehicle_capacity-': ' 1 ' }, 14],
        ['a negative amount', { 'vehicle_capacity+': -4 }, 6],
        ['nothing', { 'vehicle_capacity+': null, 'vehicle_capacity-': '' }, 10],
        ['by the alias', { 'vehicle+': 2, 'vehicle-': 1 }, 11],
        ['the name wins over the alias', { 'vehicle+': 2, 'vehicle_capacity+': 1 }, 11],
        ['an unknown modifier', { '+vehicle_capacity': 5, 'vehicle_capacity++': 5 }, 10],
      ] as const
    ).map(([name, body, value]) => ({
      name,
      send: SITE,
      headers,
      body,
      status: 200,
      has: capacity(value),
      lacks: ['"vehicle"', 'vehicle_capacity+'],
    })),
    {
      name: 'decimals are not rounded',
      send: SITE,
      headers,
      body: { 'latitude+': 0.1, 'latitude-': 0.2 },
      status: 200,
      has: [`"latitude":${50 + 0.1 - 0.2},`],
    },
    ...(
      [
        ['above the limit', 'vehicle_capacity', { 'vehicle_capacity+': 9991 }, 'max_number'],
        ['below the limit', 'vehicle_capacity', { 'vehicle_capacity-': 11 }, 'min_number'],
        ['beyond the pole', 'latitude', { 'latitude+': 41 }, 'max_number'],
        ['not an integer', 'vehicle_capacity', { 'vehicle_capacity+': 0.5 }, 'only_int'],
      ] as const
    ).map(([name, field, body, code]) => ({
      name: `refused: ${name}`,
      send: SITE,
      headers,
      body,
      ...refused(field, `validation_${code}_constraint`),
      status: 400,
    })),
    ...(
      [
        ['a word', { 'vehicle_capacity+': 'many' }],
        ['a list', { 'vehicle_capacity+': [1] }],
        ['an object', { 'vehicle_capacity-': {} }],
        ['infinity', { 'vehicle_capacity+': 'Infinity' }],
        ['too much for a number', { 'latitude+': 1e308, latitude: 1e308 }],
      ] as const
    ).map(([name, body]) => ({
      name: `refused: ${name}`,
      send: SITE,
      headers,
      body,
      status: 400,
      has: ['"code":"validation_not_a_number"'],
      lacks: ['"vehicle_capacity+"', '"vehicle_capacity-"'],
    })),
    {
      name: 'as a form',
      send: SITE,
      headers,
      body: formOf(['vehicle_capacity+', '5'], ['latitude-', '0.5'], ['name', '50']),
      status: 200,
      has: [...capacity(15), '"latitude":49.5,', '"name":"50"'],
    },
    {
      name: 'as a form, by the alias, without photos',
      send: SITE,
      headers,
      body: formOf(['vehicle-', '5'], ['@jsonPayload', '{"cost":null}']),
      status: 200,
      has: [...capacity(5), '"cost":""'],
    },
    {
      name: 'urlencoded',
      send: SITE,
      headers: urlencoded,
      body: 'vehicle_capacity%2B=5&name=a%20b+c&cost=true',
      status: 200,
      has: [...capacity(15), '"name":"a b c"', '"cost":"true"'],
    },
    {
      name: 'a select or a relation has no modifiers: the key is unknown',
      send: SITE,
      headers,
      body: {
        'status-': 'AVAILABLE',
        'status+': 'PLANNED',
        '+business': 'x',
        'name:autogenerate': '',
      },
      status: 200,
      has: ['"status":"AVAILABLE"', '"business":"{business}"', '"name":"Before"'],
    },
    {
      name: 'a create starts from the empty value',
      send: 'POST /api/collections/connectors/records',
      headers,
      body: {
        ...connectorBody('{site}'),
        kw_rating: undefined,
        'kw_rating+': 4,
        'kw_rating-': 1,
      },
      status: 200,
      has: ['"kw_rating":3,'],
    },
    {
      name: 'the sum in a create is validated',
      send: 'POST /api/collections/connectors/records',
      headers,
      body: { ...connectorBody('{site}'), kw_rating: undefined, 'kw_rating-': 1 },
      status: 400,
      has: ['"data":{"kw_rating":{"code":"validation_above_number_constraint"'],
    },
    {
      name: 'a create as a form, with the alias',
      send: `POST ${SITES}`,
      headers,
      body: formOf(
        ['@jsonPayload', JSON.stringify({ ...site, vehicle_capacity: undefined })],
        ['vehicle+', '7'],
      ),
      status: 200,
      has: capacity(7),
    },
  ]
  test.each(rows)('$name', async (scenario) => {
    await expectScenario(stack.url, scenario, known)
  })

  test('concurrent increments all count', async () => {
    const sites = owner.client.collection('sites')
    await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        sites.update(owner.site.id, { [`vehicle_capacity${i % 3 === 0 ? '-' : '+'}`]: 1 }),
      ),
    )
    expect((await sites.getOne(owner.site.id))['vehicle_capacity']).toBe(20)
  })
})

describe('merging the parts of a body', () => {
  const rows: readonly Scenario[] = [
    {
      name: 'payloads override the parts, in order',
      send: SITE,
      headers,
      body: formOf(
        ['@jsonPayload', '{"name":"first","cost":"one"}'],
        ['name', 'a part'],
        ['contact_phone', 'a part'],
        ['@jsonPayload', '{"name":"second"}'],
        ['@jsonPayload', 'null'],
      ),
      status: 200,
      has: ['"name":"second"', '"cost":"one"', '"contact_phone":"a part"'],
    },
    {
      name: 'payloads in an urlencoded body',
      send: SITE,
      headers: urlencoded,
      body: 'name=x&%40jsonPayload=%7B%22name%22%3A%22payload%22%7D&%40jsonPayload=%7B%22cost%22%3A%222%22%7D',
      status: 200,
      has: ['"name":"payload"', '"cost":"2"'],
    },
    {
      name: 'the last of repeated parts is the choice',
      send: SITE,
      headers,
      body: formOf(['status', 'PLANNED'], ['status', 'OUTOFORDER'], ['status', '']),
      status: 200,
      has: ['"status":"OUTOFORDER"'],
    },
    {
      name: 'repeated parts are not a text',
      send: SITE,
      headers,
      body: formOf(['cost', 'one'], ['cost', 'two']),
      status: 200,
      has: ['"cost":""'],
    },
    {
      name: 'a payload that is a list',
      send: SITE,
      headers,
      body: formOf(['@jsonPayload', '[1]']),
      status: 400,
    },
    {
      name: 'text that looks like a number or a boolean stays text in a text field',
      send: SITE,
      headers,
      body: formOf(['name', '007'], ['address', 'true'], ['cost', 'null']),
      status: 200,
      has: ['"name":"007"', '"address":"true"', '"cost":"null"'],
    },
    {
      name: 'a number with leading zeros is that number',
      send: SITE,
      headers,
      body: formOf(['vehicle_capacity', '007'], ['latitude', '-0.50']),
      status: 200,
      has: ['"vehicle_capacity":7,', '"latitude":-0.5,'],
    },
    {
      name: 'an absent body changes only the version',
      send: SITE,
      headers,
      status: 200,
      has: ['"id":"{site}"'],
    },
    {
      name: 'null counts as an absent body',
      send: SITE,
      headers: { ...headers, 'content-type': 'application/json' },
      body: 'null',
      status: 200,
      has: ['"id":"{site}"'],
    },
    {
      name: 'fields that the server sets are ignored',
      send: SITE,
      headers,
      body: {
        id: '{site}',
        collectionId: 'x',
        collectionName: 'users',
        expand: {},
        created: '1999-01-01',
        updated: '1999-01-01',
      },
      status: 200,
      has: ['"collectionName":"sites"'],
      lacks: ['1999', '"expand"'],
    },
  ]
  test.each(rows)('$name', async (scenario) => {
    await expectScenario(stack.url, scenario, known)
  })
})

const small = (name: string): Promise<File> => makePhoto(name, { width: 16, height: 16 })

const stored = async (collection: string, record: string): Promise<string[]> =>
  readdir(join(stack.dataDir, 'storage', collection, record)).catch(() => [])

describe('photos, from a and b', () => {
  let record: RecordModel
  let a: string
  let b: string
  beforeEach(async () => {
    record = await owner.client.collection('sites').create({
      ...siteBody(owner.business.id),
      photos: await Promise.all(['photo_a.jpg', 'photo_b.jpg'].map(small)),
    })
    ;[a = '', b = ''] = record['photos'] as string[]
  })

  /** Names as in the rows: a stored one by its letter, a new one as it was sent. */
  const names = (sent: unknown): string =>
    (sent as string[])
      .map((name) => name.replace(/^photo_(\w)_\w+\.jpg$/, '$1').replace(/^(new_\d)_.*$/, '$1'))
      .join(' ')

  type Part = readonly [string, string | readonly string[] | null]
  // Each row has a request; `new_N` is an upload, `a` and `b` are the stored names.
  const rows: readonly [string, readonly Part[], string][] = [
    ['an upload is added', [['photos', 'new_1']], 'a b new_1'],
    ['two uploads are added, in order', [['photos', ['new_1', 'new_2']]], 'a b new_1 new_2'],
    ['+ behind adds behind', [['photos+', ['new_1', 'new_2']]], 'a b new_1 new_2'],
    ['+ in front adds in front', [['+photos', ['new_1', 'new_2']]], 'new_1 new_2 a b'],
    [
      'both',
      [
        ['photos+', 'new_1'],
        ['+photos', 'new_2'],
      ],
      'new_2 a b new_1',
    ],
    ['a list sets the order', [['photos', ['b', 'a']]], 'b a'],
    ['a list removes the rest', [['photos', ['b']]], 'b'],
    ['one name is a list of one', [['photos', 'b']], 'b'],
    ['a list with repeats', [['photos', ['b', 'a', 'b', '']]], 'b a'],
    ['an empty list clears', [['photos', []]], ''],
    ['null clears', [['photos', null]], ''],
    ['"" clears', [['photos', '']], ''],
    ['a list and uploads', [['photos', ['b', 'new_1']]], 'b new_1'],
    [
      'a list and uploads at both ends',
      [
        ['photos', ['b', 'a']],
        ['+photos', 'new_1'],
        ['photos+', 'new_2'],
      ],
      'new_1 b a new_2',
    ],
    [
      'clear and upload',
      [
        ['photos', ['']],
        ['photos+', 'new_1'],
      ],
      'new_1',
    ],
    ['- takes one out', [['photos-', 'a']], 'b'],
    ['- takes several out', [['photos-', ['a', 'b']]], ''],
    ['- of what is not there', [['photos-', ['nothing.jpg', 'b']]], 'a'],
    [
      '- and an upload',
      [
        ['photos-', ['a']],
        ['photos', 'new_1'],
      ],
      'b new_1',
    ],
    [
      '- and + in one',
      [
        ['photos-', 'b'],
        ['photos+', 'new_1'],
        ['+photos', 'new_2'],
      ],
      'new_2 a new_1',
    ],
    ['- of nothing', [['photos-', []]], 'a b'],
    ['a stored name is prepended', [['+photos', 'b']], 'b a'],
    ['a stored name that is appended stays', [['photos+', 'a']], 'a b'],
  ]

  const resolve = async (sent: string | null): Promise<string | File | null> => {
    if (sent === null || sent === '') return sent
    if (sent.startsWith('new_')) return small(`${sent}.jpg`)
    return { a, b }[sent] ?? sent
  }
  const body = async (parts: readonly Part[]): Promise<Record<string, unknown>> =>
    Object.fromEntries(
      await Promise.all(
        parts.map(async ([key, sent]) => [
          key,
          sent === null || typeof sent === 'string'
            ? await resolve(sent)
            : await Promise.all(sent.map(resolve)),
        ]),
      ),
    ) as Record<string, unknown>

  test.each(rows)('%s', async (_name, parts, expected) => {
    const sites = owner.client.collection('sites')
    const changed = await sites.update(record.id, await body(parts))
    expect(names(changed['photos'])).toBe(expected)
    await expect
      .poll(async () => (await stored('sites', record.id)).toSorted())
      .toEqual((changed['photos'] as string[]).toSorted())
  })

  const sameAsForm = rows.filter(([, parts]) => parts.every(([, sent]) => sent !== null))
  test.each(sameAsForm)('as plain parts of a form: %s', async (_name, parts, expected) => {
    const form = new FormData()
    for (const [key, sent] of Object.entries(await body(parts))) {
      const values = [sent].flat() as (string | File)[]
      // An empty list has no parts.
      for (const value of values.length === 0 && key === 'photos' ? [''] : values)
        form.append(key, value)
    }
    const changed = await owner.client.collection('sites').update(record.id, form)
    expect(names(changed['photos'])).toBe(expected)
  })

  const refusals: readonly [string, Record<string, unknown>, string][] = [
    ['an unknown name', { photos: ['photo_x.jpg'] }, 'photo_x.jpg'],
    ['an unknown name, prepended', { '+photos': ['photo_x.jpg'] }, 'photo_x.jpg'],
    ['an unknown name, appended', { 'photos+': 'photo_x.jpg' }, 'photo_x.jpg'],
    ['a number', { photos: [1] }, '1'],
    ['a file that was serialized as JSON', { photos: [{}] }, '{}'],
    ['false', { photos: false }, 'false'],
    ['a path', { photos: '../../x' }, '../../x'],
  ]
  test.each(refusals)('refused: %s', async (_name, sent, named) => {
    await expect(owner.client.collection('sites').update(record.id, sent)).rejects.toMatchObject({
      status: 400,
      response: {
        data: { photos: { code: 'validation_invalid_file', params: { invalidFiles: [named] } } },
      },
    })
    expect(await stored('sites', record.id)).toHaveLength(2)
  })

  test('a file under another field name is discarded', async () => {
    const form = formOf(
      ['pictures', await makePhoto('a.jpg')],
      ['photos++', await makePhoto('b.jpg')],
      ['name', 'kept'],
    )
    const changed = await owner.client.collection('sites').update(record.id, form)
    expect([changed['name'], names(changed['photos'])]).toEqual(['kept', 'a b'])
    await expect.poll(() => readdir(join(stack.dataDir, 'tmp'))).toEqual([])
  })

  test('concurrent uploads and removals from several devices all count', async () => {
    const sites = owner.client.collection('sites')
    const uploads = await Promise.all([1, 2, 3, 4].map((i) => small(`new_${i}.jpg`)))
    await Promise.all([
      ...uploads.map((photo, i) =>
        sites.update(record.id, { [i % 2 ? 'photos+' : '+photos']: photo }),
      ),
      sites.update(record.id, { 'photos-': a }),
    ])
    const after = (await sites.getOne(record.id))['photos'] as string[]
    expect(after).toHaveLength(5)
    expect(after).not.toContain(a)
    await expect
      .poll(async () => (await stored('sites', record.id)).toSorted())
      .toEqual(after.toSorted())
  })
})

describe('a logo', () => {
  test('the last of several uploads is stored, + replaces, and no file is left behind', async () => {
    const { client, id } = await newOwner(stack.url)
    const businesses = client.collection('businesses')
    const logo = (name: string) => makePhoto(`${name}.png`, { type: 'png', width: 9, height: 9 })
    const made = await businesses.create({ user: id, logo: [await logo('one'), await logo('two')] })
    expect(made['logo']).toMatch(/^two_/)
    const left = () => stored('businesses', made.id)
    expect(await left()).toEqual([made['logo']])
    const replaced = await businesses.update(made.id, { 'logo+': await logo('three') })
    expect(replaced['logo']).toMatch(/^three_/)
    await expect.poll(left).toEqual([replaced['logo']])
    // Prepended to an existing logo, it does not become the last one.
    const same = await businesses.update(made.id, { '+logo': await logo('four') })
    expect(same['logo']).toBe(replaced['logo'])
    await expect.poll(left).toEqual([replaced['logo']])
    expect(await businesses.update(made.id, { 'logo-': 'other.png' })).toMatchObject({
      logo: replaced['logo'],
    })
    expect(await businesses.update(made.id, { 'logo-': replaced['logo'] })).toMatchObject({
      logo: '',
    })
    await expect.poll(left).toEqual([])
    await expect(businesses.update(made.id, { logo: 'other.png' })).rejects.toMatchObject({
      response: { data: { logo: { code: 'validation_invalid_file' } } },
    })
  })
})
