import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { ApiError } from '#domain/error.ts'
import { SITEMAP } from '#domain/paths.ts'
import { embedPage, PLAIN_LIST, posterPage, sitePage, slugOf } from '#domain/site-address.ts'
import { PUBLIC_CACHE_CONTROL } from '#domain/public-read.ts'
import type { SitePageForm, SitePageSubject } from '#domain/site-pages.ts'

import { createConcurrencyLimiter } from '../concurrency.ts'
import type { Config } from '../config.ts'
import type { Answer, Replicas } from '../db/replicas.ts'
import type { Sql } from '../db/sql.ts'
import { languageOf } from '../http/language.ts'
import { ONE_HOUR, seenPosition, sendPublic } from '../http/respond.ts'
import {
  createPublicReads,
  readBusinessSites,
  readNear,
  readPublicSite,
  searchPlaces,
  type PublicReads,
} from '../public/public.ts'
import { loadSitePages, namedLanguage, withQuery } from './site-page.ts'
import { writeSitemapIndex, writeSitemapPart } from './sitemap.ts'

interface SitePageDeps {
  readonly config: Config
  readonly replicas: Replicas
  readonly webDir: string
  /** The content security policy of a page with this inline script. */
  readonly policyWith: (script: string) => string
  /** The headers of a page that any other page may frame; undefined removes a header. */
  readonly framed: Readonly<Record<string, string | undefined>>
}

/** The public pages of sites, and the sitemap for search engines (decisions 0090 and 0091). */
export const sitePageRoutes = async (app: FastifyInstance, deps: SitePageDeps): Promise<void> => {
  const { config, replicas, webDir, policyWith, framed } = deps
  const pages = await loadSitePages(webDir, config)
  if (pages === undefined) return
  const readLimiter = createConcurrencyLimiter(READ_LIMITS)
  const readsOn = createPublicReads()
  const read = <T>(request: FastifyRequest, work: (sql: Sql) => Promise<T>) =>
    readLimiter.run(() => replicas.read(work, seenPosition(request)))
  const policy = policyWith(pages.script)

  /** Sends a page, or 304 if the client already has it. */
  const send = (
    request: FastifyRequest,
    reply: FastifyReply,
    { value: subject, position }: Answer<SitePageSubject>,
    { form, path }: { readonly form: SitePageForm; readonly path: string },
  ): Promise<FastifyReply> => {
    const named = namedLanguage(request.url)
    const language = named ?? languageOf(request)
    const body = pages.write(subject, { form, path, language, isNamed: named !== undefined })
    reply.headers({ vary: 'accept-language, cookie', 'content-security-policy': policy })
    if (form === 'embed')
      for (const [name, value] of Object.entries(framed))
        if (value === undefined) reply.removeHeader(name)
        else reply.header(name, value)
    const status = STATUSES[subject.kind]
    return sendPublic(request, reply, { type: HTML, body, position, status })
  }

  const visit = async (
    request: FastifyRequest<{ Params: { id: string; '*'?: string } }>,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const { id, '*': slug = '' } = request.params
    const found = await read(request, (sql) => readSubject(sql, id))
    const { value: subject } = found
    const path = pathOf(id, subject)
    if (subject.kind === 'site' && slug !== decodeURIComponent(slugOf(subject.site.name)))
      return reply
        .header('cache-control', PUBLIC_CACHE_CONTROL)
        .redirect(config.basePath + path + request.url.replace(/^[^?]*/, ''), 301)
    return send(request, reply, found, { form: 'page', path })
  }
  app.get(sitePage(':id', '*'), visit)
  app.get('/at/:id', visit)

  app.get(PLAIN_LIST, async (request, reply) => {
    const found = await read(request, (sql) => readList(readsOn(sql), request.url))
    return send(request, reply, found, { form: 'page', path: withQuery(PLAIN_LIST, request.url) })
  })
  app.get(embedPage('site', ':id'), async (request: RequestOf, reply) => {
    const { id } = request.params
    const found = await read(request, (sql) => readSubject(sql, id))
    return send(request, reply, found, { form: 'embed', path: embedPage('site', id) })
  })
  app.get(embedPage('business', ':id'), async (request: RequestOf, reply) => {
    const { id } = request.params
    const found = await read(request, (sql) => readBusiness(sql, id, request.url))
    return send(request, reply, found, { form: 'embed', path: embedPage('business', id) })
  })
  app.get(posterPage(':id'), async (request: RequestOf, reply) => {
    const { id } = request.params
    const found = await read(request, (sql) => readSubject(sql, id))
    const form = found.value.kind === 'site' ? 'poster' : 'page'
    return send(request, reply, found, { form, path: posterPage(id) })
  })

  const sendXml = (reply: FastifyReply, xml: string): FastifyReply =>
    reply.header('cache-control', ONE_HOUR).type('application/xml; charset=utf-8').send(xml)
  app.get(SITEMAP.index, async (request, reply) => {
    const { value } = await read(request, (sql) => writeSitemapIndex(sql, config.publicUrl))
    return sendXml(reply, value)
  })
  app.get(
    SITEMAP.part(':prefix'),
    async (request: FastifyRequest<{ Params: { prefix: string } }>, reply) => {
      const { prefix } = request.params
      if (!/^[a-z0-9]{1,15}$/.test(prefix)) throw new ApiError(404)
      const { value: xml } = await read(request, (sql) =>
        writeSitemapPart(sql, config.publicUrl, prefix),
      )
      if (xml === undefined) throw new ApiError(404)
      return sendXml(reply, xml)
    },
  )
}

type RequestOf = FastifyRequest<{ Params: { id: string } }>

const STATUSES = { site: 200, business: 200, list: 200, gone: 410, unknown: 404 } as const
const HTML = 'text/html; charset=utf-8'
/** Pages have a concurrency limit, so that a crawler occupies few database connections. */
const READ_LIMITS = { concurrency: 4, maxQueue: 512 }
/** The number of nearby sites on the page of a removed site. */
const NEAR = 6

const readSubject = async (sql: Sql, id: string): Promise<SitePageSubject> => {
  const { site, removed } = await readPublicSite(sql, id)
  if (site !== undefined) return { kind: 'site', site }
  if (removed === undefined) return { kind: 'unknown' }
  return { kind: 'gone', near: await readNear(sql, removed, NEAR) }
}

const readList = async (reads: PublicReads, url: string): Promise<SitePageSubject> => ({
  kind: 'list',
  ...(await searchPlaces(reads, url)),
})

const readBusiness = async (sql: Sql, id: string, url: string): Promise<SitePageSubject> => {
  const found = await readBusinessSites(sql, id, url)
  const [site] = found?.sites ?? []
  if (found === undefined || site === undefined) return { kind: 'unknown' }
  return { kind: 'business', business: site.business, ...found }
}

/** The path of a page. Links to its other languages need it even if there is no site. */
const pathOf = (id: string, subject: SitePageSubject): string =>
  sitePage(
    encodeURIComponent(id),
    subject.kind === 'site' ? slugOf(subject.site.name) : '',
  ).replace(/\/$/, '')
