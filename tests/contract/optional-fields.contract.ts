import { expect, test } from 'vitest'

import type { RecordService } from 'pocketbase'

import { BUSINESSES, CONNECTORS, SITES, TARIFFS } from '#domain/collection.ts'
import { MAX_CONNECTORS_PER_SITE } from '#domain/connector.ts'

import { withStack } from '../support/fixtures.ts'
import { connectorBody, newOwnerWithSite, siteBody, tariffBody } from '../support/owner.ts'
import { OPTIONAL_VALUES } from '../support/optional-values.ts'
import { newSuperuser } from '../support/superuser.ts'

const stack = await withStack()

const EMPTY = {
  [SITES]: {
    published: true,
    opening_hours: null,
    time_zone: '',
    city: '',
    postal_code: '',
    state: '',
    country: '',
    access: '',
    payment: [],
    facilities: [],
    parking_type: '',
    parking_restrictions: [],
    max_height_m: 0,
    wheelchair: '',
    two_wheelers: false,
    drive_through: false,
    reference: '',
    confirmed: '',
    hidden: false,
    hidden_reason: '',
  },
  [CONNECTORS]: { reference: '', evse: '', evse_id: '', voltage: 0, amperage: 0 },
  [BUSINESSES]: {
    legal_name: '',
    phone: '',
    country_code: '',
    party_id: '',
    licence: 'CC-BY-4.0',
    hidden: false,
    hidden_reason: '',
  },
} as const

/** The values that the server derives (decision 0079). */
const FILLED_IN = {
  [SITES]: { time_zone: 'Europe/London', country: 'GBR' },
  [CONNECTORS]: {},
  [BUSINESSES]: {},
}

/** The update of a client that knows only the older fields. */
const OLDER = {
  [SITES]: { name: 'Pier', vehicle_capacity: 3 },
  [CONNECTORS]: { kw_rating: 11 },
  [BUSINESSES]: { description: 'By the water' },
} as const

const newRecords = async () => {
  const owner = await newOwnerWithSite(stack.url)
  const connector = await owner.client.collection(CONNECTORS).create(connectorBody(owner.site.id))
  const ids = {
    [SITES]: owner.site.id,
    [CONNECTORS]: connector.id,
    [BUSINESSES]: owner.business.id,
  }
  return { owner, ids }
}

test.each([SITES, CONNECTORS, BUSINESSES] as const)(
  '%s: empty at first, kept, changed, and left alone by an older client',
  async (name) => {
    const { owner, ids } = await newRecords()
    const records = owner.client.collection(name)
    expect(await records.getOne(ids[name])).toMatchObject({ ...EMPTY[name], ...FILLED_IN[name] })
    expect(await records.update(ids[name], OPTIONAL_VALUES[name])).toMatchObject(
      OPTIONAL_VALUES[name],
    )
    expect(await records.update(ids[name], OLDER[name])).toMatchObject({
      ...OPTIONAL_VALUES[name],
      ...OLDER[name],
    })
    // A record may be written back as it was read.
    const whole = await records.getOne(ids[name])
    expect(await records.update(ids[name], { ...whole })).toMatchObject(OPTIONAL_VALUES[name])
    const changes = await owner.client
      .collection('changes')
      .getFullList({ filter: `record = "${ids[name]}" && action = "update"`, sort: 'id' })
    expect(changes[0]).toMatchObject({ after: OPTIONAL_VALUES[name] })
    expect(await records.update(ids[name], EMPTY[name])).toMatchObject(EMPTY[name])
  },
)

test.each([
  [SITES, 'opening_hours', { twentyfourseven: false }, 'validation_json_shape'],
  [SITES, 'opening_hours', 24, 'validation_json_shape'],
  [SITES, 'opening_hours', '{', 'validation_invalid_json'],
  [SITES, 'time_zone', 'paris time', 'validation_invalid_format'],
  [SITES, 'country', 'FR', 'validation_invalid_format'],
  [SITES, 'country', 'fra', 'validation_invalid_format'],
  [SITES, 'city', 'x'.repeat(101), 'validation_max_text_constraint'],
  [SITES, 'access', 'ANYBODY', 'validation_invalid_value'],
  [SITES, 'payment', ['BARTER'], 'validation_invalid_value'],
  [SITES, 'facilities', ['WIFI', 'POOL'], 'validation_invalid_value'],
  [SITES, 'max_height_m', -1, 'validation_above_number_constraint'],
  [SITES, 'max_height_m', 21, 'validation_max_number_constraint'],
  [SITES, 'confirmed', 'soon', 'validation_invalid_format'],
  [SITES, 'confirmed', '2026-02-30 10:00', 'validation_invalid_format'],
  [SITES, 'confirmed', '9999-12-31T23:00-05:00', 'validation_invalid_format'],
  [SITES, 'confirmed', '0001-01-01T00:00+05:00', 'validation_invalid_format'],
  [SITES, 'hidden', true, 'validation_values_mismatch'],
  [SITES, 'hidden_reason', 'no', 'validation_values_mismatch'],
  [CONNECTORS, 'evse_id', '12', 'validation_invalid_format'],
  [CONNECTORS, 'evse', 'x'.repeat(65), 'validation_max_text_constraint'],
  [CONNECTORS, 'voltage', -230, 'validation_above_number_constraint'],
  [CONNECTORS, 'amperage', 5001, 'validation_max_number_constraint'],
  [BUSINESSES, 'country_code', 'FRA', 'validation_invalid_format'],
  [BUSINESSES, 'party_id', 'abc', 'validation_invalid_format'],
  [BUSINESSES, 'licence', 'MIT', 'validation_invalid_value'],
  [BUSINESSES, 'hidden', true, 'validation_values_mismatch'],
] as const)('%s: %s may not be %j', async (name, field, value, code) => {
  const { owner, ids } = await newRecords()
  await expect(
    owner.client.collection(name).update(ids[name], { [field]: value }),
  ).rejects.toMatchObject({ status: 400, response: { data: { [field]: { code } } } })
})

test('a time zone that does not exist is refused', async () => {
  const { client, site } = await newOwnerWithSite(stack.url)
  const refusal = { status: 400, response: { data: { time_zone: INVALID_ZONE } } }
  for (const time_zone of ['Mars/Olympus_Mons', 'Europe/Atlantis', 'Harbour'])
    await expect(client.collection(SITES).update(site.id, { time_zone })).rejects.toMatchObject(
      refusal,
    )
  for (const time_zone of ['Europe/Kyiv', 'America/Argentina/Buenos_Aires', 'UTC', ''])
    await client.collection(SITES).update(site.id, { time_zone })
})
const INVALID_ZONE = { code: 'validation_invalid_format', params: { example: 'Europe/Paris' } }

test('an operator of the installation hides a site, and its owner reads the reason', async () => {
  const { owner, ids } = await newRecords()
  const { client: superuser } = await newSuperuser(stack)
  const why = { hidden: true, hidden_reason: 'It does not exist.' }
  for (const name of [SITES, BUSINESSES] as const) {
    await superuser.collection(name).update(ids[name], why)
    const records = owner.client.collection(name)
    expect(await records.getOne(ids[name])).toMatchObject(why)
    // The owner may still change everything else.
    expect(await records.update(ids[name], { ...why, name: 'Mole' })).toMatchObject(why)
    await expect(records.update(ids[name], { hidden: false })).rejects.toMatchObject({
      status: 400,
    })
  }
})

test('sites are found by the newer fields', async () => {
  const { owner, ids } = await newRecords()
  const sites = owner.client.collection(SITES)
  await sites.create({
    name: 'Other',
    address: 'There',
    latitude: 1,
    longitude: 1,
    business: owner.business.id,
  })
  await sites.update(ids[SITES], OPTIONAL_VALUES[SITES])
  for (const filter of [
    'city ~ "lyon" && country = "FRA"',
    'facilities:each ?= "WIFI"',
    'payment:length = 2',
    'opening_hours.regular_hours.0.weekday = 1',
    'opening_hours.twentyfourseven = false',
    'confirmed < "2026-12-01" && confirmed != ""',
    'published = false',
    'max_height_m > 1.5',
  ])
    expect([filter, (await sites.getFullList({ filter })).map(({ id }) => id)]).toEqual([
      filter,
      [ids[SITES]],
    ])
})

test('a tariff in use by sites and connectors of its business cannot be deleted', async () => {
  const { owner, ids } = await newRecords()
  const stranger = await newOwnerWithSite(stack.url)
  const [sites, connectors, tariffs] = [SITES, CONNECTORS, TARIFFS].map((name) =>
    owner.client.collection(name),
  ) as [RecordService, RecordService, RecordService]
  expect(await sites.getOne(ids[SITES])).toMatchObject({ tariff: '' })
  const { id } = await tariffs.create(tariffBody(owner.business.id))
  expect(await sites.update(ids[SITES], { tariff: id }, { expand: 'tariff' })).toMatchObject({
    tariff: id,
    expand: { tariff: { id } },
  })
  await connectors.update(ids[CONNECTORS], { tariff: id })
  expect(await sites.getFullList({ filter: `tariff = "${id}" && tariff.name != ""` })).toHaveLength(
    1,
  )
  expect(await tariffs.getFullList({ filter: 'sites_via_tariff.name ?~ "Quay"' })).toHaveLength(1)

  const others = await stranger.client.collection(TARIFFS).create(tariffBody(stranger.business.id))
  for (const tariff of [others.id, 'nosuchrecord123', 'x'])
    await expect(sites.update(ids[SITES], { tariff })).rejects.toMatchObject({
      response: { data: { tariff: { code: 'validation_missing_rel_records' } } },
    })

  const inUse = (collection: string) => ({
    status: 400,
    response: { data: { id: { code: 'validation_record_in_use', params: { collection } } } },
  })
  await expect(tariffs.delete(id)).rejects.toMatchObject(inUse(SITES))
  const batch = owner.client.createBatch()
  batch.collection(SITES).update(ids[SITES], { name: 'Mole' })
  batch.collection(TARIFFS).delete(id)
  await expect(batch.send()).rejects.toMatchObject({ status: 400 })
  await sites.update(ids[SITES], { tariff: '' })
  await expect(tariffs.delete(id)).rejects.toMatchObject(inUse(CONNECTORS))
  const changes = await owner.client
    .collection('changes')
    .getFullList({ filter: `record = "${ids[SITES]}" && action = "update"`, sort: 'id' })
  expect(changes).toMatchObject([
    { before: { tariff: '' }, after: { tariff: id } },
    { before: { tariff: id }, after: { tariff: '' } },
  ])
  // All of it is deleted with the business, in any order.
  await sites.update(ids[SITES], { tariff: id })
  await owner.client.collection(BUSINESSES).delete(owner.business.id)
  expect(await stack.sql`select 1 from tariffs where id = ${id}`).toEqual([])
})

test.each([SITES, CONNECTORS] as const)(
  '%s: a reference is unique among an owner’s records, whichever write is first',
  async (name) => {
    const [one, other] = [await newRecords(), await newRecords()]
    const collection = one.owner.client.collection(name)
    const body = name === SITES ? siteBody(one.owner.business.id) : connectorBody(one.owner.site.id)
    await collection.update(one.ids[name], { reference: 'R1' })
    // Another owner may use the same reference, and a record may keep its own.
    await other.owner.client.collection(name).update(other.ids[name], { reference: 'R1' })
    await collection.update(one.ids[name], { reference: 'R1', ...OLDER[name] })
    const taken = {
      status: 400,
      response: { data: { reference: { code: 'validation_not_unique' } } },
    }
    await expect(collection.create({ ...body, reference: 'R1' })).rejects.toMatchObject(taken)
    const several = await Promise.allSettled(
      Array.from({ length: 8 }, () => collection.create({ ...body, reference: 'R2' })),
    )
    expect(several.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refused = several.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
    )
    expect(refused).toMatchObject(Array.from({ length: 7 }, () => taken))
    for (const reference of ['', '']) await collection.create({ ...body, reference })

    // A concurrent write counts once it is committed, not before.
    let late: Promise<unknown> | undefined
    await stack.sql.begin(async (transaction) => {
      await transaction`update ${transaction(name)} set reference = 'R3' where id = ${one.ids[name]}`
      late = collection.create({ ...body, reference: 'R3' })
      late.catch(() => {})
      await expect
        .poll(
          () => stack.sql`select 1 from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`,
        )
        .toHaveLength(1)
    })
    await expect(late).rejects.toMatchObject(taken)
  },
)

test('a site accepts a maximum number of connectors, and keeps those it has', async () => {
  const { client, business, site, connector } = await newOwnerWithSite(stack.url)
  const all = client.collection(CONNECTORS)
  await stack.sql`
    insert into connectors (id, standard, format, current_type, kw_rating, site)
    select 'plug' || lpad(n::text, 11, '0'), 'CHADEMO', 'CABLE', 'DC', 50, ${site.id}
    from generate_series(1, ${MAX_CONNECTORS_PER_SITE - 2}::int) n`

  // Of two concurrent ones, only one fits.
  const attempts = await Promise.allSettled([1, 2].map(() => all.create(connectorBody(site.id))))
  expect(attempts.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const isFull = {
    status: 400,
    response: {
      data: {
        site: {
          code: 'validation_too_many_referring',
          message: 'Too many records refer to this one: the limit is 1000.',
          params: { max: MAX_CONNECTORS_PER_SITE },
        },
      },
    },
  }
  const refused = attempts.find((attempt) => attempt.status === 'rejected')
  expect(refused?.reason).toMatchObject(isFull)

  const second = await client.collection(SITES).create(siteBody(business.id))
  const moved = await all.create(connectorBody(second.id))
  await expect(all.update(moved.id, { site: site.id })).rejects.toMatchObject(isFull)
  const batch = client.createBatch()
  batch.collection(CONNECTORS).delete(connector.id)
  batch.collection(CONNECTORS).update(moved.id, { site: site.id })
  batch.collection(CONNECTORS).update('plug00000000001', { kw_rating: 60, site: site.id })
  await batch.send()
  const { totalItems } = await all.getList(1, 1, { filter: `site = "${site.id}"` })
  expect(totalItems).toBe(MAX_CONNECTORS_PER_SITE)

  await all.delete('plug00000000001')
  const movable = await Promise.all([1, 2].map(() => all.create(connectorBody(second.id))))
  const moves = await Promise.allSettled(movable.map(({ id }) => all.update(id, { site: site.id })))
  expect(moves.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})
