import { randomInt } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import type PocketBase from 'pocketbase'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { API } from '#domain/api.ts'
import { BUSINESSES, CONNECTORS, SITES, USERS } from '#domain/collection.ts'

import { withProvider } from '../../scripts/provider.ts'
import { readConfig } from '../../server/config.ts'
import { connect, type Sql } from '../../server/db/db.ts'
import { findRunningDatabase } from '../../server/db/embedded.ts'
import { chooseFreePort, serve, type RunningServer } from '../../server/main.ts'
import { report, times } from '../proof/figures.ts'
import { connectorBody, newOwnerWithSite, siteBody } from '../support/owner.ts'

// A process that owns its database knows what has not changed; and never a moment too long (decision 0033).

const RACE_READS = times(4000, 100_000)

let server: RunningServer
let folder: string
let dataDir: string
let closeProvider: () => Promise<void>
let statements = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'voltleaf-sole-'))
  // Others may pass, not look: the database's account must get through when root starts it.
  await chmod(folder, 0o755)
  dataDir = join(folder, 'data')
  const { config, provider } = await withProvider(
    await chooseFreePort(readConfig({ PORT: '0', DATA_DIR: dataDir, RATE_LIMITS: 'off' })),
  )
  closeProvider = async () => provider?.close()
  server = await serve(config, { log: () => {}, onStatement: () => statements++ })
})
afterAll(async () => {
  await server.close()
  await closeProvider()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** Somebody else at the database, as with psql. */
const comeIn = async (): Promise<Sql> => {
  const place = await findRunningDatabase(dataDir)
  if (place === undefined) throw new Error('the database does not run')
  return connect(place, { max: 1, keepOpen: true })
}

const ask = async (client: PocketBase, path: string, etag = '') => {
  const before = statements
  const answer = await fetch(server.url + path, {
    headers: { authorization: client.authStore.token, ...(etag && { 'if-none-match': etag }) },
  })
  const body = await answer.text()
  return {
    status: answer.status,
    etag: answer.headers.get('etag') ?? '',
    body,
    statements: statements - before,
  }
}

const sitePath = (id: string): string => API.record(SITES, id)
const LIST = `${API.records(SITES)}?perPage=20&expand=connectors(site)`

/** Asks until nothing of the writes before is under way any more. */
const untilKnown = async (client: PocketBase, path: string): Promise<string> => {
  for (;;) {
    const { etag } = await ask(client, path)
    if ((await ask(client, path, etag)).statements === 0) return etag
    await sleep(10)
  }
}

test('what has not changed takes no statement; what has is read', async () => {
  const owner = await newOwnerWithSite(server.url)
  const { client, business, site, connector } = owner
  const stranger = await newOwnerWithSite(server.url)
  const paths = [sitePath(site.id), LIST]

  const writes: Readonly<Record<string, () => Promise<unknown>>> = {
    update: () => client.collection(SITES).update(site.id, { name: 'Another name' }),
    'update below': () => client.collection(CONNECTORS).update(connector.id, { kw_rating: 11 }),
    create: () => client.collection(SITES).create(siteBody(business.id)),
    batch: async () => {
      const batch = client.createBatch()
      batch.collection(CONNECTORS).create(connectorBody(site.id))
      batch.collection(CONNECTORS).update(connector.id, { format: 'SOCKET' })
      await batch.send()
    },
    'what somebody else does': () =>
      stranger.client.collection(BUSINESSES).update(stranger.business.id, { name: 'Elsewhere' }),
    'a sign-in': () => newOwnerWithSite(server.url),
    'a refused write': () =>
      client
        .collection(SITES)
        .update(site.id, { name: '' })
        .catch(() => {}),
  }
  for (const [name, write] of Object.entries(writes))
    for (const path of paths) {
      const known = await untilKnown(client, path)
      expect(await ask(client, path, known), name).toMatchObject({ status: 304, statements: 0 })
      const before = (await ask(client, path)).body
      await write()
      const after = await ask(client, path, known)
      // Whatever it says now is what the database says.
      expect(after.statements, name).toBe(1)
      expect(after.status === 304, name).toBe((await ask(client, path)).body === before)
    }
  expect((await ask(stranger.client, paths[0] ?? '')).status).toBe(404)
})

test('whose session has ended is a guest at once', async () => {
  const { client, site } = await newOwnerWithSite(server.url)
  const path = sitePath(site.id)
  const known = await untilKnown(client, path)
  const ended = await fetch(server.url + API.endSessions(USERS), {
    method: 'POST',
    headers: { authorization: client.authStore.token },
  })
  expect(ended.ok).toBe(true)
  expect((await ask(client, path, known)).status).not.toBe(304)
})

test.each([
  'created < @now',
  `created < strftime('%Y-%m-%d', 'now', '+1 day')`,
  `strftime('%Y') > '2000'`,
])('what depends on the time is always read: %s', async (filter) => {
  const { client } = await newOwnerWithSite(server.url)
  const path = `${API.records(SITES)}?filter=${encodeURIComponent(filter)}`
  const { etag } = await ask(client, path)
  await sleep(100)
  for (const _ of [1, 2, 3])
    expect(await ask(client, path, etag)).toMatchObject({ status: 304, statements: 1 })
})

test('a text with @ does not depend on the time', async () => {
  const { client } = await newOwnerWithSite(server.url)
  const filter = encodeURIComponent('contact_email != "x@example.org"')
  const path = `${API.records(SITES)}?filter=${filter}`
  const known = await untilKnown(client, path)
  expect(await ask(client, path, known)).toMatchObject({ status: 304, statements: 0 })
})

test('somebody else comes in only when nothing is relied on, and the process knows again when they have gone', async () => {
  const { client, site } = await newOwnerWithSite(server.url)
  const path = sitePath(site.id)
  for (const round of [1, 2]) {
    const known = await untilKnown(client, path)
    const sql = await comeIn()
    await sql`update sites set name = ${`Round ${round}`}, version = nextval('record_version') where id = ${site.id}`
    const after = await ask(client, path, known)
    expect(after.status).toBe(200)
    expect(after.body).toContain(`Round ${round}`)
    const again = await ask(client, path, after.etag)
    expect(again).toMatchObject({ status: 304, statements: 1 })
    await sql.end()
  }
  await untilKnown(client, path)
}, 60_000)

test('with writers and readers at once nobody is told that what was written over is unchanged', async () => {
  const owners = await Promise.all([1, 2].map(() => newOwnerWithSite(server.url)))
  const subjects = owners.map(({ client, site }) => ({
    client,
    path: sitePath(site.id),
    id: site.id,
    value: 0,
  }))
  const counts = { reads: 0, unchanged: 0, asked: 0 }
  const stale: string[] = []
  const isOver = (): boolean => counts.reads >= RACE_READS
  const before = statements
  const write = async (subject: (typeof subjects)[number]): Promise<void> => {
    const next = subject.value + 1
    await subject.client
      .collection(SITES)
      .update(subject.id, { name: `v${next}` }, { requestKey: null })
    subject.value = next
  }
  for (const subject of subjects) await write(subject)
  const read = async (seen: Map<string, { etag: string; value: number }>): Promise<void> => {
    const subject = subjects[randomInt(subjects.length)]
    if (subject === undefined) return
    const { client, path } = subject
    const last = seen.get(path)
    const least = subject.value
    const answer = await fetch(server.url + path, {
      headers: {
        authorization: client.authStore.token,
        ...(last && { 'if-none-match': last.etag }),
      },
    })
    const body = await answer.text()
    counts.reads++
    if (answer.status === 304) counts.unchanged++
    const value =
      answer.status === 304 ? (last?.value ?? -1) : Number(/"name":"v(\d+)"/.exec(body)?.[1])
    if (!(value >= least)) stale.push(`${answer.status}: ${value}, answered ${least}`)
    seen.set(path, { etag: answer.headers.get('etag') ?? '', value })
  }
  await Promise.all([
    ...subjects.map(async (subject) => {
      while (!isOver()) {
        await write(subject)
        await sleep(randomInt(30))
      }
    }),
    ...Array.from({ length: 8 }, async () => {
      const seen = new Map<string, { etag: string; value: number }>()
      while (!isOver()) await read(seen)
    }),
  ])
  counts.asked = statements - before
  await report('Stale answers of a sole owner', { failures: stale.length, ...counts })
  expect(stale).toEqual([])
  expect(counts.unchanged).toBeGreaterThan(100)
}, 300_000)
