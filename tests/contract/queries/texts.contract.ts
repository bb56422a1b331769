import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { newOwner, siteBody } from '../../support/owner.ts'
import { withStack } from '../../support/fixtures.ts'
import { inLowerCase } from './naive.ts'

// For any text, a filter built with the SDK's pb.filter() matches exactly that text.

/** Texts that are hard to quote, and similar ones. */
const HARD = [
  '\\',
  '\\\\',
  '\\\\\\',
  '"',
  "'",
  '\\"',
  "\\'",
  'a\\b',
  'a\\\\b',
  'ab',
  'a\\nb',
  'a\nb',
  'a\tb',
  'a\\tb',
  'a\r\nb',
  'a\u0001b',
  'a\\u0001b',
  'it\'s "so"',
  ' || id != null //'.trim(),
  '" || id != null //',
  'a_b',
  'axb',
  'a\\_b',
  '50',
  '50%',
  '50\\%',
  '\\%',
  '\\_',
  '{:b}',
  '$1',
  '🔌',
  '2026-05-05T10:00',
  '2026-05-05 10:00',
]

/** A required text has a visible character. */
const VISIBLE = /[^\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Z}]/u

/** A text as a field stores it: trimmed, visible, storable in PostgreSQL; see `unquote` for the last two. */
const storable = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 12 })
  .map((text) => text.replaceAll(/[\0\b\f]/g, '\\').trim())
  .filter((text) => VISIBLE.test(text) && text.isWellFormed())
const quotable = fc
  .array(fc.constantFrom('\\', '"', "'", '\n', '\t', '%', '_', 'a', 'b', 'n'), {
    minLength: 1,
    maxLength: 6,
  })
  .map((characters) => characters.join('').trim())
  .filter((text) => VISIBLE.test(text))
const text = fc.oneof(fc.constantFrom(...HARD), quotable, storable)

const texts = [...HARD, ...fc.sample(text, 100)]

const stack = await withStack()
const owner = await newOwner(stack.url)
const client = owner.client
const business = await client.collection('businesses').create({ user: owner.id })
const batch = client.createBatch()
for (const [index, name] of texts.entries())
  batch.collection('sites').create({ ...siteBody(business.id), name, cost: texts.at(-index) })
await batch.send()
const stored: readonly { id: string; name: string; cost: string }[] = await client
  .collection('sites')
  .getFullList({ fields: 'id,name,cost' })

const find = async (filter: string): Promise<string[]> => {
  const found = await client.collection('sites').getFullList({ filter, fields: 'id' })
  return found.map(({ id }) => id).toSorted()
}

const idsOf = (holds: (site: (typeof stored)[number]) => boolean): string[] =>
  stored
    .filter(holds)
    .map(({ id }) => id)
    .toSorted()

test('texts are stored as sent', () => {
  expect(stored.map(({ name }) => name).toSorted()).toEqual(texts.toSorted())
})

test('for any two texts, pb.filter() finds exactly the records whose fields contain them', async () => {
  const pair = fc.oneof(
    fc.tuple(text, text),
    fc.nat().map((at) => {
      const site = stored[at % stored.length]
      return [site?.name ?? '', site?.cost ?? ''] as const
    }),
  )
  await fc.assert(
    fc.asyncProperty(pair, async ([a, b]) => {
      const both = client.filter('name = {:a} && cost = {:b}', { a, b })
      expect(await find(both)).toEqual(idsOf(({ name, cost }) => name === a && cost === b))
      // In the other kind of quotes, as a program may write it.
      const single = both.replaceAll(
        /"(?:[^"\\]|\\.)*"/gs,
        (literal) => `'${literal.slice(1, -1).replaceAll("'", "\\'")}'`,
      )
      expect(await find(single)).toEqual(await find(both))
      expect(await find(client.filter('name = {:a} || cost = {:b}', { a, b }))).toEqual(
        idsOf(({ name, cost }) => name === a || cost === b),
      )
      expect(await find(client.filter('name != {:a} && cost != {:b}', { a, b }))).toEqual(
        idsOf(({ name, cost }) => name !== a && cost !== b),
      )
    }),
    { numRuns: 100 },
  )
})

test('for any text without wildcards or with escaped ones, ~ finds exactly the records that contain it', async () => {
  // A database with the locale C only folds ASCII.
  const isAscii = (value: string) => /^\p{ASCII}*$/u.test(value)
  const compared = new Set(idsOf(({ name, cost }) => isAscii(name + cost)))
  const plain = text.filter((wanted) => !/%|\\_/.test(wanted) && isAscii(wanted))
  const contains = (value: string, wanted: string) =>
    inLowerCase(value).includes(inLowerCase(wanted))
  await fc.assert(
    fc.asyncProperty(plain, plain, async (a, b) => {
      const found = await find(client.filter('name ~ {:a} || cost !~ {:b}', { a, b }))
      expect(found.filter((id) => compared.has(id))).toEqual(
        idsOf(
          ({ id, name, cost }) => compared.has(id) && (contains(name, a) || !contains(cost, b)),
        ),
      )
    }),
    { numRuns: 100 },
  )
})

test.each([
  ['a\\_b', /a_b/is],
  ['50\\%', /50%/is],
  ['a\\_b%', /^a_b/is],
  ['a_b%', /^a.b/is],
  ['%\\%', /%$/is],
  ['\\\\%', /^\\/is],
  ['a\\b%', /^a\\b/is],
  ['%\\', /\\$/is],
])('as a pattern, %j matches what it describes', async (pattern, expected) => {
  expect(await find(client.filter('name ~ {:pattern}', { pattern }))).toEqual(
    idsOf(({ name }) => expected.test(name)),
  )
})

test('a text that cannot be stored matches nothing', async () => {
  expect(await find(client.filter('name = {:wanted}', { wanted: '\ud800' }))).toEqual([])
})

test('texts are compared by their bytes, whatever the collation of the database', async () => {
  // In nearly every locale, "[" comes before "Q", and "a" before "Z".
  for (const filter of ['"Q" < "["', '"Z" < "a"', '"z" < "ä"', '"B" > "A"']) {
    const opposite = filter.replace(/[<>]/, (sign) => (sign === '<' ? '>=' : '<='))
    expect([filter, (await find(filter)).length]).toEqual([filter, texts.length])
    expect([opposite, await find(opposite)]).toEqual([opposite, []])
  }
})
