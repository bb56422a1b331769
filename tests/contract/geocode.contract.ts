import type { ServerResponse } from 'node:http'

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { API } from '#domain/paths.ts'
import { GEOCODE_LIMITS, type GeocodeAnswer } from '#domain/geocode.ts'
import { createGeocode } from '../../server/geocode/geocode.ts'
import { newOwner, type Owner } from '../support/owner.ts'
import {
  FAR_QUAY_ADDRESS,
  LINDEN_ADDRESS,
  QUAY,
  QUAY_ADDRESS,
  startPhoton,
  type Photon,
} from '../support/photon.ts'
import { DEAD_LINK, SHORT_LINK, startMapLinks, type MapLinks } from '../support/map-links.ts'
import { startStack, type Stack } from '../support/stack.ts'

// Address search (spec 10) with a local geocoder.

let photon: Photon
let mapLinks: MapLinks
let stack: Stack
let owner: Owner
beforeAll(async () => {
  photon = await startPhoton()
  mapLinks = await startMapLinks()
  stack = await startStack({ env: { GEOCODER_URL: photon.url, MAP_LINKS: mapLinks.url } })
  owner = await newOwner(stack.url)
})
beforeEach(() => photon.behave())
afterAll(async () => {
  await stack.close()
  await photon.close()
  await mapLinks.close()
})

const search = (query: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${stack.url}${API.geocode}?${query}`, {
    headers: { authorization: owner.client.authStore.token, ...headers },
  })
const find = async (text: string, headers: Record<string, string> = {}): Promise<GeocodeAnswer> => {
  const answer = await search(`q=${encodeURIComponent(text)}`, headers)
  expect(answer.status).toBe(200)
  return (await answer.json()) as GeocodeAnswer
}
const body = (text: string) => (_: unknown, response: ServerResponse) => void response.end(text)

const QUAY_FOUND = {
  address: QUAY_ADDRESS,
  latitude: QUAY.latitude,
  longitude: QUAY.longitude,
  parts: { city: 'Portrush', postal_code: 'BT56 8DF', state: '', country: 'GBR' },
}

test('responds with addresses in the format of their country, their parts, and the attribution', async () => {
  const answer = await find('quay street')
  expect(answer).toEqual({
    items: [
      QUAY_FOUND,
      {
        address: FAR_QUAY_ADDRESS,
        latitude: -36.8432,
        longitude: 174.7669,
        parts: { city: 'Auckland', postal_code: '1010', state: '', country: 'NZL' },
      },
    ],
    attribution: expect.objectContaining({ text: '© OpenStreetMap contributors' }) as unknown,
  })
  expect((await find('unter den linden')).items[0]?.address).toBe(LINDEN_ADDRESS)
  expect(photon.userAgent()).toBe(`Voltleaf (${stack.url})`)
  expect((await find('nowhere at all')).items).toEqual([])
})

test('forwards language and position, and caches the response', async () => {
  const before = photon.requested.length
  await find('Quay  Street portrush', { 'accept-language': 'de' })
  await find(' quay street PORTRUSH ', { 'accept-language': 'de-AT,en;q=0.5' })
  await Promise.all([find('auckland'), find('auckland'), find('auckland')])
  // A language that Photon does not support is omitted.
  await find('berlin', { 'accept-language': 'es' })
  await search('q=berlin&latitude=52.5161&longitude=13.3801')
  expect(photon.requested.slice(before)).toEqual([
    { q: 'Quay Street portrush', limit: '5', lang: 'de' },
    { q: 'auckland', limit: '5', lang: 'en' },
    { q: 'berlin', limit: '5' },
    { q: 'berlin', limit: '5', lang: 'en', lat: '52.5', lon: '13.4' },
  ])
})

test('the cache expires after a day', async () => {
  let time = 0
  const geocode = createGeocode({
    url: photon.url,
    links: 'none',
    userAgent: 'test',
    now: () => time,
  })
  const before = photon.requested.length
  for (const hours of [0, 23, 25]) {
    time = hours * 60 * 60 * 1000
    await geocode({ kind: 'search', text: 'portrush', language: 'en' })
  }
  expect(photon.requested).toHaveLength(before + 2)
})

test('refuses an invalid query and names the field', async () => {
  const long = 'x'.repeat(GEOCODE_LIMITS.queryLength + 1)
  const cases = [
    ['', 'q', 'validation_required'],
    ['q=%20', 'q', 'validation_required'],
    [`q=${long}`, 'q', 'validation_max_text_constraint'],
    ['q=quay&latitude=x&longitude=1', 'latitude', 'validation_not_a_number'],
    ['q=quay&latitude=91&longitude=1', 'latitude', 'validation_max_number_constraint'],
    ['latitude=1', 'longitude', 'validation_required'],
    ['q=quay&longitude=1', 'latitude', 'validation_required'],
    ['latitude=1&longitude=-180.5', 'longitude', 'validation_min_number_constraint'],
  ] as const
  for (const [query, field, code] of cases) {
    const answer = await search(query)
    expect([query, answer.status]).toEqual([query, 400])
    expect(await answer.json()).toMatchObject({ data: { [field]: { code } } })
  }
})

test('finds the address of a position, rounded to a metre, and caches it', async () => {
  const before = photon.requested.length
  const query = 'latitude=55.20441234&longitude=-6.6531'
  const answer = (await (await search(query)).json()) as GeocodeAnswer
  expect(answer.items).toEqual([QUAY_FOUND])
  expect(answer.attribution?.text).toBe('© OpenStreetMap contributors')
  await search(query)
  expect(photon.requested.slice(before)).toEqual([
    { limit: '1', lang: 'en', lat: '55.20441', lon: '-6.65310' },
  ])
  expect(photon.path()).toBe('/reverse')
})

const openLink = (link: string): Promise<Response> => search(`link=${encodeURIComponent(link)}`)

test.each([
  SHORT_LINK,
  'https://maps.app.goo.gl/Consent',
  'maps.app.goo.gl/Page',
  'https://maps.apple.com/p/Quay',
])('follows the short link %s to its place', async (link) => {
  const answer = await openLink(link)
  expect(await answer.json()).toEqual({
    items: [{ address: '', latitude: QUAY.latitude, longitude: QUAY.longitude }],
  })
})

test('finds the link in a shared text and opens it once', async () => {
  const before = mapLinks.requested.length
  await Promise.all([
    openLink(`Quay Café\n12 Quay Street\n${SHORT_LINK}?g_st=ic`),
    openLink(`${SHORT_LINK}?g_st=ic`),
  ])
  expect(mapLinks.requested.slice(before)).toEqual(['maps.app.goo.gl/Quay1'])
})

test.each([
  [DEAD_LINK, 1],
  ['https://maps.app.goo.gl/Inside', 1],
  ['https://maps.app.goo.gl/Elsewhere', 1],
  ['https://maps.app.goo.gl/Port', 1],
  ['https://maps.app.goo.gl/Round', 5],
  ['https://maps.app.goo.gl/Endless', 1],
])('the link %s has no position, and only hosts of map apps are requested', async (link, hops) => {
  const before = mapLinks.requested.length
  expect(await (await openLink(link)).json()).toEqual({ items: [] })
  const requested = mapLinks.requested.slice(before)
  expect(requested).toHaveLength(hops)
  expect(new Set(requested)).toEqual(new Set([link.replace('https://', '')]))
})

test('refuses links that are not short links of map apps, and reports unreachable hosts', async () => {
  for (const link of ['', 'https://evil.example/maps.app.goo.gl/', 'http://127.0.0.1/', 'x'])
    expect((await openLink(link)).status).toBe(400)
  const logged = stack.logged.length
  const silent = await openLink('https://maps.app.goo.gl/Silent')
  expect(silent.status).toBe(503)
  expect(silent.headers.has('retry-after')).toBe(true)
  expect(stack.logged.slice(logged).join('\n')).not.toContain('Silent')
})

test('refuses guests and expired sessions', async () => {
  const before = photon.requested.length
  const url = `${stack.url}${API.geocode}?q=only+for+owners`
  expect((await fetch(url)).status).toBe(401)
  const leaver = await newOwner(stack.url)
  const { token } = leaver.client.authStore
  await stack.sql`delete from sessions where "user" = ${leaver.id}`
  expect((await fetch(url, { headers: { authorization: token } })).status).toBe(401)
  expect(photon.requested).toHaveLength(before)
})

test.each([
  ['times out', () => {}],
  ['stalls', (_: unknown, response: ServerResponse) => void response.write('{')],
  ['closes the connection', (_: unknown, response: ServerResponse) => void response.destroy()],
  [
    'fails',
    (_: unknown, response: ServerResponse) => void response.writeHead(502).end('secret quay'),
  ],
  ['returns a page', body('<html>secret quay</html>')],
  ['returns other JSON', body('{"features":"secret quay"}')],
  ['returns too much', body(`${' '.repeat(1024 * 1024)}{"features":[]}`)],
])('a geocoder that %s causes a 503 with Retry-After', async (how, behaviour) => {
  const query = `q=secret+quay+${encodeURIComponent(how)}`
  const logged = stack.logged.length
  photon.behave(behaviour)
  const answer = await search(query)
  expect(answer.status).toBe(503)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await answer.json()).toMatchObject({ message: 'The address search cannot be reached.' })
  // The log contains the reason, but nothing of the query.
  const lines = stack.logged.slice(logged).join('\n')
  expect(lines).toContain('The geocoder cannot be used')
  expect(lines).not.toMatch(/secret|quay/i)
  // Failures are not cached.
  photon.behave()
  expect((await search(query)).status).toBe(200)
})

test('leaves out invalid places, and uses its own response format', async () => {
  const features = [
    null,
    {},
    { geometry: null, properties: null },
    { geometry: { coordinates: ['1', 2] }, properties: { name: 'A' } },
    { geometry: { coordinates: [181, 2] }, properties: { name: 'B' } },
    { geometry: { coordinates: [1, 2] }, properties: {} },
    { geometry: { coordinates: [1, 2] }, properties: { name: { evil: true }, city: 'C\n\nD' } },
    ...Array.from({ length: 9 }, () => ({
      geometry: { coordinates: [3, 4] },
      properties: { name: 'E', extra: '<b>' },
    })),
  ]
  photon.behave(body(JSON.stringify({ features })))
  const unknown = { city: '', postal_code: '', state: '', country: '' }
  expect((await find('garbage')).items).toEqual([
    { address: 'C D', latitude: 2, longitude: 1, parts: { ...unknown, city: 'C D' } },
    { address: 'E', latitude: 4, longitude: 3, parts: unknown },
  ])
})

test('without a geocoder, or with an unreachable one, everything else works', async () => {
  const settings: readonly (readonly [string, boolean])[] = [
    ['none', false],
    ['http://127.0.0.1:9/api/', true],
  ]
  for (const [url, comesBack] of settings) {
    const other = await startStack({ env: { GEOCODER_URL: url }, beside: stack })
    const headers = { authorization: owner.client.authStore.token }
    const answer = await fetch(`${other.url}${API.geocode}?q=quay`, { headers })
    expect([url, answer.status]).toEqual([url, 503])
    expect(answer.headers.has('retry-after')).toBe(comesBack)
    const page = await (await fetch(`${other.url}/site/add`)).text()
    expect(page).toContain(
      `<meta name="voltleaf:address-search" content="${comesBack ? 'on' : 'off'}" />`,
    )
    await other.close()
  }
})

test('more than 60 searches a minute of an account get 429 and do not affect other accounts', async () => {
  const limited = await startStack({
    env: { GEOCODER_URL: photon.url, RATE_LIMITS: 'on' },
    beside: stack,
  })
  const [busy, other] = [await newOwner(stack.url), await newOwner(stack.url)]
  const ask = async (who: Owner): Promise<Response> =>
    fetch(`${limited.url}${API.geocode}?q=portrush`, {
      headers: { authorization: who.client.authStore.token },
    })
  const answers = await Promise.all(Array.from({ length: 62 }, () => ask(busy)))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(2)
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await ask(other)).status).toBe(200)
  // Other requests are not limited.
  const { status } = await fetch(`${limited.url}/api/collections/sites/records`, {
    headers: { authorization: busy.client.authStore.token },
  })
  expect(status).toBe(200)
  await limited.close()
})
