import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest, RouteHandlerMethod } from 'fastify'

import { LANGUAGE_COOKIE, LANGUAGES, pickLanguage, type Language } from '#domain/language.ts'
import { PLACES, PRELOAD_FILE, type Preloads } from '#domain/preload.ts'
import {
  LINKS,
  settingMetaName,
  WEB_SETTINGS,
  type WebSetting,
  type WebSettings,
} from '#domain/settings.ts'

import type { Config } from '../config.ts'
import { escapeHtml, headOf, MANIFEST_FILE, manifestOf, robotsOf } from './head.ts'
import type { SecurityHeaders } from './security.ts'

/** What the pages are made with. */
export interface PageDeps {
  readonly config: Config
  readonly webDir: string
  /** The content security policy of scripts. */
  readonly scriptPolicy: string
  /** That of a page in which these scripts and styles stand. */
  readonly policyWith: SecurityHeaders['policyWith']
}

/**
 * Serves the built web app from `webDir`: files with hashed names for ever, what robots and devices ask
 * for, and for every other path the page of its screen, with the settings written into it. A path that
 * no screen has is answered 404, with the page that says so.
 */
export const servePage = async (app: FastifyInstance, deps: PageDeps): Promise<void> => {
  const { config, webDir, scriptPolicy } = deps
  const template = preparePage(await readFile(join(webDir, 'index.html'), 'utf8'), config)
  const preloads = await readPreloads(webDir)
  const pages = preloads && (await composePages(template, preloads, deps))
  await app.register(fastifyStatic, {
    root: webDir,
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    globIgnore: ['**/*.br', 'index.html'],
    setHeaders: (reply, path) => {
      const immutable = path.startsWith(join(webDir, 'assets'))
      reply.header('cache-control', immutable ? 'public, max-age=31536000, immutable' : HOUR)
      if (/\.js(\.br)?$/.test(path)) reply.header('content-security-policy', scriptPolicy)
    },
  })
  const send: RouteHandlerMethod = (request, reply) => {
    const path = request.url.slice(config.basePath.length)
    // A missing asset or endpoint is missing; the page would only hide it.
    if (/^\/(api|assets)(\/|\?|$)/i.test(path)) return reply.callNotFound()
    const page = pages?.(path.replace(/\?.*/, ''), languageOf(request))
    const vary = `accept-language, cookie${config.analyticsHost && ', sec-gpc, dnt'}`
    reply.headers({ 'cache-control': 'no-cache', vary }).type('text/html; charset=utf-8')
    if (page !== undefined) reply.code(page.status).header('content-security-policy', page.policy)
    const html = page?.html ?? template
    return reply.send(refusesAnalytics(request) ? withoutAnalytics(html, config) : html)
  }
  if (preloads !== undefined) serveDocuments(app, config, preloads)
  // The base path itself, without a slash at its end too, and everything below it.
  app.get('/', send)
  app.get('/*', send)
}

/** What is asked for by programs, and made of the settings. */
const serveDocuments = (app: FastifyInstance, config: Config, preloads: Preloads): void => {
  const robots = robotsOf(config, preloads)
  app.get('/robots.txt', (_request, reply) =>
    reply.header('cache-control', HOUR).type('text/plain; charset=utf-8').send(robots),
  )
  app.get(`/${MANIFEST_FILE}`, (request, reply) =>
    reply
      .headers({ 'cache-control': HOUR, vary: 'accept-language, cookie' })
      .type('application/manifest+json')
      .send(JSON.stringify(manifestOf(config, preloads, languageOf(request)))),
  )
}

const HOUR = 'public, max-age=3600'

/** The language that was chosen on the device, else the first one that its browser asks for. */
const languageOf = ({ headers }: FastifyRequest): Language => {
  const chosen = new RegExp(`(?:^|;\\s*)${LANGUAGE_COOKIE}=(\\w+)`).exec(headers.cookie ?? '')?.[1]
  return (
    LANGUAGES.find((language) => language === chosen) ?? pickLanguage(headers['accept-language'])
  )
}

/** Whether a browser asks not to be counted: Global Privacy Control, or Do Not Track. */
const refusesAnalytics = ({ headers }: FastifyRequest): boolean =>
  headers['sec-gpc'] === '1' || headers.dnt === '1'

/** The page as it is where no analytics are configured. */
const withoutAnalytics = (html: string, { analyticsHost }: Config): string =>
  html.replace(metaOf('analytics-host', analyticsHost), metaOf('analytics-host', ''))

const metaOf = (name: WebSetting, content: string): string =>
  `<meta name="${settingMetaName(name)}" content="${escapeHtml(content)}" />`

const preparePage = (html: string, config: Config): string => {
  const settings: WebSettings = {
    'product-name': config.productName,
    'product-website': websiteOf(config),
    'base-path': config.basePath,
    'analytics-host': config.analyticsHost,
    'analytics-app-key': config.analyticsAppKey,
    'app-version': config.appVersion,
    'map-style-url': config.mapStyleUrl,
    'address-search': config.geocoderUrl === 'none' ? 'off' : 'on',
    'provider-name': config.oidc?.name ?? '',
    'provider-sign-out': config.oidc?.signOut === true ? 'on' : 'off',
    'help-url': config.links.help,
    'privacy-url': config.links.privacy,
    'terms-url': config.links.terms,
    'imprint-url': config.links.imprint,
  }
  const metas = WEB_SETTINGS.map((name) => metaOf(name, settings[name]))
  return html
    .replace('<!--settings-->', () => metas.join('\n    '))
    .replaceAll(/(src|href)="\.\//g, (_, attribute: string) => `${attribute}="${config.basePath}/`)
}

/** An installation that names no website of the product leads to its own Home. */
const websiteOf = ({ productWebsite, basePath }: Config): string => productWebsite || `${basePath}/`

/** A folder without a build, as in development, has no pages but the one. */
const readPreloads = async (webDir: string): Promise<Preloads | undefined> => {
  const text = await readFile(join(webDir, PRELOAD_FILE), 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })
  return text === undefined ? undefined : (JSON.parse(text) as Preloads)
}

/** A page as it is sent, and the content security policy that goes with it. */
interface Page {
  readonly status: 200 | 404
  readonly html: string
  readonly policy: string
}

/** What the build left for the pages, and what they are filled with. */
interface Ground {
  readonly template: string
  readonly preloads: Preloads
  readonly deps: PageDeps
  /** Puts what the installation knows into its places. */
  readonly fill: (text: string, write?: (value: string) => string) => string
}

/**
 * The pages of all screens. In each stands what is seen first: its title, styles, the frame, and what begins
 * to ask for the data. The app is named, and fetched as soon as that has been painted (`web/early/begin.ts`).
 */
const composePages = async (
  template: string,
  preloads: Preloads,
  deps: PageDeps,
): Promise<(path: string, language: Language) => Page | undefined> => {
  const { config } = deps
  const known: Readonly<Record<string, string>> = {
    [PLACES.product]: config.productName,
    [PLACES.basePath]: config.basePath,
    [PLACES.website]: websiteOf(config),
    ...Object.fromEntries(LINKS.map((link) => [PLACES[link], config.links[link]])),
  }
  const places = new RegExp(Object.values(PLACES).join('|'), 'g')
  const fill: Ground['fill'] = (text, write = (value) => value) =>
    text.replaceAll(places, (place) => write(known[place] ?? ''))
  const ground = { template, preloads, deps, fill }
  const composed = Object.keys(preloads.screens).map(async (path) => ({
    pattern: patternOf(path),
    pages: await composeScreen(ground, path),
  }))
  const pages = await Promise.all(composed)
  return (path, language) => pages.find(({ pattern }) => pattern.test(path || '/'))?.pages[language]
}

/** The page of a screen in every language. */
const composeScreen = async (
  { template, preloads, deps, fill }: Ground,
  path: string,
): Promise<Readonly<Record<Language, Page>>> => {
  const { config, webDir, policyWith } = deps
  const { scripts, description, screens } = preloads
  const screen = screens[path]
  if (screen === undefined) throw new Error(`The build has no screen ${path}`)
  const styles = await Promise.all(
    screen.styles.map(async (file) => ({ file, css: await readFile(join(webDir, file), 'utf8') })),
  )
  const early = screen.early === null ? [] : [scripts[screen.early]]
  const inline = [...early, scripts.begin]
  const policy = policyWith({ scripts: inline, styles: styles.map(({ css }) => css) })
  const search = config.geocoderUrl === 'none' ? 'off' : 'on'
  const pageIn = (language: Language): Page => {
    const named = headOf(config, {
      title: fill(screen.title[language]),
      description: fill(description[language]),
      language,
      path,
      isListed: screen.isListed,
    })
    const head = [
      ...named,
      // Else a page of which only a part has come is painted, and moves as the others come.
      '<link rel="expect" href="#end" blocking="render" />',
      ...styles.map(({ file, css }) => styleOf(`${config.basePath}/${file}`, css)),
      ...screen.modules[language].map((file, index) =>
        laterOf(`${config.basePath}/${file}`, index === 0),
      ),
    ]
    const frame = fill(dropLinks(screen.frame[language][search], config), escapeHtml)
    const html = template
      .replace('<html lang="en">', `<html lang="${language}">`)
      .replace('<!--head-->', () => head.join('\n    '))
      .replace('<!--frame-->', () => `<!--frame-->${frame}<!--/frame-->`)
      // Below what they fill in, which is then never painted without it.
      .replace('<!--scripts-->', () =>
        [...inline.map((script) => `<script>${script}</script>`), END].join(''),
      )
    return { status: path === '*' ? 404 : 200, html, policy }
  }
  return Object.fromEntries(LANGUAGES.map((language) => [language, pageIn(language)])) as Readonly<
    Record<Language, Page>
  >
}

/** Takes the links to pages out that this installation does not have. */
const dropLinks = (html: string, { links }: Config): string =>
  LINKS.filter((link) => links[link] === '').reduce(
    (left, link) => left.replace(new RegExp(`<a href="${PLACES[link]}".*?</a>`), ''),
    html,
  )

/** Stands behind all that a page is painted with. */
const END = '<template id="end"></template>'

/** What a path of `first-visits.ts` stands for. */
const patternOf = (path: string): RegExp =>
  path === '*'
    ? /^/
    : // As the router of the app, which does not tell small letters from capitals.
      new RegExp(`^${path.replaceAll(/\/:\w+(\??)/g, '(?:/[^/]+)$1')}/?$`, 'i')

/** A style in the page. The link says that the file is here already; without it a chunk would fetch it. */
const styleOf = (address: string, css: string): string =>
  `<style>${css}</style><link rel="stylesheet" crossorigin disabled href="${address}" />`

const laterOf = (address: string, runs: boolean): string =>
  `<link rel="later"${runs ? ' data-run' : ''} crossorigin href="${address}" />`

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'
