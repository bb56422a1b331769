import { describe, expect, test } from 'vitest'

import { CONNECTORS, SITES, TARIFFS } from '#domain/collection.ts'
import { MAX_TARIFFS_PER_SITE } from '#domain/connector.ts'
import { withStack } from '../support/fixtures.ts'
import { connectorBody, newOwnerWithSite, siteBody, tariffBody } from '../support/owner.ts'

// Tariffs on the wire: elements have the format of an OCPI Tariff, and are returned as sent.

const stack = await withStack()

const element = (more: object = {}, restrictions?: object) => ({
  price_components: [{ type: 'ENERGY', price: 0.5, step_size: 1, ...more }],
  ...(restrictions === undefined ? {} : { restrictions }),
})

test('a tariff is returned as sent, in JSON and as a form', async () => {
  const { client, business } = await newOwnerWithSite(stack.url)
  const tariffs = client.collection(TARIFFS)
  const body = {
    ...tariffBody(business.id),
    tax_included: 'NO',
    elements: [
      element({ price: 0.491667, vat: 5.5 }, { start_time: '22:00', end_time: '06:00' }),
      element({ type: 'TIME' }, { current: 'DC', standards: ['CHADEMO'], min_duration: 2700 }),
    ],
    min_price: { before_taxes: 0.5, after_taxes: 0.55 },
    url: 'https://example.org/prices',
  }
  expect(await tariffs.create(body)).toMatchObject({ ...body, max_price: null })
  const form = new FormData()
  for (const [name, value] of Object.entries(body))
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  const sent = await tariffs.create(form)
  expect(sent).toMatchObject({ ...body, max_price: null })
  expect(await tariffs.update(sent.id, { min_price: null })).toMatchObject({ min_price: null })
})

test('taxes are included by default', async () => {
  const { client, business } = await newOwnerWithSite(stack.url)
  const { tax_included: _, ...body } = tariffBody(business.id)
  expect(await client.collection(TARIFFS).create(body)).toMatchObject({ tax_included: 'YES' })
})

describe('refused values', () => {
  const path = (where: string) => ({ code: 'validation_json_shape', params: { path: where } })
  test.each<[field: string, value: unknown, error: object]>([
    ['name', '', { code: 'validation_required' }],
    ['currency', 'euro', { code: 'validation_invalid_format', params: { example: 'EUR' } }],
    ['currency', 'eur', { code: 'validation_invalid_format', params: { example: 'EUR' } }],
    ['tax_included', 'MAYBE', { code: 'validation_invalid_value' }],
    ['elements', null, { code: 'validation_required' }],
    ['elements', 'cheap', { code: 'validation_invalid_json' }],
    ['elements', [], path('')],
    ['elements', [{ price_components: [] }], path('0.price_components')],
    ['elements', [element({ price: -1 })], path('0.price_components.0.price')],
    ['elements', [element({ tax: 1 })], path('0.price_components.0')],
    ['elements', [element({}, { end_time: '24:00' })], path('0.restrictions.end_time')],
    [
      'elements',
      [element({}, { min_duration: 100, max_duration: 50 })],
      path('0.restrictions.max_duration'),
    ],
    ['elements', [element({}, { min_kwh: 20, max_kwh: 10.5 })], path('0.restrictions.max_kwh')],
    [
      'elements',
      Array.from({ length: 51 }, () => element()),
      { ...path(''), message: 'Invalid value at "": Must be a list of 1 to 50.' },
    ],
    ['elements', 'x'.repeat(33_000), { code: 'validation_json_size_limit' }],
    ['elements', '"cheap"', path('')],
    ['elements', true, path('')],
    ['max_price', { after_taxes: 1 }, path('before_taxes')],
    [
      'min_price',
      5,
      {
        code: 'validation_json_shape',
        message: 'Invalid value at "": Must be an object of before_taxes, after_taxes.',
        params: { path: '', reason: 'Must be an object of before_taxes, after_taxes.' },
      },
    ],
    ['min_price', '5', path('')],
    ['min_price', '{5', { code: 'validation_invalid_json' }],
    ['url', 'no address', { code: 'validation_invalid_url' }],
  ])('%s as %j', async (field, value, error) => {
    const { client, business } = await newOwnerWithSite(stack.url)
    await expect(
      client.collection(TARIFFS).create({ ...tariffBody(business.id), [field]: value }),
    ).rejects.toMatchObject({ status: 400, response: { data: { [field]: error } } })
  })
})

test('the JSON of a price may arrive as text in a form', async () => {
  const { client, business } = await newOwnerWithSite(stack.url)
  const form = new FormData()
  for (const [name, value] of Object.entries(tariffBody(business.id)))
    form.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  form.append('min_price', '{"before_taxes": 5}')
  expect(await client.collection(TARIFFS).create(form)).toMatchObject({
    min_price: { before_taxes: 5 },
  })
  form.set('min_price', '5')
  await expect(client.collection(TARIFFS).create(form)).rejects.toMatchObject({
    response: { data: { min_price: { code: 'validation_json_shape' } } },
  })
})

test('a maximum price below the minimum is refused, whichever of them is written', async () => {
  const { client, business } = await newOwnerWithSite(stack.url)
  const tariffs = client.collection(TARIFFS)
  const [low, high] = [{ before_taxes: 1 }, { before_taxes: 5 }]
  const refusal = {
    status: 400,
    response: {
      data: { max_price: { code: 'validation_min_number_constraint', params: { min: 5 } } },
    },
  }
  const body = tariffBody(business.id)
  await expect(tariffs.create({ ...body, min_price: high, max_price: low })).rejects.toMatchObject(
    refusal,
  )
  const { id } = await tariffs.create({ ...body, min_price: low, max_price: low })
  await expect(tariffs.update(id, { min_price: high })).rejects.toMatchObject(refusal)
  expect(await tariffs.update(id, { min_price: high, max_price: null })).toMatchObject({
    min_price: high,
  })
  await expect(tariffs.update(id, { max_price: low })).rejects.toMatchObject(refusal)
  // The error names the amount that the owner has entered.
  const withTaxes = {
    min_price: { before_taxes: 4.166667, after_taxes: 5 },
    max_price: { before_taxes: 4, after_taxes: 4.8 },
  }
  await expect(tariffs.create({ ...body, ...withTaxes })).rejects.toMatchObject(refusal)
})

test('tariffs are read with their business, and deleted with it', async () => {
  const { client, business } = await newOwnerWithSite(stack.url)
  const tariff = await client.collection(TARIFFS).create(tariffBody(business.id))
  const read = await client
    .collection('businesses')
    .getOne(business.id, { expand: 'tariffs(business)' })
  expect(read.expand).toMatchObject({ 'tariffs(business)': [{ id: tariff.id }] })
  await client.collection('businesses').delete(business.id)
  await expect(client.collection(TARIFFS).getOne(tariff.id)).rejects.toMatchObject({ status: 404 })
})

describe('a tariff in use', () => {
  const inUse = async () => {
    const owner = await newOwnerWithSite(stack.url)
    const { client, business, site } = owner
    const tariff = await client.collection(TARIFFS).create(tariffBody(business.id))
    const sites = client.collection(SITES)
    expect(site['tariff']).toBe('')
    expect(await sites.update(site.id, { tariff: tariff.id })).toMatchObject({ tariff: tariff.id })
    return { ...owner, tariff, sites }
  }

  test('cannot be deleted, and the refusal changes nothing', async () => {
    const { client, site, sites, tariff } = await inUse()
    const tariffs = client.collection(TARIFFS)
    await expect(tariffs.delete(tariff.id)).rejects.toMatchObject({
      status: 400,
      response: {
        data: { id: { code: 'validation_record_in_use', params: { collection: SITES } } },
      },
    })
    expect(await tariffs.getOne(tariff.id)).toEqual(tariff)
    expect(await sites.getOne(site.id, { expand: 'tariff' })).toMatchObject({
      tariff: tariff.id,
      expand: { tariff: { name: 'Standard' } },
    })
    expect(await sites.update(site.id, { tariff: '' })).toMatchObject({ tariff: '' })
    await tariffs.delete(tariff.id)
  })

  test('is replaced at sites and connectors and deleted by one batch, or not at all', async () => {
    const { client, business, site, sites, tariff } = await inUse()
    const connectors = client.collection(CONNECTORS)
    const tariffs = client.collection(TARIFFS)
    const plug = await connectors.create({ ...connectorBody(site.id), tariff: tariff.id })
    const { id: instead } = await tariffs.create(tariffBody(business.id))
    const replace = (...more: readonly string[]) => {
      const batch = client.createBatch()
      batch.collection(SITES).update(site.id, { tariff: instead })
      for (const id of more) batch.collection(CONNECTORS).update(id, { tariff: instead })
      batch.collection(TARIFFS).delete(tariff.id)
      return batch.send()
    }
    const used = async () => [
      (await sites.getOne(site.id))['tariff'] as unknown,
      (await connectors.getOne(plug.id))['tariff'] as unknown,
    ]
    await expect(replace()).rejects.toMatchObject({
      status: 400,
      response: {
        data: {
          requests: {
            1: {
              response: {
                status: 400,
                data: {
                  id: { code: 'validation_record_in_use', params: { collection: CONNECTORS } },
                },
              },
            },
          },
        },
      },
    })
    expect(await used()).toEqual([tariff.id, tariff.id])
    await replace(plug.id)
    expect(await used()).toEqual([instead, instead])
    await expect(tariffs.getOne(tariff.id)).rejects.toMatchObject({ status: 404 })
  })

  test('is deleted with its business', async () => {
    const { client, business, tariff } = await inUse()
    await client.collection('businesses').delete(business.id)
    await expect(client.collection(TARIFFS).getOne(tariff.id)).rejects.toMatchObject({
      status: 404,
    })
  })

  test('must belong to the same owner', async () => {
    const { client, business, site, sites, tariff } = await inUse()
    const other = await newOwnerWithSite(stack.url)
    const foreign = await other.client.collection(TARIFFS).create(tariffBody(other.business.id))
    const refusals = await Promise.all(
      [foreign.id, 'nosuchrecord123'].flatMap((id) => [
        sites.update(site.id, { tariff: id }).catch((error: unknown) => error),
        sites.create({ ...siteBody(business.id), tariff: id }).catch((error: unknown) => error),
      ]),
    )
    for (const refusal of refusals)
      expect(refusal).toMatchObject({
        status: 400,
        response: { data: { tariff: { code: 'validation_missing_rel_records' } } },
      })
    expect(await sites.getFullList()).toMatchObject([{ tariff: tariff.id }])
    await client.collection(TARIFFS).getOne(tariff.id)
  })
})

test('the connectors of a site accept a maximum number of different tariffs, and keep those they have', async () => {
  const { client, business, site, connector } = await newOwnerWithSite(stack.url)
  const [connectors, tariffs] = [client.collection(CONNECTORS), client.collection(TARIFFS)]
  const ids = Array.from(
    { length: MAX_TARIFFS_PER_SITE + 2 },
    (_, n) => `${business.id.slice(0, 11)}${String(n).padStart(4, '0')}`,
  )
  const create = client.createBatch()
  for (const id of ids) create.collection(TARIFFS).create({ ...tariffBody(business.id), id })
  await create.send()
  const [one = '', other = '', ...rest] = ids
  const some = client.createBatch()
  for (const tariff of rest.slice(1))
    some.collection(CONNECTORS).create({ ...connectorBody(site.id), tariff })
  await some.send()

  // Of two concurrent ones, only one fits.
  const attempts = await Promise.allSettled(
    [one, other].map((tariff) => connectors.create({ ...connectorBody(site.id), tariff })),
  )
  expect(attempts.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const error = {
    code: 'validation_too_many_distinct',
    message: 'Too many different values: the limit is 20.',
    params: { max: MAX_TARIFFS_PER_SITE },
  }
  const isFull = { status: 400, response: { data: { tariff: error } } }
  expect(attempts.find((attempt) => attempt.status === 'rejected')?.reason).toMatchObject(isFull)
  const left = attempts[0]?.status === 'fulfilled' ? other : one
  await expect(connectors.update(connector.id, { tariff: left })).rejects.toMatchObject(isFull)
  const elsewhere = await client.collection(SITES).create(siteBody(business.id))
  const moved = await connectors.create({ ...connectorBody(elsewhere.id), tariff: left })
  await expect(connectors.update(moved.id, { site: site.id })).rejects.toMatchObject(isFull)
  const batch = client.createBatch()
  batch.collection(CONNECTORS).create({ ...connectorBody(site.id), tariff: rest[1] })
  batch.collection(CONNECTORS).create({ ...connectorBody(site.id), tariff: left })
  await expect(batch.send()).rejects.toMatchObject({
    response: { data: { requests: { 1: { response: { data: { tariff: error } } } } } },
  })

  // A tariff that the site has, or in place of one.
  await connectors.update(connector.id, { tariff: rest[1] })
  const [last] = await connectors.getFullList({ filter: `tariff = "${rest[2]}"` })
  await connectors.update(last?.id ?? '', { tariff: left })
  await client.collection(SITES).update(site.id, { tariff: rest[0] })
  await tariffs.delete(rest[2] ?? '')
})
