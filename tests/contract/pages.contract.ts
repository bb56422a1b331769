import { createHash } from 'node:crypto'

import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { LANGUAGES } from '#domain/language.ts'
import { NOT_FOUND, ROUTES } from '../../web/app/routes.ts'
import de from '../../web/messages/de/core.ts'
import deHome from '../../web/messages/de/home.ts'
import dePage from '../../web/messages/de/page.ts'
import enPage from '../../web/messages/en/page.ts'
import es from '../../web/messages/es/core.ts'
import esHome from '../../web/messages/es/home.ts'
import fr from '../../web/messages/fr/core.ts'
import frHome from '../../web/messages/fr/home.ts'
import { startStack, type Stack } from '../support/stack.ts'
import { en } from '../support/english.ts'

// The pages as the server sends them, before the app has loaded (decision 0066).

const NAME = 'Volt & <b>Leaf</b>'

let stack: Stack
/** A server below a base path, with analytics and operator pages. */
let below: Stack
beforeAll(async () => {
  stack = await startStack({ env: { PRODUCT_NAME: NAME, GEOCODER_URL: 'none' } })
  below = await startStack({
    env: {
      PUBLIC_URL: 'http://127.0.0.1:0/ev',
      PRODUCT_NAME: NAME,
      ANALYTICS_HOST: 'https://count.example',
      ANALYTICS_APP_KEY: 'key',
      PRIVACY_URL: 'https://a.example/privacy?x=1&y=2',
      IMPRINT_URL: 'https://a.example/imprint',
    },
  })
})
afterAll(async () => {
  await stack.close()
  await below.close()
})

const fetchPage = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
  const answer = await fetch(stack.url + path, { headers })
  return { status: answer.status, html: await answer.text(), headers: answer.headers }
}

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

test.each([...ROUTES, NOT_FOUND].map(({ path }) => path))(
  'the policy of the page of %s allows exactly its inline elements, by hash',
  async (path) => {
    const address = path === '*' ? '/nothing/here' : path.replaceAll(/:\w+\??/g, 'x')
    for (const language of LANGUAGES) {
      const { html, headers } = await fetchPage(address, { 'accept-language': language })
      const policy = headers.get('content-security-policy') ?? ''
      const sources = (name: string): readonly string[] =>
        new RegExp(`${name} ([^;]*)`).exec(policy)?.[1]?.split(' ') ?? []
      const scripts = [...html.matchAll(/<script>([^]*?)<\/script>/g)].map(([, text = '']) => text)
      expect(scripts).toHaveLength(1)
      expect(sources('script-src')).toEqual(["'self'", ...scripts.map(hashOf)])
      expect(sources('style-src')).toEqual(["'self'"])
      expect(html).not.toContain('<style')
      expect(html).not.toMatch(/ (style|on\w+)="/)
      expect(html).toContain(`<html lang="${language}">`)
    }
  },
)

test('the page is in the chosen language, otherwise in the browser’s', async () => {
  const titleIn = async (headers: Readonly<Record<string, string>>): Promise<string | undefined> =>
    /<h1[^>]*>(.*?)<\/h1>/.exec((await fetchPage('/dashboard', headers)).html)?.[1]
  expect(await titleIn({})).toBe(en.titles.dashboard)
  expect(await titleIn({ 'accept-language': 'de-AT,en;q=0.5' })).toBe(de.titles.dashboard)
  const cookie = 'other=language=es; language=fr'
  expect(await titleIn({ 'accept-language': 'de', cookie })).toBe(fr.titles.dashboard)
  const strange = { 'accept-language': 'de', cookie: 'language=<script>' }
  expect(await titleIn(strange)).toBe(de.titles.dashboard)
  const words = /<noscript><p[^>]*>(.*?)<\/p><\/noscript>/
  const withoutScript = async (language: string, path = '/'): Promise<string | undefined> =>
    words.exec((await fetchPage(path, { 'accept-language': language })).html)?.[1]
  expect(await withoutScript('en')).toBe(enPage.page.noScript)
  expect(await withoutScript('de')).toBe(dePage.page.noScript)
  // A traveller who reports a problem does not sign in.
  expect(await withoutScript('en', '/report/0123456789abcde')).toBe(enPage.page.noScriptPage)
  expect((await fetchPage('/dashboard')).headers.get('vary')).toMatch(/accept-language, cookie/i)
})

test('the product name is escaped everywhere', async () => {
  const { html } = await fetchPage('/')
  expect(html).not.toContain('<b>Leaf')
  expect(html).not.toContain('PRODUCT_NAME')
  expect(html.match(/Volt &amp; &lt;b>Leaf&lt;\/b>/g)?.length).toBeGreaterThan(1)
})

test('hints depend on the settings of the installation', async () => {
  const { html } = await fetchPage('/site/add')
  expect(html).toContain(en.location.addressHintPlain)
  expect(html).not.toContain(en.location.addressHint)
})

const decode = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&')

const titleOf = (html: string): string => decode(/<title>(.*?)<\/title>/.exec(html)?.[1] ?? '')

/** The metadata of a page, by the name or property of a meta element, or the relation of a link. */
const saysOf = (html: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [
      ...html.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)"/g),
      ...html.matchAll(/<link rel="([^"]+)"[^>]*? href="([^"]*)"/g),
    ].map(([, name = '', value = '']) => [name, decode(value)]),
  )

test.each(ROUTES.map((route) => [route.path, route] as const))(
  'the page of %s has its title, in the language of the visitor',
  async (path, route) => {
    const catalogues = {
      en,
      de: { ...de, ...deHome },
      fr: { ...fr, ...frHome },
      es: { ...es, ...esHome },
    }
    for (const language of LANGUAGES) {
      const address = path.replaceAll(/:\w+\??/g, 'x')
      const { html, status } = await fetchPage(address, { 'accept-language': language })
      const title = route.title({ ...en, ...catalogues[language] }, NAME)
      expect([status, titleOf(html)]).toEqual([200, title])
      expect(saysOf(html)['og:title']).toBe(title)
      const territory = language === 'en' ? 'GB' : language.toUpperCase()
      expect(saysOf(html)['og:locale']).toBe(`${language}_${territory}`)
      expect(saysOf(html)['description']).toBe(catalogues[language].home.lead(NAME))
    }
  },
)

test('only public pages have a canonical URL and may be indexed', async () => {
  for (const path of ['/', '/login']) {
    const { html } = await fetchPage(`${path}?from=mail`)
    expect(saysOf(html)).toMatchObject({
      canonical: stack.url + path,
      'og:url': stack.url + path,
      'og:site_name': NAME,
    })
    expect(html).not.toContain('noindex')
  }
  for (const path of ['/dashboard', '/site/add', '/auth/confirm-verification/x', '/nowhere']) {
    const said = saysOf((await fetchPage(path)).html)
    expect(said).toMatchObject({ robots: 'noindex' })
    expect([said['canonical'], said['og:url']]).toEqual([undefined, undefined])
  }
})

test('unknown API paths get 404 in JSON', async () => {
  for (const path of ['/api/x', '/open/sites.json', '/open/businesses/x/y']) {
    const { status, html, headers } = await fetchPage(path)
    expect([path, status, headers.get('content-type')]).toEqual([
      path,
      404,
      'application/json; charset=utf-8',
    ])
    expect(JSON.parse(html)).toMatchObject({ status: 404 })
  }
  expect((await fetchPage('/open?lang=en')).status).toBe(200)
})

test('open data files can be downloaded before the app has loaded, also below a base path', async () => {
  for (const { url } of [stack, below]) {
    const html = await (await fetch(`${url}/open`)).text()
    const [, href = ''] = /href="([^"]*sites\.geojson)"/.exec(html) ?? []
    const file = await fetch(new URL(href, url))
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/geo+json'])
    expect(html).not.toContain('undefined')
  }
})

test('an unknown path gets a page with 404', async () => {
  for (const path of [
    '/nowhere',
    '/site',
    '/site/edit/a/b',
    '/dashboard/x',
    '/wp-login.php',
    '/caf%C3',
  ]) {
    const { status, html } = await fetchPage(path)
    expect([path, status, titleOf(html)]).toEqual([path, 404, en.titles.notFound])
    expect(html).toContain(en.notFound.text)
  }
  // The router of the app treats these as the same path.
  for (const path of ['/Dashboard', '/dashboard/', '/site/edit/%C3%A4'])
    expect([path, (await fetchPage(path)).status]).toEqual([path, 200])
})

test.each(['', '/ev'])('robots and devices find their files below "%s"', async (base) => {
  const other = base === '' ? stack : below
  const robots = await (await fetch(`${other.url}/robots.txt`)).text()
  expect(robots.split('\n')).toEqual(
    expect.arrayContaining([
      'User-agent: *',
      `Allow: ${base}/`,
      `Disallow: ${base}/dashboard`,
      `Disallow: ${base}/site/add`,
      `Disallow: ${base}/auth/confirm-password-reset`,
      `Disallow: ${base}/api/`,
    ]),
  )
  expect(robots).not.toMatch(/Disallow: (\/ev)?(\/|\/login)$/m)

  const html = await (await fetch(`${other.url}/`)).text()
  const said = saysOf(html)
  expect(said['manifest']).toBe(`${base}/manifest.webmanifest`)
  const answer = await fetch(`${other.url}/manifest.webmanifest`, {
    headers: { 'accept-language': 'de' },
  })
  expect(answer.headers.get('content-type')).toMatch(/^application\/manifest\+json/)
  const manifest = (await answer.json()) as {
    icons: { src: string; sizes: string; purpose: string }[]
  }
  expect(manifest).toMatchObject({
    name: NAME,
    lang: 'de',
    description: deHome.home.lead(NAME),
    display: 'standalone',
    scope: `${base}/`,
    start_url: `${base}/dashboard`,
  })
  const icons = [
    ...manifest.icons.map(({ src, sizes }) => [src, sizes] as const),
    [said['apple-touch-icon'] ?? '', '180x180'] as const,
    [new URL(said['og:image'] ?? '').pathname, '512x512'] as const,
  ]
  for (const [path, sizes] of icons) {
    const icon = await fetch(new URL(path, other.url))
    const { width, height, format } = await sharp(Buffer.from(await icon.arrayBuffer())).metadata()
    expect([path, `${width}x${height}`, format]).toEqual([path, sizes, 'png'])
  }
  expect(manifest.icons.map(({ purpose }) => purpose)).toEqual(['any', 'any', 'maskable'])
  const favicon = await fetch(`${other.url}/favicon.ico`)
  const bytes = Buffer.from(await favicon.arrayBuffer())
  // One image, a PNG, at the offset in its directory entry.
  expect([favicon.status, bytes.subarray(0, 6).toString('hex')]).toEqual([200, '000001000100'])
  expect(bytes.subarray(bytes.readUInt32LE(18) + 1).toString('latin1')).toMatch(/^PNG/)

  expect((await fetch(`${other.url}/nowhere`)).status).toBe(404)
  // Links work before the app has loaded.
  expect(html).toMatch(new RegExp(`<a [^>]*href="${base}/login"`))
  // Without a configured website, the product name links to Home.
  expect(html).toMatch(new RegExp(`<a class="logo-link" href="${base}/"`))
})

test('the operator’s pages are linked if they are configured', async () => {
  const { html } = await fetchPage('/login')
  expect(html).not.toMatch(/_URL"|<a href="">/)
  for (const path of ['/', '/login', '/nowhere']) {
    const page = await (await fetch(below.url + path)).text()
    expect(page).toMatch(
      new RegExp(`<a href="https://a.example/privacy\\?x=1&amp;y=2"[^>]*>${en.links.privacy}</a>`),
    )
    expect(page).toContain(`>${en.links.imprint}</a>`)
    expect(page).not.toContain(`>${en.links.help}</a>`)
    expect(page).not.toMatch(/_URL"/)
  }
})

test('a browser that opts out gets no analytics settings', async () => {
  const hostFor = async (headers: Readonly<Record<string, string>>) => {
    const answer = await fetch(`${below.url}/`, { headers })
    expect(answer.headers.get('vary')).toMatch(/sec-gpc, dnt/i)
    return saysOf(await answer.text())['voltleaf:analytics-host']
  }
  expect(await hostFor({})).toBe('https://count.example')
  expect(await hostFor({ 'sec-gpc': '1' })).toBe('')
  expect(await hostFor({ dnt: '1' })).toBe('')
  expect(await hostFor({ dnt: '0' })).toBe('https://count.example')
})
