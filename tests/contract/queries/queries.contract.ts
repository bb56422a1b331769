import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { times } from '../../proof/figures.ts'
import { QUERY_LIMITS } from '#domain/limits.ts'
import { COLLECTIONS } from '#domain/collections.ts'

import { makePhoto } from '../../support/images.ts'
import { connectorBody, newOwner, siteBody, type Owner } from '../../support/owner.ts'
import { startStack, type Stack } from '../../support/stack.ts'
import { filterOf, PATHS, TEXTS, write } from './arbitrary.ts'
import { satisfies, valuesOf, type Memory, type Name, type Row } from './naive.ts'

// For any query, the response equals a naive evaluation of the records, or is a 400, never a 500.

let stack: Stack
let owner: Owner
let memory: Memory
const statements: string[] = []

const NAMES: readonly Name[] = ['users', 'businesses', 'sites', 'connectors']

beforeAll(async () => {
  stack = await startStack({ onStatement: (text) => statements.push(text) })
  // The records of a second owner exist as well, and must never appear in a response.
  for (const name of ['Other', 'Quay']) owner = await fill(name)
  const all = async (name: Name) => (await owner.client.collection(name).getFullList()) as Row[]
  memory = {
    users: await all('users'),
    businesses: await all('businesses'),
    sites: await all('sites'),
    connectors: await all('connectors'),
  }
})
afterAll(() => stack.close())

const fill = async (name: string): Promise<Owner> => {
  const made = await newOwner(stack.url, name)
  const { client, id } = made
  const business = await client
    .collection('businesses')
    .create({ name, description: 'a <b>Quay</b> 10', user: id })
  const texts = TEXTS.filter((text) => text.trim() !== '' && !text.includes('\u0001'))
  const photos = await Promise.all(
    ['quay.png', 'gate.png'].map((file) => makePhoto(file, { width: 8, height: 8, type: 'png' })),
  )
  for (const [index, text] of texts.entries()) {
    const site = await client.collection('sites').create({
      ...siteBody(business.id),
      name: text,
      address: texts.at(-index) ?? 'x',
      latitude: index % 3,
      longitude: -index / 2,
      vehicle_capacity: index % 4 === 0 ? 10 : index % 3,
      cost: index % 2 === 0 ? '' : text,
      status: index % 5 === 0 ? 'PLANNED' : 'AVAILABLE',
      ...(index % 6 < 2 && { photos: photos.slice(index % 6) }),
    })
    for (let i = 0; i < index % 3; i += 1)
      await client.collection('connectors').create({
        ...connectorBody(site.id),
        standard: i === 0 ? 'CHADEMO' : 'IEC_62196_T2',
        kw_rating: [50, 10, 2][(index + i) % 3],
      })
  }
  return made
}

const list = async (
  name: Name,
  query: Record<string, string>,
): Promise<{ status: number; items: Row[] }> => {
  const answer = await fetch(
    `${stack.url}/api/collections/${name}/records?${new URLSearchParams({ perPage: '500', ...query })}`,
    {
      headers: { authorization: owner.client.authStore.token },
    },
  )
  const { items = [] } = (await answer.json()) as { items?: Row[] }
  return { status: answer.status, items }
}

/**
 * The long run has ten thousand queries in total: four times this many filters, and fractions of it of the other kinds.
 */
const RUNS = times(400, 1500)

test.each(NAMES)(
  `${RUNS} filters over %s give the rows of a naive evaluation`,
  { timeout: 300_000 },
  async (name) => {
    await fc.assert(
      fc.asyncProperty(filterOf(name), async (filter) => {
        const expected = memory[name].filter((row) => satisfies(memory, row, filter))
        const text = write(filter)
        const { status, items } = await list(name, { filter: text })
        const backRelations = text.match(/_via_/g)?.length ?? 0
        const isTooCostly =
          text.length > QUERY_LIMITS.filterLength || backRelations > QUERY_LIMITS.backRelations
        expect(status).toBe(isTooCostly ? 400 : 200)
        if (isTooCostly) return
        expect(items.map(({ id }) => id).toSorted()).toEqual(
          expected.map(({ id }) => id).toSorted(),
        )
      }),
      { numRuns: RUNS },
    )
  },
)

test(
  'a malformed query gets a 400 with the position, never a 500',
  { timeout: 300_000 },
  async () => {
    const spoilt = fc
      .tuple(
        filterOf('sites').map(write),
        fc.nat(),
        fc.constantFrom(
          '(',
          ')',
          '"',
          "'",
          '&&',
          '?',
          '@',
          '.',
          ':',
          '\\',
          '//',
          '=',
          '~',
          '$1',
          ';',
          'strftime(',
          'geoDistance(1,2,',
        ),
      )
      .map(([text, at, junk]) => {
        const position = at % (text.length + 1)
        return text.slice(0, position) + junk + text.slice(position)
      })
    await fc.assert(
      fc.asyncProperty(fc.oneof(spoilt, fc.string({ maxLength: 40 })), async (filter) => {
        const answer = await fetch(
          `${stack.url}/api/collections/sites/records?${new URLSearchParams({ filter })}`,
        )
        const body = (await answer.json()) as {
          data?: { filter?: { params?: { position?: unknown } } }
        }
        const position = body.data?.filter?.params?.position
        const saysWhere = answer.status === 400 && typeof position === 'number'
        expect([filter, saysWhere || [200, 403].includes(answer.status)]).toEqual([filter, true])
      }),
      { numRuns: Math.ceil((RUNS * 4) / 3) },
    )
  },
)

test(
  'filters of the same shape have the same SQL text: values are bound',
  { timeout: 300_000 },
  async () => {
    const marked = (mark: string) =>
      `name = "${mark}" && (cost ~ "${mark}%" || connectors_via_site.standard ?!= "${mark}" || latitude > ${mark.length}.25) && name:lower != '${mark}'`
    const texts = new Set<string>()
    for (const mark of [
      'zqmark',
      'zq" or 1=1 --'.replaceAll('"', '\\"'),
      "zq$1'); drop".replaceAll("'", "\\'"),
    ]) {
      statements.length = 0
      expect((await list('sites', { filter: marked(mark) })).status).toBe(200)
      const [text = ''] = statements.filter((statement) => statement.includes('"sites"'))
      expect(text).not.toContain('zq')
      texts.add(text)
    }
    expect(texts.size).toBe(1)
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 8, maxLength: 20 }), async (text) => {
        statements.length = 0
        const mark = `zq${text}`
        await list('sites', {
          filter: `name = ${JSON.stringify(mark)}`,
          sort: mark,
          fields: mark,
          expand: mark,
        })
        expect(statements.join('\n')).not.toContain('zq')
      }),
      { numRuns: 200 },
    )
  },
)

const compareValues = (a: unknown, b: unknown): number => {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b as string))
  return Number(a) - Number(b)
}

test.each(NAMES)(
  'sorts of %s give the order of a naive evaluation',
  { timeout: 300_000 },
  async (name) => {
    const items = fc.uniqueArray(fc.constantFrom(...PATHS[name]), { minLength: 1, maxLength: 4 })
    const signed = items.chain((paths) =>
      fc.tuple(
        ...paths.map((path) => fc.constantFrom('', '-', '+').map((sign) => ({ path, sign }))),
      ),
    )
    await fc.assert(
      fc.asyncProperty(signed, async (sort) => {
        const smallest = (row: Row, path: string) => {
          const values = valuesOf(memory, row, path).filter((value) => value !== null)
          return values.toSorted(compareValues)[0] ?? null
        }
        const expected = memory[name].toSorted((a, b) => {
          for (const { path, sign } of sort) {
            const order = compareValues(smallest(a, path), smallest(b, path))
            // Missing values come first, in either direction.
            const missing = smallest(a, path) === null || smallest(b, path) === null
            if (order !== 0) return sign === '-' && !missing ? -order : order
          }
          // Ties are sorted in the direction of the last item.
          return sort.at(-1)?.sign === '-' ? compareValues(b.id, a.id) : compareValues(a.id, b.id)
        })
        const found = await list(name, {
          sort: sort.map(({ path, sign }) => sign + path).join(','),
        })
        expect(found.items.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
      }),
      { numRuns: Math.ceil(RUNS / 7.5) },
    )
  },
)

test.each([
  [
    'connectors_via_site.standard ?= "CHADEMO" && connectors_via_site.kw_rating ?>= 50',
    (connectors: readonly Row[]) =>
      connectors.some((one) => one['standard'] === 'CHADEMO' && Number(one['kw_rating']) >= 50),
  ],
  [
    'connectors_via_site.standard ?= "CHADEMO" && (cost = "x" || connectors_via_site.kw_rating ?= 2)',
    (connectors: readonly Row[]) =>
      connectors.some((one) => one['standard'] === 'CHADEMO' && one['kw_rating'] === 2),
  ],
  ['connectors_via_site.kw_rating ?< connectors_via_site.kw_rating', () => false],
  [
    'connectors_via_site.id != "" && connectors_via_site.standard = "CHADEMO" && connectors_via_site.kw_rating = 50',
    (connectors: readonly Row[]) =>
      connectors.length > 0 &&
      connectors.every((one) => one['standard'] === 'CHADEMO' && one['kw_rating'] === 50),
  ],
])('terms with ? refer to the same connector: %s', async (filter, holds) => {
  const expected = memory.sites.filter((site) =>
    holds(memory.connectors.filter((connector) => connector['site'] === site.id)),
  )
  const { items } = await list('sites', { filter })
  expect(items.map(({ id }) => id).toSorted()).toEqual(expected.map(({ id }) => id).toSorted())
})

// The random part of a stored name may also contain any of these words.
test.each([
  [
    'photos:each ?~ "quay" && photos:each ?~ "gate"',
    (names: readonly string[]) =>
      names.some((name) => name.includes('quay') && name.includes('gate')),
  ],
  [
    'photos:each ?~ "quay" && photos:each ?~ ".png"',
    (names: readonly string[]) => names.some((name) => name.includes('quay')),
  ],
  [
    'photos:each !~ "quay"',
    (names: readonly string[]) => names.length > 0 && names.every((name) => !name.includes('quay')),
  ],
  ['photos:each ~ ".png"', (names: readonly string[]) => names.length > 0],
])('%s', async (filter, holds) => {
  const { items } = await list('sites', { filter })
  const expected = memory.sites.filter(({ photos }) => holds(photos as string[]))
  expect(items.map(({ id }) => id).toSorted()).toEqual(expected.map(({ id }) => id).toSorted())
})

test.each(['contact_phone > null', 'name ~ null', 'name !~ null', 'null < name'])(
  'comparisons with null never match: %s',
  async (filter) => {
    expect((await list('sites', { filter })).items).toEqual([])
  },
)

test('letters of every language match case-insensitively', async () => {
  const named = async (filter: string) =>
    (await list('sites', { filter })).items.map(({ name }) => String(name)).toSorted()
  for (const filter of ['name ~ "É"', 'name ~ "é"', 'name:lower = "é"'])
    expect([filter, await named(filter)]).toEqual([filter, ['É', 'é']])
  expect(await named('name = "é"')).toEqual(['é'])
})

test('the distance to one of many rows uses both coordinates of the same row', async () => {
  const near = (km: number) =>
    `geoDistance(sites_via_business.longitude, sites_via_business.latitude, 0, 0) < ${km}`
  expect((await list('businesses', { filter: near(1) })).items).toHaveLength(1)
  // Longitude and latitude belong to the same site: no site is at 0 degrees east on the second parallel.
  const crossed = memory.sites.filter((site) => site['latitude'] === 2 && site['longitude'] === 0)
  const { items } = await list('businesses', {
    filter: 'geoDistance(sites_via_business.longitude, sites_via_business.latitude, 0, 2) < 1',
  })
  expect(items).toHaveLength(crossed.length === 0 ? 0 : 1)
})

const EXPANDS: Readonly<Record<Name, readonly string[]>> = {
  users: ['businesses_via_user', 'businesses(user)', 'nope', 'name', 'sites_via_business'],
  businesses: ['user', 'sites_via_business', 'sites(business)', 'nope'],
  sites: ['business', 'connectors_via_site', 'connectors(site)', 'business.nope'],
  connectors: ['site', 'site.business', 'site.connectors_via_site'],
}
const TARGETS: Readonly<Record<string, Name>> = {
  user: 'users',
  business: 'businesses',
  site: 'sites',
  businesses_via_user: 'businesses',
  'businesses(user)': 'businesses',
  sites_via_business: 'sites',
  'sites(business)': 'sites',
  connectors_via_site: 'connectors',
  'connectors(site)': 'connectors',
}

/** The record that a path of an expand adds; undefined if the path names no relation. */
const expandNaively = (name: Name, row: Row, path: readonly string[]): Row | undefined => {
  const [key = '', ...rest] = path
  const target = TARGETS[key]
  const field = COLLECTIONS[name].fields[key]
  const back = /^(\w+?)(?:_via_|\()(\w+)\)?$/.exec(key)
  const isBack =
    back?.[1] === target && COLLECTIONS[target ?? name].fields[back?.[2] ?? '']?.kind === 'relation'
  const pointsHere =
    isBack && (COLLECTIONS[target ?? name].fields[back?.[2] ?? ''] as { to: string }).to === name
  if (target === undefined || (field?.kind !== 'relation' && !pointsHere)) return undefined
  const found = memory[target].filter((other) =>
    pointsHere ? other[back?.[2] ?? ''] === row.id : other.id === row[key],
  )
  const deeper = found.map((other) =>
    rest.length === 0 ? other : expandNaively(target, other, rest),
  )
  if (rest.length > 0 && !(found.length === 0 ? expandable(target, rest) : deeper.every(Boolean)))
    return undefined
  if (found.length === 0) return { ...row, expand: {} }
  const single = field?.kind === 'relation' || key.startsWith('businesses')
  return { ...row, expand: { [key]: single ? deeper[0] : deeper } }
}

const expandable = (name: Name, path: readonly string[]): boolean => {
  const [key = '', ...rest] = path
  const target = TARGETS[key]
  const row = memory[name][0]
  if (target === undefined || row === undefined || expandNaively(name, row, [key]) === undefined)
    return false
  return rest.length === 0 || expandable(target, rest)
}

test.each(NAMES)(
  'expands of %s give the records of a naive evaluation',
  { timeout: 300_000 },
  async (name) => {
    const step = fc.constantFrom(...Object.values(EXPANDS).flat())
    const path = fc
      .tuple(fc.constantFrom(...EXPANDS[name]), fc.array(step, { maxLength: 2 }))
      .map(([first, rest]) => [first, ...rest].join('.'))
    await fc.assert(
      fc.asyncProperty(path, async (expand) => {
        const { status, items } = await list(name, { expand, sort: 'created' })
        const keys = expand.split('.')
        // A record that several records share must not lead back to many: each of them would contain all of these.
        const isBack = (key: string) => /_via_|\(/.test(key)
        const shared = keys.findIndex((key) => !isBack(key))
        const multiplies =
          shared !== -1 &&
          keys.slice(shared).some((key) => isBack(key) && !key.startsWith('businesses'))
        const isRelated = memory[name].some((row) => expandNaively(name, row, keys) !== undefined)
        const isTooCostly = isRelated && multiplies
        expect(status).toBe(isTooCostly ? 400 : 200)
        if (isTooCostly) return
        expect(items).toEqual(
          memory[name]
            .toSorted(
              (a, b) => compareValues(a['created'], b['created']) || compareValues(a.id, b.id),
            )
            .map((row) => expandNaively(name, row, keys) ?? row),
        )
      }),
      { numRuns: Math.ceil(RUNS / 7.5) },
    )
  },
)

/** Field selection as in the record interface 3.3, applied to the complete response. */
const pick = (value: unknown, paths: readonly (readonly string[])[]): unknown => {
  if (Array.isArray(value)) return value.map((item) => pick(item, paths))
  if (typeof value !== 'object' || value === null) return value
  const starts = new Set(paths.map(([key]) => key))
  const kept = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    const by = starts.has(key) ? key : '*'
    const below = paths.filter(([first]) => first === by).map(([, ...rest]) => rest)
    if (below.length === 0) return []
    return [[key, below.some((rest) => rest.length === 0) ? inner : pick(inner, below)]]
  })
  return Object.fromEntries(kept)
}

test(
  'fields select the same as a naive selection from the complete response',
  { timeout: 300_000 },
  async () => {
    const expand = 'sites_via_business.connectors_via_site,user'
    const [whole] = (await list('businesses', { expand })).items
    const names = [
      '*',
      'id',
      'name',
      'nope',
      'expand',
      'expand.*',
      'expand.*.id',
      'expand.*.name',
      'expand.user',
      'expand.user.id',
      'expand.user.*',
      'expand.sites_via_business.name',
      'expand.sites_via_business.*',
      'expand.sites_via_business.expand.connectors_via_site.kw_rating',
      'expand.sites_via_business.expand.*',
    ]
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 4 }),
        async (fields) => {
          const { items } = await list('businesses', { expand, fields: fields.join(', ') })
          expect(items).toEqual([
            pick(
              whole,
              fields.map((path) => path.split('.')),
            ),
          ])
        },
      ),
      { numRuns: Math.ceil(RUNS / 3.75) },
    )
  },
)

test.each([
  [
    `geoDistance(longitude, latitude, 0, 0) < 25`,
    (row: Row) => row['latitude'] === 0 && row['longitude'] === 0,
  ],
  [
    `geoDistance(longitude, latitude, 0, 0) <= 111.2 && latitude = 1`,
    (row: Row) => row['latitude'] === 1 && row['longitude'] === 0,
  ],
  [`created < @now && created > @yesterday`, () => true],
  [
    `strftime('%Y', created) = @year && strftime("%m", created, "+1 month") != strftime('%m', created)`,
    () => true,
  ],
  [
    `strftime('%Y-%m-%d', "2026-01-31 10:00:00", '+1 day', 'start of month') = "2026-02-01"`,
    () => true,
  ],
  [`strftime('%Y', name) = ""`, () => true],
])('%s', async (filter, holds) => {
  const { status, items } = await list('sites', { filter })
  expect(status).toBe(200)
  expect(items.map(({ id }) => id).toSorted()).toEqual(
    memory.sites
      .filter(holds)
      .map(({ id }) => id)
      .toSorted(),
  )
})

test.each([
  'geoDistance(1, 2, 3) = 1',
  'geoDistance("a", 2, 3, 4) = 1',
  'nothing(1) = 1',
  'sites(business) = 1',
  `strftime(name) = "x"`,
  `strftime('%Q') = "x"`,
  `strftime('%Y', 'now', '+99999 years') = "x"`,
  'name:foo = 1',
  'connectors_via_site = 1',
  'business.user.businesses_via_user.user.businesses_via_user.user.businesses_via_user.name = 1',
])('%s is a 400', async (filter) => {
  expect((await list('sites', { filter })).status).toBe(400)
})

test('excerpts are text without markup, truncated to the given length', async () => {
  const [business] = (
    await list('businesses', { fields: 'description:excerpt(6, true),name:excerpt(2)' })
  ).items
  expect(business).toEqual({ description: 'a Quay...', name: 'Qu' })
  const [trimmed] = (await list('businesses', { fields: '*:excerpt(2, true)' })).items
  expect(trimmed).toMatchObject({ description: 'a...', contact_email: '' })
  const written = 'Tom&nbsp;&amp; Jerry&#39;s &lt;b&gt; &quot;&amp;lt;&quot;&nbsp;'
  const { client } = await fill('Entities')
  const [other] = await client.collection('businesses').getFullList()
  await client.collection('businesses').update(other?.id ?? '', { description: written })
  expect(
    await client.collection('businesses').getOne(other?.id ?? '', {
      fields: 'description:excerpt(500)',
    }),
  ).toEqual({ description: `Tom\u00a0& Jerry's <b> "&lt;"` })
  const [whole] = (await list('businesses', { fields: 'description:excerpt(60, true)' })).items
  expect(whole).toEqual({ description: 'a Quay 10' })
  for (const fields of [
    'name:excerpt',
    'name:excerpt()',
    'name:excerpt(0)',
    'name:excerpt(a)',
    'name:foo(1)',
  ])
    expect([fields, (await list('businesses', { fields })).status]).toEqual([fields, 400])
})
