import { randomBytes } from 'node:crypto'

import { beforeEach, expect, onTestFinished, test } from 'vitest'

import { API } from '#domain/paths.ts'
import { SITES, USERS } from '#domain/collection.ts'

import { connect } from '../../server/db/connect.ts'
import { openDatabase } from '../../server/db/open.ts'
import { demandOwnSessions } from '../../server/db/own-sessions.ts'
import { times } from '../proof/figures.ts'
import { newOwnerWithSite } from '../support/owner.ts'
import { startPooler, type PoolMode } from '../support/pooler.ts'
import { postgresSocketFolder } from '../support/postgres.ts'
import { startStack } from '../support/stack.ts'

// The server behind a real PgBouncer, in each of its three pool modes.

/** The number for each of two users. */
const REQUESTS = times(2_000, 10_000)
const AT_ONCE = 12
const MAX_MS = 600_000

let database: string
let direct: string
beforeEach(async () => {
  database = `pooled_${randomBytes(6).toString('hex')}`
  const folder = encodeURIComponent(await postgresSocketFolder())
  const admin = connect(
    { url: `postgres://voltleaf@localhost/postgres?host=${folder}` },
    { max: 1 },
  )
  await admin`create database ${admin(database)}`
  await admin.end()
  direct = `postgres://voltleaf@localhost/${database}?host=${folder}`
})

const refusal = (mode: PoolMode) =>
  new RegExp(
    `^The database at DATABASE_URL \\(.*\\) is behind a connection pooler in ${mode} mode, .*Set the pooler to session mode .*direct address of the database\\.$`,
  )

test.each([
  { mode: 'transaction', poolSize: 20 },
  { mode: 'transaction', poolSize: 1 },
  { mode: 'statement', poolSize: 20 },
  { mode: 'statement', poolSize: 1 },
] as const)('a start behind $mode mode, pool of $poolSize, is refused', async (pool) => {
  const pooler = await startPooler(pool.mode, pool.poolSize)
  onTestFinished(() => pooler.close())
  const started = startStack({ env: { DATABASE_URL: pooler.url(database) } })
  await expect(started).rejects.toThrow(refusal(pool.mode))
  const sql = await openDatabase({ url: direct }, { max: 1 })
  onTestFinished(() => sql.end())
  // Nothing was written before.
  expect(await sql`select 1 from pg_tables where schemaname = 'public'`).toHaveLength(0)
})

test('a pooler in session mode with one connection is reported as too small', async () => {
  const pooler = await startPooler('session', 1)
  onTestFinished(() => pooler.close())
  const asked = demandOwnSessions(pooler.url(database), { connectMs: 1000 })
  await expect(asked).rejects.toThrow(/ lets in one connection and keeps the next one waiting: /)
})

test(
  'behind session mode, with its defaults, every response belongs to its request',
  async () => {
    const pooler = await startPooler('session')
    onTestFinished(() => pooler.close())
    const stack = await startStack({ env: { DATABASE_URL: pooler.url(database) } })
    onTestFinished(() => stack.close())
    const people = await Promise.all([newOwnerWithSite(stack.url), newOwnerWithSite(stack.url)])
    const wrong = await Promise.all(
      people.map(async ({ client, id, business, site }) => {
        const ask = async (path: string, init: RequestInit = {}): Promise<unknown> => {
          const headers = {
            authorization: client.authStore.token,
            'content-type': 'application/json',
          }
          const answer = await fetch(stack.url + path, { ...init, headers })
          const body: unknown = await answer.json()
          return answer.status === 200 ? body : `${answer.status} ${JSON.stringify(body)}`
        }
        const asks: readonly ((turn: number) => Promise<[unknown, unknown]>)[] = [
          async () => [await ask(API.record(USERS, id)), { id }],
          async () => [await ask(API.records(SITES)), { totalItems: 1, items: [{ id: site.id }] }],
          async () => [
            await ask(
              `${API.records(SITES)}?filter=${encodeURIComponent('name != "x"')}&sort=-name`,
            ),
            { items: [{ id: site.id, business: business.id }] },
          ],
          async () => [
            await ask(`${API.record(SITES, site.id)}?expand=business`),
            { id: site.id, expand: { business: { id: business.id, user: id } } },
          ],
          async (turn) => {
            const body = JSON.stringify({ cost: `${id} ${turn}` })
            const changed = await ask(API.record(SITES, site.id), { method: 'PATCH', body })
            return [changed, { id: site.id, cost: `${id} ${turn}` }]
          },
        ]
        const problems: string[] = []
        let turn = 0
        const work = async (): Promise<void> => {
          while (turn < REQUESTS) {
            const mine = turn++
            // Eleven reads per write.
            const kind = mine % 12 === 0 ? 4 : mine % 4
            const [answer, expected] = await asks[kind]!(mine)
            try {
              expect(answer).toMatchObject(expected as object)
            } catch {
              if (problems.length < 3) problems.push(JSON.stringify(answer))
            }
          }
        }
        await Promise.all(Array.from({ length: AT_ONCE }, work))
        return problems
      }),
    )
    expect(wrong).toEqual([[], []])
    expect(stack.logged).toEqual([])
  },
  MAX_MS,
)

test('a pooler that changes to transaction mode later ends the server', async () => {
  const pooler = await startPooler('session')
  onTestFinished(() => pooler.close())
  const lost = Promise.withResolvers<Error>()
  const stack = await startStack({
    env: { DATABASE_URL: pooler.url(database) },
    onLost: lost.resolve,
  })
  const over = new AbortController()
  onTestFinished(async () => {
    over.abort()
    await stack.close()
  })
  const { client, site } = await newOwnerWithSite(stack.url)
  const headers = { authorization: client.authStore.token }
  const read = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const answer = await fetch(stack.url + API.record(SITES, site.id), { headers })
      await answer.text()
    }
  }
  const readers = Array.from({ length: AT_ONCE }, read)
  await pooler.change('transaction')
  const { message } = await lost.promise
  expect(message).toMatch(refusal('transaction'))
  over.abort()
  await Promise.all(readers)
})

test('PostgreSQL itself is not mistaken for a pooler', async () => {
  await expect(demandOwnSessions(direct)).resolves.toBeUndefined()
})
