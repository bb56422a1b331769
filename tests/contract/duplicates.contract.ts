import { expect, test } from 'vitest'

import { distanceM } from '#domain/distance.ts'
import { BUSINESSES, CONNECTORS, SITES } from '#domain/collection.ts'
import { DUPLICATE_LIMITS, type Duplicate, type DuplicatesAnswer } from '#domain/duplicate.ts'
import { API } from '#domain/paths.ts'

import type { Runner } from '../../server/db/sql.ts'
import { findDuplicates } from '../../server/duplicates/duplicates.ts'
import { withStack } from '../support/fixtures.ts'
import { connectorBody, newOwner, siteBody, type Owner } from '../support/owner.ts'
import { startStack } from '../support/stack.ts'
import { newSuperuser } from '../support/superuser.ts'

// Possible duplicates of a site (decision 0123). Each test uses its own place.

const stack = await withStack()

interface Business extends Owner {
  readonly business: string
}

const newBusiness = async (name: string): Promise<Business> => {
  const owner = await newOwner(stack.url)
  const business = await owner.client
    .collection(BUSINESSES)
    .create({ name, user: owner.id, contact_email: owner.email })
  return { ...owner, business: business.id }
}

interface Said {
  readonly name: string
  readonly latitude: number
  readonly longitude: number
}

/** Adds a site, with a connector unless `connector` is null. */
const add = async (
  { client, business }: Business,
  said: Said & Readonly<Record<string, unknown>>,
  connector: object | null = {},
): Promise<string> => {
  const { id } = await client.collection(SITES).create({ ...siteBody(business), ...said })
  if (connector !== null)
    await client.collection(CONNECTORS).create({ ...connectorBody(id), ...connector })
  return id
}

const ask = (token: string, parameters: Readonly<Record<string, unknown>>, url = stack.url) =>
  fetch(`${url}${API.duplicates}?${new URLSearchParams(parameters as Record<string, string>)}`, {
    headers: { authorization: token },
  })

const find = async (
  { client }: Owner,
  { name, latitude, longitude }: Said,
  more: object = {},
): Promise<readonly Duplicate[]> => {
  const answer = await ask(client.authStore.token, {
    name,
    lat: latitude,
    lng: longitude,
    ...more,
  })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  return ((await answer.json()) as DuplicatesAnswer).items
}

/** The site moved north by some metres. */
const north = <T extends Said>(site: T, metres: number): T => ({
  ...site,
  latitude: site.latitude + metres / 111_195,
})

const ada = await newBusiness('Rheinstrom')
const bob = await newBusiness('Voltwerk Süd')

test('a site of another business is listed with its public data', async () => {
  const at = { name: 'Parkhaus am Dom', latitude: 50.94, longitude: 6.957 }
  const id = await add(bob, { ...at, address: 'Domplatz 1, Köln', reference: 'SECRET' })
  expect(await find(ada, north({ ...at, name: 'PARKHAUS DOM' }, 12))).toEqual([
    {
      id,
      is_own: false,
      name: at.name,
      address: 'Domplatz 1, Köln',
      business: 'Voltwerk Süd',
      latitude: at.latitude,
      longitude: at.longitude,
      distance_m: 12,
      likeness: expect.closeTo(0.93, 1) as number,
      score: expect.closeTo(0.97, 1) as number,
    },
  ])
  expect(await find(bob, at)).toMatchObject([{ id, is_own: true, distance_m: 0 }])
  expect(await find(bob, at, { site: id })).toEqual([])
  expect(await find(ada, north(at, DUPLICATE_LIMITS.withinM + 20))).toEqual([])
})

test('sites of other businesses are found only if they are public', async () => {
  const root = await newSuperuser(stack)
  const at = { name: 'Gare de Lyon', latitude: 48.844, longitude: 2.373 }
  const id = await add(bob, at)
  const finds = async (who: Owner) => (await find(who, at)).map((found) => found.id)
  const changes = [
    [bob, SITES, id, { published: false }, { published: true }],
    [bob, SITES, id, { status: 'REMOVED' }, { status: 'AVAILABLE' }],
    [root, SITES, id, { hidden: true, hidden_reason: 'x' }, { hidden: false }],
    [root, BUSINESSES, bob.business, { hidden: true, hidden_reason: 'x' }, { hidden: false }],
  ] as const
  for (const [who, collection, record, hide, show] of changes) {
    await who.client.collection(collection).update(record, hide)
    expect([hide, await finds(ada), await finds(bob)]).toEqual([hide, [], [id]])
    await who.client.collection(collection).update(record, show)
    expect([show, await finds(ada), await finds(bob)]).toEqual([show, [id], [id]])
  }
  const without = { name: 'Sans prise', latitude: 48.9, longitude: 2.5 }
  const own = await add(bob, without, null)
  expect(await find(ada, without)).toEqual([])
  expect(await find(bob, without)).toMatchObject([{ id: own, business: 'Voltwerk Süd' }])
})

test('sites of different operators at one address stay apart', async () => {
  const ionity = await newBusiness('IONITY GmbH')
  const tesla = await newBusiness('Tesla Germany')
  const at = { latitude: 43.42, longitude: 6.43 }
  await add(
    tesla,
    { ...at, name: 'Aire de Vidauban Sud, France' },
    { kw_rating: 250, evse_id: 'FRTSLE1' },
  )
  expect(await find(ionity, { ...at, name: 'IONITY Vidauban Sud' })).toEqual([])
  const [found] = await findDuplicates(stack.sql, ada.id, [
    { ...at, name: 'Aire de Vidauban Sud', evseIds: ['FR*IOY*E1'], plugs: ['CHADEMO'], maxKw: 50 },
  ])
  expect(found).toEqual([])
  // A second account of the operator, or somebody who names the operator of the site.
  expect(await find(ada, { ...at, name: 'Tesla Vidauban Sud' })).toHaveLength(1)
})

test('sites with the same charge point id are duplicates, whatever their names', async () => {
  const at = { latitude: 45.76, longitude: 4.86 }
  const id = await add(bob, { ...at, name: 'Part-Dieu' }, { evse_id: 'FR*VWS*E77' })
  const [found] = await findDuplicates(stack.sql, ada.id, [
    { ...north({ ...at, name: 'Centre commercial, niveau 2' }, 90), evseIds: ['frvwse77'] },
  ])
  expect(found).toMatchObject([{ id, is_own: false }])
})

test('rows of an import are looked up together, and each also finds the owner’s sites at its place', async () => {
  const at = { latitude: 52.5, longitude: 13.4 }
  const here = await add(ada, { ...at, name: 'Alexanderplatz' })
  const far = await add(ada, north({ ...at, name: 'Karl-Marx-Allee 9' }, 400), null)
  const foreign = await add(bob, north({ ...at, name: 'Alexanderplatz' }, 30))
  const rows = [
    { ...at, name: 'Alexanderplatz' },
    north({ ...at, name: 'Karl Marx Allee 9' }, 20),
    { ...at, name: 'Something else' },
    { name: 'Alexanderplatz', latitude: -at.latitude, longitude: at.longitude },
    { ...at, name: 'Alexanderplatz', except: here },
  ]
  const found = await findDuplicates(stack.sql, ada.id, rows)
  const ids = found.map((each) => each.map(({ id }) => id))
  expect(ids).toEqual([[here, foreign], [far, here], [here], [], [foreign]])
  expect(found[2]?.[0]).toMatchObject({ is_own: true, distance_m: 0, likeness: 0 })
  expect(await findDuplicates(stack.sql, ada.id, [])).toEqual([])
  // The form does not bother a person with them.
  expect(await find(ada, rows[2] as Said)).toEqual([])
})

test('a site near many rows is read once, and a site that is too large for all of them is not compared', async () => {
  const at = { latitude: 47.37, longitude: 8.54 }
  const own = await add(ada, { ...at, name: 'Bahnhofquai' })
  const foreign = await add(bob, { ...at, name: 'Bahnhofquai' })
  const large = await add(bob, { ...at, name: 'Bahnhofquai' })
  let bytes = 0
  const counting = (async (text: TemplateStringsArray, ...values: never[]) => {
    const rows = await stack.sql<{ json: string | null }[]>(text, ...values)
    bytes = rows.reduce((sum, { json }) => sum + (json?.length ?? 0), 0)
    return rows
  }) as unknown as Runner
  const requested = Array.from({ length: 200 }, () => ({ ...at, name: 'Bahnhofquai' }))
  const idsOf = async () => {
    const found = await findDuplicates(counting, ada.id, requested)
    const ids = found.map((each) => new Set(each.map(({ id }) => id)))
    expect(ids).toEqual(ids.map(() => ids[0]))
    return ids[0]
  }
  expect(await idsOf()).toEqual(new Set([own, foreign, large]))
  expect(bytes).toBeLessThan(10_000)
  await stack.sql`
    update place_docs set doc = left(doc, -1) || ',"x":"' || repeat('x', ${DUPLICATE_LIMITS.readBytes}::int) || '"}'
    where id = ${large}`
  expect(await idsOf()).toEqual(new Set([own, foreign]))
})

test('places on both sides of 180° and at the poles count as close', async () => {
  for (const [one, other] of [
    [
      { latitude: -16.8, longitude: 179.9999 },
      { latitude: -16.8, longitude: -179.9999 },
    ],
    [
      { latitude: 89.9999, longitude: 0 },
      { latitude: 89.9999, longitude: 180 },
    ],
  ] as const) {
    const own = await add(ada, { ...one, name: 'Taveuni Wharf' }, null)
    const foreign = await add(bob, { ...one, name: 'Taveuni Wharf' })
    const found = await find(ada, { ...other, name: 'Taveuni wharf' })
    expect(new Set(found.map(({ id }) => id))).toEqual(new Set([own, foreign]))
    const metres = Math.round(distanceM(one, other))
    expect(found.map((each) => each.distance_m)).toEqual([metres, metres])
  }
})

test('guests and invalid places are refused', async () => {
  const place = { lat: 1, lng: 1, name: 'x' }
  expect((await ask('', place)).status).toBe(401)
  const { token } = ada.client.authStore
  for (const [name, value] of [
    ['lat', '91'],
    ['lat', ''],
    ['lng', '-181'],
    ['lng', 'x'],
    ['name', ' '],
    ['name', 'x'.repeat(201)],
    ['site', 'x'.repeat(16)],
  ] as const) {
    const answer = await ask(token, { ...place, [name]: value })
    const { data } = (await answer.json()) as { data: object }
    expect([name, value, answer.status, Object.keys(data)]).toEqual([name, value, 400, [name]])
  }
})

test('an account may send 60 requests a minute', async () => {
  const limited = await startStack({ env: { RATE_LIMITS: 'on' }, beside: stack })
  const { token } = (await newOwner(stack.url)).client.authStore
  const place = { lat: 1, lng: 1, name: 'x' }
  const answers = await Promise.all(
    Array.from({ length: DUPLICATE_LIMITS.perMinute + 2 }, () => ask(token, place, limited.url)),
  )
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(2)
  await limited.close()
})
