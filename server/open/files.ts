import { Readable } from 'node:stream'

import {
  OPEN_FORMATS,
  openLossesPath,
  openPath,
  OPEN_FILE_NAMES,
  OPEN_FILES,
  type LossesOfSite,
  type OpenBusiness,
  type OpenCatalogue,
  type OpenFile,
  type OpenFormat,
  type WithdrawnSite,
} from '#domain/open-data.ts'
import type { PublicSite } from '#domain/public-site.ts'

import type { Runner } from '../db/sql.ts'
import { lossesIn, writeFile, type About } from '../formats/outputs.ts'
import { putRecent } from '../lru.ts'
import {
  countOpen,
  isWhole,
  jsonOf,
  readBusinesses,
  readSites,
  readWithdrawn,
  sampleSites,
  type Scope,
} from './open.ts'

/** Runs one read. A database connection is in use only while it runs. */
export type Read = <T>(work: (sql: Runner) => Promise<T>) => Promise<T>

interface SitesQuery extends Scope {
  readonly since: string | undefined
}

/** Items per statement: about half a megabyte of sites. */
const PAGE = 250

/** Reads page after page, each after the previous one has been sent. */
const pages = async function* <T extends object>(
  readNext: (after: string) => Promise<readonly T[]>,
  keyOf: (item: T) => string,
  first: string,
): AsyncGenerator<readonly T[]> {
  for (let after = first; ;) {
    const items = await readNext(after)
    if (items.length > 0) yield items
    const last = items.at(-1)
    if (last === undefined || items.length < PAGE) return
    after = keyOf(last)
  }
}

const BEFORE_ALL = '-1'

/** Sites written per chunk, so that the garbage collector can free them before the whole page is written. */
const CHUNK = 25

/** Reads the JSON of the sites after a number, and the number to continue from. */
const readPage = async (
  read: Read,
  query: SitesQuery,
  after: string,
): Promise<{ readonly sites: string[]; readonly next: string | undefined }> => {
  const found = await read((sql) => readSites(sql, { ...query, after, limit: PAGE }))
  const whole = found.filter(isWhole)
  const isEnd = found.length < PAGE && whole.length === found.length
  return { sites: whole.map(jsonOf), next: isEnd ? undefined : whole.at(-1)?.number }
}

/** The JSON of the requested public sites, in the order in which they became public. */
const sitePages = async function* (read: Read, query: SitesQuery): AsyncGenerator<string[]> {
  for (let after: string | undefined = BEFORE_ALL; after !== undefined;) {
    const { sites, next } = await readPage(read, query, after)
    while (sites.length > 0) yield sites.splice(0, CHUNK)
    after = next
  }
}

/** Writes a file of sites while reading them. */
export const fileOf = (
  read: Read,
  format: OpenFile,
  query: SitesQuery,
  about: About,
): AsyncIterable<string | Uint8Array> => writeFile(format, sitePages(read, query), about)

/** Writes a JSON array, one element per line. */
const jsonArray = async function* <T>(
  pagesOf: AsyncIterable<readonly T[]>,
): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const items of pagesOf) {
    if (items.length === 0) continue
    yield separator + items.map((item) => JSON.stringify(item)).join(',\n')
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

/** Writes the losses of a format, for each site that has any. */
export const lossesOfAll = (
  read: Read,
  format: OpenFormat,
  query: SitesQuery,
): AsyncIterable<string> => {
  const lossPages = async function* (): AsyncGenerator<LossesOfSite[]> {
    for await (const sites of sitePages(read, query))
      yield sites
        .map((json) => JSON.parse(json) as PublicSite)
        .map((site) => ({ id: site.id, losses: lossesIn(format, site) }))
        .filter(({ losses }) => losses.length > 0)
  }
  return jsonArray(lossPages())
}

/** Writes the sites that are no longer public. */
export const withdrawnOf = (read: Read, query: SitesQuery): AsyncIterable<string> => {
  const gone = async function* (): AsyncGenerator<WithdrawnSite[]> {
    const numbered = pages(
      (after) => read((sql) => readWithdrawn(sql, { ...query, after, limit: PAGE })),
      ({ number }) => number,
      BEFORE_ALL,
    )
    for await (const page of numbered)
      yield page.map(({ id, business, withdrawn }) => ({ id, business, withdrawn }))
  }
  return jsonArray(gone())
}

/** The businesses that have public sites, with their licences. */
export const businessesOf = (read: Read): AsyncIterable<string> =>
  jsonArray(
    pages<OpenBusiness>(
      (after) => read((sql) => readBusinesses(sql, { after, limit: PAGE })),
      ({ id }) => id,
      '',
    ),
  )

/** A catalogue is cached for this many times the time that it took to make. */
const KEPT_FOR = 20
const MAX_KEPT = 1000

/**
 * Creates catalogues. They may be slightly outdated: caching limits the share of time spent on making them, and
 * concurrent requests share one.
 */
export const createCatalogues = (): ((
  read: Read,
  scope: Scope,
  about: About,
) => Promise<OpenCatalogue>) => {
  const kept = new Map<
    string,
    { readonly until: number; readonly catalogue: Promise<OpenCatalogue> }
  >()
  return async (read, scope, about) => {
    const key = scope.business ?? ''
    const known = kept.get(key)
    if (known !== undefined && known.until > performance.now()) return known.catalogue
    const began = performance.now()
    const catalogue = makeCatalogue(read, scope, about)
    putRecent(kept, key, { until: Infinity, catalogue }, MAX_KEPT)
    try {
      await catalogue
      const now = performance.now()
      putRecent(kept, key, { until: now + KEPT_FOR * (now - began), catalogue }, MAX_KEPT)
    } catch {
      kept.delete(key)
    }
    return catalogue
  }
}

const makeCatalogue = async (read: Read, scope: Scope, about: About): Promise<OpenCatalogue> => {
  const counts = await read((sql) => countOpen(sql, scope))
  const spread = counts.sites <= SAMPLE ? { parts: 1, each: SAMPLE } : { parts: SAMPLE, each: 1 }
  const sample = await read((sql) => sampleSites(sql, scope, spread))
  const sizes = sample.length === 0 ? {} : await sizesOf(sample.map(jsonOf), counts.sites, about)
  return { ...counts, formats: outputsOf(scope, sizes) }
}

/** The number of sites from which file sizes are estimated. */
const SAMPLE = 100

type Sizes = Readonly<Partial<Record<OpenFormat, number>>>

/** Estimates the size of each file with `sites` sites like those of the sample. */
const sizesOf = async (sample: readonly string[], sites: number, about: About): Promise<Sizes> => {
  const sizeOf = async (format: OpenFile, some: readonly string[]): Promise<number> => {
    let bytes = 0
    for await (const part of writeFile(format, Readable.from([some]), about))
      bytes += Buffer.byteLength(part)
    return bytes
  }
  const sizes = OPEN_FILE_NAMES.map(async (format) => {
    const [none, some] = [await sizeOf(format, []), await sizeOf(format, sample)]
    return [format, Math.round(none + ((some - none) / sample.length) * sites)] as const
  })
  return Object.fromEntries(await Promise.all(sizes))
}

const outputsOf = ({ business }: Scope, sizes: Sizes): OpenCatalogue['formats'] =>
  OPEN_FORMATS.map((format) => ({
    format,
    path: openPath(format, business),
    type: format in OPEN_FILES ? OPEN_FILES[format as OpenFile].type : 'application/json',
    ...(sizes[format] !== undefined && { bytes: sizes[format] }),
    losses: openLossesPath(format, business),
  }))
