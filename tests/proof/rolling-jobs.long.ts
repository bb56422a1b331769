import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

import type PocketBase from 'pocketbase'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { IMPORTS } from '#domain/collection.ts'
import type { Feed, Import } from '#domain/import.ts'
import { IMPORT_API } from '#domain/import-paths.ts'

import { newOwnerWithSite } from '../support/owner.ts'
import { startRollingProcesses, type RollingProcesses } from '../support/rolling-processes.ts'
import { startSmtp, type SmtpServer } from '../support/smtp.ts'
import { startStack, type Stack } from '../support/stack.ts'
import { fileOf, station } from '../support/station-file.ts'
import { report, times } from './figures.ts'

// Three processes are restarted one after the other while owners import files and nights pass. Another process
// continues an import where it stopped; a feed is read once a night, and its owner gets each mail once.

const ROUNDS = times(1, 3)
const PROCESSES = 3
const IMPORTERS = 2
const FEEDS = 4
/** Enough that an import takes longer than a process runs. */
const STATIONS = 4000
const STATIONS_OF_FEED = 1500
/** How long all processes run between two restarts. */
const CALM_MS = 500
/** The response time of the other system. */
const REPLY_MS = 200
const LOOK_MS = 20

let stack: Stack
let smtp: SmtpServer
let processes: RollingProcesses
const stationsFrom = (place: number, count: number, site: object = {}) =>
  Array.from({ length: count }, (_, index) =>
    station(`${place}-${index}`, {
      // Some 200 m apart.
      latitude: 40 + place + (index % 100) * 0.002,
      longitude: 10 + Math.floor(index / 100) * 0.003,
      ...site,
    }),
  )

/** The current night of the other system, and its number of requests. */
const other = { night: 0, requests: 0 }
/** Every other night a station is missing, of which the owner is notified. */
const isPoor = (night: number): boolean => night > 0 && night % 2 === 0
const system = createServer((request, response) => {
  other.requests++
  const place = Number(request.url?.slice(1))
  const all = stationsFrom(place, STATIONS_OF_FEED, { cost: `Night ${other.night}` })
  const stations = isPoor(other.night) ? all.slice(1) : all
  // Some responses are interrupted.
  void Promise.all([fileOf(stations).text(), sleep(REPLY_MS)]).then(([text]) => response.end(text))
})

beforeAll(async () => {
  await new Promise<void>((resolve) => system.listen(0, '127.0.0.1', resolve))
  smtp = await startSmtp()
  // This server runs no imports.
  stack = await startStack({ limits: { importsMs: 1_000_000 } })
  const env = {
    IMPORT_PRIVATE_ADDRESSES: 'on',
    SMTP_URL: smtp.url,
    MAIL_FROM: 'no-reply@example.org',
  }
  processes = await startRollingProcesses(stack, PROCESSES, env, { importsMs: 100 })
})
afterAll(async () => {
  await processes.close()
  await stack.close()
  await smtp.close()
  await new Promise((resolve) => system.close(resolve))
})

const over = new AbortController()
const wrong: string[] = []
/** Compares stored with expected data. */
const compare = (what: string, found: unknown, wanted: unknown): void => {
  const [one, another] = [found, wanted].map((each) => JSON.stringify(each))
  if (one !== another) wrong.push(`${what}: ${one} rather than ${another}`)
}

/** Counts how often another process continued imports of files and of feeds. */
const watch = async (): Promise<{ readonly files: number; readonly feeds: number }> => {
  /** Each step of an import, and each process that worked on it. */
  const steps = new Map<boolean, Set<string>>([true, false].map((isFeed) => [isFeed, new Set()]))
  const holders = new Map<boolean, Set<string>>([true, false].map((isFeed) => [isFeed, new Set()]))
  while (!over.signal.aborted) {
    const rows = await stack.sql<{ step: string; lease: string; isFeed: boolean }[]>`
      select i.id || i.state as step, w.lease, i.feed <> '' as "isFeed"
      from import_work w join imports i on i.id = w.import
      where w.lease <> '' and i.state in ('READING', 'RUNNING', 'UNDOING')`
    for (const { step, lease, isFeed } of rows) {
      steps.get(isFeed)?.add(step)
      holders.get(isFeed)?.add(step + lease)
    }
    await sleep(LOOK_MS)
  }
  const changes = (isFeed: boolean): number =>
    (holders.get(isFeed)?.size ?? 0) - (steps.get(isFeed)?.size ?? 0)
  return { files: changes(false), feeds: changes(true) }
}

/** The imported sites of an owner, and how often the audit log has created and updated each. */
const storedOf = async (business: string) => {
  const [stored] = await stack.sql<[Record<string, number>]>`
    select count(*)::int as sites, count(distinct s.reference)::int as references,
      coalesce(sum(c.connectors), 0)::int as connectors, coalesce(sum(l.created), 0)::int as created,
      coalesce(sum(l.updated), 0)::int as updated
    from sites s
    cross join lateral (select count(*) as connectors from connectors c where c.site = s.id) c
    cross join lateral (
      select count(*) filter (where l.action = 'create') as created, count(*) filter (where l.action = 'update') as updated
      from change_log l where l.record = s.id and l.kept) l
    where s.business = ${business} and s.reference <> ''`
  return stored
}

const NOTHING = { sites: 0, references: 0, connectors: 0, created: 0, updated: 0 }
/** Each site was created once. */
const onceEach = (sites: number, updated = 0) => ({
  sites,
  references: sites,
  connectors: sites,
  created: sites,
  updated,
})

/** An owner whose requests go to all processes. */
const newOwner = async () => {
  const owner = await newOwnerWithSite(stack.url)
  owner.client.baseURL = processes.url
  return owner
}

/** Waits until an import needs a person or is finished. */
const settled = async (client: PocketBase, id: string): Promise<Import> => {
  for (;;) {
    const found = await client.collection(IMPORTS).getOne<Import>(id)
    if (!['READING', 'RUNNING', 'UNDOING'].includes(found.state)) return found
    await sleep(LOOK_MS * 5)
  }
}

/** Imports a file, applies and undoes it, repeatedly. @returns how often */
const bringInForEver = async (place: number): Promise<number> => {
  const { client, business } = await newOwner()
  const file = fileOf(stationsFrom(place, STATIONS))
  const move = async (path: string, id: string): Promise<Import> => {
    await client.send(path, { method: 'POST' })
    return settled(client, id)
  }
  for (let count = 0; ; count++) {
    if (over.signal.aborted) return count
    const body = new FormData()
    body.set('file', file)
    const { id } = await client.send<Import>(IMPORT_API.imports, { method: 'POST', body })
    const planned = await settled(client, id)
    compare('planned', [planned.state, planned.counts?.NEW], ['PLANNED', STATIONS])
    const done = await move(IMPORT_API.importRun(planned.id), planned.id)
    compare('run', [done.state, done.counts?.APPLIED], ['DONE', STATIONS])
    compare('sites of an import', await storedOf(business.id), onceEach(STATIONS))
    const undone = await move(IMPORT_API.importUndo(planned.id), planned.id)
    compare('undone', [undone.state, undone.counts?.UNDONE], ['UNDONE', STATIONS])
    compare('sites of an undone import', await storedOf(business.id), NOTHING)
  }
}

interface Reader {
  readonly feed: string
  readonly business: string
  readonly email: string
}

/** An owner whose feed was read for the first time and applied. */
const newReader = async (place: number): Promise<Reader> => {
  const { client, id, email, business } = await newOwner()
  await stack.sql`update users set verified = true where id = ${id}`
  const { port } = system.address() as AddressInfo
  const body = {
    url: `http://127.0.0.1:${port}/${place}`,
    apply: ['NEW', 'CHANGED'],
    missing: 'REMOVE',
  }
  const feed = await client.send<Feed>(IMPORT_API.feeds, { method: 'POST', body })
  const filter = `feed = "${feed.id}"`
  const { id: first } = await client.collection(IMPORTS).getFirstListItem(filter)
  compare('a feed to look at', (await settled(client, first)).state, 'PLANNED')
  await client.send(IMPORT_API.importRun(first), { method: 'POST' })
  compare('a first read', (await settled(client, first)).state, 'DONE')
  return { feed: feed.id, business: business.id, email }
}

const mailsTo = (email: string): number => smtp.received().split(`RCPT TO:<${email}>`).length - 1

/** Lets nights pass, one after the other. @returns the number of nights */
const letNightsCome = async (readers: readonly Reader[]): Promise<number> => {
  const feeds = readers.map(({ feed }) => feed)
  for (let night = 1; ; night++) {
    if (over.signal.aborted) return night - 1
    other.night = night
    await stack.sql`update feed_reads set due = now() where feed = any(${feeds})`
    const imports = () => stack.sql<{ state: string; count: number }[]>`
      select state, count(*)::int from imports where feed = any(${feeds}) group by state`
    const wanted = [{ state: 'DONE', count: FEEDS * (night + 1) }]
    await expect.poll(imports, { timeout: 120_000, interval: 100 }).toEqual(wanted)
    const poorNights = Math.floor(night / 2)
    // The mail is sent before the feed recovers.
    await expect
      .poll(() => readers.map(({ email }) => mailsTo(email)), { timeout: 20_000 })
      .toEqual(readers.map(() => poorNights))
    for (const { business } of readers)
      compare(
        `sites of a feed in night ${night}`,
        await storedOf(business),
        onceEach(STATIONS_OF_FEED, STATIONS_OF_FEED * night - poorNights),
      )
  }
}

test('imports continue, and nightly jobs are done once, while processes are restarted', async () => {
  const readers = await Promise.all(Array.from({ length: FEEDS }, (_, index) => newReader(index)))
  const requestsBefore = other.requests
  const watching = watch()
  const nights = letNightsCome(readers)
  const imports = Array.from({ length: IMPORTERS }, (_, index) => bringInForEver(FEEDS + index))
  let restarts = 0
  for (let round = 0; round < ROUNDS; round++)
    for (let index = 0; index < PROCESSES; index++) {
      await processes.stop(index)
      await processes.start(index)
      restarts++
      await sleep(CALM_MS)
    }
  over.abort()
  const [nightCount, ...importCounts] = await Promise.all([nights, ...imports])
  // Nobody gets a second mail.
  await sleep(1000)
  const takenOver = await watching
  const mailCounts = readers.map(({ email }) => mailsTo(email))
  expect(mailCounts).toEqual(readers.map(() => Math.floor(nightCount / 2)))
  const requests = other.requests - requestsBefore
  await report('rolling restarts, imports and nightly jobs', {
    failures: wrong.length,
    restarts,
    'imports of files': importCounts.reduce((sum, count) => sum + count, 0),
    'nightly reads': nightCount * FEEDS,
    'requests for them': requests,
    'mails about them': mailCounts.reduce((sum, count) => sum + count, 0),
    'imports of files taken over': takenOver.files,
    'nightly reads taken over': takenOver.feeds,
  })
  expect(wrong).toEqual([])
  // Only an interrupted read is started again.
  expect(requests).toBeLessThanOrEqual(nightCount * FEEDS + takenOver.feeds)
  expect(takenOver.files * takenOver.feeds).toBeGreaterThan(0)
})
