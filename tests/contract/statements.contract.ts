import { randomBytes } from 'node:crypto'

import { expect, test } from 'vitest'

import { signInThroughPage } from '../../scripts/provider/sign-in.ts'
import { makePhoto } from '../support/images.ts'
import { connectorBody, newOwner, newOwnerWithSite, siteBody } from '../support/owner.ts'
import { withStack } from '../support/fixtures.ts'
import { isBackground } from '../support/statements.ts'

// Spec 11: a read is one statement, whatever it contains; a write takes at most two in addition to BEGIN and COMMIT.

const statements: string[] = []
const stack = await withStack({
  env: { RATE_LIMITS: 'on' },
  onStatement: (text) => statements.push(text),
})
const owner = await newOwnerWithSite(stack.url)
for (let i = 0; i < 20; i += 1) {
  const site = await owner.client.collection('sites').create(siteBody(owner.business.id))
  await owner.client.collection('connectors').create(connectorBody(site.id))
}

const count = async (run: () => Promise<unknown>): Promise<number> => {
  statements.length = 0
  await run()
  return statements.filter((text) => !isBackground(text)).length
}

test('reads', async () => {
  const { client, business, site } = owner
  const everything = 'sites(business).connectors(site),user'
  const reads: Record<string, () => Promise<unknown>> = {
    one: () => client.collection('sites').getOne(site.id),
    'one with what it leads to': () =>
      client.collection('businesses').getOne(business.id, { expand: everything }),
    'a page of 30 with totals': () => client.collection('sites').getList(1, 30),
    'a filtered, sorted and expanded page': () =>
      client.collection('connectors').getList(1, 30, {
        filter: `site.business.user="${owner.id}" && site.name~"quay"`,
        sort: '-site.name,created',
        expand: 'site.business.user',
      }),
    'the dashboard': () =>
      client
        .collection('businesses')
        .getFirstListItem(`user="${owner.id}"`, { expand: everything }),
    'what is not there': () =>
      client
        .collection('sites')
        .getOne('nosuchrecord123')
        .catch(() => {}),
  }
  for (const [name, run] of Object.entries(reads))
    expect([name, await count(run)]).toEqual([name, 1])
})

test('writes', async () => {
  const { client, business, site } = owner
  let made = ''
  const create = async () => {
    made = (await client.collection('sites').create(siteBody(business.id))).id
  }
  expect(await count(create)).toBe(1)
  // begin, insert, the read of the expanded records, commit
  const expanded = () =>
    client.collection('sites').create(siteBody(business.id), { expand: 'business' })
  expect(await count(expanded)).toBe(4)
  // begin, select for update, update, commit
  expect(await count(() => client.collection('sites').update(site.id, { name: 'x' }))).toBe(4)
  expect(await count(() => client.collection('sites').delete(made))).toBe(1)
})

test('files', async () => {
  const { client, site } = owner
  const photo = await makePhoto('a.jpg', { width: 64, height: 64 })
  const changed = await client.collection('sites').update(site.id, { photos: [photo] })
  const url = client.files.getURL(changed, (changed['photos'] as string[])[0] ?? '')
  // Complete, in part, as a new thumbnail, and as a cached one.
  for (const [query, range] of [
    ['', ''],
    ['', 'bytes=0-1'],
    ['?thumb=100x100', ''],
    ['?thumb=100x100', ''],
  ] as const)
    expect(await count(() => fetch(`${url}${query}`, { headers: { range } }))).toBe(1)
  expect(await count(() => client.files.getToken())).toBe(1)
})

test('conditional reads, uploads and sessions', async () => {
  const { client, site } = owner
  const url = `${stack.url}/api/collections/sites/records/${site.id}`
  const headers = { authorization: client.authStore.token }
  const { headers: answered } = await fetch(url, { headers })
  const known = { ...headers, 'if-none-match': answered.get('etag') ?? '' }
  let status = 0
  const conditional = async () => {
    status = (await fetch(url, { headers: known })).status
  }
  expect([await count(conditional), status]).toEqual([1, 304])

  let names: string[] = []
  const photos = [await makePhoto('a.jpg', { width: 8, height: 8 })]
  const upload = async () => {
    names = (await client.collection('sites').update(site.id, { photos }))['photos'] as string[]
  }
  // begin, select for update, update, commit
  expect(await count(upload)).toBe(4)
  const removal = { 'photos-': names.slice(0, 1) }
  expect(await count(() => client.collection('sites').update(site.id, removal))).toBe(4)

  // The new session, and the record in the response.
  expect(await count(() => client.collection('users').authRefresh())).toBe(2)
  // begin, look up the user, create the user and the link, commit; then as for a refresh.
  expect(await count(() => newOwner(stack.url))).toBe(7)
})

/** A node of a PostgreSQL query plan, and its children. */
interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly Plan[]
}

const tablesReadWhole = (plan: Plan): string[] => {
  const isWhole =
    plan['Node Type'] === 'Seq Scan' ||
    (/^Index (Only )?Scan$/.test(plan['Node Type']) && plan['Index Cond'] === undefined)
  return [
    ...(isWhole ? [plan['Relation Name'] ?? ''] : []),
    ...(plan.Plans ?? []).flatMap(tablesReadWhole),
  ]
}

test('every statement uses an index', async () => {
  const { client, business, site } = owner
  const person = { name: 'Ada Byron', email: `ada-${randomBytes(6).toString('hex')}@example.org` }
  statements.length = 0
  for (const _ of [1, 2]) await signInThroughPage(stack.url, person)
  await client.collection('users').authRefresh()
  await client
    .collection('businesses')
    .getFirstListItem(`user="${owner.id}"`, { expand: 'sites(business).connectors(site),user' })
  await client
    .collection('sites')
    .getList(2, 20, { sort: '-created', filter: 'status="AVAILABLE"' })
  await client.collection('changes').getList(1, 20, { filter: `record="${site.id}"` })
  const made = await client.collection('sites').create(siteBody(business.id))
  await client.collection('sites').update(made.id, { name: 'Elsewhere' })
  await client.collection('sites').delete(made.id)

  const sent = new Set(
    statements.filter(
      (text) => /^\s*(with|select|insert|update|delete)\b/.test(text) && !isBackground(text),
    ),
  )
  const plans = await stack.sql.begin(async (sql) => {
    // The generic plan, with a sequential scan only if there is no index.
    await sql`set local plan_cache_mode = force_generic_plan`
    await sql`set local enable_seqscan = off`
    const found: { statement: string; whole: readonly string[] }[] = []
    for (const statement of sent) {
      const [row] = await sql.unsafe<{ 'QUERY PLAN': { Plan: Plan }[] }[]>(
        `explain (generic_plan, format json) ${statement}`,
      )
      const whole = row?.['QUERY PLAN'].flatMap((each) => tablesReadWhole(each.Plan)) ?? []
      if (whole.length > 0) found.push({ statement, whole })
    }
    return found
  })
  expect(sent.size).toBeGreaterThan(10)
  expect(plans).toEqual([])
})
