import { setTimeout as sleep } from 'node:timers/promises'

import { afterAll, beforeAll, expect, test } from 'vitest'

import type { Environment } from '../../web/data/environment.ts'
import { createOwner } from '../../web/data/owner.ts'
import { SESSION_KEY } from '../../web/data/session.ts'
import { createStore } from '../../web/data/store.ts'
import { ID_LENGTH } from '#domain/collection.ts'
import { randomText } from '../../server/db/random.ts'
import { newOwner, siteBody } from '../support/owner.ts'
import { startSecondProcess, type SecondProcess } from '../support/second-process.ts'
import { startStack, type Stack } from '../support/stack.ts'
import { report } from './figures.ts'

// Updates 10,000 sites in one bulk update and back, while the page and the server are repeatedly killed. Every site
// changes once and is reverted once: the audit log has one entry for each.

const SITES = 10_000
/** The number of sites sent between two kills. */
const KILL_EVERY = 1000

let stack: Stack
let server: SecondProcess
beforeAll(async () => {
  stack = await startStack()
  server = await startSecondProcess(stack)
})
afterAll(async () => {
  await server.close()
  await stack.close()
})

/** The browser storage that survives a page. */
const device = { storage: new Map<string, string>(), objects: new Map<string, unknown>() }
let maxBytes = 0

/** A page with the real store and the real server; `kill` ends it at any point. */
const openPage = () => {
  const dead = new AbortController()
  const never = new Promise<never>(() => {})
  const locks = new Map<string, Promise<unknown>>()
  const { storage, objects } = device
  const env: Environment = {
    origin: 'http://proof.test',
    basePath: '',
    language: () => 'en',
    localStorage: {
      get: (key) => storage.get(key) ?? null,
      set: (key, value) => {
        if (dead.signal.aborted) return false
        storage.set(key, value)
        maxBytes = Math.max(maxBytes, value.length)
        return true
      },
      remove: (key) => void (dead.signal.aborted || storage.delete(key)),
    },
    sessionStorage: { get: () => null, set: () => true, remove: () => {} },
    objects: {
      get: (key) => Promise.resolve(objects.get(key)),
      set: (key, value) => Promise.resolve(void objects.set(key, value)),
      remove: (keys) => Promise.resolve(keys.forEach((key) => objects.delete(key))),
      keys: (prefix) =>
        Promise.resolve([...objects.keys()].filter((key) => key.startsWith(prefix))),
    },
    lock: (name, task) => {
      const mine = (locks.get(name) ?? Promise.resolve()).then(task)
      locks.set(name, mine)
      return mine
    },
    tryLock: () => Promise.resolve(() => {}),
    isOnline: () => true,
    fetch: async (url, init) => {
      const { pathname, search } = new URL(url instanceof Request ? url.url : url)
      const signal = AbortSignal.any([dead.signal, ...(init?.signal ? [init.signal] : [])])
      const sent = fetch(server.url + pathname + search, { ...init, signal })
      const answer = await sent.catch((error: unknown) =>
        dead.signal.aborted ? never : Promise.reject(error),
      )
      return dead.signal.aborted ? never : answer
    },
    upload: () => env.fetch,
    now: Date.now,
    after: (delayMs, task) => {
      const timer = setTimeout(() => dead.signal.aborted || task(), delayMs)
      return () => clearTimeout(timer)
    },
    redirect: () => {},
    newId: () => randomText(ID_LENGTH),
    report: (error) => {
      throw error
    },
    onLeave: () => () => {},
    on: () => {},
  }
  const store = createStore(env, async (...args) => createOwner(...args))
  return { store, kill: () => dead.abort() }
}

test('10,000 sites change once and are reverted once, whatever is killed', async () => {
  const { client, id: user } = await newOwner(stack.url)
  const business = await client.collection('businesses').create({ name: 'Harbour Lane', user })
  for (let made = 0; made < SITES; made += 500) {
    const batch = client.createBatch()
    for (let index = 0; index < 500; index++)
      batch.collection('sites').create({ ...siteBody(business.id), name: `Site ${made + index}` })
    await batch.send()
  }
  const { token, record } = client.authStore
  device.storage.set(SESSION_KEY, JSON.stringify({ token, record }))

  const figures = { failures: 0, sites: SITES, pages: 0, servers: 0 }
  let page = openPage()
  await page.store.start()

  /** Kills the page and the server alternately, after some chunks each, until everything is sent. */
  const bringThrough = async (): Promise<void> => {
    for (let killedAt = 0, kills = 0; ; await sleep(10)) {
      const { isDone, settled } = page.store.bulkUpdate() ?? { isDone: false, settled: 0 }
      if (isDone) return
      if (settled < killedAt + KILL_EVERY) continue
      killedAt = settled
      if (kills++ % 2 === 0) {
        page.kill()
        page = openPage()
        void page.store.start()
        figures.pages++
      } else {
        await server.kill()
        server = await startSecondProcess(stack)
        figures.servers++
      }
    }
  }
  const stored = async () => [
    ...(await stack.sql`
      select status, count(*)::int from sites where business = ${business.id} group by status`),
  ]
  const entries = async () => [
    ...(await stack.sql`
      select changes, count(*)::int as sites from
        (select record, count(*)::int as changes from change_log
          where business = ${business.id} and collection = 'sites' and action = 'update' and kept
          group by record)
      group by changes`),
  ]

  const sites = page.store.getState().data?.sites ?? []
  expect(
    page.store.updateSites(
      sites.map(({ id }) => id),
      { status: 'OUTOFORDER' },
    ),
  ).toBe(SITES)
  const begun = Date.now()
  await bringThrough()
  const seconds = Math.round((Date.now() - begun) / 1000)
  expect(page.store.bulkUpdate()).toMatchObject({ total: SITES, settled: SITES, refused: [] })
  expect(await stored()).toEqual([{ status: 'OUTOFORDER', count: SITES }])
  expect(await entries()).toEqual([{ changes: 1, sites: SITES }])

  page.store.undoUpdateSites()
  await bringThrough()
  expect(page.store.bulkUpdate()).toMatchObject({ isUndo: true, refused: [] })
  expect(await stored()).toEqual([{ status: 'AVAILABLE', count: SITES }])
  expect(await entries()).toEqual([{ changes: 2, sites: SITES }])
  page.kill()
  await report('Many sites', { ...figures, 'seconds there': seconds, 'characters kept': maxBytes })
})
