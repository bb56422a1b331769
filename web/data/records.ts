import type { default as PocketBase, SendOptions } from 'pocketbase'

import { FULL_LIST_BATCH } from '#domain/limits.ts'
import { BUSINESS_FIELDS, businesses, type Business } from '#domain/business.ts'
import { BUSINESSES, CONNECTORS, SITES, type Collection } from '#domain/collection.ts'
import {
  CONNECTOR_FIELDS,
  CONNECTOR_INPUTS,
  connectors as connectorFields,
  type Connector,
} from '#domain/connector.ts'
import { initialValue } from '#domain/field.ts'
import { PLAIN } from '#domain/plain.ts'
import { requestedFields, inputNames, inputOf, isSameValue } from '#domain/record.ts'
import { SITE_FIELDS, sites, type Site } from '#domain/site.ts'

import { isNothingFound } from './client.ts'
import type { Data } from './log.ts'
import type {
  BusinessInput,
  BusinessView,
  ConnectorInput,
  Photo,
  PlainRecord,
  SiteInput,
  SiteView,
} from './state.ts'

/** The fields requested of each kind of record (spec 7). */
export const FIELDS = {
  business: BUSINESS_FIELDS.join(),
  site: SITE_FIELDS.join(),
  connector: CONNECTOR_FIELDS.join(),
} as const

/** The fields requested of a plain collection. */
export const plainFields = (collection: Collection): readonly string[] =>
  requestedFields(collection, { first: ['id'], without: ['business', 'collectionName'] })

const ofBusiness = (collection: string): string => `${collection}(business)`
const ofOneSite = (collection: string): string => `${collection}(site)`
const isOfSite = ({ owner }: Collection): boolean => owner?.startsWith('site.') === true

type WithRecords<T> = T & { expand?: Readonly<Record<string, readonly unknown[]>> }

type HowToSend = Pick<SendOptions, 'fetch'>

interface FetchOptions extends HowToSend {
  /** The collections of plain records, for tests with made-up ones. */
  readonly plain?: readonly Collection[]
}

/** Reads the user's business with all its records; null if there is none. */
export const fetchData = async (
  client: PocketBase,
  userId: string,
  { plain = PLAIN, ...how }: FetchOptions = {},
): Promise<Data> => {
  const [business, bySite] = await Promise.all([
    fetchBusiness(client, userId, plain, how),
    fetchConnectors(client, userId, how),
  ])
  if (business === null) return null
  const expanded = (collection: string) => business.expand?.[ofBusiness(collection)] ?? []
  const sitesRead = expanded(SITES) as readonly WithRecords<Site>[]
  const recordsOf = (collection: Collection) =>
    isOfSite(collection)
      ? sitesRead.flatMap(({ expand }) => expand?.[ofOneSite(collection.name)] ?? [])
      : expanded(collection.name)
  return {
    ...businessView(client, business),
    sites: sitesRead.map((read) => {
      const { expand: _, ...site } = read
      return siteView(client, site, bySite.get(site.id) ?? [])
    }),
    records: Object.fromEntries(
      plain.map((each) => [each.name, recordsOf(each) as readonly PlainRecord[]]),
    ),
  }
}

const fetchBusiness = async (
  client: PocketBase,
  userId: string,
  plain: readonly Collection[],
  how: HowToSend,
): Promise<WithRecords<Business> | null> => {
  const expanded = [
    { path: [ofBusiness(SITES)], fields: SITE_FIELDS as readonly string[] },
    ...plain.map((each) => ({
      path: isOfSite(each) ? [ofBusiness(SITES), ofOneSite(each.name)] : [ofBusiness(each.name)],
      fields: plainFields(each),
    })),
  ]
  try {
    return await client
      .collection(BUSINESSES)
      .getFirstListItem<WithRecords<Business>>(client.filter('user={:userId}', { userId }), {
        ...how,
        expand: expanded.map(({ path }) => path.join('.')).join(),
        fields: [
          ...BUSINESS_FIELDS,
          ...expanded.flatMap(({ path, fields }) =>
            fields.map((field) => `${path.map((name) => `expand.${name}`).join('.')}.${field}`),
          ),
        ].join(),
      })
  } catch (error) {
    if (isNothingFound(error)) return null
    throw error
  }
}

/**
 * The connectors of each site, oldest first. The first page has the total; the others are then requested in
 * parallel, and each is processed while the next are in flight.
 */
const fetchConnectors = async (
  client: PocketBase,
  userId: string,
  how: HowToSend,
): Promise<ReadonlyMap<string, readonly Connector[]>> => {
  const page = (number: number, options: Record<string, unknown>) =>
    client.collection(CONNECTORS).getList<Connector>(number, FULL_LIST_BATCH, {
      filter: client.filter('site.business.user={:userId}', { userId }),
      fields: FIELDS.connector,
      sort: 'created,id',
      ...how,
      ...options,
    })
  const first = await page(1, {})
  const rest = Array.from({ length: Math.max(first.totalPages - 1, 0) }, (_, index) =>
    // Pages share a path. Without a request key per page, each request would cancel the one before (spec 8).
    page(index + 2, { skipTotal: true, requestKey: `${CONNECTORS} page ${index + 2}` }),
  )
  const bySite = new Map<string, Connector[]>()
  const known = new Set<string>()
  const putInPlace = (connectors: readonly Connector[]) => {
    for (const connector of connectors) {
      // A connector added in the meantime shifts others to the next page, which then repeats them.
      if (known.has(connector.id)) continue
      known.add(connector.id)
      const ofSite = bySite.get(connector.site)
      if (ofSite === undefined) bySite.set(connector.site, [connector])
      else ofSite.push(connector)
    }
  }
  const inTurn = async () => {
    putInPlace(first.items)
    for (const next of rest) putInPlace((await next).items)
  }
  await Promise.all([inTurn(), ...rest])
  return bySite
}

/** Reads one site and its ETag, which an update has to send. */
export const fetchSiteRecord = async (
  client: PocketBase,
  id: string,
  send: (url: RequestInfo | URL, init?: RequestInit) => Promise<Response>,
): Promise<{ readonly record: Site; readonly etag: string }> => {
  let etag = ''
  const record = await client.collection(SITES).getOne<Site>(id, {
    fields: FIELDS.site,
    fetch: async (url, init) => {
      const response = await send(url, init)
      etag = response.headers.get('ETag') ?? ''
      return response
    },
  })
  return { record, etag }
}

/** A business as screens show it, without its sites. */
export const businessView = (
  client: PocketBase,
  record: Business,
): Omit<BusinessView, 'sites' | 'records'> => ({
  ...pick(record, BUSINESS_FIELDS),
  fileSrc: client.files.getURL(record, record.logo),
})

/** A site as screens show it. */
export const siteView = (
  client: PocketBase,
  record: Site,
  connectors: readonly Connector[],
): SiteView => {
  const { photo_categories: categories, ...fields } = record
  const photos = record.photos.map((name): Photo => ({
    name,
    src: client.files.getURL(record, name),
    category: categories?.[name] ?? '',
  }))
  return { ...fields, photos, connectors }
}

const BUSINESS_INPUTS = inputNames(businesses)
const SITE_INPUTS = inputNames(sites)

/** The input fields of the business without the logo. */
export const businessTextsOf = (business: BusinessTexts) => inputOf(businesses, business)
type BusinessTexts = Omit<BusinessInput, 'logo'>

/** The non-empty texts of a new business, and its logo if there is one (spec 5). */
export const businessCreateBody = (input: BusinessInput): Record<string, unknown> => ({
  ...withValue(businesses, pick(input, BUSINESS_INPUTS)),
  ...(input.logo ? { logo: input.logo } : {}),
})

/** The changed fields of the business; an emptied text or a removed logo is `""`. */
export const businessUpdateBody = (
  business: BusinessView,
  changes: BusinessInput,
): Record<string, unknown> => ({
  ...differing(pick(changes, BUSINESS_INPUTS), business),
  ...(changes.logo ? { logo: changes.logo } : {}),
  ...(changes.logo === null && business.logo !== '' ? { logo: '' } : {}),
})

/** The non-empty fields of a new site (spec 5), and its photos. */
export const siteCreateBody = (
  input: SiteInput,
  photos: readonly File[],
): Record<string, unknown> => withPhotos(withValue(sites, pick(input, SITE_INPUTS)), photos)

/** The changed fields of the site. */
export const siteChanges = (site: SiteView, changes: Partial<SiteInput>): Partial<SiteInput> =>
  differing(pick(changes, SITE_INPUTS), site)

/** All input fields of a site. */
export const siteFieldsOf = (site: Partial<SiteInput>) => inputOf(sites, site)

/**
 * With photos, the body is multipart, in which the vehicle capacity is named `vehicle` (spec 3, field-name quirk).
 */
export const withPhotos = (
  fields: Partial<SiteInput>,
  photos: readonly File[],
): Record<string, unknown> => {
  if (photos.length === 0) return { ...fields }
  const { vehicle_capacity: vehicle, ...rest } = fields
  return { ...rest, ...(vehicle === undefined ? {} : { vehicle }), photos: [...photos] }
}

/** The fields of a new connector, with its id, which the client generates. */
export const connectorCreateBody = (
  siteId: string,
  connector: ConnectorInput,
): Record<string, unknown> => ({
  id: connector.id,
  ...withValue(connectorFields, pick(connector, CONNECTOR_INPUTS)),
  site: siteId,
})

/** The changed fields of the connector. */
export const connectorChanges = (
  connector: ConnectorInput,
  wanted: ConnectorInput,
): Partial<ConnectorInput> => differing(pick(wanted, CONNECTOR_INPUTS), connector)

/** The submitted fields of a response. */
export const answered = <T extends object>(
  submitted: Partial<T> | Record<string, unknown>,
  record: T,
): Partial<T> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name in submitted)) as Partial<T>

/** The named fields that have a value. */
export const pick = <T extends object, K extends keyof T>(
  from: T,
  names: readonly K[],
): Pick<T, K> =>
  Object.fromEntries(
    names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])),
  ) as Pick<T, K>

/** Omits the fields with the initial value of a new record; the capacity is always sent (spec 5). */
export const withValue = <T extends object>({ fields }: Collection, values: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => {
      const field = fields[name]
      const isAlwaysSent = field?.required === true || name === 'vehicle_capacity'
      return isAlwaysSent || field === undefined || !isSameValue(value, initialValue(field))
    }),
  ) as Partial<T>

/** The fields whose values differ from those of a record. */
export const differing = <T extends object>(fields: T, current: object): T =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => !isSameValue((current as Record<string, unknown>)[name], value),
    ),
  ) as T
