import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import {
  OCPI_VERSIONS,
  ocpiPath,
  OPEN,
  OPEN_FILE_NAMES,
  OPEN_FORMATS,
  openLossesPath,
  openPath,
} from '#domain/open-data.ts'
import type { IMPORTS } from '#domain/collection.ts'
import { IMPORT_API } from '#domain/import-paths.ts'
import { API, NOT_OFFERED, notOfferedPath, SERVICE_API } from '#domain/paths.ts'
import type { CollectionName } from '#domain/collections.ts'
import { COLLECTIONS } from '#domain/collections.ts'
import { OWNED, type OwnedName } from '#domain/owned.ts'
import { superusers } from '#domain/superuser.ts'

import { createApp } from '../../../server/app.ts'
import { countFailures, report } from '../../proof/figures.ts'
import { isSameValue } from '#domain/record.ts'
import { OPTIONAL_VALUES } from '../../support/optional-values.ts'
import { connectorBody, siteBody, tariffBody } from '../../support/owner.ts'
import {
  CALLERS,
  makeWorld,
  OBJECTS,
  PEOPLE,
  STRANGERS,
  type CallerName,
  type Household,
  type ObjectName,
  type World,
} from './world.ts'

// The access matrix: every route × caller × object × field. A refusal must look like the response for an absent record,
// including its headers, and must change nothing in tables or files.

let world: World
let cells = 0
beforeAll(async () => {
  world = await makeWorld()
}, 60_000)
const { failures } = countFailures()
afterAll(async () => {
  await world.stack.close()
  await report('Access matrix', { failures: failures(), cells })
})

const NAMES = Object.keys(COLLECTIONS) as CollectionName[]
/** The collections whose records an owner may change. */
type Changeable = Exclude<OwnedName, typeof IMPORTS>

/** A response, without the parts that always differ. */
interface Answer {
  readonly status: number
  readonly headers: string
  readonly body: string
}

const ask = async (
  token: string,
  method: string,
  path: string,
  body?: object,
  type = 'application/json',
): Promise<Answer> => {
  cells++
  const response = await fetch(world.stack.url + path, {
    method,
    redirect: 'manual',
    headers: { authorization: token, ...(body !== undefined && { 'content-type': type }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const headers = [...response.headers]
    .filter(([name]) => !['date', 'x-request-id', 'content-length'].includes(name))
    .map(([name, value]) => `${name}: ${value}`)
    .toSorted()
    .join('\n')
  return { status: response.status, headers, body: await response.text() }
}

/** Whether the record is the caller's own, or the caller bypasses the rules. */
const mayReach = (caller: CallerName, collection: CollectionName, object: ObjectName): boolean => {
  if (object === 'absent' || object === 'deleted') return false
  if (caller === 'a superuser') return true
  if (collection === '_superusers') return false
  return (caller === 'ada' && object === 'ada’s') || (caller === 'bob' && object === 'bob’s')
}

const ACTIONS = { GET: 'read', PATCH: 'change', PUT: 'change', DELETE: 'remove' } as const

/** Whether the collection declares the action for nobody. */
const isForNobody = (collection: CollectionName, method: string): boolean =>
  COLLECTIONS[collection].access[ACTIONS[method as keyof typeof ACTIONS]] === 'nobody'

/**
 * Only superusers may access their own collection, and nobody may perform an action that is declared for nobody. The
 * server refuses both before it looks up a record.
 */
const refusal = (caller: CallerName, collection: CollectionName, method: string): number =>
  (collection === '_superusers' && caller !== 'a superuser') || isForNobody(collection, method)
    ? 403
    : 404

/** Whether the caller is refused. */
const isRefused = (
  caller: CallerName,
  collection: CollectionName,
  object: ObjectName,
  method: string,
): boolean => !mayReach(caller, collection, object) || isForNobody(collection, method)

/**
 * Sends requests that must be refused: their responses are the same for every caller and object, and they change
 * nothing.
 */
const expectRefused = async (
  wanted: number,
  calls: readonly { readonly name: string; readonly call: () => Promise<Answer> }[],
): Promise<void> => {
  const before = await world.everything()
  let model: Answer | undefined
  for (const { name, call } of calls) {
    const answer = await call()
    expect(answer.status, name).toBe(wanted)
    model ??= answer
    expect(answer, name).toEqual(model)
  }
  expect(await world.everything()).toBe(before)
}

/** One for each record, unless the audit log leaves its collection out. */
const CHANGES_OF_A_HOUSEHOLD = OWNED.filter((each) => !('audited' in each)).length

const record = (collection: string, id: string): string => API.record(collection, id)

/** The fields that only superusers may change. */
const MANAGED = { hidden: true, hidden_reason: 'x' }
const all = (values: object, outcome: string) =>
  Object.fromEntries(Object.keys(values).map((name) => [name, outcome]))

/** A valid value for an update, by field. */
const VALUES: Readonly<Record<CollectionName, Readonly<Record<string, unknown>>>> = {
  _superusers: { email: 'x@example.org', emailVisibility: true, verified: true },
  users: {
    name: 'Mallory',
    username: 'mallory',
    email: 'mallory@example.org',
    emailVisibility: true,
    verified: false,
    onboarded: true,
  },
  businesses: {
    name: 'Mallory’s',
    description: 'x',
    website: 'https://example.org',
    contact_email: 'mallory@example.org',
    logo: '',
    user: 'nosuchrecord123',
    ...OPTIONAL_VALUES.businesses,
    ...MANAGED,
  },
  sites: {
    name: 'Mallory’s',
    address: 'x',
    latitude: 1,
    longitude: 2,
    contact_email: 'mallory@example.org',
    contact_phone: '1',
    cost: 'x',
    vehicle_capacity: 7,
    vehicle: 8,
    photos: [],
    'photos-': ['x.jpg'],
    photo_categories: { 'x.jpg': 'CHARGER' },
    status: 'REMOVED',
    tariff: '',
    business: 'nosuchrecord123',
    ...OPTIONAL_VALUES.sites,
    ...MANAGED,
  },
  connectors: {
    standard: 'CHADEMO',
    format: 'SOCKET',
    current_type: 'AC_1_PHASE',
    kw_rating: 1,
    'kw_rating+': 1,
    site: 'nosuchrecord123',
    tariff: 'nosuchrecord123',
    ...OPTIONAL_VALUES.connectors,
  },
  tariffs: {
    name: 'Mallory’s',
    currency: 'CHF',
    tax_included: 'NO',
    elements: [{ price_components: [{ type: 'TIME', price: 9, step_size: 1 }] }],
    min_price: { before_taxes: 1 },
    max_price: { before_taxes: 2 },
    url: 'https://example.org',
    business: 'nosuchrecord123',
  },
  reports: {
    site: 'nosuchrecord123',
    reason: 'PRICE_WRONG',
    message: 'Mallory',
    wants_answer: true,
    received: '2001-01-01 00:00:00.000Z',
    state: 'RESOLVED',
    answer: 'Mallory’s',
  },
  feeds: {
    business: 'nosuchrecord123',
    name: 'Mallory’s',
    url: 'https://mallory.example/locations',
    has_token: true,
    is_active: false,
    missing: 'REMOVE',
    apply: ['NEW'],
    state: 'DEAD',
    last_read: '2001-01-01 00:00:00.000Z',
    last_changed: '2001-01-01 00:00:00.000Z',
    problem: { code: 'Mallory' },
  },
  imports: { source: 'Mallory’s', state: 'DONE', missing: 'REMOVE', total: 9 },
  import_rows: { import: 'nosuchrecord123', name: 'Mallory’s', included: true },
  changes: { owner: 'nosuchrecord123', actor: 'mallory12345678', before: { name: 'Mallory’s' } },
}
/** Fields that no update may set, and unknown names. */
const UNTOUCHABLE: Readonly<Record<string, unknown>> = {
  id: 'mallory12345678',
  created: '2001-01-01 00:00:00.000Z',
  updated: '2001-01-01 00:00:00.000Z',
  collectionId: 'mallory',
  collectionName: 'mallory',
  tokenKey: 'mallory',
  passwordHash: 'mallory',
  version: 1,
  nosuchfield: 'mallory',
}

/** The outcome for each field that the owner sends: accepted, refused with a field error, or ignored. */
const OWNER_MAY: Readonly<Record<Changeable, Readonly<Record<string, string>>>> = {
  users: {
    name: 'set',
    username: 'set',
    email: 'refused',
    emailVisibility: 'set',
    verified: 'refused',
    onboarded: 'set',
  },
  businesses: {
    name: 'set',
    description: 'set',
    website: 'set',
    contact_email: 'set',
    logo: 'set',
    user: 'refused',
    ...all(OPTIONAL_VALUES.businesses, 'set'),
    ...all(MANAGED, 'refused'),
  },
  sites: {
    name: 'set',
    address: 'set',
    latitude: 'set',
    longitude: 'set',
    contact_email: 'set',
    contact_phone: 'set',
    cost: 'set',
    vehicle_capacity: 'set',
    vehicle: 'passed over',
    photos: 'set',
    'photos-': 'passed over',
    photo_categories: 'passed over',
    status: 'set',
    tariff: 'set',
    business: 'not found',
    ...all(OPTIONAL_VALUES.sites, 'set'),
    ...all(MANAGED, 'refused'),
  },
  connectors: {
    standard: 'set',
    format: 'set',
    current_type: 'set',
    kw_rating: 'set',
    'kw_rating+': 'passed over',
    site: 'not found',
    tariff: 'refused',
    ...all(OPTIONAL_VALUES.connectors, 'set'),
  },
  tariffs: {
    name: 'set',
    currency: 'set',
    tax_included: 'set',
    elements: 'set',
    min_price: 'set',
    max_price: 'set',
    url: 'set',
    business: 'not found',
  },
  reports: {
    site: 'refused',
    reason: 'refused',
    message: 'refused',
    wants_answer: 'refused',
    received: 'refused',
    state: 'set',
    answer: 'set',
  },
  feeds: {
    business: 'refused',
    name: 'set',
    url: 'refused',
    has_token: 'refused',
    is_active: 'set',
    missing: 'set',
    apply: 'set',
    state: 'refused',
    last_read: 'refused',
    last_changed: 'refused',
    problem: 'passed over',
  },
}

describe.each(NAMES)('records of %s', (collection) => {
  const valuesOf = VALUES[collection]

  test('a list contains exactly the records that the caller may read', async () => {
    for (const caller of CALLERS) {
      const answer = await ask(world.token[caller], 'GET', API.records(collection))
      if (collection === '_superusers' && caller !== 'a superuser') {
        expect(answer.status, caller).toBe(403)
        continue
      }
      expect(answer.status, caller).toBe(200)
      const ids = (JSON.parse(answer.body) as { items: { id: string }[] }).items.map(({ id }) => id)
      for (const object of OBJECTS) {
        const id = world.id(collection, object)
        expect(ids.includes(id), `${caller} ${object}`).toBe(mayReach(caller, collection, object))
      }
      if (caller === 'ada' || caller === 'bob')
        expect(ids).toHaveLength(collection === 'changes' ? CHANGES_OF_A_HOUSEHOLD : 1)
      if ((STRANGERS as readonly string[]).includes(caller)) expect(ids).toEqual([])
    }
  })

  test.each(['GET', 'PATCH', 'DELETE'])(
    '%s of a record that the caller may not access',
    async (method) => {
      for (const wanted of [403, 404]) {
        const calls = CALLERS.flatMap((caller) =>
          OBJECTS.filter(
            (object) =>
              isRefused(caller, collection, object, method) &&
              refusal(caller, collection, method) === wanted,
          ).map((object) => ({
            name: `${caller}, ${object}`,
            call: () =>
              ask(
                world.token[caller],
                method,
                record(collection, world.id(collection, object)),
                method === 'PATCH' ? {} : undefined,
              ),
          })),
        )
        await expectRefused(wanted, calls)
      }
    },
  )

  test('a refused update names no field and changes none, for any field', async () => {
    const fields = Object.entries({ ...valuesOf, ...UNTOUCHABLE })
    for (const wanted of [403, 404]) {
      const calls = CALLERS.flatMap((caller) =>
        OBJECTS.filter(
          (object) =>
            isRefused(caller, collection, object, 'PATCH') &&
            refusal(caller, collection, 'PATCH') === wanted,
        ).flatMap((object) =>
          fields.map(([field, value]) => ({
            name: `${caller}, ${object}, ${field}`,
            call: () =>
              ask(world.token[caller], 'PATCH', record(collection, world.id(collection, object)), {
                [field]: value,
              }),
          })),
        ),
      )
      await expectRefused(wanted, calls)
    }
  })

  test('records contain exactly the declared fields', async () => {
    const declared = [
      'id',
      'collectionId',
      'collectionName',
      ...Object.keys(COLLECTIONS[collection].fields),
    ]
    for (const caller of PEOPLE) {
      for (const object of OBJECTS) {
        if (!mayReach(caller, collection, object)) continue
        const path = record(collection, world.id(collection, object))
        const answer = await ask(world.token[caller], 'GET', path)
        expect(answer.status, `${caller}, ${object}`).toBe(200)
        expect(Object.keys(JSON.parse(answer.body) as object).toSorted()).toEqual(
          declared.toSorted(),
        )
      }
    }
  })

  test('nobody can create a record for another user', async () => {
    const before = await world.everything()
    const bodies: Readonly<Record<CollectionName, (object: ObjectName) => object>> = {
      _superusers: () => ({
        email: 'x@example.org',
        password: 'x'.repeat(12),
        passwordConfirm: 'x'.repeat(12),
      }),
      users: () => ({
        email: 'x@example.org',
        password: 'x'.repeat(12),
        passwordConfirm: 'x'.repeat(12),
      }),
      businesses: (object) => ({ name: 'x', user: world.id('users', object) }),
      sites: (object) => siteBody(world.id('businesses', object)),
      connectors: (object) => connectorBody(world.id('sites', object)),
      tariffs: (object) => tariffBody(world.id('businesses', object)),
      reports: (object) => ({ site: world.id('sites', object), reason: 'NOT_WORKING' }),
      feeds: (object) => ({
        business: world.id('businesses', object),
        url: 'https://feed.example/locations',
      }),
      imports: (object) => ({ business: world.id('businesses', object) }),
      import_rows: (object) => ({ import: world.id('imports', object), number: 2 }),
      changes: (object) => ({ owner: world.id('users', object), action: 'delete' }),
    }
    const model = new Map<number, Answer>()
    for (const caller of CALLERS) {
      for (const object of OBJECTS) {
        const isForSome = COLLECTIONS[collection].access.create !== 'nobody'
        if (isForSome && (caller === 'a superuser' || mayReach(caller, collection, object))) {
          if (COLLECTIONS[collection].access.create === 'owner') continue
          if (caller === 'a superuser') continue
        }
        const answer = await ask(
          world.token[caller],
          'POST',
          API.records(collection),
          bodies[collection](object),
        )
        const wanted = COLLECTIONS[collection].access.create === 'owner' ? 400 : 403
        expect(answer.status, `${caller}, ${object}`).toBe(wanted)
        const alike = model.get(wanted) ?? answer
        model.set(wanted, alike)
        expect(answer, `${caller}, ${object}`).toEqual(alike)
      }
    }
    expect(await world.everything()).toBe(before)
  })

  test('a batch allows nothing that a single request does not', async () => {
    const calls = CALLERS.flatMap((caller) =>
      ['PATCH', 'DELETE', 'PUT'].flatMap((method) =>
        OBJECTS.filter((object) => isRefused(caller, collection, object, method)).map((object) => ({
          name: `${caller}, ${method}, ${object}`,
          caller,
          method,
          request: {
            method,
            url:
              method === 'PUT'
                ? API.records(collection)
                : record(collection, world.id(collection, object)),
            ...(method !== 'DELETE' && {
              body: {
                ...valuesOf,
                ...(method === 'PUT' && { id: world.id(collection, object) }),
              },
            }),
          },
        })),
      ),
    )
    const before = await world.everything()
    for (const { name, caller, method, request } of calls) {
      // A superuser may create a missing record.
      if (method === 'PUT' && caller === 'a superuser' && collection !== 'changes') continue
      const answer = await ask(world.token[caller], 'POST', API.batch, { requests: [request] })
      expect(answer.status, name).toBe(400)
      expect(answer.body, name).not.toContain('Mallory')
    }
    expect(await world.everything()).toBe(before)
  })
})

describe.each(Object.keys(OWNER_MAY) as Changeable[])('fields of %s', (collection) => {
  let mine: Household
  beforeAll(async () => {
    mine = await world.newHousehold()
  })

  const outcome = async (token: string, field: string, value: unknown): Promise<string> => {
    const path = record(collection, mine.ids[collection])
    const before = JSON.parse((await ask(token, 'GET', path)).body) as Record<string, unknown>
    const answer = await ask(token, 'PATCH', path, { [field]: value })
    if (answer.status === 404) return 'not found'
    if (answer.status === 400) {
      expect(JSON.parse(answer.body)).toHaveProperty(['data', field, 'code'])
      return 'refused'
    }
    expect(answer.status, field).toBe(200)
    const after = JSON.parse((await ask(token, 'GET', path)).body) as Record<string, unknown>
    expect(after['id']).toBe(before['id'])
    expect(after['created']).toBe(before['created'])
    return isSameValue(after[field], value) ? 'set' : 'passed over'
  }

  test.each(Object.entries(OWNER_MAY[collection]))(
    '%s, sent by its owner: %s',
    async (field, wanted) => {
      const value = VALUES[collection][field]
      expect(await outcome(mine.client.authStore.token, field, value)).toBe(wanted)
    },
  )

  test('records that nobody may write stay unchanged even for owners and superusers', async () => {
    for (const token of [mine.client.authStore.token, world.token['a superuser']]) {
      for (const [field, value] of Object.entries(UNTOUCHABLE)) {
        expect(['refused', 'passed over'], field).toContain(await outcome(token, field, value))
      }
    }
  })

  test('the matrix contains every declared field', () => {
    const declared = Object.entries(COLLECTIONS[collection].fields)
      .filter(([, { kind }]) => kind !== 'autodate')
      .map(([name]) => name)
    expect(Object.keys(OWNER_MAY[collection])).toEqual(expect.arrayContaining(declared))
    expect(Object.keys(VALUES[collection])).toEqual(Object.keys(OWNER_MAY[collection]))
  })
})

/** The status for each caller, where no record is involved. */
type Expected = number | Readonly<Partial<Record<CallerName | 'others', number>>>

/** A request to a route, and the outcome for each caller. */
interface Row {
  readonly method: string
  readonly path: () => string
  readonly body?: () => object
  readonly expected: Expected
  /** Rows with the same value must be refused in the same way; by default, only the requests of one row must be. */
  readonly alike?: string
}

const row = (
  method: string,
  path: () => string,
  expected: Expected,
  more: Partial<Row> = {},
): Row => ({
  method,
  path,
  expected,
  ...more,
})
const onlyPeople = { ada: 200, bob: 200, 'a superuser': 200, others: 401 }
const noBody = { body: () => ({}) }

/** Open data is the same for everybody. OCPI errors contain the time, so `open.contract.ts` covers them. */
const openRows = (): Record<string, Row[]> => {
  const ofScope = (business: string | undefined): string[] => [
    ...OPEN_FILE_NAMES.map((format) => openPath(format, business)),
    ...OPEN_FORMATS.map((format) => openLossesPath(format, business)),
    OPEN.catalogue(business),
    OPEN.withdrawn(business),
    OPEN.ocpiVersions(business),
    OPEN.ocpi(business),
    `${OPEN.ocpi(business)}/*`,
    ...OCPI_VERSIONS.flatMap((version) =>
      [
        '',
        'locations',
        'tariffs',
        'locations/:id',
        'locations/:id/:evse',
        'locations/:id/:evse/:connector',
      ].map((path) => ocpiPath(version, path, business)),
    ),
  ]
  const paths = [
    ...[undefined, ':business'].flatMap(ofScope),
    OPEN.businesses,
    OPEN.osmTags(':site'),
    OPEN.siteLosses(':site'),
  ]
  return Object.fromEntries(
    paths.map((path) => [
      `GET ${path}`,
      path.includes(':id') || /\/ocpi(?:\/\*)?$/.test(path)
        ? []
        : [
            row(
              'GET',
              () =>
                path
                  .replace(':business', world.ada.ids.businesses)
                  .replace(':site', world.ada.ids.sites),
              200,
            ),
          ],
    ]),
  )
}

const onFeeds = (method: string, path: (id: string) => string, own: number): Row[] =>
  OBJECTS.map((object) =>
    row(
      method,
      () => path(world.id('feeds', object)),
      {
        ada: object === 'ada’s' ? own : 404,
        bob: object === 'bob’s' ? own : 404,
        'a superuser': 403,
        others: 401,
      },
      { body: () => ({ token: 'x' }) },
    ),
  )

/** The import of a household is finished, so even its owner can do nothing with it. */
const onImports = (
  method: string,
  path: (id: string) => string,
  body: () => object = () => ({}),
): Row[] =>
  OBJECTS.map((object) =>
    row(
      method,
      () => path(world.id('imports', object)),
      {
        ada: object === 'ada’s' ? 409 : 404,
        bob: object === 'bob’s' ? 409 : 404,
        'a superuser': 403,
        others: 401,
      },
      { body },
    ),
  )

/** The routes that do not address single records; the others are covered above. */
const ROWS: Readonly<Record<string, readonly Row[]>> = {
  'GET /api/health': [row('GET', () => SERVICE_API.health, 200)],
  'GET /api/ready': [row('GET', () => SERVICE_API.ready, 200)],
  'GET /metrics': [row('GET', () => SERVICE_API.metrics, 200)],
  'GET /api/openapi.json': [row('GET', () => SERVICE_API.openapi, 200)],
  'GET /api/collections/:collection/auth-methods': [
    row('GET', () => API.authMethods('users'), 200),
    row('GET', () => API.authMethods('sites'), 404),
  ],
  'POST /api/provider-sign-out': [
    row('POST', () => API.providerSignOut, 400, {
      body: () => ({ redirectURL: 'https://x.example' }),
    }),
  ],
  'POST /api/collections/:collection/auth-with-oauth2': [
    row('POST', () => API.authWithOAuth2('users'), 400, { ...noBody }),
    row('POST', () => API.authWithOAuth2('sites'), 404, { ...noBody }),
  ],
  'POST /api/collections/:collection/auth-with-password': ['users', '_superusers'].map((name) =>
    row('POST', () => API.authWithPassword(name), 400, {
      body: () => ({ identity: world.ada.email, password: 'not the password' }),
    }),
  ),
  'POST /api/collections/:collection/auth-refresh': [
    row('POST', () => API.authRefresh('users'), {
      ada: 200,
      bob: 200,
      'a superuser': 403,
      others: 401,
    }),
    row('POST', () => API.authRefresh('_superusers'), {
      ada: 403,
      bob: 403,
      'a superuser': 200,
      others: 401,
    }),
  ],
  'POST /api/collections/:collection/end-sessions': [
    // The end-sessions test below covers permitted callers: here, the request would end the session of this test.
    row('POST', () => API.endSessions('_superusers'), {
      ada: 403,
      bob: 403,
      'a superuser': NaN,
      others: 401,
    }),
    row('POST', () => API.endSessions('users'), {
      ada: NaN,
      bob: NaN,
      'a superuser': 403,
      others: 401,
    }),
  ],
  'POST /api/collections/:collection/impersonate/:id': OBJECTS.map((object) =>
    row(
      'POST',
      () => SERVICE_API.impersonate('users', world.id('users', object)),
      {
        'a superuser': object === 'absent' || object === 'deleted' ? 404 : 200,
        ada: 403,
        bob: 403,
        others: 401,
      },
      noBody,
    ),
  ),
  'POST /api/collections/:collection/request-password-reset': OBJECTS.map((object) =>
    row('POST', () => API.requestPasswordReset('users'), 204, {
      body: () => ({
        email: object === 'ada’s' ? world.ada.email : `${object.slice(0, 3)}@example.org`,
      }),
    }),
  ),
  'POST /api/collections/:collection/request-verification': [
    row('POST', () => API.requestVerification('users'), 204, {
      body: () => ({ email: world.ada.email }),
    }),
  ],
  'POST /api/collections/:collection/confirm-password-reset': CALLERS.map((caller) =>
    row('POST', () => API.confirmPasswordReset('users'), 400, {
      body: () => ({
        token: world.token[caller] || 'noise',
        password: 'x'.repeat(12),
        passwordConfirm: 'x'.repeat(12),
      }),
    }),
  ),
  'POST /api/collections/:collection/confirm-verification': CALLERS.map((caller) =>
    row('POST', () => API.confirmVerification('users'), 400, {
      body: () => ({ token: world.token[caller] }),
    }),
  ),
  ...Object.fromEntries(
    NOT_OFFERED.map(({ action }) => [
      `POST ${notOfferedPath(':collection', action)}`,
      [
        row('POST', () => notOfferedPath('users', action), 403, {
          body: () => ({ newEmail: 'x@example.org' }),
        }),
        row('POST', () => notOfferedPath('sites', action), 404, noBody),
      ],
    ]),
  ),
  'GET /api/files/:collection/:id/:name': [
    // The unguessable name gives access to a photo (record interface 4.2).
    row('GET', () => API.file('sites', world.ada.ids.sites, world.ada.photo), 200),
    row('GET', () => API.file('sites', world.bob.ids.sites, world.ada.photo), 404, {
      alike: 'no such file',
    }),
    row('GET', () => API.file('sites', world.id('sites', 'deleted'), world.ada.photo), 404, {
      alike: 'no such file',
    }),
    row('GET', () => API.file('sites', world.id('sites', 'absent'), 'x.jpg'), 404, {
      alike: 'no such file',
    }),
    row('GET', () => API.file('users', world.ada.id, 'x.jpg'), 404, { alike: 'no such file' }),
  ],
  'GET /api/geocode': [
    row('GET', () => `${API.geocode}?q=x`, { ada: 503, bob: 503, 'a superuser': 503, others: 401 }),
  ],
  'GET /api/duplicates': [
    row('GET', () => `${API.duplicates}?lat=1&lng=1&name=x`, {
      ada: 200,
      bob: 200,
      'a superuser': 200,
      others: 401,
    }),
  ],
  // The same for everybody. The matrix sends no forms: the server reads a form only once it knows the caller, see
  // `imports.contract.ts`.
  'POST /api/imports': [
    row(
      'POST',
      () => IMPORT_API.imports,
      { ada: 400, bob: 400, 'a superuser': 403, others: 401 },
      noBody,
    ),
  ],
  'PATCH /api/imports/:id': onImports('PATCH', IMPORT_API.import, () => ({ missing: 'KEEP' })),
  'PATCH /api/imports/:id/rows/:number': onImports('PATCH', (id) => IMPORT_API.importRow(id, '1')),
  'POST /api/imports/:id/mapping': onImports('POST', IMPORT_API.importMapping, () => ({
    mapping: [''],
  })),
  'POST /api/feeds': [
    row(
      'POST',
      () => IMPORT_API.feeds,
      { ada: 400, bob: 400, 'a superuser': 403, others: 401 },
      noBody,
    ),
  ],
  'PUT /api/feeds/:id/token': onFeeds('PUT', IMPORT_API.feedToken, 200),
  // NaN skips the owner: a household's feed can be started only once, and the next test does that.
  'POST /api/feeds/:id/read': onFeeds('POST', IMPORT_API.feedRead, NaN),
  'POST /api/imports/:id/run': onImports('POST', IMPORT_API.importRun),
  'POST /api/imports/:id/undo': onImports('POST', IMPORT_API.importUndo),
  'GET /api/public/sites': [row('GET', () => `${API.publicSites}?near=55.2,-6.65`, 200)],
  'GET /api/public/sites/:id': OBJECTS.map((object) =>
    row(
      'GET',
      () => API.publicSite(world.id('sites', object)),
      { absent: 404, deleted: 410 }[object as string] ?? 200,
    ),
  ),
  'GET /api/public/suggest': [row('GET', () => `${API.publicSuggest}?q=harbour`, 200)],
  'GET /api/public/tiles/:z/:x/:y.mvt': [row('GET', () => API.publicTile('0', '0', '0'), 200)],
  'POST /api/public/route': [
    row('POST', () => SERVICE_API.publicRoute, 200, {
      body: () => ({
        type: 'LineString',
        coordinates: [
          [-6.65, 55.2],
          [-6.6, 55.2],
        ],
      }),
    }),
  ],
  'POST /api/public/sites/:id/reports': [
    row('POST', () => API.publicReports(world.ada.ids.sites), 204, {
      body: () => ({ reason: 'NOT_WORKING' }),
    }),
    row('POST', () => API.publicReports(world.ada.ids.sites), 400, {
      body: () => ({ reason: 'none' }),
    }),
    ...(['absent', 'deleted'] as const).map((object) =>
      row('POST', () => API.publicReports(world.id('sites', object)), 404, {
        body: () => ({ reason: 'NOT_WORKING' }),
        alike: 'no such site',
      }),
    ),
  ],
  ...openRows(),
  'POST /api/files/token': [row('POST', () => API.fileToken, onlyPeople)],
  'GET /api/export': [
    row('GET', () => API.export, { ada: 200, bob: 200, 'a superuser': 403, others: 401 }),
  ],
  'POST /api/batch': [row('POST', () => API.batch, 400, { body: () => ({ requests: [] }) })],
  'GET /api/realtime': [],
  'POST /api/realtime': [
    row('POST', () => API.realtime, 404, {
      body: () => ({ clientId: 'x'.repeat(40), subscriptions: ['sites/*'] }),
    }),
  ],
  'GET /api/oauth2-redirect': [row('GET', () => '/api/oauth2-redirect?state=x&code=y', 200)],
  'POST /api/oauth2-redirect': [row('POST', () => '/api/oauth2-redirect', 303, noBody)],
}

/** The routes that the record tests above cover. */
const RECORD_ROUTES = [
  'GET /api/collections/:collection/records',
  'POST /api/collections/:collection/records',
  'GET /api/collections/:collection/records/:id',
  'PATCH /api/collections/:collection/records/:id',
  'DELETE /api/collections/:collection/records/:id',
]

test('the matrix contains every route of the server', async () => {
  const routes = new Set<string>()
  const app = await createApp({
    config: world.stack.config,
    sql: world.stack.sql,
    tokenSecret: new Uint8Array(32),
    log: () => {},
    onRoute: ({ method, url }) => {
      // HEAD is GET without the body; a preflight discloses no record.
      for (const each of [method].flat()) {
        if (each !== 'HEAD' && each !== 'OPTIONS') routes.add(`${each} ${url}`)
      }
    },
  })
  await app.close()
  expect([...routes].toSorted()).toEqual([...Object.keys(ROWS), ...RECORD_ROUTES].toSorted())
})

describe.each(Object.entries(ROWS).filter(([, rows]) => rows.length > 0))('%s', (_route, rows) => {
  test('responds to each caller as declared', async () => {
    const models = new Map<string, Answer>()
    for (const [index, { method, path, body, expected, alike }] of rows.entries()) {
      for (const caller of CALLERS) {
        const wanted =
          typeof expected === 'number' ? expected : (expected[caller] ?? expected.others ?? 0)
        if (Number.isNaN(wanted)) continue
        const answer = await ask(world.token[caller], method, path(), body?.())
        expect(answer.status, `${caller}: ${path()}`).toBe(wanted)
        if (wanted < 400) continue
        const kind = `${alike ?? index} ${wanted}`
        const model = models.get(kind) ?? answer
        models.set(kind, model)
        expect(answer, `${caller}: ${path()}`).toEqual(model)
      }
    }
  })
})

test('end-sessions ends only the caller’s sessions', async () => {
  const mine = await world.newHousehold()
  expect((await ask(mine.client.authStore.token, 'POST', API.endSessions('users'))).status).toBe(
    204,
  )
  expect((await ask(mine.client.authStore.token, 'POST', API.authRefresh('users'))).status).toBe(
    401,
  )
  expect((await ask(world.token.ada, 'POST', API.authRefresh('users'))).status).toBe(200)
})

test('a token whose claims exceed its session grants no access', async () => {
  const before = await world.everything()
  const forged = [
    { collectionId: superusers.id },
    { id: world.bob.id },
    { id: world.superuserId, collectionId: superusers.id },
    { jti: 'x'.repeat(30), collectionId: superusers.id },
  ]
  for (const claims of forged) {
    const token = await world.forge(claims)
    for (const collection of NAMES) {
      const list = await ask(token, 'GET', API.records(collection))
      const path = record(collection, world.id(collection, 'bob’s'))
      expect(list.body).not.toContain(world.id(collection, 'bob’s'))
      expect((await ask(token, 'GET', path)).status).not.toBe(200)
      expect((await ask(token, 'PATCH', path, VALUES[collection])).status).not.toBe(200)
      expect((await ask(token, 'DELETE', path)).status).not.toBe(204)
    }
  }
  expect(await world.everything()).toBe(before)
})
