import * as z from 'zod/mini'
import PocketBase from 'pocketbase'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { SITES, type Collection } from '#domain/collection.ts'
import { createSchema, SCHEMA } from '#domain/collections.ts'
import { sites } from '#domain/site.ts'

import { newOwnerWithSite } from '../support/owner.ts'
import { startStack, type Stack } from '../support/stack.ts'
import { provideEventSource } from '../support/event-source.ts'

// The kinds of fields, tested with fields that the product does not have.

const plan = z.strictObject({
  open: z.boolean(),
  floors: z.optional(z.array(z.int().check(z.gte(-5, { error: 'Too deep.' })))),
  note: z.optional(z.string()),
})

const withKinds = {
  ...sites,
  fields: {
    ...sites.fields,
    badges: { kind: 'select', values: ['QUIET', 'ROOFED', 'STAFFED', 'LIT'], maxCount: 3 },
    plan: { kind: 'json', schema: () => Promise.resolve(plan), maxBytes: 60 },
    seen: { kind: 'date' },
    listed: { kind: 'bool', default: true },
    clearance: { kind: 'number', above: 0, max: 20 },
    shade: { kind: 'text', max: 7, format: { pattern: /^#[0-9a-f]{6}$/, example: '#2eaeff' } },
    blocked: { kind: 'bool', managed: true },
  },
} as const satisfies Collection

let without: Stack
let stack: Stack
beforeAll(async () => {
  provideEventSource()
  without = await startStack()
  await without.sql.unsafe(`
    alter table sites
      add column badges text[] collate "C" not null default '{}',
      add column plan jsonb not null default 'null',
      add column seen text collate "C" not null default '',
      add column listed boolean not null default true,
      add column clearance double precision not null default 0,
      add column shade text collate "C" not null default '',
      add column blocked boolean not null default false`)
  const declarations = SCHEMA.declarations.map((each) => (each.name === SITES ? withKinds : each))
  // Runs next to a server without these fields.
  stack = await startStack({ beside: without, schema: createSchema(declarations) })
})
afterAll(async () => {
  await stack.close()
  await without.close()
})

/** An owner with a site, at the server with these fields. */
const newSite = async () => {
  const owner = await newOwnerWithSite(without.url)
  const client = new PocketBase(stack.url)
  client.autoCancellation(false)
  client.authStore.save(owner.client.authStore.token, owner.client.authStore.record)
  const own = client.collection(SITES)
  const { id } = owner.site
  return {
    id,
    owner,
    client,
    own,
    update: (values: object) => own.update(id, values),
    found: async (filter: string) => (await own.getFullList({ filter })).length === 1,
    refused: (values: object) =>
      own.update(id, values).then(
        () => undefined,
        (error: { response: { data: object } }) => error.response.data,
      ),
  }
}

const EMPTY = { badges: [], plan: null, seen: '', listed: true, clearance: 0, shade: '' }

test('an absent field is empty or the default, and an older client leaves it unchanged', async () => {
  const { id, own, owner, update } = await newSite()
  expect(await own.getOne(id)).toMatchObject(EMPTY)
  expect(await own.getOne(id, { fields: 'plan,badges,listed' })).toEqual({
    badges: [],
    plan: null,
    listed: true,
  })
  const said = { badges: ['LIT'], plan: { open: true }, listed: false, clearance: 2.5 }
  await update(said)
  // Also through a server that does not know the fields.
  await owner.client.collection(SITES).update(id, { name: 'Pier' })
  expect(await own.getOne(id)).toMatchObject({ ...said, name: 'Pier' })
  // A record may be written back as it was read.
  expect(await update({ ...(await own.getOne(id)), clearance: 0 })).toMatchObject({ clearance: 0 })
})

test('several choices', async () => {
  const { update, refused, found, own } = await newSite()
  const badges = async (values: object) => (await update(values))['badges'] as unknown
  expect(await badges({ badges: ['ROOFED', 'QUIET', 'ROOFED', ''] })).toEqual(['ROOFED', 'QUIET'])
  expect(await badges({ 'badges+': 'LIT', 'badges-': ['ROOFED', 'STAFFED'] })).toEqual([
    'QUIET',
    'LIT',
  ])
  expect(await badges({ '+badges': ['STAFFED', 'LIT'] })).toEqual(['STAFFED', 'LIT', 'QUIET'])
  expect(await refused({ 'badges+': 'ROOFED' })).toMatchObject({
    badges: { code: 'validation_too_many_values', params: { maxSelect: 3 } },
  })
  expect(await refused({ badges: ['LOUD'] })).toMatchObject({
    badges: { code: 'validation_invalid_value', params: { value: 'LOUD' } },
  })
  const form = new FormData()
  form.append('badges', 'QUIET')
  form.append('badges', 'LIT')
  expect(await badges(form)).toEqual(['QUIET', 'LIT'])
  expect(await badges({ badges: '["LIT","QUIET"]' })).toEqual(['LIT', 'QUIET'])

  // As in PocketBase, a comparison without a modifier uses the JSON text.
  expect(await found('badges ~ "QUIET"')).toBe(true)
  expect(await found('badges = "QUIET"')).toBe(false)
  expect(await found('badges:each ?= "QUIET"')).toBe(true)
  expect(await found('badges:each = "QUIET"')).toBe(false)
  expect(await found('badges:each != "ROOFED"')).toBe(true)
  expect(await found('badges:length = 2')).toBe(true)
  expect(await own.getFullList({ sort: '-badges,id' })).toHaveLength(1)
  for (const nothing of [[], '', null]) expect(await badges({ badges: nothing })).toEqual([])
  expect(await found('badges:length = 0')).toBe(true)
})

test('JSON with a schema', async () => {
  const { id, update, refused, found, own } = await newSite()
  const stored = async (values: object) => (await update(values))['plan'] as unknown
  const full = { open: true, floors: [2, -1], note: 'a "b" \\u0000' }
  expect(await stored({ plan: full })).toEqual(full)
  expect(await stored({ plan: JSON.stringify(full) })).toEqual(full)
  const { items } = await own.getList(1, 1, { filter: `id = "${id}"` })
  expect(items).toMatchObject([{ plan: full }])

  expect(await refused({ plan: { open: true, floors: [-9] } })).toMatchObject({
    plan: { code: 'validation_json_shape', params: { path: 'floors.0', reason: 'Too deep.' } },
  })
  expect(await refused({ plan: { open: 'yes' } })).toMatchObject({
    plan: { code: 'validation_json_shape', params: { path: 'open' } },
  })
  for (const wrong of ['{"open":', 'open', [1], 7, true])
    expect(await refused({ plan: wrong })).toHaveProperty('plan')
  expect(await refused({ plan: { open: true, note: 'é'.repeat(30) } })).toMatchObject({
    plan: { code: 'validation_json_size_limit', params: { maxSize: 60 } },
  })
  for (const note of ['\0', '\ud800'])
    expect(await refused({ plan: { open: true, note } })).toMatchObject({
      plan: { code: 'validation_invalid_format' },
    })

  expect(await found('plan.open = true')).toBe(true)
  expect(await found('plan.open = 1')).toBe(true)
  expect(await found('plan.open = false')).toBe(false)
  expect(await found('plan.floors.0 > 1')).toBe(true)
  expect(await found('plan.floors.0 = "2"')).toBe(true)
  expect(await found('plan.floors.1 = -1 && plan.note ~ "A%"')).toBe(true)
  expect(await found('plan.nothing = null')).toBe(true)
  expect(await found('plan.nothing = ""')).toBe(false)
  expect(await found('plan.nothing != "x"')).toBe(true)
  expect(await found('plan = null')).toBe(false)
  expect(await found('business.sites_via_business.plan.open ?= true')).toBe(true)
  expect(await own.getFullList({ sort: 'plan.note,-plan' })).toHaveLength(1)

  for (const nothing of [null, '', 'null']) {
    await update({ plan: full })
    expect(await stored({ plan: nothing })).toBeNull()
  }
  expect(await found('plan = null')).toBe(true)
})

test('a date', async () => {
  const { update, refused, found } = await newSite()
  const seen = async (value: unknown) => (await update({ seen: value }))['seen'] as unknown
  expect(await seen('2026-03-01')).toBe('2026-03-01 00:00:00.000Z')
  expect(await seen('2026-03-01T10:00:00+02:00')).toBe('2026-03-01 08:00:00.000Z')
  expect(await seen('2026-03-01 08:00:00.123Z')).toBe('2026-03-01 08:00:00.123Z')
  expect(await refused({ seen: 'yesterday' })).toMatchObject({
    seen: { code: 'validation_invalid_format', params: { example: '2026-12-31' } },
  })
  expect(await found('seen >= "2026-03-01" && seen < "2026-03-01T08:00:00.200Z"')).toBe(true)
  expect(await found('seen > @now')).toBe(false)
  // A time with a zone is a point in time, in any notation.
  expect(await seen('2026-03-01 08:00:00Z')).toBe('2026-03-01 08:00:00.000Z')
  for (const moment of ['08:00:00Z', '08:00Z', '10:00:00+02:00', '05:30-02:30', '08:00:00.0000Z']) {
    expect(await found(`seen = "2026-03-01T${moment}" && "2026-03-01 ${moment}" >= seen`)).toBe(
      true,
    )
    expect(await found(`seen < "2026-03-01T${moment}" || seen > "2026-03-01T${moment}"`)).toBe(
      false,
    )
  }
  // Any other text is compared as a prefix.
  expect(await found('seen > "2026-03-01" && seen > "2026-03-01T08:00" && seen ~ "2026-03"')).toBe(
    true,
  )
  expect(await found('seen != "2026-03-01T25:00:00Z"')).toBe(true)
  expect(await found('strftime("%Y-%m", seen) = "2026-03"')).toBe(true)
  expect(await seen('')).toBe('')
  expect(await found('seen = "" && strftime("%Y", seen) = ""')).toBe(true)
})

test('a default, an optional number, a format, and a field that only superusers may set', async () => {
  const { owner, own, update, refused } = await newSite()
  const made = await own.create({
    name: 'Mole',
    address: '1 Mole',
    latitude: 1,
    longitude: 2,
    business: owner.business.id,
    listed: false,
  })
  expect(made).toMatchObject({ ...EMPTY, listed: false })
  // `null` means the default for a new record, and no value for an existing one.
  expect(await own.create({ ...made, id: '', listed: null })).toMatchObject({ listed: true })
  for (const listed of [false, true]) {
    await update({ listed })
    expect(await refused({ listed: null })).toMatchObject({
      listed: { code: 'validation_required' },
    })
    expect(await update({})).toMatchObject({ listed })
  }
  expect(await refused({ clearance: -1 })).toHaveProperty('clearance')
  expect(await update({ clearance: 4 })).toMatchObject({ clearance: 4 })
  expect(await refused({ shade: 'blue' })).toMatchObject({
    shade: { code: 'validation_invalid_format', params: { example: '#2eaeff' } },
  })
  expect(await update({ shade: '#000000', blocked: false })).toMatchObject({ shade: '#000000' })
  expect(await refused({ blocked: true })).toMatchObject({
    blocked: { code: 'validation_values_mismatch' },
  })
  await expect(own.create({ ...made, id: '', blocked: true })).rejects.toMatchObject({
    response: { data: { blocked: { code: 'validation_values_mismatch' } } },
  })
})

test('the audit log and events contain these fields as records do', async () => {
  const { id, client, own, update } = await newSite()
  const heard: object[] = []
  await own.subscribe(id, ({ record }) => heard.push(record))
  const said = { badges: ['LIT', 'QUIET'], plan: { open: false }, seen: '2026-01-02 00:00:00.000Z' }
  await update(said)
  await update({ plan: null })
  await expect.poll(() => heard).toMatchObject([said, { ...said, plan: null }])
  await own.unsubscribe()
  const changes = await client
    .collection('changes')
    .getFullList({ filter: `record = "${id}" && action = "update"`, sort: 'id' })
  expect(changes).toMatchObject([
    { before: { badges: [], plan: null, seen: '' }, after: said },
    { before: { plan: { open: false } }, after: { plan: null } },
  ])
})

test('the description of the API contains their schemas', async () => {
  const answer = await fetch(`${stack.url}/api/openapi.json`)
  const { components } = (await answer.json()) as {
    components: {
      schemas: Record<
        string,
        { properties: Record<string, object>; patternProperties?: Record<string, object> }
      >
    }
  }
  expect(components.schemas['Site']?.properties).toMatchObject({
    badges: { type: 'array', items: { enum: ['QUIET', 'ROOFED', 'STAFFED', 'LIT'] } },
    plan: { anyOf: [{ type: 'null' }, { $ref: '#/components/schemas/SitePlan' }] },
  })
  expect(components.schemas['SitePlan']).toMatchObject({ type: 'object', required: ['open'] })
  expect(components.schemas['SiteInput']?.properties).toMatchObject({
    badges: { maxItems: 3 },
    listed: { type: 'boolean', default: true },
    shade: { pattern: '^$|^#[0-9a-f]{6}$' },
    clearance: { anyOf: [{ const: 0 }, { exclusiveMinimum: 0, maximum: 20 }] },
  })
  const modifiers = Object.entries(components.schemas['SiteInput']?.patternProperties ?? {})
  for (const key of ['badges-', 'badges+', '+badges'])
    expect(modifiers.filter(([pattern]) => new RegExp(pattern).test(key))).toMatchObject([
      [expect.anything(), { type: 'array' }],
    ])
})
