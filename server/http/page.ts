import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest, RouteHandlerMethod } from 'fastify'

import { LANGUAGE_COOKIE, LANGUAGES, pickLanguage, type Language } from '#domain/language.ts'
import { PRELOAD_FILE, PRODUCT_PLACE, type Preloads } from '#domain/preload.ts'
import { settingMetaName, type WebSettings } from '#domain/settings.ts'

import type { Config } from '../config.ts'
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
 * Serves the built web app from `webDir`: files with hashed names for ever, and for every other path
 * the page of its screen, with the settings written into it.
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
      reply.header(
        'cache-control',
        immutable ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      )
      if (/\.js(\.br)?$/.test(path)) reply.header('content-security-policy', scriptPolicy)
    },
  })
  const send: RouteHandlerMethod = (request, reply) => {
    const path = request.url.slice(config.basePath.length)
    // A missing asset or endpoint is missing; the page would only hide it.
    if (/^\/(api|assets)(\/|\?|$)/i.test(path)) return reply.callNotFound()
    const page = pages?.(path.replace(/\?.*/, ''), languageOf(request))
    reply
      .headers({ 'cache-control': 'no-cache', vary: 'accept-language, cookie' })
      .type('text/html; charset=utf-8')
    if (page !== undefined) reply.header('content-security-policy', page.policy)
    return reply.send(page?.html ?? template)
  }
  // The base path itself, without a slash at its end too, and everything below it.
  app.get('/', send)
  app.get('/*', send)
}

/** The language that was chosen on the device, else the first one that its browser asks for. */
const languageOf = ({ headers }: FastifyRequest): Language => {
  const chosen = new RegExp(`(?:^|;\\s*)${LANGUAGE_COOKIE}=(\\w+)`).exec(headers.cookie ?? '')?.[1]
  return (
    LANGUAGES.find((language) => language === chosen) ?? pickLanguage(headers['accept-language'])
  )
}

const preparePage = (html: string, config: Config): string => {
  const settings: WebSettings = {
    'product-name': config.productName,
    'product-website': config.productWebsite,
    'base-path': config.basePath,
    'analytics-host': config.analyticsHost,
    'analytics-app-key': config.analyticsAppKey,
    'app-version': config.appVersion,
    'map-style-url': config.mapStyleUrl,
    'address-search': config.geocoderUrl === 'none' ? 'off' : 'on',
  }
  const metas = Object.entries(settings).map(
    ([name, content]) =>
      `<meta name="${settingMetaName(name as keyof WebSettings)}" content="${escapeHtml(content)}" />`,
  )
  return html
    .replace('<!--settings-->', () => metas.join('\n    '))
    .replaceAll(/(src|href)="\.\//g, (_, attribute: string) => `${attribute}="${config.basePath}/`)
}

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
  readonly html: string
  readonly policy: string
}

/**
 * The pages of all screens. In each stands what is seen first: styles, the frame, and what begins to ask
 * for the data. The app is named, and fetched as soon as that has been painted (`web/early/begin.ts`).
 */
const composePages = async (
  template: string,
  { scripts, screens }: Preloads,
  { config, webDir, policyWith }: PageDeps,
): Promise<(path: string, language: Language) => Page | undefined> => {
  const search = config.geocoderUrl === 'none' ? 'off' : 'on'
  const composed = Object.entries(screens).map(async ([path, screen]) => {
    const styles = await Promise.all(
      screen.styles.map(async (file) => ({
        file,
        css: await readFile(join(webDir, file), 'utf8'),
      })),
    )
    const early = screen.early === null ? [] : [scripts[screen.early]]
    const inline = [...early, scripts.begin]
    const policy = policyWith({ scripts: inline, styles: styles.map(({ css }) => css) })
    const pageIn = (language: Language): Page => {
      const head = [
        // Else a page of which only a part has come is painted, and moves as the others come.
        '<link rel="expect" href="#end" blocking="render" />',
        ...styles.map(({ file, css }) => styleOf(`${config.basePath}/${file}`, css)),
        ...screen.modules[language].map((file, index) =>
          laterOf(`${config.basePath}/${file}`, index === 0),
        ),
      ]
      const frame = screen.frame[language][search].replaceAll(PRODUCT_PLACE, () =>
        escapeHtml(config.productName),
      )
      const html = template
        .replace('<html lang="en">', `<html lang="${language}">`)
        .replace('<!--head-->', () => head.join('\n    '))
        .replace('<!--frame-->', () => `<!--frame-->${frame}<!--/frame-->`)
        // Below what they fill in, which is then never painted without it.
        .replace('<!--scripts-->', () =>
          [...inline.map((script) => `<script>${script}</script>`), END].join(''),
        )
      return { html, policy }
    }
    return {
      pattern: patternOf(path),
      pages: Object.fromEntries(
        LANGUAGES.map((language) => [language, pageIn(language)]),
      ) as Readonly<Record<Language, Page>>,
    }
  })
  const pages = await Promise.all(composed)
  return (path, language) => pages.find(({ pattern }) => pattern.test(path || '/'))?.pages[language]
}

/** Stands behind all that a page is painted with. */
const END = '<template id="end"></template>'

/** What a path of `first-visits.ts` stands for. */
const patternOf = (path: string): RegExp =>
  path === '*' ? /^/ : new RegExp(`^${path.replaceAll(/\/:\w+(\??)/g, '(?:/[^/]+)$1')}/?$`)

/** A style in the page. The link says that the file is here already; without it a chunk would fetch it. */
const styleOf = (address: string, css: string): string =>
  `<style>${css}</style><link rel="stylesheet" crossorigin disabled href="${address}" />`

const laterOf = (address: string, runs: boolean): string =>
  `<link rel="later"${runs ? ' data-run' : ''} crossorigin href="${address}" />`

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
