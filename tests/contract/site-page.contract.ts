import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import type PocketBase from 'pocketbase'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { BUSINESSES, CONNECTORS, SITES, TARIFFS } from '#domain/collection.ts'
import { LANGUAGES } from '#domain/language.ts'
import { embedPage, PLAIN_LIST, posterPage, sitePage, slugOf } from '#domain/site-address.ts'
import { PUBLIC_CACHE_CONTROL } from '#domain/public-read.ts'

import { root } from '../../scripts/process.ts'
import de from '../../web/messages/de/traveller.ts'
import es from '../../web/messages/es/traveller.ts'
import fr from '../../web/messages/fr/traveller.ts'
import { en } from '../support/english.ts'
import { makePhoto } from '../support/images.ts'
import {
  connectorBody,
  newOwner,
  newOwnerWithSite,
  siteBody,
  tariffBody,
} from '../support/owner.ts'
import { startStack, type Stack } from '../support/stack.ts'
import { newSuperuser } from '../support/superuser.ts'

// The public pages of sites (decisions 0090 to 0092).

let stack: Stack
/** A server below a base path, with a page of its operator. */
let below: Stack
beforeAll(async () => {
  stack = await startStack()
  below = await startStack({
    env: { PUBLIC_URL: 'http://127.0.0.1:0/ev', IMPRINT_URL: 'https://a.example/imprint' },
  })
})
afterAll(async () => {
  await stack.close()
  await below.close()
})

const get = async (url: string, headers: Readonly<Record<string, string>> = {}) => {
  const answer = await fetch(url, { headers, redirect: 'manual' })
  return { status: answer.status, headers: answer.headers, html: await answer.text() }
}

const decode = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

/** The visible text of a page. */
const textOf = (html: string): string =>
  decode(
    (/<main[^]*<\/main>/.exec(html)?.[0] ?? '').replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' '),
  )

const linkOf = (html: string, rel: string): string | undefined =>
  new RegExp(`<link rel="${rel}" href="([^"]*)"`).exec(html)?.[1]

const propertyOf = (html: string, name: string): string =>
  decode(new RegExp(`<meta property="og:${name}" content="([^"]*)"`).exec(html)?.[1] ?? '')

const dataOf = (html: string): Readonly<Record<string, unknown>> =>
  JSON.parse(
    /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? '{}',
  ) as Readonly<Record<string, unknown>>

const alternatesOf = (html: string): string[] =>
  [...html.matchAll(/<link rel="alternate" hreflang="([\w-]+)" href="([^"]*)"/g)].map(
    ([, language = '', href = '']) => `${language} ${href}`,
  )

/** Fills in all fields of a site. */
const describeAll = async (client: PocketBase, site: string, business: string): Promise<void> => {
  const tariff = await client.collection(TARIFFS).create(tariffBody(business))
  const socket = { standard: 'IEC_62196_T2', format: 'SOCKET', current_type: 'AC_3_PHASE' }
  for (const _ of [1, 2])
    await client.collection(CONNECTORS).create({ ...connectorBody(site), ...socket, kw_rating: 22 })
  await client.collection(BUSINESSES).update(business, { website: 'https://hotels.example/' })
  await client.collection(SITES).update(site, {
    tariff: tariff.id,
    city: 'Portrush',
    postal_code: 'BT56 8AB',
    photos: [await makePhoto('cover.jpg')],
    opening_hours: {
      twentyfourseven: false,
      regular_hours: [
        { weekday: 1, period_begin: '08:00', period_end: '22:00' },
        { weekday: 5, period_begin: '20:00', period_end: '02:00' },
      ],
    },
    payment: ['RFID_READER', 'CREDIT_CARD_PAYABLE'],
    facilities: ['CAFE'],
    access: 'PUBLIC',
    parking_type: 'PARKING_LOT',
    max_height_m: 2.1,
    wheelchair: 'ACCESSIBLE',
    contact_phone: '+44 28 1234',
    contact_email: 'help@hotels.example',
    confirmed: '2024-05-17 00:00:00.000Z',
  })
}

test('a slow plug gets an example in hours, and a price URL without a scheme becomes a link', async () => {
  const { client, site, business, connector } = await newOwnerWithSite(stack.url)
  const tariff = await client
    .collection('tariffs')
    .create({ ...tariffBody(business.id), url: 'example.org/prices' })
  await client.collection(CONNECTORS).update(connector.id, {
    standard: 'DOMESTIC_F',
    format: 'SOCKET',
    current_type: 'AC_1_PHASE',
    kw_rating: 3.7,
  })
  await client.collection(SITES).update(site.id, { tariff: tariff.id })
  const { html } = await get(stack.url + sitePage(site.id, 'harbour-lane-quay'))
  expect(textOf(html)).toContain('For example 20 kWh in 5.5 hours: €11.80')
  expect(html).toContain('href="https://example.org/prices"')
})

test.each([
  [0.5, 'For example 12 kWh in 24 hours: €7.08'],
  // It would take 2,300 years, once computed day by day.
  [0.000_001, 'For example 0 kWh in 24 hours: €0.00'],
])('the example for a plug of %d kW covers at most a day', async (kw_rating, said) => {
  const { client, site, business, connector } = await newOwnerWithSite(stack.url)
  const tariff = await client.collection('tariffs').create(tariffBody(business.id))
  await client.collection(CONNECTORS).update(connector.id, { kw_rating })
  await client.collection(SITES).update(site.id, { tariff: tariff.id })
  const { html } = await get(stack.url + sitePage(site.id, 'harbour-lane-quay'))
  expect(textOf(html)).toContain(said)
  await client.collection(SITES).delete(site.id)
})

test('of very many prices only some are listed, with the number of the others', async () => {
  const { client, site, business } = await newOwnerWithSite(stack.url)
  const batch = client.createBatch()
  for (let index = 0; index < 13; index += 1) {
    const id = `price${String(index).padStart(10, '0')}`
    const price = { type: 'ENERGY', price: index + 1, step_size: 1 }
    batch.collection(TARIFFS).create({
      ...tariffBody(business.id),
      id,
      elements: [{ price_components: [price] }],
    })
    batch.collection(CONNECTORS).create({ ...connectorBody(site.id), kw_rating: 300, tariff: id })
  }
  await batch.send()
  // In addition to those, the first plug has no price.
  for (const [page, more] of [
    [`${sitePage(site.id, 'harbour-lane-quay')}?lang=en`, 'More prices: 2'],
    [`${embedPage('site', site.id)}?lang=de`, 'Weitere Preise: 2'],
  ] as const) {
    const { html } = await get(stack.url + page)
    expect(textOf(html)).toContain(more)
    expect(html.split('class="traveller-sentence"')).toHaveLength(1 + 12)
  }
  await client.collection(SITES).delete(site.id)
})

test('an English page uses the local time format of the site and decimal points', async () => {
  const { client, site, business } = await newOwnerWithSite(stack.url)
  await describeAll(client, site.id, business.id)
  const textIn = async (country: string): Promise<string> => {
    await client.collection(SITES).update(site.id, { country })
    return textOf((await get(`${stack.url + sitePage(site.id, 'harbour-lane-quay')}?lang=en`)).html)
  }
  expect(await textIn('USA')).toMatch(/10:00\sPM/)
  // `Intl` has no English of Bulgaria.
  expect(await textIn('BGR')).toContain('Mon 08:00–22:00')
  // English locales of France and Germany would use a decimal comma.
  for (const country of ['FRA', 'DEU', 'BGR']) {
    const text = await textIn(country)
    expect([country, text]).toEqual([country, expect.stringContaining('Mon 08:00–22:00')])
    expect([country, text]).toEqual([country, expect.stringContaining('2.1 m')])
  }
})

test('a page shows everything known about a site, without a script', async () => {
  const { client, site, business } = await newOwnerWithSite(stack.url)
  await describeAll(client, site.id, business.id)
  const { status, html, headers } = await get(stack.url + sitePage(site.id, 'harbour-lane-quay'))
  expect(status).toBe(200)
  const text = textOf(html)
  for (const said of [
    'Harbour Lane Quay',
    '12 Quay Street, Portrush, BT56 8AB',
    'CCS2',
    '150 kW',
    '2 × Type 2',
    '€0.59 per kWh',
    'For example 20 kWh in 40 minutes: €11.80',
    'RFID card, Credit card',
    'Mon 08:00–22:00',
    'Fri 20:00–02:00',
    'closed',
    'Everybody',
    'Car park',
    '2.1 m',
    'Accessible',
    'Café',
    'Harbour Lane Hotels',
    '+44 28 1234',
    'hotels.example',
    en.traveller.confirmedLongAgo('17 May 2024'),
  ])
    expect(text).toContain(said)
  expect(text).toMatch(/Open now until|Closed now, opens/)
  for (const link of [
    'geo:55.2044,-6.6531?q=55.2044,-6.6531(Harbour%20Lane%20Quay)',
    'https://maps.apple.com/?ll=55.2044,-6.6531',
    'https://www.google.com/maps/dir/?api=1&amp;destination=55.2044,-6.6531',
    'https://www.openstreetmap.org/?mlat=55.2044&amp;mlon=-6.6531',
    'tel:+44281234',
    'mailto:help@hotels.example',
  ])
    expect(html).toContain(`href="${link}`)
  expect(html).toMatch(/<img [^>]*width="960" height="540"/)
  const photo = /srcSet="([^ ]*) 300w, ([^ ]*) 960w"/i.exec(html)?.slice(1) ?? []
  for (const address of [...photo, linkOf(html, 'stylesheet') ?? '']) {
    const answer = await fetch(stack.url + decode(address))
    expect([address, answer.status]).toEqual([address, 200])
  }
  // The policy allows the script of the page and no other.
  const script = /<script>([^]*?)<\/script>/.exec(html)?.[1] ?? ''
  const hash = createHash('sha256').update(script).digest('base64')
  expect(headers.get('content-security-policy')).toContain(`script-src 'self' 'sha256-${hash}';`)
  expect(html).not.toMatch(/<style| (style|on\w+)="/)
  expect(script.length).toBeLessThan(1000)
})

test('a page is in the language of its URL, otherwise in the visitor’s', async () => {
  const { site } = await newOwnerWithSite(stack.url)
  const path = sitePage(site.id, 'harbour-lane-quay')
  const words = { en, de, fr, es }
  for (const language of LANGUAGES) {
    const named = await get(`${stack.url}${path}?lang=${language}`, { 'accept-language': 'es' })
    const requested = await get(stack.url + path, { 'accept-language': language })
    for (const { html } of [named, requested]) {
      expect(html).toContain(`<html lang="${language}">`)
      expect(textOf(html)).toContain(words[language].traveller.directions)
      expect(alternatesOf(html)).toEqual([
        ...LANGUAGES.map((each) => `${each} ${stack.url}${path}?lang=${each}`),
        `x-default ${stack.url}${path}`,
      ])
    }
    expect(linkOf(named.html, 'canonical')).toBe(`${stack.url}${path}?lang=${language}`)
    expect(linkOf(requested.html, 'canonical')).toBe(stack.url + path)
    expect(requested.headers.get('vary')).toMatch(/accept-language, cookie/)
  }
  const strange = await get(`${stack.url}${path}?lang=%3Cx&utm_source=mail`)
  expect([strange.status, linkOf(strange.html, 'canonical')]).toEqual([200, stack.url + path])
})

test('search engines and link previews get the facts as schema.org data', async () => {
  const { client, site, business } = await newOwnerWithSite(below.url)
  await describeAll(client, site.id, business.id)
  const page = below.url + sitePage(site.id, 'harbour-lane-quay')
  const { html } = await get(page)
  expect(propertyOf(html, 'title')).toBe(en.traveller.pageTitle('Harbour Lane Quay', 'Portrush'))
  expect(propertyOf(html, 'description').replaceAll('\u00A0', ' ')).toContain(
    'CCS2 150 kW, Type 2 22 kW · €0.59 per kWh',
  )
  expect(propertyOf(html, 'url')).toBe(page)
  const image = await fetch(propertyOf(html, 'image'))
  expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  expect(html).toContain('href="https://a.example/imprint"')
  const data = dataOf(html)
  expect(data).toMatchObject({
    '@type': 'AutomotiveBusiness',
    url: page,
    address: { addressLocality: 'Portrush', addressCountry: 'GB' },
    amenityFeature: [
      { name: 'CCS2 150 kW', value: 1 },
      { name: 'Type 2 22 kW', value: 2 },
      { name: 'Café', value: true },
    ],
    openingHoursSpecification: [
      { dayOfWeek: 'Monday', opens: '08:00', closes: '22:00' },
      { dayOfWeek: 'Friday', opens: '20:00', closes: '02:00' },
    ],
    publicAccess: true,
  })
  expect(await complaintsOf(data)).toBe('')
  expect(await complaintsOf({ ...data, plugs: 3 })).toContain('plugs')
})

/** The compiler's errors for structured data: `schema-dts` declares the vocabulary as types. */
const complaintsOf = async (data: object): Promise<string> => {
  const folder = join(root, `.cache/structured-data-${randomUUID()}`)
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'data.ts')
  await writeFile(
    file,
    `import type { AutomotiveBusiness, WithContext } from 'schema-dts'
export const data: WithContext<AutomotiveBusiness> = ${JSON.stringify(data)}`,
  )
  try {
    const options =
      '--noEmit --strict --skipLibCheck --ignoreConfig --module nodenext --target es2024'
    await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), [...options.split(' '), file])
    return ''
  } catch (error) {
    return (error as { stdout: string }).stdout
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('a URL with another name redirects to the right one, also after the site is renamed', async () => {
  const { client, site } = await newOwnerWithSite(below.url)
  const right = `/ev${sitePage(site.id, 'harbour-lane-quay')}`
  for (const wrong of [
    '',
    '/',
    '/old-name',
    '/harbour-lane-quay/',
    '/a/b',
    '/%E2%9A%A1',
    '/caf%C3',
  ]) {
    const { status, headers } = await get(`${below.url}/at/${site.id}${wrong}?lang=de`)
    expect([wrong, status, headers.get('location')]).toEqual([wrong, 301, `${right}?lang=de`])
    // The name may change back.
    expect(headers.get('cache-control')).toBe(PUBLIC_CACHE_CONTROL)
  }
  await client.collection(SITES).update(site.id, { name: 'Straße Α/Β' })
  const renamed = sitePage(site.id, slugOf('Straße Α/Β'))
  const { status, headers } = await get(below.url + sitePage(site.id, 'harbour-lane-quay'))
  expect([status, headers.get('location')]).toEqual([301, `/ev${renamed}`])
  expect((await get(below.url + renamed)).status).toBe(200)
})

test('a page may be cached briefly, and is not sent again while it is unchanged', async () => {
  const { client, site } = await newOwnerWithSite(stack.url)
  const url = stack.url + sitePage(site.id, 'harbour-lane-quay')
  const first = await get(url)
  expect(first.headers.get('cache-control')).toBe(PUBLIC_CACHE_CONTROL)
  const known = { 'if-none-match': first.headers.get('etag') ?? '' }
  const again = await get(url, known)
  expect([again.status, again.headers.get('vary')]).toEqual([304, first.headers.get('vary')])
  expect(first.headers.get('vary')).toBe('accept-language, cookie, accept-encoding')
  expect((await get(url, { ...known, 'accept-language': 'fr' })).status).toBe(200)
  await client.collection(SITES).update(site.id, { cost: '€1 / kWh' })
  const changed = await get(url, known)
  expect([changed.status, textOf(changed.html).includes('€1')]).toEqual([200, true])
})

test('non-public sites have no page, and the page of a removed site lists nearby ones', async () => {
  const { client, site, business } = await newOwnerWithSite(stack.url)
  const neighbour = await client
    .collection(SITES)
    .create({ ...siteBody(business.id), name: 'Pier', latitude: 55.2054 })
  await client.collection(CONNECTORS).create(connectorBody(neighbour.id))
  const url = stack.url + sitePage(site.id, 'harbour-lane-quay')
  const statusOf = async (): Promise<number> => (await get(url)).status
  await client.collection(SITES).update(site.id, { published: false })
  expect(await statusOf()).toBe(404)
  await client.collection(SITES).update(site.id, { published: true })
  expect(await statusOf()).toBe(200)
  const admin = (await newSuperuser(stack)).client
  await admin.collection(SITES).update(site.id, { hidden: true })
  expect(await statusOf()).toBe(404)
  await admin.collection(SITES).update(site.id, { hidden: false })

  await client.collection(SITES).update(site.id, { status: 'REMOVED' })
  const removed = await get(url)
  expect(removed.status).toBe(410)
  expect(textOf(removed.html)).toContain(en.traveller.gone.title)
  expect(removed.html).toContain(`href="${sitePage(neighbour.id, 'pier')}"`)
  expect(removed.html).toContain('<meta name="robots" content="noindex" />')
  expect(dataOf(removed.html)).toEqual({})
  await client.collection(SITES).delete(site.id)
  expect(await statusOf()).toBe(410)

  for (const id of ['nothing00000000', 'x', 'Caf%C3', '%3Cscript%3E', "'or'1", 'ABCDEFGHIJKLMNO']) {
    const { status, html } = await get(`${stack.url}/at/${id}/x?lang=fr`)
    expect([id, status]).toEqual([id, 404])
    expect(textOf(html)).toContain(fr.traveller.unknown.title)
    expect(html).not.toMatch(/<script>E|'or'1"/)
  }
  expect(stack.logged).toEqual([])
})

test('texts of an owner are never treated as markup', async () => {
  const owner = await newOwner(stack.url)
  const evil = `</script><script>alert(1)</script><img src=x onerror=alert(1)>"' & $& \u202Eevil`
  const business = await owner.client
    .collection(BUSINESSES)
    .create({ name: evil, user: owner.id, website: 'https://a.example/"><script>' })
  const site = await owner.client.collection(SITES).create({
    ...siteBody(business.id),
    name: evil,
    address: evil,
    city: `<b>${'x'.repeat(50)}`,
    cost: evil,
    contact_phone: '"><script>1</script>',
  })
  await owner.client.collection(CONNECTORS).create(connectorBody(site.id))
  const path = sitePage(site.id, slugOf(evil))
  const { status, html } = await get(stack.url + path)
  expect(status).toBe(200)
  expect(html.match(/<script[ >]/g)).toEqual(['<script ', '<script>'])
  expect(/<img src=x|<b>|\u202E/.exec(html)?.[0]).toBeUndefined()
  expect(dataOf(html)).toMatchObject({ name: evil.replace('\u202E', '') })
  expect(textOf(html)).toContain(`alert(1)>"' & $& evil`)
})

test('the list without scripts asks for more letters if a search has too few', async () => {
  const listOf = async (q: string) =>
    textOf((await get(`${stack.url}${PLAIN_LIST}?lang=en&q=${encodeURIComponent(q)}`)).html)
  for (const q of ['a', '?!', '東']) {
    const list = await listOf(q)
    expect(list).toContain(en.find.tooFewLetters(3))
    expect(list).not.toContain(en.find.nothingFound(q))
  }
  expect(await listOf('xyzzyx')).toContain(en.find.nothingFound('xyzzyx'))
  expect(await listOf('')).not.toContain(en.find.tooFewLetters(3))
})

test('the list without scripts removes direction controls from place names', async () => {
  const owner = await newOwner(stack.url)
  const business = await owner.client
    .collection(BUSINESSES)
    .create({ name: 'Pier', user: owner.id })
  const site = await owner.client
    .collection(SITES)
    .create({ ...siteBody(business.id), name: 'Zweibrunn \u202Eevil' })
  await owner.client.collection(CONNECTORS).create(connectorBody(site.id))
  const { html } = await get(`${stack.url}${PLAIN_LIST}?lang=en&q=zweibrunn`)
  expect(/<h1>.*?<\/h1>/.exec(html)?.[0]).toBe('<h1><bdi>Chargers near Zweibrunn evil</bdi></h1>')
  expect(html).not.toContain('\u202E')
})

test.each(['', '/ev'])('the sitemap lists every public site once, below "%s"', async (base) => {
  const { url, sql } = base === '' ? stack : below
  const { client, site, business } = await newOwnerWithSite(url)
  const hidden = await client
    .collection(SITES)
    .create({ ...siteBody(business.id), published: false })
  await client.collection(CONNECTORS).create(connectorBody(hidden.id))
  expect(await (await fetch(`${url}/robots.txt`)).text()).toContain(`Sitemap: ${url}/sitemap.xml\n`)
  const locations = async (address: string): Promise<string[]> => {
    const answer = await fetch(address)
    expect([address, answer.status]).toEqual([address, 200])
    expect(answer.headers.get('content-type')).toContain('xml')
    return [...(await answer.text()).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, loc = '']) => loc)
  }
  const parts = await locations(`${url}/sitemap.xml`)

  const named = (await Promise.all(parts.map(locations))).flat()
  expect(named).toContain(url + sitePage(site.id, 'harbour-lane-quay'))
  const rows = await sql.unsafe<{ id: string }[]>('select id from places')
  expect(new Set(named.map((each) => each.split('/').at(-2)))).toEqual(
    new Set(rows.map(({ id }) => id)),
  )
  expect(named).toHaveLength(rows.length)
  for (const other of ['A', '~', 'zzzzzzzzzzzzzzz', '..%2Fa'])
    expect((await fetch(`${url}/sitemap/${other}.xml`)).status).toBe(404)
})

test('only pages that are made to be embedded may be framed', async () => {
  const { business, site } = await newOwnerWithSite(below.url)
  for (const path of [embedPage('site', site.id), embedPage('business', business.id)]) {
    const { status, headers, html } = await get(below.url + path)
    expect([path, status]).toEqual([path, 200])
    expect(headers.get('x-frame-options')).toBeNull()
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/frame-ancestors \*$/)
    expect(policy).toContain("script-src 'self';")
    expect(html).not.toMatch(/<script>|<style| (style|on\w+)="/)
    // The content of a frame is indexed under the URL of its site.
    expect(html).toContain('<meta name="robots" content="noindex" />')
    expect(html).toContain(
      `href="${new URL(below.url).pathname}${sitePage(site.id, 'harbour-lane-quay')}"`,
    )
    expect(html).toContain('<base target="_blank" />')
  }
  const closed = ['/', '/map', '/login', '/dashboard', posterPage(site.id), '/api/health']
  for (const path of [...closed, sitePage(site.id, 'harbour-lane-quay'), '/embed/elsewhere']) {
    const { headers } = await get(below.url + path)
    expect([path, headers.get('x-frame-options')]).toEqual([path, 'DENY'])
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  }
})

test('an embedded page shows the public data of a site or business, in the language of its URL', async () => {
  const { client, site, business } = await newOwnerWithSite(stack.url)
  await describeAll(client, site.id, business.id)
  const framed = embedPage('site', site.id)
  const { html, headers } = await get(`${stack.url}${framed}?lang=de`)
  for (const said of ['Harbour Lane Quay', '12 Quay Street, Portrush, BT56 8AB', 'CCS2', '0,59'])
    expect(textOf(html)).toContain(said)
  expect(html).toContain('<html lang="de">')
  const etag = headers.get('etag') ?? ''
  expect((await get(`${stack.url}${framed}?lang=de`, { 'if-none-match': etag })).status).toBe(304)

  const named = `href="${sitePage(site.id, 'harbour-lane-quay')}?lang=de"`
  expect(html).toContain(named)

  const all = embedPage('business', business.id)
  expect((await get(`${stack.url}${all}?lang=de`)).html).toContain(named)
  const found = await get(`${stack.url}${PLAIN_LIST}?lang=de&q=harbour`)
  expect(found.html).toContain('?lang=de"')
  expect(found.html).toContain('<input type="hidden" name="lang" value="de"/>')
  const { html: list } = await get(stack.url + all)
  expect(textOf(list)).toContain('Harbour Lane Hotels 1 charging station')
  expect(textOf(list)).toContain('Harbour Lane Quay')
  const module = /<script type="module" src="([^"]+)"/.exec(list)?.[1] ?? ''
  expect((await get(stack.url + module)).status).toBe(200)
  expect((await get(`${stack.url}${all}?cursor=x`)).status).toBe(200)

  await client.collection(SITES).update(site.id, { published: false })
  expect((await get(stack.url + framed)).status).toBe(404)
  expect((await get(stack.url + all)).status).toBe(404)
  expect((await get(stack.url + posterPage(site.id))).status).toBe(404)
  await client.collection(SITES).update(site.id, { published: true })
  await client.collection(SITES).update(site.id, { status: 'REMOVED' })
  const gone = await get(stack.url + framed)
  expect([gone.status, textOf(gone.html).includes(en.traveller.gone.title)]).toEqual([410, true])
  expect(gone.html).toContain('<base target="_blank" />')
})

test('extra query parameters on links do not matter', async () => {
  const { site, business } = await newOwnerWithSite(stack.url)
  const added = 'fbclid=IwAR1&utm_source=newsletter'
  for (const path of [
    `${PLAIN_LIST}?q=harbour`,
    `${embedPage('business', business.id)}?lang=en`,
    `${embedPage('site', site.id)}?lang=en`,
    `${sitePage(site.id, 'harbour-lane-quay')}?lang=en`,
  ]) {
    const { status, html } = await get(`${stack.url}${path}&${added}`)
    expect([path, status, textOf(html)]).toEqual([
      path,
      200,
      expect.stringContaining('Harbour Lane Quay'),
    ])
  }
})

test('pages for people ignore invalid parameters, and their form shows the valid ones', async () => {
  await newOwnerWithSite(stack.url)
  const wrong = 'plug=FOO&min_kw=a&free=2&cursor=x&near=1&lang=xx'
  const { status, html } = await get(`${stack.url}${PLAIN_LIST}?${wrong}&open=now&q=harbour`)
  expect([status, textOf(html)]).toEqual([200, expect.not.stringContaining('FOO')])
  expect([...html.matchAll(/<(?:input|option)[^>]* (?:checked|selected)=""[^>]*>/g)]).toHaveLength(
    3,
  )
  expect(html).toMatch(/<input[^>]*name="open"[^>]*checked=""/)
  expect((await get(`${stack.url}${PLAIN_LIST}?q=%00`)).status).toBe(200)
  // Programs get an error.
  const read = await fetch(`${stack.url}/api/public/sites?q=harbour&plug=FOO`)
  expect(read.status).toBe(400)
  expect(stack.logged).toEqual([])
})

test('a poster shows the plugs, the payment methods, and the URL of the page as text', async () => {
  const { client, site, business } = await newOwnerWithSite(stack.url)
  await describeAll(client, site.id, business.id)
  const { html, status, headers } = await get(stack.url + posterPage(site.id))
  expect(status).toBe(200)
  const page = stack.url + sitePage(site.id, 'harbour-lane-quay')
  for (const said of [
    'Harbour Lane Quay',
    en.poster.headline,
    'CCS2',
    'RFID card, Credit card',
    page,
  ])
    expect(textOf(html)).toContain(said)
  expect(html).toContain('<meta name="robots" content="noindex" />')
  const script = /<script>([^]*?)<\/script>/.exec(html)?.[1] ?? ''
  const hash = createHash('sha256').update(script).digest('base64')
  expect(headers.get('content-security-policy')).toContain(`script-src 'self' 'sha256-${hash}';`)
})

test('the poster of an unknown site links back to the map, with the usual page layout', async () => {
  const { status, html } = await get(`${stack.url}${posterPage('nothing00000000')}?lang=en`)
  expect(status).toBe(404)
  expect(textOf(html)).toContain(en.traveller.unknown.title)
  expect(html).toContain('<main class="main" id="main"')
})
