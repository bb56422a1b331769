import { setTimeout as sleep } from 'node:timers/promises'

import { describe, expect, onTestFinished, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'

import type { RecordModel } from 'pocketbase'

import { MAX_TARIFFS_PER_SITE, STANDARDS } from '#domain/connector.ts'
import { OPEN, openPath, type OcpiVersion, type OpenCatalogue } from '#domain/open-data.ts'
import type { PublicTariff } from '#domain/public-site.ts'

import { tariffIdOf } from '../../server/formats/ocpi/tariff.ts'
import { sampleSites } from '../../server/open/open.ts'
import { withStack } from '../support/fixtures.ts'
import { judgeOcpi } from '../support/judges/judges.ts'
import {
  connectorBody,
  newOwner,
  newOwnerWithSite,
  siteBody,
  tariffBody,
} from '../support/owner.ts'
import { startStack } from '../support/stack.ts'

// Open data over HTTP (decisions 0105 to 0109). server/formats tests the content of the files.

const statements: string[] = []
const stack = await withStack({
  onStatement: (text) => {
    if (/place_numbers|public_version/.test(text)) statements.push(text)
  },
})

const ask = (path: string, init?: RequestInit): Promise<Response> => fetch(stack.url + path, init)
const textOf = async (path: string): Promise<string> => {
  const answer = await ask(path)
  const text = await answer.text()
  expect([path, answer.status]).toEqual([path, 200])
  return text
}
const jsonOf = async <T>(path: string): Promise<T> => JSON.parse(await textOf(path)) as T

const etagOf = async (path: string): Promise<string> =>
  (await ask(path, { method: 'HEAD' })).headers.get('etag') ?? ''

/** An owner with an OCPI party and some sites, each with a connector. */
const newParty = async (count: number) => {
  const { client, id: user } = await newOwner(stack.url)
  const business = await client.collection('businesses').create({ name: 'Harbour Lane', user })
  await client
    .collection('businesses')
    .update(business.id, { country_code: 'GB', party_id: 'HLH', licence: 'ODbL-1.0' })
  const sites: string[] = []
  const add = async (): Promise<string> => {
    const site = await client
      .collection('sites')
      .create({ ...siteBody(business.id), city: 'Portrush', name: `Quay ${sites.length}` })
    await client.collection('connectors').create(connectorBody(site.id))
    sites.push(site.id)
    return site.id
  }
  for (let index = 0; index < count; index += 1) await add()
  return { client, business, sites, add }
}
type Party = Awaited<ReturnType<typeof newParty>>

/** Adds sites with a connector each, bypassing the API. */
const addSites = async (business: string, count: number): Promise<void> => {
  await stack.sql`
    insert into sites (id, name, address, latitude, longitude, business, status, published, country)
    select left(md5(${business} || n), 15), 'Site ' || n, 'Quay', 48, 2, ${business}, 'AVAILABLE', true, 'FRA'
    from generate_series(1, ${count}::int) n`
  await stack.sql`
    insert into connectors (id, site, standard, format, current_type, kw_rating)
    select left(md5(s.id), 15), s.id, 'CHADEMO', 'CABLE', 'DC', 50 from sites s where s.business = ${business}`
}

interface Location {
  readonly id: string
  readonly publish: boolean
  readonly last_updated: string
  readonly evses: readonly { readonly uid: string; readonly status: string }[]
}
interface Answer {
  readonly data: readonly Location[]
  readonly status_code: number
}

const locationsPath = ({ business }: Party, query = '', version: OcpiVersion = '2.3.0'): string =>
  openPath(`ocpi-${version}`, business.id) + query

/** Follows the `Link` headers of a list. @param between runs after each page */
const walk = async (
  path: string,
  between: (page: number) => Promise<unknown> = async () => {},
): Promise<Location[]> => {
  const met: Location[] = []
  let next: string | undefined = stack.url + path
  for (let page = 0; next !== undefined; page += 1) {
    const answer: Response = await fetch(next)
    const { data, status_code } = (await answer.json()) as Answer
    expect([answer.status, status_code]).toEqual([200, 1000])
    met.push(...data)
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
    await between(page)
  }
  return met
}

describe('OCPI', () => {
  test('a response has the ids of its request, whatever its outcome', async () => {
    const ids = { 'x-request-id': '7b1c6b1e-request', 'x-correlation-id': '7b1c6b1e-correlation' }
    for (const path of [OPEN.ocpiVersions(), `${openPath('ocpi-2.3.0')}/missing00000000`]) {
      const { headers } = await ask(path, { headers: ids })
      expect(Object.fromEntries([...headers].filter(([name]) => name in ids))).toEqual(ids)
    }
    const preflight = await ask(OPEN.ocpiVersions(), {
      method: 'OPTIONS',
      headers: {
        origin: 'https://elsewhere.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': Object.keys(ids).toSorted().join(','),
      },
    })
    const allowed = preflight.headers.get('access-control-allow-headers')?.toLowerCase().split(', ')
    expect(allowed).toEqual(expect.arrayContaining(Object.keys(ids)))
    const exposed = preflight.headers
      .get('access-control-expose-headers')
      ?.toLowerCase()
      .split(', ')
    expect(exposed).toEqual(expect.arrayContaining(Object.keys(ids)))
    const long = await ask(OPEN.ocpiVersions(), { headers: { 'x-correlation-id': 'x'.repeat(65) } })
    expect(long.headers.get('x-correlation-id')).toBeNull()
  })

  test('an unknown path returns the envelope, too', async () => {
    for (const path of ['/open/ocpi/2.3.0/sessions', '/open/ocpi/3.0', '/open/ocpi/']) {
      const answer = await ask(path)
      expect([path, answer.status]).toEqual([path, 404])
      expect(await answer.json()).toMatchObject({ status_code: 2003, timestamp: expect.anything() })
    }
  })

  test.each([
    ['GET', '/open/ocpi'],
    ['GET', '/open/ocpi?limit=1'],
    ['POST', '/open/ocpi'],
    ['POST', '/open/ocpi/2.2.1/locations'],
    ['PUT', '/open/ocpi/2.3.0/locations/LOC1'],
    ['PATCH', '/open/ocpi/2.3.0/tariffs'],
    ['DELETE', '/open/ocpi/2.3.0/sessions'],
    ['GET', '/open/businesses/nosuchbusiness1/ocpi'],
    ['POST', '/open/businesses/nosuchbusiness1/ocpi/2.2.1/locations'],
  ])('%s %s returns the envelope, too', async (method, path) => {
    const answer = await ask(path, {
      method,
      headers: { 'x-request-id': 'r1', 'content-type': 'application/json' },
      ...(method !== 'GET' && { body: '{"id":"LOC1"}' }),
    })
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([404, 'r1'])
    expect(await answer.json()).toMatchObject({ status_code: 2003, timestamp: expect.anything() })
  })

  test('versions link to endpoints, and these return valid Locations and Tariffs', async () => {
    const party = await newParty(1)
    const { client, business, sites } = party
    const tariff = await client
      .collection('tariffs')
      .create({ ...tariffBody(business.id), tax_included: 'NO' })
    await client.collection('sites').update(sites[0] ?? '', { tariff: tariff.id })
    const { data: versions } = await jsonOf<{ data: { version: OcpiVersion; url: string }[] }>(
      OPEN.ocpiVersions(business.id),
    )
    expect(versions.map(({ version }) => version)).toEqual(['2.3.0', '2.2.1'])
    for (const { version, url } of versions) {
      const { data } = (await (await fetch(url)).json()) as {
        data: { endpoints: { identifier: string; role: string; url: string }[] }
      }
      expect(data.endpoints.map(({ identifier, role }) => [identifier, role])).toEqual([
        ['locations', 'SENDER'],
        ['tariffs', 'SENDER'],
      ])
      for (const { identifier, url: list } of data.endpoints) {
        const answer = await fetch(list)
        const { data: objects } = (await answer.json()) as { data: { id: string }[] }
        expect([answer.headers.get('x-total-count'), objects.length]).toEqual(['1', 1])
        const kind = identifier === 'locations' ? 'location' : 'tariff'
        expect(objects.flatMap((each) => judgeOcpi(kind, version, each))).toEqual([])
        expect(objects[0]?.id).toBe(kind === 'location' ? sites[0] : tariff.id)
      }
    }
  })

  test('a client that follows links gets each Location once, even if sites change, appear and disappear', async () => {
    const party = await newParty(7)
    const { client, sites, add } = party
    const began = [...sites]
    const met = await walk(locationsPath(party, '?limit=2'), async (page) => {
      // A page that was read, one to come, a new site, and removed sites.
      await client
        .collection('sites')
        .update(began[2 * page] ?? began[0] ?? '', { cost: `page ${page}` })
      await client.collection('sites').update(began[6] ?? '', { name: `Renamed ${page}` })
      if (page === 0) await client.collection('sites').delete(began[1] ?? '')
      if (page === 1) await client.collection('sites').update(began[5] ?? '', { published: false })
      if (page === 2) await add()
    })
    expect(met.map(({ id }) => id)).toEqual(sites)
    const statuses = met.map(({ evses }) => evses[0]?.status)
    expect(statuses[5]).toBe('REMOVED')
    expect(met.flatMap((each) => judgeOcpi('location', '2.3.0', each))).toEqual([])
  })

  test('so does a client that counts offsets itself', async () => {
    const party = await newParty(5)
    const met: string[] = []
    for (let offset = 0; offset < 5; offset += 2) {
      const { data } = await jsonOf<Answer>(locationsPath(party, `?offset=${offset}&limit=2`))
      met.push(...data.map(({ id }) => id))
      await party.client.collection('sites').delete(party.sites[offset] ?? '')
    }
    expect(met).toEqual(party.sites)
  })

  test('a large page ends early, and the next one continues', async () => {
    const party = await newParty(7)
    await party.client.collection('sites').update(party.sites[1] ?? '', { published: false })
    // As large as with 150 plugs, each with a price of 50 elements.
    await stack.sql`
      update place_docs set doc = left(doc, -1) || ',"x":"' || repeat('x', 3000000) || '"}'
      where id = any(${party.sites.slice(2)})`
    for (const [query, first] of [
      ['', 0],
      ['?offset=3&limit=4', 3],
    ] as const) {
      let pages = 0
      const met = await walk(locationsPath(party, query), async () => (pages += 1))
      expect(met.map(({ id }) => id)).toEqual(party.sites.slice(first))
      expect(pages).toBeGreaterThan(1)
    }
    const sample = await sampleSites(
      stack.sql,
      { business: party.business.id },
      { parts: 1, each: 100 },
    )
    expect(sample.length).toBeLessThan(4)
  })

  test('a removed site only shows that it was removed', async () => {
    const party = await newParty(1)
    const [id = ''] = party.sites
    const [connector] = await party.client
      .collection('connectors')
      .getFullList({ filter: `site = "${id}"` })
    const said = { evse: 'By the kitchen', evse_id: 'GB*HLH*E7', reference: 'Ask for Ada' }
    await party.client.collection('connectors').update(connector?.id ?? '', said)
    await party.client.collection('sites').update(id, { contact_phone: '+44 28 1234' })
    const [before] = await walk(locationsPath(party))
    await party.client.collection('sites').update(id, { published: false })
    const text = await textOf(locationsPath(party))
    const [location] = (JSON.parse(text) as Answer).data
    const last_updated = location?.last_updated
    expect(location).toEqual({
      country_code: 'GB',
      party_id: 'HLH',
      id,
      publish: false,
      address: 'Removed',
      city: 'Portrush',
      country: 'GBR',
      coordinates: { latitude: '55.20000', longitude: '-6.65000' },
      evses: [
        {
          uid: before?.evses[0]?.uid,
          status: 'REMOVED',
          connectors: [
            {
              id: connector?.id,
              standard: 'IEC_62196_T2_COMBO',
              format: 'CABLE',
              power_type: 'DC',
              max_voltage: 920,
              max_amperage: 163,
              last_updated,
            },
          ],
          last_updated,
        },
      ],
      time_zone: 'Europe/London',
      last_updated,
    })
    expect(judgeOcpi('location', '2.3.0', location)).toEqual([])
    expect(await jsonOf(OPEN.withdrawn(party.business.id))).toMatchObject([{ id }])
    await party.client.collection('sites').update(id, { published: true })
    const { data } = await jsonOf<Answer>(locationsPath(party))
    expect(data).toMatchObject([{ id, publish: true, evses: [{ status: 'AVAILABLE' }] }])
    expect(await jsonOf(OPEN.withdrawn(party.business.id))).toEqual([])
  })

  test('a time window includes its beginning and excludes its end', async () => {
    const party = await newParty(3)
    const all = await walk(locationsPath(party))
    const middle = all[1]?.last_updated ?? ''
    const idsOf = async (query: string) =>
      (await walk(locationsPath(party, query))).map(({ id }) => id)
    expect(await idsOf(`?date_from=${middle}`)).toEqual(party.sites.slice(1))
    expect(await idsOf(`?date_to=${middle}`)).toEqual(party.sites.slice(0, 1))
    expect(await idsOf(`?date_from=${middle}&limit=1`)).toEqual(party.sites.slice(1))
    const answer = await ask(locationsPath(party, `?date_from=${middle}&limit=1`))
    expect([answer.headers.get('x-total-count'), answer.headers.get('x-limit')]).toEqual([
      '2',
      '100',
    ])
  })

  test.each(['2.2.1', '2.3.0'] as const)(
    'a Tariff of %s is listed again when a Location refers to it, and when it or its party changes',
    async (version) => {
      const { client, business, sites } = await newParty(1)
      const create = () =>
        client.collection('tariffs').create({ ...tariffBody(business.id), tax_included: 'NO' })
      const [first, second] = [await create(), await create()]
      await client.collection('sites').update(sites[0] ?? '', { tariff: first.id })
      const list = openPath(`ocpi-${version}`, business.id).replace('locations', 'tariffs')
      const moment = async (): Promise<string> => {
        await sleep(5)
        const time = new Date().toISOString()
        await sleep(5)
        return time
      }
      const tariffsOf = (query: string) =>
        walk(`${list}${query}`) as unknown as Promise<
          readonly { id: string; party_id: string; last_updated: string }[]
        >
      const idsOf = async (query: string) => (await tariffsOf(query)).map(({ id }) => id)

      const beforeNaming = await moment()
      expect(await idsOf(`?date_from=${beforeNaming}`)).toEqual([])
      expect(await idsOf(`?date_to=${beforeNaming}`)).toEqual([first.id])
      const [connector] = await client
        .collection('connectors')
        .getFullList({ filter: `site = "${sites[0]}"` })
      await client.collection('sites').update(sites[0] ?? '', { tariff: '' })
      await client.collection('connectors').update(connector?.id ?? '', { tariff: second.id })
      const [named, ...others] = await tariffsOf(`?date_from=${beforeNaming}`)
      expect([named?.id, others]).toEqual([second.id, []])
      expect((named?.last_updated ?? '') >= beforeNaming, 'it says when').toBe(true)
      expect(await idsOf(`?date_to=${beforeNaming}`)).toEqual([])
      // Exactly from its own time on.
      expect(await idsOf(`?date_from=${named?.last_updated}`)).toEqual([second.id])

      const beforeChange = await moment()
      await client.collection('tariffs').update(second.id, { currency: 'GBP' })
      expect(await idsOf(`?date_from=${beforeChange}`)).toEqual([second.id])

      const beforeParty = await moment()
      await client.collection('businesses').update(business.id, { party_id: 'HLN' })
      expect(await tariffsOf(`?date_from=${beforeParty}`)).toMatchObject([
        { id: second.id, party_id: 'HLN' },
      ])
      expect(await idsOf(`?date_from=${await moment()}`)).toEqual([])
    },
  )

  test('a price with different rates per plug becomes one Tariff per plug, and many are read in a short time', async () => {
    const { client, business, sites } = await newParty(50)
    const elements = [
      { price_components: [{ type: 'ENERGY', price: 0.5, step_size: 1 }] },
      ...Array.from({ length: 49 }, (_, index) => ({
        price_components: [{ type: 'TIME', price: index, step_size: 1 }],
        restrictions: {
          standards: STANDARDS.slice(index % 40, (index % 40) + 2),
          ...(index % 3 > 0 && { current: index % 3 === 1 ? 'AC' : 'DC' }),
        },
      })),
    ]
    const tariff = await client
      .collection<PublicTariff & RecordModel>('tariffs')
      .create({ ...tariffBody(business.id), tax_included: 'NO', elements })
    await client.collection('sites').update(sites[0] ?? '', { tariff: tariff.id })
    const plugs = STANDARDS.flatMap((standard) =>
      (['AC_3_PHASE', 'DC'] as const).map((current_type) => ({ standard, current_type })),
    )
    const expected = new Set(plugs.map((plug) => tariffIdOf(tariff, plug, '2.3.0')))
    const list = openPath('ocpi-2.3.0', business.id).replace('locations', 'tariffs')
    for (const query of ['', '?limit=30']) {
      const ids = (await walk(`${list}${query}`)).map(({ id }) => id)
      expect([ids.length, new Set(ids)]).toEqual([expected.size, expected])
    }
    // An account can create this many in some minutes.
    const others = sites.slice(1)
    const count = others.length * MAX_TARIFFS_PER_SITE
    await stack.sql`
      insert into tariffs (id, business, name, currency, tax_included, elements)
      select 'many' || lpad(n::text, 11, '0'), business, name, currency, tax_included,
        jsonb_set(elements, '{0,price_components,0,price}', to_jsonb(n))
      from tariffs, generate_series(1, ${count}::int) n where id = ${tariff.id}`
    await stack.sql`
      insert into connectors (id, site, standard, format, current_type, kw_rating, tariff)
      select id, (${others}::text[])[1 + (right(id, 11)::int - 1) / ${MAX_TARIFFS_PER_SITE}::int], 'CHADEMO', 'CABLE', 'DC', 50, id
      from tariffs where id like 'many%'`
    const impatient = await startStack({ beside: stack, limits: { statementMs: 5000 } })
    onTestFinished(() => impatient.close())
    const answer = await fetch(`${impatient.url}${list}?limit=3`)
    expect([answer.status, answer.headers.get('x-total-count')]).toEqual([
      200,
      String((count + 1) * expected.size),
    ])
    await stack.sql`delete from connectors where id like 'many%'`
    await stack.sql`delete from tariffs where id like 'many%'`
  })

  test('single objects, and errors in the OCPI format', async () => {
    const party = await newParty(1)
    const [id = ''] = party.sites
    const [location] = await walk(locationsPath(party))
    const uid = location?.evses[0]?.uid ?? ''
    expect(await jsonOf(locationsPath(party, `/${id}/${uid}`))).toMatchObject({ data: { uid } })
    for (const [path, status, code] of [
      ['/unknown', 404, 2003],
      [`/${id}/unknown`, 404, 2003],
      ['?limit=0', 400, 2001],
      ['?date_from=yesterday', 400, 2001],
      ['?datefrom=2026-01-01', 400, 2001],
    ] as const) {
      const answer = await ask(locationsPath(party, path))
      const body = (await answer.json()) as object
      expect([path, answer.status, Object.keys(body)]).toEqual([
        path,
        status,
        ['status_code', 'status_message', 'timestamp'],
      ])
      expect(body).toMatchObject({ status_code: code })
    }
  })

  test.each([
    [
      '?date_from=yesterday',
      'date_from: Invalid value yesterday. Must be a date, with or without a time, such as 2026-12-24T23:00:00Z.',
    ],
    [
      '?limit=0&offset=-1',
      'limit: Invalid value 0. Must be a whole number from 1 to 1000000000. offset: Invalid value -1. Must be a whole number',
    ],
    [
      '?after=abc',
      'after: Invalid value abc. Must be the value in the `Link` header of the previous page.',
    ],
    ['?limit=1&limit=2', 'limit: Select no more than 1.'],
    ['?datefrom=2026-01-01', 'There is no parameter "datefrom".'],
  ])('an OCPI error names the wrong parameters: %s', async (query, sentence) => {
    const answer = await ask(locationsPath(await newParty(1), query))
    expect([answer.status, answer.headers.get('x-limit')]).toEqual([400, null])
    expect(await answer.json()).toMatchObject({
      status_code: 2001,
      status_message: expect.stringContaining(sentence),
    })
    const long = 'x'.repeat(1000)
    const both = await ask(`/open/ocpi/2.3.0/locations?date_from=${long}&date_to=${long}`)
    const { status_message } = (await both.json()) as { status_message: string }
    expect(status_message).toHaveLength(255)
    expect(status_message).toContain('Must be a date')
  })

  test('a page of one list does not continue after a page of the other', async () => {
    for (const [list, after] of [
      ['tariffs', '5'],
      ['tariffs', 'abc'],
      ['locations', `${'2'.repeat(17)}${'a'.repeat(15)}1`],
    ])
      expect(await (await ask(`/open/ocpi/2.3.0/${list}?after=${after}`)).json()).toMatchObject({
        status_code: 2001,
        status_message: expect.stringContaining('in the `Link` header'),
      })
  })

  test('a business without a party id has no Locations, and the losses give the reason', async () => {
    const { business, site } = await newOwnerWithSite(stack.url)
    expect(await jsonOf(`/open/businesses/${business.id}/ocpi/2.3.0/locations`)).toMatchObject({
      data: [],
    })
    const losses = await jsonOf<{ id: string; losses: object[] }[]>(
      `/open/businesses/${business.id}/losses/ocpi-2.3.0.json`,
    )
    expect(losses).toMatchObject([{ id: site.id }])
    expect(losses[0]?.losses).toContainEqual({
      on: 'businesses',
      field: 'party_id',
      reason: 'left_out',
    })
  })
})

test('a planned site is left out of formats that cannot represent it, and listed in their losses', async () => {
  const { client, business, sites } = await newParty(1)
  const [id = ''] = sites
  await client.collection('sites').update(id, {
    country: 'FRA',
    access: 'PUBLIC',
    payment: ['APP'],
    parking_type: 'PARKING_LOT',
    opening_hours: { twentyfourseven: true },
    contact_email: 'quay@example.org',
  })
  /** The formats that contain the site, and those whose losses say that it was left out. */
  const look = async () => {
    const formats = ['irve', 'datex', 'ocpi-2.3.0', 'osm', 'ocm', 'geojson', 'csv'] as const
    const found = await Promise.all(
      formats.map(async (format) => {
        const text = await textOf(openPath(format, business.id))
        const losses = await textOf(`/open/businesses/${business.id}/losses/${format}.json`)
        return { format, has: text.includes('Quay 0'), isLeftOut: losses.includes('left_out') }
      }),
    )
    const namesOf = (some: typeof found) => some.map(({ format }) => format)
    return {
      with: namesOf(found.filter(({ has }) => has)),
      leftOut: namesOf(found.filter(({ isLeftOut }) => isLeftOut)),
    }
  }
  expect(await look()).toEqual({
    with: ['irve', 'datex', 'ocpi-2.3.0', 'osm', 'ocm', 'geojson', 'csv'],
    leftOut: [],
  })
  await client.collection('sites').update(id, { status: 'PLANNED' })
  expect(await look()).toEqual({
    with: ['ocpi-2.3.0', 'osm', 'ocm', 'geojson', 'csv'],
    leftOut: ['irve', 'datex'],
  })
})

describe('files', () => {
  test('are the same bytes while their ETag is the same, also as a workbook', async () => {
    const { business } = await newParty(1)
    const changed = new Date('2026-01-02T03:04:06Z')
    await stack.sql`update place_numbers set updated = ${changed} where business = ${business.id}`
    const workbook = await ask(openPath('xlsx', business.id))
    const zip = await fromBufferPromise(Buffer.from(await workbook.arrayBuffer()))
    const times: Date[] = []
    for await (const entry of zip.eachEntry()) times.push(entry.getLastModDate({ timezone: 'UTC' }))
    expect(new Set(times.map(Number))).toEqual(new Set([Number(changed)]))
  })

  test('can be read from any page, with an ETag that changes with the content', async () => {
    const { client, business, sites } = await newParty(2)
    const path = openPath('csv', business.id)
    const origin = { origin: 'https://elsewhere.example' }
    const first = await ask(path, { headers: origin })
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'content-type': 'text/csv; charset=utf-8',
      link: '<https://opendatacommons.org/licenses/odbl/1-0/>; rel="license"',
    })
    const etag = first.headers.get('etag') ?? ''
    statements.length = 0
    const again = await ask(path, { headers: { 'if-none-match': etag } })
    expect([again.status, await again.text(), statements.length]).toEqual([304, '', 1])
    expect([first, again].map(({ headers }) => headers.get('vary'))).toEqual(
      Array(2).fill('accept-encoding'),
    )
    expect((await ask(path, { headers: { 'if-none-match': '*' } })).status).toBe(304)
    const head = await ask(path, { method: 'HEAD' })
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, ''])
    await client.collection('sites').update(sites[0] ?? '', { cost: '1' })
    const changed = await ask(path, { headers: { 'if-none-match': etag } })
    expect([changed.status, changed.headers.get('etag') === etag]).toEqual([200, false])
  })

  test('of the whole network: a later commit with a lower version changes the ETag', async () => {
    const [
      {
        sites: [late = ''],
      },
      {
        sites: [early = ''],
      },
    ] = [await newParty(1), await newParty(1)]
    const path = openPath('geojson')
    const during = await stack.sql.begin(async (older) => {
      await stack.sql.begin(async (newer) => {
        // The transaction that begins last commits last, but has the lower version.
        await newer`select pg_current_xact_id()`
        await older`update sites set cost = 'late' where id = ${late}`
        await newer`update sites set cost = 'early' where id = ${early}`
      })
      return etagOf(path)
    })
    const after = await ask(path, { headers: { 'if-none-match': during } })
    expect([after.status, await after.text()]).toEqual([200, expect.stringContaining('"late"')])
  })

  test('of the whole network: writes elsewhere do not change the ETag', async () => {
    await newParty(1)
    const path = openPath('geojson')
    await stack.sql.begin(async (transaction) => {
      await transaction`select pg_current_xact_id()`
      // A transaction that ends between the two requests changes the version.
      await expect
        .poll(async () => {
          const etag = await etagOf(path)
          await stack.sql`select pg_current_xact_id()`
          statements.length = 0
          const again = await ask(path, { headers: { 'if-none-match': etag } })
          await again.body?.cancel()
          return [again.status, statements.length]
        })
        .toEqual([304, 1])
    })
  })

  test('with since, contain only later changes', async () => {
    const { client, business, sites } = await newParty(2)
    await sleep(2)
    const since = new Date().toISOString()
    await client.collection('sites').update(sites[1] ?? '', { cost: 'new' })
    const { features } = await jsonOf<{ features: { id: string }[] }>(
      `${openPath('geojson', business.id)}?since=${since}`,
    )
    expect(features.map(({ id }) => id)).toEqual([sites[1]])
  })

  test('an invalid time zone that was stored before it was validated breaks no file', async () => {
    const { client, business, sites } = await newParty(2)
    const [one = ''] = sites
    const period = { period_begin: '2026-12-24T08:00:00Z', period_end: '2026-12-24T12:00:00Z' }
    const regular_hours = [{ weekday: 1, period_begin: '08:00', period_end: '18:00' }]
    const opening_hours = {
      twentyfourseven: false,
      regular_hours,
      exceptional_openings: [period],
    }
    await client.collection('sites').update(one, { opening_hours })
    await stack.sql`update sites set time_zone = 'Mars/Olympus_Mons' where id = ${one}`
    const formats = ['geojson', 'csv', 'xlsx', 'datex', 'osm', 'ocm', 'ocpi-2.3.0'] as const
    for (const format of formats) await textOf(openPath(format, business.id))
    expect(await textOf(openPath('csv', business.id))).toContain('2026 Dec 24 08:00-12:00')
  })

  test('of more sites than a page contain each site once, compressed', async () => {
    const { business } = await newParty(0)
    await addSites(business.id, 600)
    const answer = await ask(openPath('geojson', business.id), {
      headers: { 'accept-encoding': 'gzip' },
    })
    expect(answer.headers.get('content-encoding')).toBe('gzip')
    const { features } = (await answer.json()) as { features: { id: string }[] }
    expect(new Set(features.map(({ id }) => id)).size).toBe(600)
    expect(features).toHaveLength(600)
    const catalogue = await jsonOf<OpenCatalogue>(OPEN.catalogue(business.id))
    expect([catalogue.sites, catalogue.connectors]).toEqual([600, 600])
  })

  /** The ratios of the sizes in a catalogue to the actual sizes of the files. */
  const sizesOf = async (business: string, sites: number) => {
    const read = () => jsonOf<OpenCatalogue>(OPEN.catalogue(business))
    // The catalogue may be slightly outdated.
    await expect.poll(async () => (await read()).sites).toBe(sites)
    const { formats } = await read()
    expect(formats.flatMap(({ format, bytes }) => (bytes === undefined ? [format] : []))).toEqual([
      'ocpi-2.3.0',
      'ocpi-2.2.1',
    ])
    return Promise.all(
      formats.flatMap(({ bytes, path }) =>
        bytes === undefined
          ? []
          : [ask(path).then(async (answer) => bytes / (await answer.arrayBuffer()).byteLength)],
      ),
    )
  }

  test('the catalogue lists the size of the files, exact for a few sites and approximate for many', async () => {
    const few = await newParty(3)
    expect(await sizesOf(few.business.id, 3)).toEqual([1, 1, 1, 1, 1, 1, 1])
    const many = await newParty(0)
    await addSites(many.business.id, 600)
    for (const size of await sizesOf(many.business.id, 600)) {
      expect(size).toBeGreaterThan(0.8)
      expect(size).toBeLessThan(1.25)
    }
  })

  test('a catalogue without sites lists no sizes', async () => {
    const { client, business, sites } = await newParty(1)
    await client.collection('sites').delete(sites[0] ?? '')
    const { sites: count, formats } = await jsonOf<OpenCatalogue>(OPEN.catalogue(business.id))
    expect([count, formats.filter(({ bytes }) => bytes !== undefined)]).toEqual([0, []])
  })

  test('concurrent requests for a catalogue share one', async () => {
    const { business } = await newParty(1)
    statements.length = 0
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => jsonOf<OpenCatalogue>(OPEN.catalogue(business.id))),
    )
    expect(answers.map(({ sites }) => sites)).toEqual([1, 1, 1, 1, 1])
    expect(statements.filter((text) => text.includes('as licences'))).toHaveLength(1)
  })

  test('have a limit on concurrent downloads per address and in total, and a refusal has no ETag', async () => {
    const small = await startStack({
      beside: stack,
      env: { TRUST_PROXY: 'on' },
      limits: { openFiles: 3, openFilesPerAddress: 2 },
    })
    onTestFinished(() => small.close())
    const open = (address: string): Promise<Response> =>
      fetch(small.url + openPath('csv'), { headers: { 'x-forwarded-for': address } })
    // The server's startup tasks would also wait for the lock, and a statement may be queued behind another one.
    await (await open('192.0.2.9')).text()
    const busy = () => stack.sql`
      select 1 from pg_stat_activity
      where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`
    await expect.poll(async () => (await busy()).length).toBe(0)
    const answers = await stack.sql.begin(async (transaction) => {
      // The downloads begin and wait for their sites.
      await transaction`lock table place_docs in access exclusive mode`
      const begun = []
      for (const host of [1, 1, 1, 2, 3]) begun.push(await open(`192.0.2.${host}`))
      return begun
    })
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429, 200, 503])
    const names = ['retry-after', 'etag', 'link', 'content-disposition']
    for (const { headers } of answers.filter(({ ok }) => !ok))
      expect(names.map((name) => headers.get(name))).toEqual(['10', null, null, null])
    for (const answer of answers) await answer.text()
    expect((await open('192.0.2.1')).status).toBe(200)
  })

  test('unknown parameters and businesses are refused', async () => {
    const { business } = await newParty(1)
    expect((await ask(`${openPath('csv', business.id)}?sinc=2026`)).status).toBe(400)
    const soon = await ask(`${openPath('csv', business.id)}?since=soon`)
    expect([soon.status, await soon.json()]).toMatchObject([
      400,
      {
        data: {
          since: {
            code: 'validation_invalid_value',
            message:
              'Invalid value soon. Must be a date, with or without a time, such as 2026-12-24T23:00:00Z.',
            params: { value: 'soon' },
          },
        },
      },
    ])
    for (const [time, status] of [
      ['2026-11-26', 200],
      ['2026-11-26 14:14', 200],
      ['2026-11-26T14:14+02:00', 200],
      ['2026-11-26T14:14:11.5+02:00', 200],
      ['2026-11-26T14:14:11%2B02:00', 200],
      ['2026-11-26 14:14:11 14:00', 200],
      ['2026-11-26 14:14 14:14 14:14', 400],
    ] as const)
      expect([time, (await ask(`${openPath('csv', business.id)}?since=${time}`)).status]).toEqual([
        time,
        status,
      ])
    for (const path of [
      openPath('csv', 'nosuchbusiness1'),
      OPEN.ocpiVersions('nosuchbusiness1'),
      '/open/businesses/nosuchbusiness1/ocpi/2.3.0',
      '/open/businesses/nosuchbusiness1/ocpi/2.2.1/locations',
    ])
      expect([path, (await ask(path)).status]).toEqual([path, 404])
  })
})

test('every business is listed with its licence, and the losses of a site are available', async () => {
  const { business, sites } = await newParty(1)
  const all = await jsonOf<{ id: string; licence: string; sites: number }[]>(OPEN.businesses)
  expect(all).toContainEqual(
    expect.objectContaining({ id: business.id, licence: 'ODbL-1.0', sites: 1 }),
  )
  const losses = await jsonOf<Record<string, object[]>>(OPEN.siteLosses(sites[0] ?? ''))
  expect(losses['geojson']).toEqual([])
  expect(losses['ocpi-2.3.0']).toContainEqual({
    on: 'connectors',
    field: 'voltage',
    reason: 'derived',
  })
  expect(await jsonOf(OPEN.osmTags(sites[0] ?? ''))).toMatchObject({ amenity: 'charging_station' })
})
