import { describe, expect, onTestFinished, test } from 'vitest'

import { openPath } from '#domain/open-data.ts'
import { SITES } from '#domain/collection.ts'
import { PLUG_GROUP_NAMES } from '#domain/plug-group.ts'
import type { SitePage, Suggestions } from '#domain/public-read.ts'
import type { PublicSite } from '#domain/public-site.ts'

import { withStack } from '../support/fixtures.ts'
import {
  connectorBody,
  newOwner,
  newOwnerWithSite,
  siteBody,
  tariffBody,
} from '../support/owner.ts'
import { startSecondProcess } from '../support/second-process.ts'
import { startStack } from '../support/stack.ts'
import { isBackground } from '../support/statements.ts'
import { createRandom, fillNetwork } from '../support/public-network.ts'
import { expectedSites } from '../support/public-sites.ts'
import { newSuperuser } from '../support/superuser.ts'

// The public reads (decision 0085). tests/proof/public-reads.test.ts compares them with all records.

const statements: string[] = []
const PUBLIC_READS = 20
const stack = await withStack({
  limits: { publicReads: PUBLIC_READS, publicReadsPerAddress: PUBLIC_READS },
  onStatement: (text) => {
    // Transactions belong to background tasks; the statements of a read inside one would be counted.
    if (!isBackground(text) && !/^(begin|commit)/.test(text)) statements.push(text)
  },
})
const superuser = await newSuperuser(stack)

const ask = (path: string, init?: RequestInit): Promise<Response> =>
  fetch(`${stack.url}/api/public/${path}`, init)
const read = async <T>(path: string): Promise<T> => {
  const answer = await ask(path)
  expect([path, answer.status]).toEqual([path, 200])
  return (await answer.json()) as T
}
const statusOf = async (id: string): Promise<number> => (await ask(`sites/${id}`)).status

const withoutUpdated = (site: PublicSite): Omit<PublicSite, 'updated'> => {
  const { updated: _, ...rest } = site
  return rest
}

/** All public sites in the server's responses, without `updated`. */
const publishedSites = async (): Promise<object[]> => {
  const { items } = await read<SitePage>('sites?bbox=-180,-90,180,90&limit=200')
  return items.map(withoutUpdated).toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

test('a site is public with everything that belongs to it, from any page and without a token', async () => {
  const { client, business, site, connector } = await newOwnerWithSite(stack.url)
  const tariff = await client.collection('tariffs').create(tariffBody(business.id))
  await client.collection(SITES).update(site.id, { tariff: tariff.id, reference: 'QUAY-1' })
  await client.collection('businesses').update(business.id, { description: 'SECRET' })
  const answer = await ask(`sites/${site.id}`, { headers: { origin: 'https://elsewhere.example' } })
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=15, stale-while-revalidate=300',
    'content-type': 'application/json; charset=utf-8',
    'cross-origin-resource-policy': 'cross-origin',
  })
  expect(answer.headers.get('vary') ?? '').not.toContain('Origin')
  const found = (await answer.json()) as PublicSite
  expect(found).toMatchObject({
    id: site.id,
    name: 'Harbour Lane Quay',
    country: 'GBR',
    reference: 'QUAY-1',
    business: { id: business.id, name: 'Harbour Lane Hotels', logo: '', website: '' },
    connectors: [{ id: connector.id, standard: 'IEC_62196_T2_COMBO', kw_rating: 150 }],
    tariffs: [{ id: tariff.id, currency: 'EUR', elements: [{}] }],
  })
  expect(JSON.stringify(found)).not.toMatch(/SECRET|Standard|hidden|published/)
  const preflight = await ask(`sites/${site.id}`, {
    method: 'OPTIONS',
    headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'GET' },
  })
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([
    204,
    '*',
  ])
})

test('a known version gets 304, and the ETag changes with the content', async () => {
  const { client, site, connector, business } = await newOwnerWithSite(stack.url)
  const paths = [
    `sites/${site.id}`,
    'sites?near=55.2044,-6.6531&limit=1',
    'sites?q=harbour&format=geojson',
    'suggest?q=harbour',
    'tiles/14/7889/5172.mvt',
  ]
  for (const path of paths) {
    statements.length = 0
    const first = await ask(path)
    expect([path, statements.length]).toEqual([path, 1])
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
    statements.length = 0
    const second = await ask(path, { headers })
    expect([path, second.status, await second.text(), statements.length]).toEqual([
      path,
      304,
      '',
      1,
    ])
    expect(second.headers.get('cache-control')).toBe(
      'public, max-age=15, stale-while-revalidate=300',
    )
    expect([path, second.headers.get('vary')]).toEqual([path, first.headers.get('vary')])
    expect(first.headers.get('vary')).toContain('accept-encoding')
    const any = await ask(path, { headers: { 'if-none-match': '*' } })
    expect([any.status, any.headers.get('etag')]).toEqual([304, first.headers.get('etag')])
  }
  const lists = [
    'near=55.2044,-6.6531&limit=50',
    'bbox=-7,55,-6,56',
    'q=quay',
    `business=${business.id}`,
  ]
  for (const path of [`sites/${site.id}`, ...lists.map((list) => `sites?${list}`)]) {
    const etag = async () => (await ask(path)).headers.get('etag')
    const seen = new Set([await etag()])
    await client.collection('connectors').update(connector.id, { kw_rating: 300 + seen.size })
    seen.add(await etag())
    await client.collection('connectors').update(connector.id, { kw_rating: 300 })
    seen.add(await etag())
    await client.collection('businesses').update(business.id, { name: `Renamed ${path}` })
    seen.add(await etag())
    // The description is not public.
    await client.collection('businesses').update(business.id, { description: `For ${path}` })
    seen.add(await etag())
    expect([path, seen.size]).toEqual([path, 4])
  }
})

test('after any write, exactly the data that the records allow is public', async () => {
  const { client, business, site, connector } = await newOwnerWithSite(stack.url)
  const tariff = await client.collection('tariffs').create(tariffBody(business.id))
  const second = await client.collection(SITES).create({ ...siteBody(business.id), longitude: 180 })
  const steps: readonly [string, () => Promise<unknown>][] = [
    ['a site without connectors', async () => {}],
    ['a connector', () => client.collection('connectors').create(connectorBody(second.id))],
    ['another price', () => client.collection(SITES).update(site.id, { tariff: tariff.id })],
    [
      'a price of a connector',
      () => client.collection('connectors').update(connector.id, { tariff: tariff.id }),
    ],
    ['a changed price', () => client.collection('tariffs').update(tariff.id, { currency: 'GBP' })],
    [
      'a moved connector',
      () => client.collection('connectors').update(connector.id, { site: second.id }),
    ],
    ['and back', () => client.collection('connectors').update(connector.id, { site: site.id })],
    ['unpublished', () => client.collection(SITES).update(site.id, { published: false })],
    ['published again', () => client.collection(SITES).update(site.id, { published: true })],
    ['planned', () => client.collection(SITES).update(site.id, { status: 'PLANNED' })],
    [
      'hidden',
      () =>
        superuser.client.collection(SITES).update(site.id, { hidden: true, hidden_reason: 'x' }),
    ],
    ['shown', () => superuser.client.collection(SITES).update(site.id, { hidden: false })],
    [
      'a hidden business',
      () => superuser.client.collection('businesses').update(business.id, { hidden: true }),
    ],
    [
      'a shown business',
      () => superuser.client.collection('businesses').update(business.id, { hidden: false }),
    ],
    [
      'a business without a name',
      () => client.collection('businesses').update(business.id, { name: '' }),
    ],
    [
      'a business with a name',
      () => client.collection('businesses').update(business.id, { name: 'Quay Power' }),
    ],
    ['moved', () => client.collection(SITES).update(site.id, { latitude: -90, longitude: -180 })],
    [
      'a batch',
      async () => {
        const batch = client.createBatch()
        batch.collection(SITES).create({ ...siteBody(business.id), id: 'batched00000000' })
        batch.collection('connectors').create(connectorBody('batched00000000'))
        batch
          .collection(SITES)
          .update('batched00000000', { opening_hours: { twentyfourseven: true } })
        await batch.send()
      },
    ],
    ['a deleted connector', () => client.collection('connectors').delete(connector.id)],
    ['a deleted site', () => client.collection(SITES).delete(second.id)],
    ['a deleted business', () => client.collection('businesses').delete(business.id)],
  ]
  for (const [step, run] of steps) {
    await run()
    const expected = (await expectedSites(superuser)).toSorted((one, other) =>
      one.id < other.id ? -1 : 1,
    )
    expect([step, await publishedSites()]).toEqual([step, expected])
  }
  const leftOver = await stack.sql`
    select id from place_docs where id not in (select id from places)
    union all select id from places where id not in (select id from place_docs)`
  expect(leftOver).toEqual([])
})

test('concurrent writes leave nothing out', async () => {
  const { client, site, business } = await newOwnerWithSite(stack.url)
  const sites = await Promise.all(
    Array.from({ length: 4 }, () => client.collection(SITES).create(siteBody(business.id))),
  )
  await Promise.all(
    [site, ...sites].flatMap(({ id }) => [
      ...Array.from({ length: 6 }, () => client.collection('connectors').create(connectorBody(id))),
      client.collection(SITES).update(id, { cost: 'free' }),
      client.collection('businesses').update(business.id, { website: `https://example.org/${id}` }),
    ]),
  )
  const expected = (await expectedSites(superuser)).toSorted((one, other) =>
    one.id < other.id ? -1 : 1,
  )
  expect(await publishedSites()).toEqual(expected)
  await client.collection('businesses').delete(business.id)
})

test('hidden sites stay hidden, whatever is written at the same time', async () => {
  const { client, business, site, connector } = await newOwnerWithSite(stack.url)
  const businesses = superuser.client.collection('businesses')
  const other = await client.collection(SITES).create(siteBody(business.id))
  // A site becomes public while its business is being hidden.
  const holder = await stack.sql.reserve()
  await holder`begin`
  await holder`update businesses set hidden = true where id = ${business.id}`
  const added = client.collection('connectors').create(connectorBody(other.id))
  await holder`select pg_sleep(0.2)`
  await holder`commit`
  await added
  expect([await statusOf(site.id), await statusOf(other.id)]).toEqual([404, 404])
  await businesses.update(business.id, { hidden: false })
  expect([await statusOf(site.id), await statusOf(other.id)]).toEqual([200, 200])
  // A business is hidden while one of its sites becomes public.
  await client.collection('connectors').delete(connector.id)
  expect(await statusOf(site.id)).toBe(404)
  await holder`begin`
  await holder`
    insert into connectors (id, site, standard, format, current_type, kw_rating)
    values ('meanwhile000000', ${site.id}, 'CHADEMO', 'CABLE', 'DC', 50)`
  const hidden = businesses.update(business.id, { hidden: true })
  await holder`select pg_sleep(0.2)`
  await holder`commit`
  holder.release()
  await hidden
  expect([await statusOf(site.id), await statusOf(other.id)]).toEqual([404, 404])
})

test('a removed site gets 410 with its last position, and one that was never public 404', async () => {
  const { client, site, business } = await newOwnerWithSite(stack.url)
  const never = await client.collection(SITES).create(siteBody(business.id))
  const status = (value: string) => client.collection(SITES).update(site.id, { status: value })
  await status('REMOVED')
  const gone = await ask(`sites/${site.id}`)
  expect([gone.status, await gone.json()]).toEqual([
    410,
    {
      status: 410,
      message: 'The site was removed.',
      data: { latitude: 55.2044, longitude: -6.6531 },
    },
  ])
  await status('AVAILABLE')
  expect(await statusOf(site.id)).toBe(200)
  await client.collection(SITES).update(site.id, { published: false })
  expect(await statusOf(site.id)).toBe(404)
  await client.collection(SITES).update(site.id, { published: true })
  await client.collection('users').delete(client.authStore.record?.id ?? '')
  expect(await statusOf(site.id)).toBe(410)
  expect(await statusOf(never.id)).toBe(404)
  for (const id of ['nosuchrecord123', 'short', '%00', "'; drop table sites; --"])
    expect([id, await statusOf(encodeURIComponent(id))]).toEqual([id, 404])
})

test('nobody else can use the address of a removed site or of its business', async () => {
  const { client, site, business } = await newOwnerWithSite(stack.url)
  const other = await newOwnerWithSite(stack.url)
  const { id } = site
  await client.collection(SITES).delete(id)
  expect(await statusOf(id)).toBe(410)
  const takeOver = other.client.collection(SITES).create({ ...siteBody(other.business.id), id })
  await expect(takeOver).rejects.toMatchObject({
    status: 400,
    response: { data: { id: { code: 'validation_not_unique' } } },
  })
  expect(await statusOf(id)).toBe(410)

  // Its owner may restore it.
  await client.collection(SITES).create({ ...siteBody(business.id), id })
  await client.collection('connectors').create(connectorBody(id))
  expect(await statusOf(id)).toBe(200)

  await client.collection('users').delete(client.authStore.record?.id ?? '')
  const stranger = await newOwner(stack.url)
  await expect(
    stranger.client
      .collection('businesses')
      .create({ id: business.id, name: 'Mallory', user: stranger.id }),
  ).rejects.toMatchObject({ response: { data: { id: { code: 'validation_not_unique' } } } })
})

test('suggestions: towns of the same name stay apart, and a name outranks a street', async () => {
  const { client, business } = await newOwnerWithSite(stack.url)
  const add = async (values: object, power = 22) => {
    const site = await client.collection(SITES).create({ ...siteBody(business.id), ...values })
    await client.collection('connectors').create({ ...connectorBody(site.id), kw_rating: power })
  }
  await add({ name: 'A', city: 'Zwillingsdorf', latitude: 46.2, longitude: 0.6, state: 'Vienne' })
  await add({ name: 'B', city: 'Zwillingsdorf', latitude: 46.21, longitude: 0.61, state: 'Vienne' })
  await add({
    name: 'C',
    city: 'ZWILLINGSDORF',
    latitude: 43.6,
    longitude: 1.1,
    postal_code: '32600',
  })
  const { items } = await read<Suggestions>('suggest?q=zwillingsdorf')
  const towns = items.flatMap((item) => (item.kind === 'town' ? [item] : []))
  expect(towns.map(({ latitude, region }) => `${latitude.toFixed(1)} ${region}`)).toEqual([
    '46.2 Vienne',
    '43.6 32600',
  ])

  // A large town is one suggestion, even if it spans several squares of the map.
  for (const [latitude, longitude] of [
    [52.655, 13.29],
    [52.345, 13.7],
    [52.66, 13.49],
    [52.52, 13.405],
    [52.535, 13.2],
  ])
    await add({ name: 'D', city: 'Berlinissimo', state: 'Berlin', latitude, longitude })
  const { items: large } = await read<Suggestions>('suggest?q=berlinissimo')
  expect(large.filter(({ kind }) => kind === 'town')).toMatchObject([{ region: '', count: 5 }])

  await add({ name: 'Ibis', address: 'Zwiebelturmstr. 1' }, 300)
  await add({ name: 'Zwiebelturm', address: 'Markt 1' })
  const { items: named } = await read<Suggestions>('suggest?q=zwiebelturm')
  expect(named.map(({ name }) => name)).toEqual(['Zwiebelturm', 'Ibis'])
})

test('a large page ends early, and the next one continues', async () => {
  const { client, business } = await newOwnerWithSite(stack.url)
  const ids: string[] = []
  for (let number = 0; number < 7; number += 1) {
    const at = { latitude: -70 - number / 1000, longitude: -70 }
    const site = await client.collection(SITES).create({ ...siteBody(business.id), ...at })
    await client.collection('connectors').create(connectorBody(site.id))
    ids.push(site.id)
  }
  // As large as with 150 plugs, each with a price of 50 elements.
  await stack.sql`
    update place_docs set doc = left(doc, -1) || ',"x":"' || repeat('x', 3000000) || '"}'
    where id = any(${ids.slice(0, 6)})`
  for (const scope of ['bbox=-71,-71,-69,-69', 'near=-70,-70', `business=${business.id}`]) {
    const found: string[] = []
    const large: number[] = []
    for (let cursor = ''; ;) {
      const { items, next } = await read<SitePage>(`sites?${scope}&limit=7${cursor}`)
      found.push(...items.map(({ id }) => id))
      large.push(items.filter((item) => 'x' in item).length)
      if (next === null || ids.every((id) => found.includes(id))) break
      cursor = `&cursor=${encodeURIComponent(next)}`
    }
    expect(found).toEqual(expect.arrayContaining(ids))
    expect(new Set(found).size).toBe(found.length)
    expect(Math.max(...large)).toBeLessThan(4)
  }
  const exported = await fetch(stack.url + openPath('geojson', business.id))
  const { features } = (await exported.json()) as { features: readonly { id: string }[] }
  // And the site that existed before.
  expect(features).toHaveLength(ids.length + 1)
  await stack.sql`delete from sites where id = any(${ids})`
})

test('a cursor continues only a list of the kind that returned it', async () => {
  const { client, business } = await newOwnerWithSite(stack.url)
  const { id } = await client.collection(SITES).create(siteBody(business.id))
  await client.collection('connectors').create(connectorBody(id))
  const scopes = ['near=55.2,-6.6', 'bbox=-180,-90,180,90', 'q=harbour', `business=${business.id}`]
  const cursors = await Promise.all(
    scopes.map(async (scope) => (await read<SitePage>(`sites?${scope}&limit=1`)).next),
  )
  const line = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"type":"LineString","coordinates":[[-6.6531,55.2044]]}',
  }
  for (const [from, cursor] of cursors.entries()) {
    expect(cursor).not.toBeNull()
    for (const [to, scope] of scopes.entries())
      expect([from, to, (await ask(`sites?${scope}&cursor=${cursor}`)).status]).toEqual([
        from,
        to,
        from === to ? 200 : 400,
      ])
    const answer = await ask(`route?cursor=${cursor}`, line)
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { data: { cursor: { code: 'validation_invalid_value', params: { value: cursor } } } },
    ])
  }
})

describe('refused parameters', () => {
  test.each<[path: string, field: string, code: string]>([
    ['sites', 'near', 'validation_required'],
    ['sites?near=1,2&bbox=1,2,3,4', 'near', 'validation_in_invalid'],
    ['sites?near=1,2&bbox=1,2,3,4', 'bbox', 'validation_in_invalid'],
    ['sites?bbox=1,2,3,4&q=harbour', 'q', 'validation_in_invalid'],
    ['sites?near=1', 'near', 'validation_invalid_value'],
    ['sites?near=91,0', 'near', 'validation_max_number_constraint'],
    ['sites?near=x,0', 'near', 'validation_not_a_number'],
    ['sites?near=1,2&near=1,2', 'near', 'validation_too_many_values'],
    ['sites?bbox=1,3,2,2', 'bbox', 'validation_invalid_value'],
    ['sites?q=ab', 'q', 'validation_min_text_constraint'],
    ['sites?q=...!', 'q', 'validation_min_text_constraint'],
    [`sites?q=${'x'.repeat(101)}`, 'q', 'validation_max_text_constraint'],
    ['sites?near=1,2&plug=SCHUKO', 'plug', 'validation_invalid_value'],
    ['sites?near=1,2&min_kw=-1', 'min_kw', 'validation_min_number_constraint'],
    ['sites?near=1,2&free=false', 'free', 'validation_invalid_value'],
    ['sites?near=1,2&open=later', 'open', 'validation_invalid_value'],
    ['sites?near=1,2&access=EVERYBODY', 'access', 'validation_invalid_value'],
    ['sites?business=x', 'business', 'validation_invalid_value'],
    ['sites?near=1,2&limit=201', 'limit', 'validation_max_number_constraint'],
    ['sites?near=1,2&limit=1.5', 'limit', 'validation_only_int_constraint'],
    ['sites?near=1,2&cursor=eyJ4', 'cursor', 'validation_invalid_value'],
    ['sites?near=1,2&format=xml', 'format', 'validation_invalid_value'],
    ['sites?near=1,2&filter=name', 'filter', 'validation_in_invalid'],
    ['sites/nosuchrecord123?expand=business', 'expand', 'validation_in_invalid'],
    ['tiles/0/0/0.mvt?near=1,2', 'near', 'validation_in_invalid'],
    ['suggest', 'q', 'validation_required'],
    ['suggest?q=harbour&limit=3', 'limit', 'validation_in_invalid'],
  ])('%s', async (path, field, code) => {
    statements.length = 0
    const answer = await ask(path)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ status: 400, data: { [field]: { code } } })
    expect(statements).toEqual([])
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'no-store',
    })
  })

  test.each([
    ['near', '48.85', 'Invalid value 48.85. Must be `latitude,longitude`, such as 48.85,2.35.'],
    [
      'near',
      '48.85;2.35,1',
      'The submitted number is not properly formatted. Must be `latitude,longitude`, such as 48.85,2.35.',
    ],
    [
      'bbox',
      '2,40,3,39',
      'Invalid value 2,40,3,39. Must be `west,south,east,north`, with `south` below `north`, such as 2.2,48.8,2.5,48.9.',
    ],
    ['plug', 'FOO', `Invalid value FOO. Must be one of ${PLUG_GROUP_NAMES.join(', ')}.`],
    ['free', 'false', 'Invalid value false. Must be true, or left out.'],
    ['open', 'later', 'Invalid value later. Must be now, or left out.'],
    ['format', 'xml', 'Invalid value xml. Must be one of json, geojson.'],
    ['business', 'x', 'Invalid value x. Must be an id: 15 lower-case letters and digits.'],
    ['cursor', 'eyJ4', 'Invalid value eyJ4. Must be `next` of the previous page of the same list.'],
    [
      'near',
      'x'.repeat(101),
      `Invalid value ${'x'.repeat(100)}. Must be \`latitude,longitude\`, such as 48.85,2.35.`,
    ],
  ])('the error of %s=%s says what is accepted', async (name, value, message) => {
    const answer = await ask(`sites?${new URLSearchParams({ [name]: value }).toString()}`)
    expect(await answer.json()).toMatchObject({ status: 400, data: { [name]: { message } } })
  })

  test('of several scopes, the error names only those that are given', async () => {
    const { message, data } = (await (await ask('sites?bbox=1,2,3,4&q=harbour')).json()) as {
      message: string
      data: object
    }
    expect(message).toBe('Only one of "near", "bbox" and "q" can be given.')
    expect(Object.keys(data)).toEqual(['bbox', 'q'])
  })

  test.each([
    'tiles/23/0/0.mvt',
    'tiles/1/2/0.mvt',
    'tiles/1/0/2.mvt',
    'tiles/x/0/0.mvt',
    'tiles/0/0/0',
  ])('%s does not exist', async (path) => {
    expect((await ask(path)).status).toBe(404)
  })
})

test('a misspelt name that was corrected no longer hides the right spelling from searches with that error', async () => {
  const { client, business } = await newOwnerWithSite(stack.url)
  const create = async (name: string) => {
    const site = await client.collection(SITES).create({ ...siteBody(business.id), name })
    await client.collection('connectors').create(connectorBody(site.id))
    return site.id
  }
  const [right, wrong] = [await create('Montparnasse'), await create('Montparnase')]
  const found = async (): Promise<string[]> => {
    const { items } = await read<SitePage>('sites?q=montparnase')
    return items.map(({ id }) => id)
  }
  expect(await found()).toEqual([wrong])
  await client.collection(SITES).update(wrong, { name: 'Bercy' })
  // A starting server removes unused words.
  const server = await startSecondProcess(stack)
  await expect.poll(found).toEqual([right])
  await server.close()
})

test('search ignores one wrong letter, accents and case, and the last word may be incomplete', async () => {
  const { client, business } = await newOwnerWithSite(stack.url)
  const create = async (name: string, city: string, country: string, latitude: number) => {
    const site = await client
      .collection(SITES)
      .create({ ...siteBody(business.id), name, city, country, latitude, address: 'Rue 1' })
    await client.collection('connectors').create(connectorBody(site.id))
    return site.id
  }
  const ids = [
    await create('Parking Étoile', 'Strasbourg', 'FRA', 48.58),
    await create('Großer Platz', 'STRASBOURG', 'FRA', 48.6),
    await create('Depot', 'Straßwalchen', 'AUT', 47.98),
  ]
  const found = async (q: string): Promise<string[]> => {
    const { items } = await read<SitePage>(`sites?q=${encodeURIComponent(q)}`)
    return items.map(({ id }) => id).toSorted()
  }
  const [first = '', second = ''] = ids
  expect(await found('STRASBOURG')).toEqual([first, second].toSorted())
  expect(await found('strasb')).toEqual([first, second].toSorted())
  expect(await found('stras')).toEqual(ids.toSorted())
  // One letter missing, inserted or wrong; two letters swapped.
  for (const q of ['strasburg', 'strassbourg', 'strasbaurg', 'strasbuorg'])
    expect([q, await found(q)]).toEqual([q, [first, second].toSorted()])
  expect(await found('etoile parkng')).toEqual([first])
  expect(await found('parkng etoil')).toEqual([first])
  expect(await found('grosser strasbourg')).toEqual([second])
  expect(await found('grosser nowhere')).toEqual([])
  expect(await found("stras' & !*:| (depot")).toEqual([])

  const { items } = await read<Suggestions>('suggest?q=stra')
  expect(items).toEqual([
    {
      kind: 'town',
      name: 'Strasbourg',
      region: '',
      country: 'FRA',
      latitude: expect.closeTo(48.59),
      longitude: -6.6531,
      count: 2,
    },
    {
      kind: 'town',
      name: 'Straßwalchen',
      region: '',
      country: 'AUT',
      latitude: expect.closeTo(47.98),
      longitude: -6.6531,
      count: 1,
    },
    ...ids.toSorted().map((id) => expect.objectContaining({ kind: 'site', id }) as object),
  ])
  expect((await read<Suggestions>('suggest?q=etoile')).items).toEqual([
    {
      kind: 'site',
      id: first,
      name: 'Parking Étoile',
      city: 'Strasbourg',
      country: 'FRA',
      latitude: 48.58,
      longitude: -6.6531,
    },
  ])
  await client.collection('businesses').delete(business.id)
})

test('a search finds towns named after saints in every abbreviation', async () => {
  const { client, business } = await newOwnerWithSite(stack.url)
  const create = async (name: string, city: string) => {
    const site = await client.collection(SITES).create({ ...siteBody(business.id), name, city })
    await client.collection('connectors').create(connectorBody(site.id))
    return site.id
  }
  const malo = [await create('Gare', 'Saint-Malo'), await create('Port', 'ST MALO')].toSorted()
  const maxime = [await create('Plage', 'Sainte-Maxime')]
  const polten = [await create('Bahnhof', 'Sankt Pölten'), await create('Dom', 'St. Pölten')]
  for (const [q, ids] of [
    ['st malo', malo],
    ['Saint-Malo', malo],
    ['st-maloo', malo],
    ['malo saint', malo],
    ['Ste Maxime', maxime],
    ['St. Pölten', polten.toSorted()],
    ['sankt polten', polten.toSorted()],
    ['st maxime', []],
  ] as const) {
    const { items } = await read<SitePage>(`sites?q=${encodeURIComponent(q)}`)
    expect([q, items.map(({ id }) => id).toSorted()]).toEqual([q, ids])
  }
  const { items } = await read<Suggestions>('suggest?q=st%20malo')
  expect(items[0]).toMatchObject({ kind: 'town', count: 1 })
  await client.collection('businesses').delete(business.id)
})

test('a search finds a town among the words of an address, a region or a country', async () => {
  const { client, business } = await newOwnerWithSite(stack.url)
  const create = async (name: string, city: string, address: string) => {
    const entered = { ...siteBody(business.id), name, city, address }
    const site = await client.collection(SITES).create(entered)
    await client.collection('connectors').create(connectorBody(site.id))
  }
  await create('Parc Neuf', 'Morlenne', 'Rue de Quimbert 1, Morlenne')
  await create('Halle', 'Saint-Quimbert', 'Place de France 2, Saint-Quimbert')
  await create('Gare de Quimbert', 'Morlenne', 'Place de la Gare 4, Morlenne')
  await create('Aire', 'Trévoux', 'Route de Morlenne, France')
  const names = async (q: string) =>
    (await read<Suggestions>(`suggest?q=${encodeURIComponent(q)}`)).items.map(({ name }) => name)
  for (const [q, found] of [
    ['Morlenne, Frankreich', ['Morlenne']],
    // A site has both words, but its town is another one.
    ['morlenne france', ['Morlenne', 'Aire']],
    ['12 rue de quimbert morlenne', ['Morlenne']],
    ['st quimbert bretagne', ['Saint-Quimbert']],
    ['Gare de Quimbert', ['Gare de Quimbert']],
    ['quimbert bretagne', []],
    ['morlenn bretagne', []],
  ] as const)
    expect([q, await names(q)]).toEqual([q, found])
  await client.collection('businesses').delete(business.id)
})

test('a town whose name has two letters is found in Chinese and Japanese', async () => {
  const { client, business } = await newOwnerWithSite(stack.url)
  for (const [name, city, address] of [
    ['EV 1', '東京', '千代田区'],
    ['EV 2', 'ツル', '上野原'],
    ['EV 3', '大阪市', '北区'],
  ] as const) {
    const entered = { ...siteBody(business.id), name, city, address }
    const site = await client.collection(SITES).create(entered)
    await client.collection('connectors').create(connectorBody(site.id))
  }
  const found = async (q: string) =>
    (await read<Suggestions>(`suggest?q=${encodeURIComponent(q)}`)).items.map(({ name }) => name)
  expect(await found('東京')).toEqual(['東京', 'EV 1'])
  expect(await found('ツル')).toEqual(['ツル', 'EV 2'])
  // A prefix of a name, as in other scripts.
  expect(await found('大阪')).toEqual(['大阪市', 'EV 3'])
  // The town, among further words.
  expect(await found('東京 日本')).toEqual(['東京'])
  expect((await ask(`suggest?q=${encodeURIComponent('東')}`)).status).toBe(400)
  await client.collection('businesses').delete(business.id)
})

test('open=now finds a site while it is open in its own time zone', async () => {
  const { client, site } = await newOwnerWithSite(stack.url)
  const isFound = async (): Promise<boolean> =>
    (await read<SitePage>('sites?near=55.2044,-6.6531&open=now')).items.some(
      ({ id }) => id === site.id,
    )
  const hours = (opening_hours: object | null) =>
    client.collection(SITES).update(site.id, { opening_hours })
  expect(await isFound()).toBe(false)
  await hours({ twentyfourseven: true })
  expect(await isFound()).toBe(true)
  const [before, after] = [-1, 1].map((days) =>
    new Date(Date.now() + days * 86_400_000).toISOString(),
  )
  const now = { period_begin: before, period_end: after }
  await hours({ twentyfourseven: true, exceptional_closings: [now] })
  expect(await isFound()).toBe(false)
  const yesterday = ((new Date().getUTCDay() + 4) % 7) + 1
  const closed = {
    twentyfourseven: false,
    regular_hours: [{ weekday: yesterday, period_begin: '10:00', period_end: '10:30' }],
  }
  await hours(closed)
  expect(await isFound()).toBe(false)
  await hours({ ...closed, exceptional_openings: [now] })
  expect(await isFound()).toBe(true)
  await client.collection(SITES).update(site.id, { status: 'OUTOFORDER' })
  expect(await isFound()).toBe(false)
  await client.collection(SITES).delete(site.id)
})

test('GeoJSON contains the same sites', async () => {
  const { client, site } = await newOwnerWithSite(stack.url)
  const path = 'sites?near=55.2044,-6.6531&limit=1&min_kw=1e-7'
  const { items, next } = await read<SitePage>(path)
  expect(await read<object>(`${path}&format=geojson`)).toEqual({
    type: 'FeatureCollection',
    features: items.map((item) => ({
      type: 'Feature',
      id: item.id,
      geometry: { type: 'Point', coordinates: [item.longitude, item.latitude] },
      properties: item,
    })),
    next,
  })
  expect(items[0]).toMatchObject({ distance_m: 0 })
  await client.collection(SITES).delete(site.id)
})

test('a business is a scope of a list, and a filter for other scopes', async () => {
  const { client, business, site } = await newOwnerWithSite(stack.url)
  await newOwnerWithSite(stack.url)
  const others = [[55.3, -6.7] as const, [55.4, -6.8] as const]
  const ids = [site.id]
  for (const [latitude, longitude] of others) {
    const { id } = await client
      .collection(SITES)
      .create({ ...siteBody(business.id), latitude, longitude })
    await client.collection('connectors').create(connectorBody(id))
    ids.push(id)
  }
  const found: string[] = []
  let next: string | null = ''
  while (next !== null) {
    statements.length = 0
    const page: SitePage = await read(
      `sites?business=${business.id}&limit=2${next === '' ? '' : `&cursor=${next}`}`,
    )
    expect(statements).toHaveLength(1)
    found.push(...page.items.map(({ id }) => id))
    next = page.next
  }
  expect(found.toSorted()).toEqual(ids.toSorted())
  const near = await read<SitePage>(`sites?near=55.4,-6.8&business=${business.id}&limit=200`)
  expect(near.items.map(({ id }) => id)).toEqual(ids.toReversed())
  const none = await read<SitePage>('sites?business=abcdefghijklmno')
  expect(none).toEqual({ items: [], next: null })
})

describe('sites along a line', () => {
  const line = (coordinates: unknown): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'https://elsewhere.example' },
    body: JSON.stringify({ type: 'LineString', coordinates }),
  })

  test('are in its order, take one statement, and are public from any origin without a token', async () => {
    const { client, business } = await newOwnerWithSite(stack.url)
    const create = async (latitude: number, longitude: number, kw_rating: number) => {
      const site = await client
        .collection(SITES)
        .create({ ...siteBody(business.id), latitude, longitude })
      await client.collection('connectors').create({ ...connectorBody(site.id), kw_rating })
      return site.id
    }
    const far = await create(40.004, -29.5, 150)
    const near = await create(40.001, -29.9, 50)
    await create(40.5, -29.7, 150)
    const along = line([
      [-30, 40],
      [-29, 40],
    ])
    statements.length = 0
    const answer = await ask('route?within=2000', along)
    expect([answer.status, statements.length]).toEqual([200, 1])
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
    })
    const { items, next } = (await answer.json()) as SitePage
    expect(items.map(({ id }) => id)).toEqual([near, far])
    expect(items[0]?.along_m).toBeCloseTo(8525, -2)
    // The parallel of 40° is 111 m and 445 m away; the great circle is 43 m and 119 m north of it.
    expect(items.map(({ distance_m }) => distance_m)).toEqual([68, 325])
    expect(next).toBeNull()
    const ids = async (query: string): Promise<string[]> =>
      ((await (await ask(`route${query}`, along)).json()) as SitePage).items.map(({ id }) => id)
    expect(await ids('')).toEqual([near, far])
    expect(await ids('?within=200')).toEqual([near])
    expect(await ids('?min_kw=150')).toEqual([far])
    const first = (await (await ask('route?limit=1', along)).json()) as SitePage
    expect(await ids(`?limit=1&cursor=${first.next}`)).toEqual([far])
    const collection = (await (await ask('route?format=geojson', along)).json()) as object
    expect(collection).toMatchObject({ features: [{ id: near }, { id: far }] })
    const geoJson = { ...along, headers: { 'content-type': 'application/geo+json' } }
    expect(((await (await ask('route', geoJson)).json()) as SitePage).items).toEqual(items)
    const preflight = await ask('route', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://elsewhere.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([
      204,
      '*',
    ])
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST')
    await client.collection('businesses').delete(business.id)
  })

  test('lines of maximum length and with the maximum number of points are accepted', async () => {
    const points = Array.from({ length: 5000 }, (_, index) => [
      index * 0.012345678901,
      Math.sin(index / 50) / 2,
    ])
    expect((await ask('route?within=5000', line(points))).status).toBe(200)
    const far = line([
      [0, 0],
      [89.9, 0],
    ])
    expect((await ask('route?within=5000', far)).status).toBe(200)
    expect((await ask('route', line([[0, 0]]))).status).toBe(200)
  })

  test.each<[what: string, body: unknown, said: string]>([
    ['no line', null, '"type"'],
    ['a point', { type: 'Point', coordinates: [0, 0] }, '"type"'],
    ['no points', { type: 'LineString', coordinates: [] }, '"coordinates"'],
    ['a text', { type: 'LineString', coordinates: [['1', '2']] }, '"coordinates[0]"'],
    [
      'beyond a pole',
      {
        type: 'LineString',
        coordinates: [
          [0, 0],
          [0, 91],
        ],
      },
      '"coordinates[1]"',
    ],
    [
      '5,001 points',
      { type: 'LineString', coordinates: Array.from({ length: 5001 }, () => [0, 0]) },
      'at most 5000',
    ],
    [
      'too long',
      {
        type: 'LineString',
        coordinates: [
          [0, 0],
          [91, 0],
        ],
      },
      'at most 10000 km',
    ],
  ])('%s is refused', async (_what, body, said) => {
    statements.length = 0
    const answer = await ask('route', { ...line([]), body: JSON.stringify(body) })
    expect(answer.status).toBe(400)
    const { data } = (await answer.json()) as { data: { line: { message: string } } }
    expect(data.line).toMatchObject({ code: 'validation_json_shape' })
    expect(data.line.message).toContain(said)
    expect(statements).toEqual([])
  })

  test('a body that is too large and parameters of other reads are refused', async () => {
    const large = { ...line([]), body: JSON.stringify('x'.repeat(300_000)) }
    expect((await ask('route', large)).status).toBe(413)
    for (const [query, field] of [
      ['within=5001', 'within'],
      ['near=1,2', 'near'],
    ] as const) {
      const answer = await ask(`route?${query}`, line([[0, 0]]))
      expect(await answer.json()).toMatchObject({ status: 400, data: { [field]: {} } })
    }
    expect((await ask('route')).status).toBe(404)
  })
})

test('filters by plug and power do not read the documents of all sites', async () => {
  const { client, site } = await newOwnerWithSite(stack.url)
  await client.collection('connectors').create({
    ...connectorBody(site.id),
    standard: 'IEC_62196_T2',
    format: 'SOCKET',
    current_type: 'AC_3_PHASE',
    kw_rating: 22,
  })
  const isFound = async (query: string): Promise<boolean> => {
    const { items } = await read<SitePage>(`sites?near=55.2044,-6.6531&limit=200&${query}`)
    return items.some(({ id }) => id === site.id)
  }
  const requested = ['min_kw=149', 'min_kw=151', 'min_kw=23&plug=CCS_2', 'min_kw=23&plug=TYPE_2']
  expect(await Promise.all(requested.map(isFound))).toEqual([true, false, true, false])
  const holder = await stack.sql.reserve()
  await holder`begin`
  await holder`lock table place_docs in access exclusive mode`
  const tiles = requested.flatMap((query) => [0, 8, 14].map((z) => `tiles/${z}/0/0.mvt?${query}`))
  const answers = await Promise.all(tiles.map(async (path) => (await ask(path)).status))
  await holder`rollback`
  holder.release()
  expect(answers).toEqual(tiles.map(() => 200))
  await client.collection(SITES).delete(site.id)
})

test('a flood of public reads from one address leaves capacity for others', async () => {
  const { site } = await newOwnerWithSite(stack.url)
  const small = await startStack({
    beside: stack,
    env: { TRUST_PROXY: 'on' },
    limits: { publicReads: 4, publicReadsPerAddress: 3 },
  })
  onTestFinished(() => small.close())
  const holder = await stack.sql.reserve()
  onTestFinished(async () => {
    await holder`rollback`
    holder.release()
  })
  await holder`begin`
  await holder`lock table place_docs in access exclusive mode`
  const statuses: number[] = []
  const readFrom = (host: number) =>
    fetch(`${small.url}/api/public/sites/${site.id}`, {
      headers: { 'x-forwarded-for': `192.0.2.${host}` },
    }).then(({ status }) => statuses.push(status))
  const flood = [1, 1, 1, 1, 1].map(readFrom)
  await expect.poll(() => statuses, { timeout: 12_000 }).toEqual([429, 429])
  const other = readFrom(2)
  const none = readFrom(3)
  await expect.poll(() => statuses, { timeout: 12_000 }).toEqual([429, 429, 503])
  await holder`rollback`
  await Promise.all([...flood, other, none])
  expect(statuses.slice(3)).toEqual([200, 200, 200, 200])
  await Promise.all([1, 1, 1].map(readFrom))
  expect(statuses.slice(7)).toEqual([200, 200, 200])
})

test('a flood of stalled public reads does not affect owners', async () => {
  const { client, site } = await newOwnerWithSite(stack.url)
  const holder = await stack.sql.reserve()
  await holder`begin`
  await holder`lock table place_docs in access exclusive mode`
  let refused = 0
  const flood = Array.from({ length: 2 * PUBLIC_READS }, async () => {
    const { status, headers } = await ask(`sites/${site.id}`)
    if (status === 503) refused += 1
    return [status, headers.get('retry-after'), headers.get('access-control-allow-origin')]
  })
  await expect.poll(() => refused, { timeout: 12_000 }).toBe(PUBLIC_READS)
  expect((await client.collection(SITES).getOne(site.id)).id).toBe(site.id)
  await client.collection('users').update(client.authStore.record?.id ?? '', { name: 'Ada' })
  await holder`rollback`
  holder.release()
  const answers = (await Promise.all(flood)).toSorted(
    ([one], [other]) => Number(one) - Number(other),
  )
  expect(answers).toEqual([
    ...Array.from({ length: PUBLIC_READS }, () => [200, null, '*']),
    ...Array.from({ length: PUBLIC_READS }, () => [503, '2', '*']),
  ])
})

// Last, because it fills the database.
test('no public response of a full database contains private data', async () => {
  await fillNetwork(stack.sql, { siteCount: 400, random: createRandom(7) })
  await newOwner(stack.url)
  const known = new Set((await expectedSites(superuser)).map(({ id }) => id))
  const filters = [
    '',
    '&open=now',
    '&free=true',
    '&available=true',
    '&access=PRIVATE',
    '&min_kw=7.5',
  ]
  const paths = [
    ...filters.map((filter) => `sites?bbox=-180,-90,180,90&limit=200${filter}`),
    ...filters.map((filter) => `sites?near=48.58,7.75&limit=200${filter}`),
    ...PLUG_GROUP_NAMES.map((plug) => `sites?near=-18,180&plug=${plug}`),
    ...['secret', 'SECRET reason', 'example.org', 'rue', 'gare', 'voltwerk', 'soehne'].flatMap(
      (q) => [`sites?q=${q}&format=geojson&limit=200`, `suggest?q=${q}`],
    ),
    ...[0, 3, 8, 14].flatMap((z) =>
      filters.map((filter) => `tiles/${z}/0/0.mvt?${filter.slice(1)}`),
    ),
  ]
  let pages = 0
  for (const path of paths) {
    let next: string | null = ''
    while (next !== null) {
      const answer = await ask(next === '' ? path : `${path}&cursor=${next}`)
      const text = await answer.text()
      expect([path, answer.status]).toEqual([path, 200])
      // In a tile, any byte may stand between texts.
      expect(text.replaceAll(/[^\w]/g, path.startsWith('tiles') ? '' : '$&')).not.toMatch(
        /secret|@|hidden|removed|published|description/i,
      )
      for (const [id] of text.matchAll(/sit\d{12}/g))
        expect([path, known.has(id)]).toEqual([path, true])
      next = path.startsWith('sites') ? (JSON.parse(text) as SitePage).next : null
      pages += 1
    }
  }
  const lines = ['', '?open=now', '?free=true&within=5000', '?min_kw=7.5', '?format=geojson']
  for (const query of lines) {
    const answer = await ask(`route${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"type":"LineString","coordinates":[[4.39,45.43],[7.75,48.58],[19.94,50.06]]}',
    })
    const text = await answer.text()
    expect(text).not.toMatch(/secret|@|hidden|removed|published|description/i)
    const found = [...text.matchAll(/sit\d{12}/g)].map(([id]) => id)
    expect(found.length).toBeGreaterThan(0)
    expect(found.filter((id) => !known.has(id))).toEqual([])
  }
  expect(pages).toBeGreaterThan(60)
  const ids = await stack.sql<{ id: string }[]>`select id from sites order by id`
  for (const { id } of ids)
    expect([id, await statusOf(id)]).toEqual([id, known.has(id) ? 200 : 404])
})
