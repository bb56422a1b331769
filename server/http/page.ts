import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import fastifyStatic from '@fastify/static'
import type { FastifyInstance, RouteHandlerMethod } from 'fastify'

import { settingMetaName, type WebSettings } from '#domain/settings.ts'

import type { Config } from '../config.ts'

/**
 * Serves the built web app from `webDir`: files with hashed names for ever, and the one page for
 * every other path, with the settings written into it.
 */
export const servePage = async (
  app: FastifyInstance,
  config: Config,
  webDir: string,
): Promise<void> => {
  const page = preparePage(await readFile(join(webDir, 'index.html'), 'utf8'), config)
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
    },
  })
  const send: RouteHandlerMethod = (request, reply) => {
    const path = request.url.slice(config.basePath.length)
    // A missing asset or endpoint is missing; the page would only hide it.
    if (/^\/(api|assets)(\/|\?|$)/i.test(path)) return reply.callNotFound()
    return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page)
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
  }
  const metas = Object.entries(settings).map(
    ([name, content]) =>
      `<meta name="${settingMetaName(name as keyof WebSettings)}" content="${escapeHtml(content)}" />`,
  )
  return html
    .replace('<!--settings-->', () => metas.join('\n    '))
    .replaceAll(/(src|href)="\.\//g, (_, attribute: string) => `${attribute}="${config.basePath}/`)
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
