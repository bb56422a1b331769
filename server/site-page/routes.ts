import { createHash } from 'node:crypto'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { ApiError } from '#domain/error.ts'
import { SITEMAP } from '#domain/paths.ts'
import { embedPage, PLAIN_LIST, posterPage, sitePage, slugOf } from '#domain/site-address.ts'
import { PUBLIC_CACHE_CONTROL } from '#domain/public-read.ts'
import type { SitePageForm, SitePageSubject } from '#domain/site-pages.ts'

import { createConcurrencyLimiter } from '../concurrency.ts'
import type { Config } from '../config.ts'
import type { Sql } from '../db/sql.ts'
import { languageOf } from '../http/language.ts'
import { hasVersion } from '../http/respond.ts'
import {
  createPublicReads,
  readBusinessSites,
  readNear,
  readPublicSite,
  searchPlaces,
} from '../public/public.ts'
import { loadSitePages, namedLanguage } from './site-page.ts'
import { writeSitemapIndex, writeSitemapPart } from './sitemap.ts'

interface SitePageDeps {
  readonly config: Config
  readonly sql: Sql
  readonly webDir: string
  /** The content security policy of a page that contains this script inline. */
  readonly policyWith: (script: string) => string
  /** The headers of a page that every other page may frame; undefined removes one. */
  readonly framed: Readonly<Record<string, string | undefined>>
}

/** The public pages of sites, and the list of them for search engines (decisions 0090 and 0091). */
export const sitePageRoutes = async (app: FastifyInstance, deps: SitePageDeps): Promise<void> => {
  const { config, sql, webDir, policyWith, framed } = deps
  const pages = await loadSitePages(webDir, config)
  if (pages === undefined) return
  const turns = createConcurrencyLimiter(TURNS)
  const reads = createPublicReads(sql)
  const policy = policyWith(pages.script)

  /** Sends a page, or 304 if the caller has it. */
  const send = (
    request: FastifyRequest,
    reply: FastifyReply,
    subject: SitePageSubject,
    { form, path }: { readonly form: SitePageForm; readonly path: string },
  ): FastifyReply => {
    const named = namedLanguage(request.url)
    const language = named ?? languageOf(request)
    const html = pages.write(subject, { form, path, language, isNamed: named !== undefined })
    const etag = `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`
    reply.headers({
      etag,
      'cache-control': PUBLIC_CACHE_CONTROL,
      vary: 'accept-language, cookie',
      'content-security-policy': policy,
    })
    if (form === 'embed')
      for (const [name, value] of Object.entries(framed))
        if (value === undefined) reply.removeHeader(name)
        else reply.header(name, value)
    const status = STATUSES[subject.kind]
    if (status === 200 && hasVersion(request, etag)) return reply.code(304).send()
    return reply.code(status).type('text/html; charset=utf-8').send(html)
  }

  const visit = async (
    request: FastifyRequest<{ Params: { id: string; '*'?: string } }>,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const { id, '*': slug = '' } = request.params
    const subject = await turns.run(() => readSubject(sql, id))
    const path = pathOf(id, subject)
    if (subject.kind === 'site' && slug !== decodeURIComponent(slugOf(subject.site.name)))
      return reply
        .header('cache-control', PUBLIC_CACHE_CONTROL)
        .redirect(config.basePath + path + request.url.replace(/^[^?]*/, ''), 301)
    return send(request, reply, subject, { form: 'page', path })
  }
  app.get(sitePage(':id', '*'), visit)
  app.get('/at/:id', visit)

  app.get(PLAIN_LIST, async (request, reply) => {
    const found = await turns.run(() => searchPlaces(reads, request.url))
    return send(request, reply, { kind: 'list', ...found }, { form: 'page', path: PLAIN_LIST })
  })
  app.get(embedPage('site', ':id'), async (request: RequestOf, reply) => {
    const { id } = request.params
    const subject = await turns.run(() => readSubject(sql, id))
    return send(request, reply, subject, { form: 'embed', path: embedPage('site', id) })
  })
  app.get(embedPage('business', ':id'), async (request: RequestOf, reply) => {
    const { id } = request.params
    const subject = await turns.run(() => readBusiness(sql, id, request.url))
    return send(request, reply, subject, { form: 'embed', path: embedPage('business', id) })
  })
  app.get(posterPage(':id'), async (request: RequestOf, reply) => {
    const { id } = request.params
    const subject = await turns.run(() => readSubject(sql, id))
    return send(request, reply, subject, { form: 'poster', path: posterPage(id) })
  })

  const sendXml = (reply: FastifyReply, xml: string): FastifyReply =>
    reply.header('cache-control', HOUR).type('application/xml; charset=utf-8').send(xml)
  app.get(SITEMAP.index, async (_request, reply) =>
    sendXml(reply, await turns.run(() => writeSitemapIndex(sql, config.publicUrl))),
  )
  app.get(
    SITEMAP.part(':prefix'),
    async (request: FastifyRequest<{ Params: { prefix: string } }>, reply) => {
      const { prefix } = request.params
      if (!/^[a-z0-9]{1,15}$/.test(prefix)) throw new ApiError(404)
      const xml = await turns.run(() => writeSitemapPart(sql, config.publicUrl, prefix))
      if (xml === undefined) throw new ApiError(404)
      return sendXml(reply, xml)
    },
  )
}

type RequestOf = FastifyRequest<{ Params: { id: string } }>

const STATUSES = { site: 200, business: 200, list: 200, gone: 410, unknown: 404 } as const
const HOUR = 'public, max-age=3600'
/** Pages take turns, so that a crawler occupies few of the connections to the database. */
const TURNS = { concurrency: 4, maxQueue: 512 }
/** Sites that the page of a removed one names. */
const NEAR = 6

const readSubject = async (sql: Sql, id: string): Promise<SitePageSubject> => {
  const { site, removed } = await readPublicSite(sql, id)
  if (site !== undefined) return { kind: 'site', site }
  if (removed === undefined) return { kind: 'unknown' }
  return { kind: 'gone', near: await readNear(sql, removed, NEAR) }
}

const readBusiness = async (sql: Sql, id: string, url: string): Promise<SitePageSubject> => {
  const found = await readBusinessSites(sql, id, url)
  const [site] = found?.sites ?? []
  if (found === undefined || site === undefined) return { kind: 'unknown' }
  return { kind: 'business', business: site.business, ...found }
}

/** The path of a page; links to its other languages need it of those without a site as well. */
const pathOf = (id: string, subject: SitePageSubject): string =>
  sitePage(
    encodeURIComponent(id),
    subject.kind === 'site' ? slugOf(subject.site.name) : '',
  ).replace(/\/$/, '')
