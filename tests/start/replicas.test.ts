import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

import { API, SERVICE_API } from '#domain/paths.ts'
import { SITES } from '#domain/collection.ts'
import { ocpiPath, openPath } from '#domain/open-data.ts'

import { newOwnerWithSite } from '../support/owner.ts'
import { startStack, type Stack, type StackOptions } from '../support/stack.ts'
import { startStreaming, type Streaming } from '../support/streaming-postgres.ts'
import { until } from './launch.ts'

// A real primary and a streaming replica that serves public reads (decision 0135).

let streaming: Streaming
let stack: Stack
beforeAll(async () => {
  streaming = await startStreaming(1)
  stack = await startWith()
})
afterAll(async () => {
  await stack.close()
  await streaming.close()
})

const startWith = (options: StackOptions = {}): Promise<Stack> =>
  startStack({
    ...options,
    env: {
      DATABASE_URL: streaming.primary.url,
      DATABASE_REPLICA_URLS: replica().url,
      ...options.env,
    },
  })
const replica = () => {
  const [first] = streaming.replicas
  if (first === undefined) throw new Error('no replica')
  return first
}

const metric = async (name: string, at = stack): Promise<number> => {
  const text = await (await fetch(at.url + SERVICE_API.metrics)).text()
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(name))
      ?.split(' ')
      .at(-1),
  )
}
const readsOf = (from: 'replica' | 'primary', at = stack): Promise<number> =>
  metric(`voltleaf_replica_reads_total{from="${from}"}`, at)
const isUsable = async (at = stack): Promise<boolean> =>
  (await metric('voltleaf_replica_usable', at)) === 1

/** The server that handles a read. */
const answeredBy = async (run: () => Promise<unknown>, at = stack): Promise<string> => {
  const [replicas, primaries] = [await readsOf('replica', at), await readsOf('primary', at)]
  await run()
  return `replica ${(await readsOf('replica', at)) - replicas}, primary ${(await readsOf('primary', at)) - primaries}`
}

/** The name of a site on the replica itself. */
const nameOnReplica = async (id: string): Promise<string | undefined> => {
  const [row] = await replica().sql()<{ name: string }[]>`select name from sites where id = ${id}`
  return row?.name
}

test('the replica serves every public read and no other', async () => {
  const { client, site, business } = await newOwnerWithSite(stack.url)
  await until(async () => (await nameOnReplica(site.id)) !== undefined && isUsable())
  const paths = [
    API.publicSite(site.id),
    `${API.publicSites}?near=55,-6`,
    `${API.publicSuggest}?q=harbour`,
    API.publicTile('14', '7888', '5141'),
    `/at/${site.id}`,
    '/at?q=portrush',
    `/embed/business/${business.id}`,
    '/sitemap.xml',
    openPath('geojson'),
    ocpiPath('2.2.1', 'locations'),
  ]
  for (const path of paths) {
    const by = await answeredBy(() => fetch(stack.url + path))
    // Without a build there are no pages.
    expect([path, by]).toEqual([path, expect.stringMatching(/^replica \d, primary 0$/)])
  }
  expect(await answeredBy(() => fetch(stack.url + API.publicSite(site.id)))).toBe(
    'replica 1, primary 0',
  )
  expect(await answeredBy(() => client.collection(SITES).getOne(site.id))).toBe(
    'replica 0, primary 0',
  )
  const headers = { authorization: client.authStore.token }
  expect(await answeredBy(() => fetch(stack.url + API.publicSite(site.id), { headers }))).toBe(
    'replica 0, primary 1',
  )
})

test('a replica that is too far behind is not read', async () => {
  const { client, site } = await newOwnerWithSite(stack.url)
  await until(async () => (await nameOnReplica(site.id)) !== undefined)
  await replica().pauseReplay()
  onTestFinished(() => replica().resumeReplay())
  await client.collection(SITES).update(site.id, { name: 'The new name' })
  await until(async () => !(await isUsable()))
  expect(await metric('voltleaf_replica_lag_seconds')).toBeGreaterThan(1)
  const answer = await fetch(stack.url + API.publicSite(site.id))
  expect(await answer.json()).toMatchObject({ name: 'The new name' })
  expect(await nameOnReplica(site.id)).toBe('Harbour Lane Quay')
  await replica().resumeReplay()
  await until(async () => isUsable())
})

test('a client that has seen a newer response never gets an older one', async () => {
  // The replica is read however far it is behind.
  const patient = await startWith({ beside: stack, limits: { replicaLagMs: 600_000 } })
  onTestFinished(() => patient.close())
  const { client, site } = await newOwnerWithSite(stack.url)
  await until(async () => (await nameOnReplica(site.id)) !== undefined && isUsable(patient))
  await replica().pauseReplay()
  onTestFinished(() => replica().resumeReplay())
  await client.collection(SITES).update(site.id, { name: 'The newest name' })
  const paths = [
    API.publicSite(site.id),
    `${API.publicSites}?near=55.2044,-6.6531&limit=200`,
    openPath('geojson'),
  ]
  for (const path of paths) {
    const ask = (headers: Record<string, string>) => fetch(patient.url + path, { headers })
    const fresh = await ask({ authorization: client.authStore.token })
    const etag = fresh.headers.get('etag') ?? ''
    expect(await fresh.text()).toContain('The newest name')
    // The pages of a file are read from the primary until the replica has replayed everything that it has received.
    if (!path.startsWith('/open'))
      expect(await (await ask({})).text()).not.toContain('The newest name')
    const again = await ask({ 'if-none-match': `W/${etag}` })
    expect([again.status, again.headers.get('etag')]).toEqual([304, etag])
    // This version is also outdated on the primary.
    const [, position = ''] = /\.(\w+)"$/.exec(etag) ?? []
    const other = await ask({ 'if-none-match': `"another.${position}"` })
    expect(await other.text()).toContain('The newest name')
  }
})

test('while a replica is down, public reads go to the primary', async () => {
  const { site } = await newOwnerWithSite(stack.url)
  const read = () => fetch(stack.url + API.publicSite(site.id))
  await until(async () => (await nameOnReplica(site.id)) !== undefined && isUsable())
  await replica().stop()
  const answers = await Promise.all(Array.from({ length: 20 }, read))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  await until(async () => !(await isUsable()))
  expect(await answeredBy(read)).toBe('replica 0, primary 1')
  await replica().start()
  await until(async () => isUsable())
  expect(await answeredBy(read)).toBe('replica 1, primary 0')

  await replica().freeze()
  onTestFinished(() => replica().thaw())
  // Pending reads are aborted and repeated.
  expect((await Promise.all(Array.from({ length: 20 }, read))).map(({ status }) => status)).toEqual(
    Array.from({ length: 20 }, () => 200),
  )
  replica().thaw()
  await until(async () => isUsable())
  const said = stack.logged.map((line) => (JSON.parse(line) as { msg: string }).msg)
  expect(said.filter((each) => /public reads go elsewhere/.test(each))).toHaveLength(2)
})

test('while the primary is down, only public reads continue, for a limited time', async () => {
  const patience = { replicaOutageMs: 2000 }
  const brief = await startWith({ beside: stack, limits: patience })
  onTestFinished(() => brief.close())
  const { client, site } = await newOwnerWithSite(stack.url)
  const statusOf = async (path: string, headers = {}): Promise<number> =>
    (await fetch(brief.url + path, { headers })).status
  await until(async () => (await nameOnReplica(site.id)) !== undefined && isUsable(brief))
  await streaming.primary.stop()
  const headers = { authorization: client.authStore.token }
  expect(await statusOf(API.publicSite(site.id))).toBe(200)
  expect(await statusOf(SERVICE_API.ready)).toBe(200)
  expect(await statusOf(API.record(SITES, site.id), headers)).toBe(503)
  expect(await statusOf(API.publicSite(site.id), headers)).toBe(503)
  await until(async () => (await statusOf(API.publicSite(site.id))) === 503)
  expect(await statusOf(SERVICE_API.ready)).toBe(503)
  await streaming.primary.start()
  await until(async () => (await statusOf(API.record(SITES, site.id), headers)) === 200)
  await until(async () => isUsable())
})

test('a database that is not a replica of the primary is refused', async () => {
  const other = await startStreaming(0)
  onTestFinished(() => other.close())
  const started = startWith({
    beside: stack,
    env: { DATABASE_REPLICA_URLS: `${replica().url} ${other.primary.url}` },
  })
  await expect(started).rejects.toThrow(
    / in DATABASE_REPLICA_URLS is not a replica of the database/,
  )
})
