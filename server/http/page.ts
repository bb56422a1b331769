import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import fastifyStatic from '@fastify/static'
import type { FastifyInstance, RouteHandlerMethod } from 'fastify'

import { pickLanguage, type Language } from '#domain/language.ts'
import { PRELOAD_FILE, type Preloads } from '#domain/preload.ts'
import { settingMetaName, type WebSettings } from '#domain/settings.ts'

import type { Config } from '../config.ts'

/**
 * Serves the built web app from `webDir`: files with hashed names for ever, and the one page for
 * every other path, with the settings written into it. `scriptPolicy` is the content security policy
 * of scripts.
 */
export const servePage = async (
  app: FastifyInstance,
  config: Config,
  webDir: string,
  scriptPolicy: string,
): Promise<void> => {
  const page = preparePage(await readFile(join(webDir, 'index.html'), 'utf8'), config)
  const pages = withPreloads(page, await readPreloads(webDir), config.basePath)
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
    return reply
      .headers({ 'cache-control': 'no-cache', vary: 'accept-language' })
      .type('text/html; charset=utf-8')
      .send(pages(path.replace(/\?.*/, ''), pickLanguage(request.headers['accept-language'])))
  }
  // The base path itself, without a slash at its end too, and everything below it.
  app.get('/', send)
  app.get('/*', send)
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

/** A build that says nothing of what screens need has pages that say nothing of it, either. */
const readPreloads = async (webDir: string): Promise<Preloads> => {
  const text = await readFile(join(webDir, PRELOAD_FILE), 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return '{}'
    throw error
  })
  return JSON.parse(text) as Preloads
}

/**
 * The page for a path and a language: it names what the screen needs at once, so that all of it is
 * on its way together, and not one after the other as scripts find out.
 */
const withPreloads = (page: string, preloads: Preloads, basePath: string) => {
  const screens = Object.entries(preloads).map(([path, { frame, early, files }]) => {
    const framed = page.replace('<!--frame-->', () => frame)
    const begun = framed.replace('<!--early-->', () =>
      early === undefined ? '' : `<script type="module" async src="${basePath}/${early}"></script>`,
    )
    const pages = Object.entries(files).map(([language, names]) => {
      const links = names.map((name) => linkTo(`${basePath}/${name}`))
      return [language, begun.replace('</head>', () => `  ${links.join('\n    ')}\n  </head>`)]
    })
    return {
      pattern: new RegExp(`^${path.replaceAll(/\/:\w+(\??)/g, '(?:/[^/]+)$1')}/?$`),
      pages: Object.fromEntries(pages) as Readonly<Record<Language, string>>,
    }
  })
  return (path: string, language: Language): string =>
    screens.find(({ pattern }) => pattern.test(path || '/'))?.pages[language] ?? page
}

const linkTo = (address: string): string =>
  address.endsWith('.css')
    ? `<link rel="stylesheet" crossorigin href="${address}" />`
    : `<link rel="modulepreload" crossorigin href="${address}" />`

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
