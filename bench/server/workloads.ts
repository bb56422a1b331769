import { FULL_LIST_BATCH } from '../../domain/limits.ts'
import { BUSINESS_FIELDS } from '../../domain/business.ts'
import { CONNECTOR_FIELDS } from '../../domain/connector.ts'
import { SITE_FIELDS } from '../../domain/site.ts'

import { makePicture } from '../../tests/support/images.ts'
import type { RequestParts } from '../load/protocol.ts'
import type { Provider } from '../provider.ts'
import { makeOwners, SAID, siteIdOf, type Group, type Owner } from '../sides/data.ts'
import type { Synchronous } from '../sides/peer.ts'
import { call, type Side } from '../sides/side.ts'
import type { Allowed } from './compare.ts'

/** The data set. */
export interface Cast {
  /** The owner who reads. */
  readonly reader: Owner
  /** The owner who writes. */
  readonly writer: Owner
}

interface Stage {
  readonly groups: readonly Group[]
  readonly synchronous: Synchronous
}

const TOWN: readonly Group[] = [
  { owners: 1, sitesEach: 50, connectorsPerSite: 3 },
  { owners: 1, sitesEach: 1000, connectorsPerSite: 3 },
  { owners: 179, sitesEach: 50, connectorsPerSite: 3 },
]

/**
 * The data sets of the workloads: ten thousand sites of many owners, of which the reader has 50 with 150 connectors;
 * the same with a peer that responds before its writes are on the disk; only that reader; or a reader with 100,000
 * sites, for the list with a total.
 */
export const STAGES: Readonly<Record<StageName, Stage>> = {
  town: { groups: TOWN, synchronous: 'FULL' },
  unsynced: { groups: TOWN, synchronous: 'NORMAL' },
  alone: {
    groups: [
      { owners: 1, sitesEach: 50, connectorsPerSite: 3 },
      { owners: 1, sitesEach: 1, connectorsPerSite: 1 },
    ],
    synchronous: 'FULL',
  },
  giant: {
    groups: [
      { owners: 1, sitesEach: 100_000, connectorsPerSite: 1 },
      { owners: 1, sitesEach: 50, connectorsPerSite: 3 },
    ],
    synchronous: 'FULL',
  },
}
export type StageName = 'town' | 'unsynced' | 'alone' | 'giant'

/** The owners of a stage; the first one reads, the second one writes. */
export const castOf = (stage: StageName): { cast: Cast; owners: readonly Owner[] } => {
  const owners = makeOwners(STAGES[stage].groups)
  const [reader, writer] = owners
  if (reader === undefined || writer === undefined) throw new Error('A stage has two owners.')
  return { cast: { reader, writer }, owners }
}

/**
 * The targets of a workload (spec 11): for reads, a third in p99 and CPU time; for writes, at most the peer's CPU time.
 */
interface Targets {
  /** Operations per second, ours divided by the peer's. */
  readonly throughput?: number
  /** p99 of an operation, ours divided by the peer's. */
  readonly p99?: number
  /** CPU time of an operation, ours divided by the peer's. */
  readonly cpu?: number
  /** Maximum number of SQL statements of one operation. */
  readonly statements?: number
}

/** A common task, as requests. */
export interface Workload {
  readonly name: string
  readonly title: string
  readonly stage: StageName
  readonly targets: Targets
  readonly allowed?: Allowed
  /** Fewer connections, for operations that occupy a core for long. */
  readonly connections?: number
  /** The expected status of our responses; 200 if absent. */
  readonly status?: number
  /**
   * Returns the operations of a side, which are performed in turn and are the same on both sides. Prepares their data
   * once, after the tables are loaded.
   */
  readonly operations: (
    side: Side,
    cast: Cast,
    provider: Provider,
  ) => readonly Parts[] | Promise<readonly Parts[]>
  /**
   * Subscribers that must receive the event of each operation before the next one starts; the time until then is
   * measured. An event is recognised by the mark of its operation.
   */
  readonly audience?: {
    readonly listeners: number
    readonly topic: string
    readonly markOf: (operation: number) => string
  }
}

/** One operation: requests one after the other. */
export type Parts = readonly RequestParts[]

const records = (collection: string) => `/api/collections/${collection}/records`
const query = (values: Readonly<Record<string, string | number>>) =>
  `?${new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)]))}`
const as = (side: Side, owner: Owner) => ({ authorization: side.tokenOf(owner) })
const asJson = (side: Side, owner: Owner) => ({
  ...as(side, owner),
  'content-type': 'application/json',
})
const times = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index))

const DASHBOARD_FIELDS = [
  ...BUSINESS_FIELDS,
  ...SITE_FIELDS.map((field) => `expand.sites(business).${field}`),
].join()

/** The two requests of the app's dashboard, see web/data/records.ts. */
const dashboard = (side: Side, { reader }: Cast): Parts => [
  {
    path: `${records('businesses')}${query({
      page: 1,
      perPage: 1,
      skipTotal: 1,
      filter: `user="${reader.id}"`,
      expand: 'sites(business)',
      fields: DASHBOARD_FIELDS,
    })}`,
    headers: as(side, reader),
  },
  {
    path: `${records('connectors')}${query({
      page: 1,
      perPage: FULL_LIST_BATCH,
      filter: `site.business.user="${reader.id}"`,
      fields: CONNECTOR_FIELDS.join(),
      sort: 'created,id',
    })}`,
    headers: as(side, reader),
  },
]

/** The first two pages of an owner's sites, newest first. */
export const listOf = (side: Side, owner: Owner): readonly Parts[] =>
  times(2, (index) => [
    {
      path: `${records('sites')}${query({ page: index + 1, perPage: 20, skipTotal: 1, sort: '-created' })}`,
      headers: as(side, owner),
    },
  ])

/**
 * The dashboard with N+1 requests: the business, its sites, and the connectors of each site. The bench must detect that
 * the target is missed.
 */
export const nPlusOneDashboard = (side: Side, { reader }: Cast): Parts => [
  {
    path: `${records('businesses')}${query({ filter: `user="${reader.id}"`, perPage: 1 })}`,
    headers: as(side, reader),
  },
  { path: `${records('sites')}${query({ perPage: 500 })}`, headers: as(side, reader) },
  ...times(reader.sites, (index) => ({
    path: `${records('connectors')}${query({ filter: `site="${siteIdOf(reader, index)}"`, perPage: 500 })}`,
    headers: as(side, reader),
  })),
]

const siteBody = (owner: Owner, index: number) => ({
  name: `New Quay ${index}`,
  address: `${index + 1} Quay Street, Portrush`,
  latitude: 55.2044,
  longitude: -6.6531 - index / 1000,
  contact_email: 'quay@example.org',
  contact_phone: '+353 1 5550100',
  cost: '€0.45 / kWh',
  vehicle_capacity: 2,
  status: 'AVAILABLE',
  published: SAID.published,
  time_zone: SAID.time_zone,
  country: SAID.country,
  business: owner.business,
})

const THUMBNAILS = 10
const VISITORS = 32
/** The number of the first owner who neither reads nor writes. */
const FIRST_VISITOR = 2
const LISTENERS = 1000
const heardOf = (index: number): string => `Heard of ${index}.`

/** Encodes a multipart form, with its headers. */
const encodeForm = async (
  method: string,
  form: FormData,
  headers: Readonly<Record<string, string>>,
): Promise<{ method: string; headers: Record<string, string>; body: Uint8Array }> => {
  const encoded = new Response(form)
  return {
    method,
    headers: { ...headers, 'content-type': encoded.headers.get('content-type') ?? '' },
    body: new Uint8Array(await encoded.arrayBuffer()),
  }
}

const inTurn = async <T>(steps: readonly (() => Promise<T>)[]): Promise<readonly T[]> => {
  const results: T[] = []
  for (const step of steps) results.push(await step())
  return results
}

/** Requests the auth methods, in the format of either version of the interface. */
const beginSignIn = async (
  side: Side,
): Promise<{ codeVerifier: string; nonce: string | undefined }> => {
  interface Method {
    readonly codeVerifier: string
    readonly authURL?: string
    readonly authUrl?: string
  }
  const { oauth2, authProviders } = await call<{
    oauth2?: { providers: readonly Method[] }
    authProviders?: readonly Method[]
  }>(side.port, 'GET', '/api/collections/users/auth-methods')
  const [method] = oauth2?.providers ?? authProviders ?? []
  if (method === undefined) throw new Error(`${side.title} offers no sign-in provider.`)
  const url = new URL(method.authURL ?? method.authUrl ?? '')
  return {
    codeVerifier: method.codeVerifier,
    nonce: url.searchParams.get('nonce') ?? undefined,
  }
}

const READ = { p99: 1 / 3, cpu: 1 / 3 } as const

const create: Omit<Workload, 'targets'> = {
  name: 'create',
  title: 'create',
  stage: 'town',
  allowed: { keys: ['id', 'created', 'updated'] },
  operations: (side, { writer }) =>
    times(100, (index) => [
      {
        method: 'POST',
        path: records('sites'),
        headers: asJson(side, writer),
        body: JSON.stringify(siteBody(writer, index)),
      },
    ]),
}

const update: Omit<Workload, 'targets'> = {
  name: 'update',
  title: 'update',
  stage: 'town',
  allowed: { keys: ['updated'] },
  operations: (side, { writer }) =>
    // Two rounds of values, so that every update changes something.
    times(2 * writer.sites, (index) => [
      {
        method: 'PATCH',
        path: `${records('sites')}/${siteIdOf(writer, index % writer.sites)}`,
        headers: asJson(side, writer),
        body: JSON.stringify({ name: `Renamed ${index}`, vehicle_capacity: 1 + (index % 24) }),
      },
    ]),
}

/** All workloads, in the order in which they are measured. */
export const WORKLOADS: readonly Workload[] = [
  {
    name: 'record',
    title: 'one record',
    stage: 'town',
    targets: { ...READ, throughput: 2.5, statements: 1 },
    operations: (side, { reader }) =>
      times(reader.sites, (index) => [
        { path: `${records('sites')}/${siteIdOf(reader, index)}`, headers: as(side, reader) },
      ]),
  },
  {
    name: 'list',
    title: 'list of 20',
    stage: 'town',
    targets: { ...READ, throughput: 3, statements: 1 },
    operations: (side, { reader }) => listOf(side, reader),
  },
  {
    name: 'dashboard',
    title: 'dashboard of 50 sites, 150 connectors',
    stage: 'town',
    targets: { ...READ, throughput: 5, statements: 2 },
    allowed: { unordered: ['sites(business)'] },
    operations: (side, cast) => [dashboard(side, cast)],
  },
  {
    name: 'dashboard-alone',
    title: 'the same dashboard, with nobody else in the database',
    stage: 'alone',
    targets: { ...READ, throughput: 5, statements: 2 },
    allowed: { unordered: ['sites(business)'] },
    operations: (side, cast) => [dashboard(side, cast)],
  },
  { ...create, targets: { throughput: 2, cpu: 1, statements: 2 } },
  { ...update, targets: { throughput: 1.5, cpu: 1, statements: 2 } },
  ...[create, update].map((write): Workload => ({
    ...write,
    name: `${write.name}-unsynced`,
    title: `${write.title}, the peer answers before it is on the disk`,
    stage: 'unsynced',
    targets: { statements: 2 },
  })),
  {
    name: 'upload',
    title: 'upload of a photo (1200 x 900), with a new site (8 connections)',
    stage: 'town',
    // With more connections, a slow machine sheds uploads with 503.
    connections: 8,
    targets: { statements: 2 },
    allowed: { keys: ['id', 'created', 'updated'], counted: ['photos'] },
    operations: async (side, { writer }) => {
      const form = new FormData()
      for (const [name, value] of Object.entries(siteBody(writer, 0))) form.set(name, String(value))
      form.set('photos', await makePicture('quay.jpg', 1))
      return [[{ path: records('sites'), ...(await encodeForm('POST', form, as(side, writer))) }]]
    },
  },
  {
    name: 'thumbnail',
    title: 'thumbnail of a photo',
    stage: 'town',
    targets: { statements: 1 },
    allowed: { typeOnly: true },
    operations: async (side, { writer }) => {
      const operations: Parts[] = []
      for (let index = 0; index < THUMBNAILS; index += 1) {
        const id = siteIdOf(writer, writer.sites - 2 - index)
        const form = new FormData()
        form.set('photos', await makePicture('quay.jpg', index))
        const { body, headers } = await encodeForm('PATCH', form, as(side, writer))
        const answer = await fetch(`http://127.0.0.1:${side.port}${records('sites')}/${id}`, {
          method: 'PATCH',
          headers,
          body: Buffer.from(body),
        })
        const { photos } = (await answer.json()) as { photos?: readonly string[] }
        const path = `/api/files/sites/${id}/${photos?.at(-1) ?? ''}?thumb=100x100`
        // A server that makes thumbnails on demand caches them here.
        await (await fetch(`http://127.0.0.1:${side.port}${path}`)).arrayBuffer()
        operations.push([{ path }])
      }
      return operations
    },
  },
  {
    name: 'conditional',
    title: 'conditional read (304; the peer has none and answers 200)',
    stage: 'town',
    targets: { statements: 1 },
    status: 304,
    allowed: { peerStatus: 200 },
    operations: (side, { reader }) =>
      Promise.all(
        times(reader.sites, async (index) => {
          const path = `${records('sites')}/${siteIdOf(reader, index)}`
          const headers = as(side, reader)
          const answer = await fetch(`http://127.0.0.1:${side.port}${path}`, { headers })
          await answer.arrayBuffer()
          const etag = answer.headers.get('etag')
          return [
            { path, headers: { ...headers, ...(etag !== null && { 'if-none-match': etag }) } },
          ]
        }),
      ),
  },
  {
    name: 'sign-in',
    title: 'sign-in (OAuth2 code; the provider is the same for both)',
    stage: 'town',
    targets: {},
    // Each side forwards the provider's response differently; tokens and names are random.
    allowed: { keys: ['id', 'created', 'updated', 'username', 'token', 'meta', 'avatar'] },
    operations: (side, _, provider) =>
      inTurn(
        times(VISITORS, (index) => async (): Promise<Parts> => {
          const { codeVerifier, nonce } = await beginSignIn(side)
          const code = `${side.name}-${index}`
          // Existing owners: the provider uses the same email addresses.
          await provider.expect({ code, sub: `owner-${FIRST_VISITOR + index}`, nonce })
          const redirect = `http://127.0.0.1:${side.port}/login`
          const path = '/api/collections/users/auth-with-oauth2'
          // With both the newer and the older spelling of the URL.
          const answer = { redirectURL: redirect, redirectUrl: redirect, code, codeVerifier }
          const body = { provider: 'oidc', ...answer }
          // The first sign-in links the account, which takes longer than later ones.
          await call(side.port, 'POST', path, { body })
          const headers = { 'content-type': 'application/json' }
          return [{ method: 'POST', path, headers, body: JSON.stringify(body) }]
        }),
      ),
  },
  {
    name: 'fan-out',
    title: `realtime: a change until ${LISTENERS.toLocaleString('en-US')} listeners have heard`,
    stage: 'town',
    targets: {},
    // Our events carry the version of the record.
    allowed: { keys: ['updated', 'etag'] },
    operations: (side, { writer }) =>
      times(1000, (index) => [
        {
          method: 'PATCH',
          path: `${records('sites')}/${siteIdOf(writer, 999)}`,
          headers: asJson(side, writer),
          // Both sides respond the same, whatever was measured before.
          body: JSON.stringify({ name: heardOf(index), vehicle_capacity: 2 }),
        },
      ]),
    audience: { listeners: LISTENERS, topic: 'sites/*', markOf: heardOf },
  },
  {
    name: 'total',
    title: 'list of 20 with the total of 100,000 (4 connections)',
    stage: 'giant',
    // With more connections, the peer's queries time out after 30 s.
    connections: 4,
    targets: { statements: 1 },
    operations: (side, { reader }) =>
      times(50, (index) => [
        {
          path: `${records('sites')}${query({ page: index + 1, perPage: 20, sort: '-created' })}`,
          headers: as(side, reader),
        },
      ]),
  },
]
