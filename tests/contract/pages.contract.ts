import { createHash } from 'node:crypto'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { LANGUAGES } from '#domain/language.ts'
import { FIRST_VISITS } from '../../web/app/first-visits.ts'
import de from '../../web/messages/de/core.ts'
import fr from '../../web/messages/fr/core.ts'
import { startStack, type Stack } from '../support/stack.ts'
import { en } from '../support/english.ts'

// The pages as they are sent: what stands in them before the app has come (decision 0030).

const NAME = 'Volt & <b>Leaf</b>'

let stack: Stack
beforeAll(async () => {
  stack = await startStack({ env: { PRODUCT_NAME: NAME, GEOCODER_URL: 'none' } })
})
afterAll(() => stack.close())

const fetchPage = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
  const answer = await fetch(stack.url + path, { headers })
  return { html: await answer.text(), headers: answer.headers }
}

const elements = (html: string, name: 'script' | 'style'): readonly string[] =>
  [...html.matchAll(new RegExp(`<${name}>([^]*?)</${name}>`, 'g'))].map(([, text = '']) => text)

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

test.each(Object.keys(FIRST_VISITS))(
  'what stands in the page of %s is allowed by its hash, and nothing else is',
  async (path) => {
    const address = path === '*' ? '/nothing/here' : path.replaceAll(/:\w+\??/g, 'x')
    for (const language of LANGUAGES) {
      const { html, headers } = await fetchPage(address, { 'accept-language': language })
      const policy = headers.get('content-security-policy') ?? ''
      const sources = (name: string): readonly string[] =>
        new RegExp(`${name} ([^;]*)`).exec(policy)?.[1]?.split(' ') ?? []
      const [scripts, styles] = [elements(html, 'script'), elements(html, 'style')]
      expect(scripts.length).toBeGreaterThan(0)
      expect(styles.length).toBeGreaterThan(0)
      expect(sources('script-src')).toEqual(["'self'", ...scripts.map(hashOf)])
      expect(sources('style-src')).toEqual(["'self'", ...styles.map(hashOf)])
      expect(html).not.toMatch(/ (style|on\w+)="/)
      expect(html).toContain(`<html lang="${language}">`)
    }
  },
)

test('its words are in the language that was chosen, else in that of the browser', async () => {
  const titleIn = async (headers: Readonly<Record<string, string>>): Promise<string | undefined> =>
    /<h1[^>]*>(.*?)<\/h1>/.exec((await fetchPage('/dashboard', headers)).html)?.[1]
  expect(await titleIn({})).toBe(en.titles.dashboard)
  expect(await titleIn({ 'accept-language': 'de-AT,en;q=0.5' })).toBe(de.titles.dashboard)
  const cookie = 'other=language=es; language=fr'
  expect(await titleIn({ 'accept-language': 'de', cookie })).toBe(fr.titles.dashboard)
  const strange = { 'accept-language': 'de', cookie: 'language=<script>' }
  expect(await titleIn(strange)).toBe(de.titles.dashboard)
  expect((await fetchPage('/dashboard')).headers.get('vary')).toMatch(/accept-language, cookie/i)
})

test('the name of the product is text, wherever it stands', async () => {
  const { html } = await fetchPage('/')
  expect(html).not.toContain('<b>Leaf')
  expect(html).not.toContain('PRODUCT_NAME')
  expect(html.match(/Volt &amp; &lt;b>Leaf&lt;\/b>/g)?.length).toBeGreaterThan(1)
})

test('a field says what it can do in this installation', async () => {
  const { html } = await fetchPage('/site/add')
  expect(html).toContain(en.location.addressHintPlain)
  expect(html).not.toContain(en.location.addressHint)
})
