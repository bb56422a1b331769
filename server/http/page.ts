import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest, RouteHandlerMethod } from 'fastify'

import { LANGUAGES, type Language } from '#domain/language.ts'
import {
  PAGES_FILE,
  PLACES,
  type BuiltPages,
  type PageStart,
  type ScreenPage,
} from '#domain/pages.ts'
import { LINKS, settingMetaName, WEB_SETTINGS, type WebSetting } from '#domain/settings.ts'

import type { Config } from '../config.ts'
import { readBuilt } from './built.ts'
import { dataBlock, escapeHtml, headOf, MANIFEST_FILE, manifestOf, robotsOf } from './head.ts'
import { languageOf } from './language.ts'
import { ONE_HOUR } from './respond.ts'
import type { SecurityHeaders } from './security.ts'
import { websiteOf, webSettingsOf } from './web-settings.ts'

/** The dependencies of the pages. */
interface PageDeps extends Pick<SecurityHeaders, 'scriptPolicy' | 'policyWith'> {
  readonly config: Config
  readonly webDir: string
}

/**
 * Serves the built web app from `webDir`: files with hashed names as immutable, documents for crawlers and
 * devices, and for every other path the page of its screen, with the settings in it. A path without a screen gets
 * 404 with the page for it.
 */
export const servePage = async (app: FastifyInstance, deps: PageDeps): Promise<void> => {
  const { config, webDir, scriptPolicy, policyWith } = deps
  const template = preparePage(await readFile(join(webDir, 'index.html'), 'utf8'), config)
  // Without a build, the folder has only one page.
  const built = await readBuilt<BuiltPages>(webDir, PAGES_FILE)
  const pages = built && composePages(template, built, config)
  const policy = built && policyWith(built.script)
  await app.register(fastifyStatic, {
    root: webDir,
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    globIgnore: ['**/*.br', 'index.html'],
    setHeaders: (reply, path) => {
      const immutable = path.startsWith(join(webDir, 'assets'))
      reply.header('cache-control', immutable ? 'public, max-age=31536000, immutable' : ONE_HOUR)
      if (/\.js(\.br)?$/.test(path)) reply.header('content-security-policy', scriptPolicy)
    },
  })
  const send: RouteHandlerMethod = (request, reply) => {
    const path = request.url.slice(config.basePath.length)
    // A missing asset, endpoint or file gets 404; the page would hide the error.
    if (/^\/(?:(?:api|assets)(?:\/|\?|$)|open\/[^?])/i.test(path)) return reply.callNotFound()
    const page = pages?.(path.replace(/\?.*/, ''), languageOf(request))
    const vary = `accept-language, cookie${config.analyticsHost && ', sec-gpc, dnt'}`
    reply.headers({ 'cache-control': 'no-cache', vary }).type('text/html; charset=utf-8')
    if (page !== undefined) reply.code(page.status).header('content-security-policy', policy)
    const html = page?.html ?? template
    return reply.send(refusesAnalytics(request) ? withoutAnalytics(html, config) : html)
  }
  if (built !== undefined) serveDocuments(app, config, built)
  // The base path itself, with or without a trailing slash, and everything below it.
  app.get('/', send)
  app.get('/*', send)
}

/** Serves documents for programs, generated from the settings. */
const serveDocuments = (app: FastifyInstance, config: Config, built: BuiltPages): void => {
  const robots = robotsOf(config, built)
  app.get('/robots.txt', (_request, reply) =>
    reply.header('cache-control', ONE_HOUR).type('text/plain; charset=utf-8').send(robots),
  )
  app.get(`/${MANIFEST_FILE}`, (request, reply) =>
    reply
      .headers({ 'cache-control': ONE_HOUR, vary: 'accept-language, cookie' })
      .type('application/manifest+json')
      .send(JSON.stringify(manifestOf(config, built, languageOf(request)))),
  )
}

/** Whether the browser opts out of analytics: Global Privacy Control, or Do Not Track. */
const refusesAnalytics = ({ headers }: FastifyRequest): boolean =>
  headers['sec-gpc'] === '1' || headers.dnt === '1'

const withoutAnalytics = (html: string, { analyticsHost }: Config): string =>
  html.replace(metaOf('analytics-host', analyticsHost), metaOf('analytics-host', ''))

const metaOf = (name: WebSetting, content: string): string =>
  `<meta name="${settingMetaName(name)}" content="${escapeHtml(content)}" />`

const preparePage = (html: string, config: Config): string => {
  const settings = webSettingsOf(config)
  const metas = WEB_SETTINGS.map((name) => metaOf(name, settings[name]))
  return html
    .replace('<!--settings-->', () => metas.join('\n    '))
    .replaceAll(/(src|href)="\.\//g, (_, attribute: string) => `${attribute}="${config.basePath}/`)
}

/** A page as it is sent. */
interface Page {
  readonly status: 200 | 404
  readonly html: string
}

/**
 * Composes the pages of all screens. Each contains the first view, and the script that requests the data and
 * starts the app (`web/prerender/start.ts`).
 */
const composePages = (
  template: string,
  { script, description, screens }: BuiltPages,
  config: Config,
): ((path: string, language: Language) => Page | undefined) => {
  const { basePath } = config
  const fill = fillerOf(config)
  const search = config.geocoderUrl === 'none' ? 'off' : 'on'
  const composePage = (path: string, screen: ScreenPage, language: Language): Page => {
    const named = headOf(config, {
      title: fill(screen.title[language]),
      description: fill(description[language]),
      language,
      path,
      isListed: screen.isListed,
    })
    const head = [
      ...named,
      // Otherwise a partially loaded page is painted, and shifts as the rest arrives.
      '<link rel="expect" href="#end" blocking="render" />',
      ...screen.styles.map(
        (file) => `<link rel="stylesheet" crossorigin href="${basePath}/${file}" />`,
      ),
    ]
    const start: PageStart = {
      modules: screen.modules[language].map((file) => `${basePath}/${file}`),
      reads: screen.reads.map((read) => basePath + read),
    }
    const data = dataBlock('type="application/json" id="start"', JSON.stringify(start))
    const frame = fill(dropLinks(screen.frame[language][search], config), escapeHtml)
    const html = template
      .replace('<html lang="en">', `<html lang="${language}">`)
      .replace('<!--head-->', () => head.join('\n    '))
      .replace('<!--frame-->', () => `<!--frame-->${frame}<!--/frame-->`)
      // Below the elements that it fills in, so that they are never painted empty.
      .replace('<!--scripts-->', () => `${data}<script>${script}</script>${END}`)
    return { status: path === '*' ? 404 : 200, html }
  }
  const pages = Object.entries(screens).map(([path, screen]) => ({
    pattern: patternOf(path),
    in: Object.fromEntries(
      LANGUAGES.map((language) => [language, composePage(path, screen, language)]),
    ) as Readonly<Record<Language, Page>>,
  }))
  return (path, language) => pages.find(({ pattern }) => pattern.test(path || '/'))?.in[language]
}

/** Fills in the placeholders of a text with values of the installation. */
const fillerOf = (
  config: Config,
): ((text: string, write?: (value: string) => string) => string) => {
  const known: Readonly<Record<string, string>> = {
    [PLACES.product]: config.productName,
    [PLACES.basePath]: config.basePath,
    [PLACES.website]: websiteOf(config),
    ...Object.fromEntries(LINKS.map((link) => [PLACES[link], config.links[link]])),
  }
  const places = new RegExp(Object.values(PLACES).join('|'), 'g')
  return (text, write = (value) => value) =>
    text.replaceAll(places, (place) => write(known[place] ?? ''))
}

/** Removes links to pages that this installation does not have. */
const dropLinks = (html: string, { links }: Config): string =>
  LINKS.filter((link) => links[link] === '').reduce(
    (left, link) => left.replace(new RegExp(`<a href="${PLACES[link]}".*?</a>`), ''),
    html,
  )

/** Marks the end of the content that blocks rendering. */
const END = '<template id="end"></template>'

/** The pattern of paths that a screen matches. */
const patternOf = (path: string): RegExp =>
  path === '*'
    ? /^/
    : // Like the router of the app, which ignores case.
      new RegExp(`^${path.replaceAll(/\/:\w+(\??)/g, '(?:/[^/]+)$1')}/?$`, 'i')
