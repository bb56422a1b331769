import { randomInt } from 'node:crypto'

import { afterAll, expect, test } from 'vitest'

import { MiB } from '#domain/limits.ts'
import { API } from '#domain/paths.ts'
import { SITES } from '#domain/collection.ts'

import { report, times } from './figures.ts'
import { fetchData } from '../../web/data/records.ts'
import { newOwnerWithSite } from '../support/owner.ts'
import { withStack } from '../support/fixtures.ts'

// Clients cannot fill the memory of the database with prepared statements, however many different queries they send.

const FEW = 100
const MANY = times(600, 100_000)
const AT_ONCE = 12
const MAX_MS = 3_600_000
/** The software's own statements, and twice the 48 client statements per lifetime of a connection. */
const MAX_PREPARED = 160

const stack = await withStack()
const owner = await newOwnerWithSite(stack.url)

/** Runs a query in each session of the server's pool. */
const inEverySession = async <Row>(text: string): Promise<Row[]> => {
  const sessions = await Promise.all(Array.from({ length: 6 }, () => stack.pool.reserve()))
  try {
    const answers = await Promise.all(sessions.map((session) => session.unsafe(text)))
    return answers.flat() as Row[]
  } finally {
    for (const session of sessions) session.release()
  }
}

/** The number of prepared statements, and the total memory in bytes. */
const lookInto = () =>
  inEverySession<{ prepared: number; bytes: number }>(
    `select (select count(*)::int from pg_prepared_statements) as prepared,
      (select sum(total_bytes)::float8 from pg_backend_memory_contexts) as bytes`,
  )

const pick = (texts: readonly string[]): string => texts[randomInt(texts.length)] ?? ''

/** A filter whose shape is new, with high probability. */
const newFilter = (terms: number): string =>
  Array.from({ length: terms }, () => {
    const path = pick(['name', 'address', 'cost', 'status', 'business.name', 'contact_phone', 'id'])
    const operator = pick(['=', '!=', '~', '!~', '>', '<', '>=', '<='])
    return `${path} ${operator} "a" ${pick(['&&', '||'])} `
  }).join('') + 'id != ""'

/** Requests lists with this many different filters; repeats some of them, so that they are prepared. */
const ask = async (shapes: number, terms: number, token: string): Promise<void> => {
  let left = shapes
  const work = async (): Promise<void> => {
    while (left-- > 0) {
      const query = `?filter=${encodeURIComponent(newFilter(terms))}`
      const repeats = left % 4 === 0 ? 3 : 1
      for (let time = 0; time < repeats; time++) {
        const headers = { authorization: token }
        const answer = await fetch(stack.url + API.records(SITES) + query, { headers })
        expect(answer.status, await answer.text()).toBe(200)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

test(
  'an owner who keeps sending new queries uses no more memory than after a hundred',
  async () => {
    const { token } = owner.client.authStore
    await ask(FEW, 6, token)
    const before = await lookInto()
    await ask(MANY, 6, token)
    const after = await lookInto()
    const most = (values: readonly { prepared: number; bytes: number }[]) => ({
      prepared: Math.max(...values.map(({ prepared }) => prepared)),
      bytes: Math.max(...values.map(({ bytes }) => bytes)),
    })
    expect(most(after).prepared).toBeLessThan(MAX_PREPARED)
    expect(most(after).bytes - most(before).bytes).toBeLessThan(4 * MiB)
  },
  MAX_MS,
)

test('the query of a guest is parsed, but sends no statement', async () => {
  // Background tasks prepare their own statements meanwhile.
  const ofSites = () =>
    inEverySession<{ count: number }>(
      `select count(*)::int as count from pg_prepared_statements where statement like '%from "sites"%'`,
    )
  const before = await ofSites()
  expect(Math.max(...before.map(({ count }) => count))).toBeGreaterThan(0)
  await ask(FEW, 59, '')
  expect(await ofSites()).toEqual(before)
  const url = stack.url + API.records(SITES)
  const empty = await (await fetch(`${url}?filter=name="x"&sort=-name&expand=business`)).json()
  expect(empty).toEqual({ items: [], page: 1, perPage: 30, totalItems: 0, totalPages: 0 })
  expect((await fetch(`${url}?filter=name="x"))`)).status).toBe(400)
  expect((await fetch(`${url}/${owner.site.id}`)).status).toBe(404)
})

test('statements that the app repeats stay prepared', async () => {
  // A different owner from the one who sent all the queries.
  const { client, id } = await newOwnerWithSite(stack.url)
  for (let time = 0; time < 20; time++) await fetchData(client, id)
  const rows = await inEverySession<{ text: string }>(
    'select statement as text from pg_prepared_statements',
  )
  const texts = rows.map(({ text }) => text)
  expect(texts.some((text) => text.includes('from "businesses" t'))).toBe(true)
  expect(texts.some((text) => text.includes('from "connectors" t'))).toBe(true)
})

afterAll(() => report('Different questions', { failures: 0, questions: FEW + MANY }))
