import { describe, expect, test } from 'vitest'

import { SITES } from '#domain/collection.ts'
import { API } from '#domain/paths.ts'
import { FULL_LIST_BATCH } from '#domain/limits.ts'
import { BUSINESS_FIELDS } from '#domain/business.ts'
import { CONNECTOR_FIELDS } from '#domain/connector.ts'
import { SITE_FIELDS } from '#domain/site.ts'

import { makePhoto } from '../support/images.ts'
import { connectorBody, newOwner, newOwnerWithSite, siteBody } from '../support/owner.ts'
import { withStack } from '../support/fixtures.ts'

// Each operation of spec section 7 as the product performs it, with the unmodified official SDK.

const stack = await withStack()

describe('users', () => {
  test('a user updates name and onboarded; the response is the user record', async () => {
    const { client, id, email } = await newOwner(stack.url)
    const user = await client.collection('users').update(id, { name: 'Ada', onboarded: true })
    expect(user).toMatchObject({
      id,
      email,
      name: 'Ada',
      onboarded: true,
      verified: true,
      collectionId: '_pb_users_auth_',
      collectionName: 'users',
    })
    expect(await client.collection('users').update(id, { onboarded: false })).toMatchObject({
      name: 'Ada',
      onboarded: false,
    })
  })
})

describe('businesses', () => {
  const fields = BUSINESS_FIELDS.join(',')

  test('create without a logo, as JSON, returns exactly the requested fields', async () => {
    const { client, id } = await newOwner(stack.url)
    const business = await client
      .collection('businesses')
      .create({ user: id, name: 'Harbour Lane', website: 'https://harbour.example' }, { fields })
    expect(Object.keys(business).toSorted()).toEqual([...BUSINESS_FIELDS].toSorted())
    expect(business).toMatchObject({
      collectionName: 'businesses',
      name: 'Harbour Lane',
      website: 'https://harbour.example',
      description: '',
      contact_email: '',
      logo: '',
    })
  })

  test('create with a logo, as multipart; the logo is served under the file URL', async () => {
    const { client, id } = await newOwner(stack.url)
    const logo = await makePhoto('Our Logo.png', { type: 'png', width: 64, height: 64 })
    const business = await client
      .collection('businesses')
      .create({ user: id, name: 'With logo', logo }, { fields })
    expect(business['logo']).toMatch(/^our_logo_[a-z0-9]{10}\.png$/)
    const url = client.files.getURL(business, String(business['logo']))
    expect(url).toContain(`/api/files/businesses/${business.id}/${business['logo']}`)
    const answer = await fetch(url)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('image/png')
  })

  test('update changes only the fields that were sent; a logo replaces the previous one; "" removes it', async () => {
    const { client, id } = await newOwner(stack.url)
    const businesses = client.collection('businesses')
    const made = await businesses.create({
      user: id,
      name: 'First',
      description: 'Kept',
      logo: await makePhoto('one.png', { type: 'png' }),
    })
    const renamed = await businesses.update(made.id, { name: 'Second' })
    expect(renamed).toMatchObject({ name: 'Second', description: 'Kept', logo: made['logo'] })
    const replaced = await businesses.update(made.id, { logo: await makePhoto('two.jpg') })
    expect(replaced['logo']).toMatch(/^two_/)
    await expect
      .poll(async () => (await fetch(client.files.getURL(made, String(made['logo'])))).status)
      .toBe(404)
    expect(await businesses.update(made.id, { logo: '' })).toMatchObject({
      logo: '',
      name: 'Second',
    })
  })

  test('the dashboard: first item by user, with the sites that point to it and their fields', async () => {
    const { client, id, business, site } = await newOwnerWithSite(stack.url)
    const second = await client.collection('sites').create({ ...siteBody(business.id), name: 'B' })
    const requested = [
      ...BUSINESS_FIELDS,
      ...SITE_FIELDS.map((name) => `expand.sites(business).${name}`),
    ]
    const found = await client
      .collection('businesses')
      .getFirstListItem(client.filter('user={:id}', { id }), {
        expand: 'sites(business)',
        fields: requested.join(','),
      })
    expect(found.id).toBe(business.id)
    const sites =
      (found.expand as Record<string, Record<string, unknown>[]>)['sites(business)'] ?? []
    expect(sites.map((each) => each['id'])).toEqual([site.id, second.id])
    expect(Object.keys(sites[0] ?? {}).toSorted()).toEqual([...SITE_FIELDS].toSorted())
  })

  test('the dashboard of a user without a business: 404 with the sentence of the spec', async () => {
    const { client, id } = await newOwner(stack.url)
    await expect(
      client.collection('businesses').getFirstListItem(`user="${id}"`),
    ).rejects.toMatchObject({
      status: 404,
      response: { message: "The requested resource wasn't found." },
    })
  })
})

describe('sites', () => {
  const fields = SITE_FIELDS.join(',')

  test('create without photos, as JSON', async () => {
    const { client, business } = await newOwnerWithSite(stack.url)
    const site = await client
      .collection('sites')
      .create(
        { ...siteBody(business.id), cost: '€0.45 / kWh', contact_phone: '+44 28 1234' },
        { fields },
      )
    expect(Object.keys(site).toSorted()).toEqual([...SITE_FIELDS].toSorted())
    expect(site).toMatchObject({
      latitude: 55.2044,
      longitude: -6.6531,
      vehicle_capacity: 2,
      cost: '€0.45 / kWh',
      contact_phone: '+44 28 1234',
      contact_email: '',
      photos: [],
      status: 'AVAILABLE',
    })
  })

  test('create with photos, as multipart, with the capacity under "vehicle"', async () => {
    const { client, business } = await newOwnerWithSite(stack.url)
    const { vehicle_capacity: _left, ...rest } = siteBody(business.id)
    const photos = [await makePhoto('Front.jpg'), await makePhoto('Bay.webp', { type: 'webp' })]
    const site = await client
      .collection('sites')
      .create({ ...rest, cost: '0.45 / kWh\n0.30 at night', vehicle: 4, photos }, { fields })
    expect(site).toMatchObject({
      vehicle_capacity: 4,
      latitude: 55.2044,
      // In a form, it was sent with CRLF.
      cost: '0.45 / kWh\n0.30 at night',
    })
    expect(site).not.toHaveProperty('vehicle')
    expect(site['photos']).toEqual([
      expect.stringMatching(/^front_[a-z0-9]{10}\.jpg$/),
      expect.stringMatching(/^bay_[a-z0-9]{10}\.webp$/),
    ])
  })

  test('"vehicle" in JSON also sets the capacity, and vehicle_capacity takes precedence', async () => {
    const { client, business } = await newOwnerWithSite(stack.url)
    const { vehicle_capacity: _left, ...rest } = siteBody(business.id)
    const sites = client.collection('sites')
    expect(await sites.create({ ...rest, vehicle: 7 })).toMatchObject({ vehicle_capacity: 7 })
    expect(await sites.create({ ...rest, vehicle: 7, vehicle_capacity: 8 })).toMatchObject({
      vehicle_capacity: 8,
    })
  })

  test('coordinates of 0 are valid values', async () => {
    const { client, business } = await newOwnerWithSite(stack.url)
    const site = await client
      .collection('sites')
      .create({ ...siteBody(business.id), latitude: 0, longitude: 0 })
    expect(site).toMatchObject({ latitude: 0, longitude: 0 })
  })

  test('coordinates are stored without rounding', async () => {
    const { client, business } = await newOwnerWithSite(stack.url)
    const latitude = 48.858_370_000_000_01
    const site = await client.collection('sites').create({ ...siteBody(business.id), latitude })
    expect(site['latitude']).toBe(latitude)
  })

  test('update adds photos; "photos-" removes one by its stored name, in JSON and in multipart', async () => {
    const { client, site } = await newOwnerWithSite(stack.url)
    const sites = client.collection('sites')
    const first = await sites.update(site.id, {
      photos: [await makePhoto('a.jpg'), await makePhoto('b.jpg')],
    })
    const both = await sites.update(site.id, { photos: [await makePhoto('c.jpg')] })
    expect(both['photos']).toEqual([
      ...(first['photos'] as string[]),
      expect.stringMatching(/^c[a-z0-9]+_/),
    ])
    const [a, b, c] = both['photos'] as string[]
    const less = await sites.update(site.id, { 'photos-': [a] }, { fields })
    expect(less['photos']).toEqual([b, c])
    const mixed = await sites.update(site.id, {
      'photos-': [b],
      photos: [await makePhoto('d.jpg')],
    })
    expect(mixed['photos']).toEqual([c, expect.stringMatching(/^d/)])
  })

  test('a list of stored names sets the order, and names that it omits are removed', async () => {
    const { client, site } = await newOwnerWithSite(stack.url)
    const sites = client.collection('sites')
    const { photos } = await sites.update(site.id, {
      photos: [await makePhoto('a.jpg'), await makePhoto('b.jpg'), await makePhoto('c.jpg')],
    })
    const [a, , c] = photos as string[]
    expect((await sites.update(site.id, { photos: [c, a] }))['photos']).toEqual([c, a])
    expect((await sites.update(site.id, { photos: [] }))['photos']).toEqual([])
  })

  test('update changes only the fields that were sent', async () => {
    const { client, site } = await newOwnerWithSite(stack.url)
    const changed = await client.collection('sites').update(site.id, { status: 'PLANNED' })
    expect(changed).toMatchObject({ ...siteBody(String(site['business'])), status: 'PLANNED' })
  })

  test('the expand of an update’s response is up to date', async () => {
    const { client, site } = await newOwnerWithSite(stack.url)
    const answer = await client
      .collection('sites')
      .update(site.id, { name: 'After' }, { expand: 'business.sites_via_business' })
    expect(JSON.stringify(answer.expand)).toContain('After')
  })

  test('photos that are not names are refused', async () => {
    const { client, site } = await newOwnerWithSite(stack.url)
    const sites = client.collection('sites')
    const { photos } = await sites.update(site.id, { photos: [await makePhoto('a.jpg')] })
    for (const wrong of [[{ name: 'a', src: 'b' }], 5, {}])
      await expect(sites.update(site.id, { photos: wrong })).rejects.toMatchObject({ status: 400 })
    expect((await sites.getOne(site.id))['photos']).toEqual(photos)
  })

  test('delete removes the site and its connectors', async () => {
    const { client, site, connector } = await newOwnerWithSite(stack.url)
    expect(await client.collection('sites').delete(site.id)).toBe(true)
    await expect(client.collection('sites').getOne(site.id)).rejects.toMatchObject({ status: 404 })
    await expect(client.collection('connectors').getOne(connector.id)).rejects.toMatchObject({
      status: 404,
    })
    await expect(client.collection('sites').delete(site.id)).rejects.toMatchObject({ status: 404 })
  })
})

describe('connectors', () => {
  const fields = CONNECTOR_FIELDS.join(',')

  test('create, update and delete', async () => {
    const { client, site } = await newOwnerWithSite(stack.url)
    const connectors = client.collection('connectors')
    const made = await connectors.create({ ...connectorBody(site.id), kw_rating: 7.4 }, { fields })
    expect(Object.keys(made).toSorted()).toEqual([...CONNECTOR_FIELDS].toSorted())
    expect(made['kw_rating']).toBe(7.4)
    const changed = await connectors.update(
      made.id,
      { kw_rating: 11, format: 'SOCKET' },
      { fields },
    )
    expect(changed).toEqual({ ...made, kw_rating: 11, format: 'SOCKET' })
    expect(await connectors.delete(made.id)).toBe(true)
  })

  test('full list by the owner path, in batches of 500', async () => {
    const { client, id, site } = await newOwnerWithSite(stack.url)
    const rest = Array.from({ length: 520 }, () =>
      client.collection('connectors').create(connectorBody(site.id)),
    )
    await Promise.all(rest)
    const all = await client.collection('connectors').getFullList({
      batch: FULL_LIST_BATCH,
      filter: client.filter('site.business.user={:id}', { id }),
      fields,
    })
    expect(new Set(all.map((each) => each.id)).size).toBe(521)
  })
})

describe('lists', () => {
  test('page, perPage, totals, sort and skipTotal', async () => {
    const { client, business } = await newOwnerWithSite(stack.url)
    const sites = client.collection('sites')
    for (const name of ['b', 'C', 'a']) await sites.create({ ...siteBody(business.id), name })
    const page = await sites.getList(2, 2, { sort: 'name' })
    expect(page).toMatchObject({ page: 2, perPage: 2, totalItems: 4, totalPages: 2 })
    // Text sorts by bytes: capitals come first.
    expect(page.items.map((site) => site['name'])).toEqual(['a', 'b'])
    const unknown = await sites.getList(1, 2, { skipTotal: true, sort: '-name' })
    expect(unknown).toMatchObject({ totalItems: -1, totalPages: -1 })
    expect(unknown.items.map((site) => site['name'])).toEqual(['b', 'a'])
    expect((await sites.getList(9, 2)).items).toEqual([])
  })

  test('without parameters a page has 30 records; the maximum is 1000', async () => {
    const { client } = await newOwnerWithSite(stack.url)
    const answer = await client.send('/api/collections/sites/records', { query: {} })
    expect(answer).toMatchObject({ page: 1, perPage: 30 })
    expect(await client.collection('sites').getList(1, 5000)).toMatchObject({ perPage: 1000 })
  })

  test.each([
    [`name = "Harbour Lane Quay"`, true],
    [`name != "Harbour Lane Quay"`, false],
    [`name ~ "lane"`, true],
    [`name ~ "Harbour%"`, true],
    [`name ~ "Lane%"`, false],
    [`name !~ "lane"`, false],
    [`latitude > 55 && longitude < 0`, true],
    [`latitude > 56 || vehicle_capacity = 2`, true],
    [`(latitude > 56 || vehicle_capacity = 2) && status = "PLANNED"`, false],
    [`contact_email = ""`, true],
    [`contact_email = null`, true],
    [`business.name = "Harbour Lane Hotels"`, true],
    [`created > "2020-01-01"`, true],
    [`created > "2999-01-01T00:00:00Z"`, false],
    [`'AVAILABLE' = status`, true],
    [`name = "100%" // nothing`, false],
    [`name = "\\"; drop table sites; --"`, false],
  ])('filter %s', async (filter, found) => {
    const { client } = await newOwnerWithSite(stack.url)
    const { items } = await client.collection('sites').getList(1, 10, { filter })
    expect(items.length > 0).toBe(found)
  })
})

describe('versions', () => {
  test('reads have an ETag; If-None-Match gets 304; a change leads to another ETag', async () => {
    const { client, site } = await newOwnerWithSite(stack.url)
    const read = (etag = '') =>
      fetch(`${stack.url}/api/collections/sites/records/${site.id}?expand=connectors(site)`, {
        headers: { authorization: client.authStore.token, 'if-none-match': etag },
      })
    const first = await read()
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w.-]+"$/)
    expect((await read(etag)).status).toBe(304)
    await client.collection('connectors').create(connectorBody(site.id))
    const second = await read(etag)
    expect(second.status).toBe(200)
    expect(second.headers.get('etag')).not.toBe(etag)
  })

  test('a 304 is never stale: it is sent exactly if the response would be the same', async () => {
    const { client, business, site, connector } = await newOwnerWithSite(stack.url)
    const stranger = await newOwnerWithSite(stack.url)
    const [sites, connectors] = [client.collection('sites'), client.collection('connectors')]
    const read = async (path: string, etag = '') => {
      const headers = { authorization: client.authStore.token, 'if-none-match': etag }
      const answer = await fetch(`${stack.url}/api/collections/sites/records${path}`, { headers })
      const body = await answer.text()
      return { status: answer.status, etag: answer.headers.get('etag') ?? '', body }
    }
    const paths = [`/${site.id}?expand=connectors(site)`, '?perPage=20&expand=connectors(site)']
    const steps: Readonly<Record<string, () => Promise<unknown>>> = {
      update: () => sites.update(site.id, { name: 'Another name' }),
      'update below': () => connectors.update(connector.id, { kw_rating: 11 }),
      batch: async () => {
        const batch = client.createBatch()
        batch.collection('connectors').create(connectorBody(site.id))
        batch.collection('connectors').update(connector.id, { format: 'SOCKET' })
        await batch.send()
      },
      create: () => sites.create(siteBody(business.id)),
      'an update of somebody else': () =>
        stranger.client.collection('sites').update(stranger.site.id, { name: 'Elsewhere' }),
      'an update by SQL': () => stack.sql`
        update sites set name = name || '!', version = nextval('record_version') where id = ${site.id}`,
      'a refused update': () => sites.update(site.id, { name: '' }).catch(() => {}),
      'the end of the session': () =>
        client.send('/api/collections/users/end-sessions', { method: 'POST' }).catch(() => {}),
    }
    for (const [name, step] of Object.entries(steps))
      for (const path of paths) {
        const before = await read(path)
        await step()
        const [conditional, now] = [await read(path, before.etag), await read(path)]
        expect([name, path, conditional.status]).toEqual([
          name,
          path,
          now.body === before.body ? 304 : now.status,
        ])
      }
  })

  test('If-Match: an update of the current version succeeds, one of an older version gets 412', async () => {
    const { client, site } = await newOwnerWithSite(stack.url)
    const sites = client.collection('sites')
    const answer = await fetch(`${stack.url}/api/collections/sites/records/${site.id}`, {
      headers: { authorization: client.authStore.token },
    })
    const headers = { 'If-Match': answer.headers.get('etag') ?? '' }
    expect(await sites.update(site.id, { name: 'Mine' }, { headers })).toMatchObject({
      name: 'Mine',
    })
    await expect(sites.update(site.id, { name: 'Late' }, { headers })).rejects.toMatchObject({
      status: 412,
    })
    expect(await sites.getOne(site.id)).toMatchObject({ name: 'Mine' })
  })

  test('If-Match: a delete of an older version gets 412 and deletes nothing, one of the current version succeeds', async () => {
    const { client, site } = await newOwnerWithSite(stack.url)
    const sites = client.collection('sites')
    const etag = async (): Promise<string> => {
      const answer = await fetch(`${stack.url}/api/collections/sites/records/${site.id}`, {
        headers: { authorization: client.authStore.token },
      })
      return answer.headers.get('etag') ?? ''
    }
    const before = await etag()
    await sites.update(site.id, { name: 'Theirs' })
    const stale = { headers: { 'If-Match': before } }
    await expect(sites.delete(site.id, stale)).rejects.toMatchObject({ status: 412 })
    expect(await sites.getOne(site.id)).toMatchObject({ name: 'Theirs' })
    const current = { headers: { 'If-Match': await etag() } }
    expect(await sites.delete(site.id, current)).toBe(true)
    await expect(sites.delete(site.id, current)).rejects.toMatchObject({ status: 404 })
  })

  test('concurrent updates of different fields both succeed', async () => {
    const { client, site } = await newOwnerWithSite(stack.url)
    const sites = client.collection('sites')
    await Promise.all([
      sites.update(site.id, { name: 'Left' }),
      sites.update(site.id, { cost: 'Free' }),
      sites.update(site.id, { contact_phone: '123' }),
    ])
    expect(await sites.getOne(site.id)).toMatchObject({
      name: 'Left',
      cost: 'Free',
      contact_phone: '123',
    })
  })

  test('concurrent uploads lose no photo', async () => {
    const { client, site } = await newOwnerWithSite(stack.url)
    const names = ['one.jpg', 'two.jpg', 'three.jpg', 'four.jpg']
    const files = await Promise.all(names.map((name) => makePhoto(name)))
    await Promise.all(
      files.map((photo) => client.collection('sites').update(site.id, { photos: [photo] })),
    )
    expect((await client.collection('sites').getOne(site.id))['photos']).toHaveLength(4)
  })

  test('a repeated create with an id chosen by the client creates no second record', async () => {
    const { client, business } = await newOwnerWithSite(stack.url)
    const body = { ...siteBody(business.id), id: 'abcdefghij12345' }
    await client.collection('sites').create(body)
    await expect(client.collection('sites').create(body)).rejects.toMatchObject({
      status: 400,
      response: { data: { id: { code: 'validation_not_unique' } } },
    })
  })
})

test('a write that fails because a newer version is changing the tables tells the client to retry', async () => {
  const { client, site } = await newOwnerWithSite(stack.url)
  const rename = () =>
    fetch(stack.url + API.record(SITES, site.id), {
      method: 'PATCH',
      headers: { authorization: client.authStore.token, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Renamed Quay' }),
    })
  await stack.sql`alter table place_docs rename column doc to doc_of_newer`
  const refused = await rename()
  await stack.sql`alter table place_docs rename column doc_of_newer to doc`
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(await client.collection(SITES).getOne(site.id)).toMatchObject({ name: site.name })
  expect((await rename()).status).toBe(200)
})
