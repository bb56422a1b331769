import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

import { afterAll, expect, onTestFinished, test } from 'vitest'

import { CONNECTORS, FEEDS, IMPORTS, SITES } from '#domain/collection.ts'
import type { Feed, Import } from '#domain/import.ts'
import { IMPORT_API } from '#domain/import-paths.ts'
import { IMPORT_LIMITS } from '#domain/limits.ts'
import type { Answers } from '#domain/repair.ts'

import { FEED_MAILS } from '../../server/messages/messages.ts'
import { withStack } from '../support/fixtures.ts'
import { bringIn, rowsOf, settled } from '../support/imports.ts'
import { fileOf, station } from '../support/station-file.ts'
import { readMails, receiveMail } from '../support/mails.ts'
import { newOwnerWithSite } from '../support/owner.ts'
import { startSmtp } from '../support/smtp.ts'
import { startStack } from '../support/stack.ts'
import { until } from '../start/launch.ts'

// Feeds are read every night: the tests decide when the night comes.

const stack = await withStack({
  env: { IMPORT_PRIVATE_ADDRESSES: 'on' },
  limits: { importsMs: 50 },
})

interface Asked {
  readonly authorization: string | undefined
  readonly match: string | undefined
}

/** Another system, which returns the response that a test sets. */
const other = {
  body: '',
  etag: '',
  status: 200,
  asked: [] as Asked[],
  answers: Promise.resolve(),
}
const system = createServer((request, response) => {
  const { authorization, 'if-none-match': match } = request.headers
  other.asked.push({ authorization, match })
  void other.answers.then(() => {
    if (other.status !== 200) return response.writeHead(other.status).end()
    if (match !== undefined && match === other.etag) return response.writeHead(304).end()
    return response.writeHead(200, { etag: other.etag }).end(other.body)
  })
})
await new Promise<void>((resolve) => system.listen(0, '127.0.0.1', resolve))
afterAll(() => void system.close())
const url = `http://127.0.0.1:${(system.address() as AddressInfo).port}/locations?key=hidden`

const offer = async (stations: Parameters<typeof fileOf>[0], etag: string): Promise<void> => {
  other.body = await fileOf(stations).text()
  other.etag = etag
  other.status = 200
}

/** An OCPI Location. */
const location = (id: string) => ({
  id,
  name: `Station ${id}`,
  address: '12 Quay Street',
  city: 'Portrush',
  coordinates: { latitude: `${54 + (id.codePointAt(0) ?? 0) / 1000}`, longitude: '-6.9' },
  evses: [
    {
      uid: `evse ${id}`,
      status: 'AVAILABLE',
      connectors: [
        {
          id: '1',
          standard: 'IEC_62196_T2',
          format: 'SOCKET',
          power_type: 'AC_3_PHASE',
          max_voltage: 230,
          max_amperage: 32,
        },
      ],
    },
  ],
})

type Owner = Awaited<ReturnType<typeof newOwnerWithSite>>

const feedOf = ({ client }: Owner, id: string): Promise<Feed> =>
  client.collection(FEEDS).getOne<Feed>(id)
const importsOf = ({ client }: Owner): Promise<Import[]> =>
  client.collection(IMPORTS).getFullList<Import>({ sort: 'created' })
const sitesOf = ({ client }: Owner) =>
  client.collection(SITES).getFullList({ filter: 'reference != ""', sort: 'reference' })

/** Lets a night pass: makes the feed due, and waits until it is idle again. */
const sleepOver = async (owner: Owner, feed: string): Promise<void> => {
  const before = other.asked.length
  await stack.sql`update feed_reads set due = now() where feed = ${feed}`
  await until(() => other.asked.length > before)
  await until(async () =>
    (await importsOf(owner)).every(({ state }) => !['READING', 'RUNNING'].includes(state)),
  )
}

test('a feed is reviewed first, then read every night by the rules of its owner', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const stranger = await newOwnerWithSite(stack.url)
  await offer([station('A')], '"1"')
  const feed = await owner.client.send<Feed>(IMPORT_API.feeds, {
    method: 'POST',
    body: { name: 'Our backend', url, token: 'top-secret-token', apply: ['NEW'] },
  })
  expect(feed).toMatchObject({ has_token: true, state: 'OK', is_active: true })
  expect(JSON.stringify(feed)).not.toContain('top-secret')
  await until(async () => (await importsOf(owner)).some(({ state }) => state === 'PLANNED'))
  const [planned] = await importsOf(owner)
  expect(planned).toMatchObject({ feed: feed.id, counts: { NEW: 1 } })
  await until(async () => (await feedOf(owner, feed.id)).state === 'NEEDS_REVIEW')
  expect(planned?.source).toBe('Our backend')
  expect(other.asked.at(-1)?.authorization).toContain('top-secret-token')
  expect(await sitesOf(owner), 'a person looks at it first').toEqual([])
  await owner.client.send(IMPORT_API.importRun(planned?.id ?? ''), { method: 'POST' })
  await settled(owner.client, planned?.id ?? '')
  expect(await sitesOf(owner)).toMatchObject([{ reference: 'A' }])
  expect(await feedOf(owner, feed.id), 'a person has decided').toMatchObject({ state: 'OK' })

  // New sites are applied without asking, changes wait.
  await offer([station('A', { cost: 'free' }), station('B')], '"2"')
  await sleepOver(owner, feed.id)
  await until(async () => (await sitesOf(owner)).length === 2)
  expect(await sitesOf(owner)).toMatchObject([{ reference: 'A', cost: '' }, { reference: 'B' }])
  expect(await feedOf(owner, feed.id)).toMatchObject({ state: 'NEEDS_REVIEW' })

  await owner.client.collection(FEEDS).update(feed.id, { apply: ['NEW', 'CHANGED'] })
  await sleepOver(owner, feed.id)
  await until(async () => (await feedOf(owner, feed.id)).state === 'OK')
  await until(async () => (await sitesOf(owner))[0]?.['cost'] === 'free')
  const count = (await importsOf(owner)).length
  await sleepOver(owner, feed.id)
  expect(other.asked.at(-1)?.match, 'what is known is not sent again').toBe('"2"')
  await until(async () => (await importsOf(owner)).length === count)

  // Nobody else can read or change it.
  await expect(feedOf(stranger, feed.id)).rejects.toMatchObject({ status: 404 })
  await expect(
    stranger.client.send(IMPORT_API.feedToken(feed.id), { method: 'PUT', body: { token: 'x' } }),
  ).rejects.toMatchObject({ status: 404 })
  await expect(
    owner.client.collection(FEEDS).update(feed.id, { url: 'https://elsewhere.example' }),
  ).rejects.toMatchObject({
    status: 400,
    response: { data: { url: { code: 'validation_values_mismatch' } } },
  })
  const changed = { name: 'Depots', is_active: false, missing: 'REMOVE', apply: ['CHANGED'] }
  expect(await owner.client.collection(FEEDS).update(feed.id, { url, ...changed })).toMatchObject({
    url,
    ...changed,
  })
})

test('a plan that nobody has reviewed yet is kept when the feed has nothing new', async () => {
  const owner = await newOwnerWithSite(stack.url)
  await offer([station('A')], '"10"')
  const feed = await owner.client.send<Feed>(IMPORT_API.feeds, { method: 'POST', body: { url } })
  await until(async () => (await feedOf(owner, feed.id)).state === 'NEEDS_REVIEW')
  await sleepOver(owner, feed.id)
  await until(async () => (await importsOf(owner)).length === 1)
  // Without a name, the feed is shown by its address, which may contain a secret.
  const source = url.replace('?key=hidden', '')
  expect(await importsOf(owner)).toMatchObject([{ state: 'PLANNED', source, counts: { NEW: 1 } }])
})

test('what could not be applied in one night is applied in the next, even if the feed has nothing new', async () => {
  const owner = await newOwnerWithSite(stack.url)
  await offer([station('A')], '"12"')
  const feed = await owner.client.send<Feed>(IMPORT_API.feeds, {
    method: 'POST',
    body: { url, apply: ['NEW'] },
  })
  await until(async () => (await feedOf(owner, feed.id)).state === 'NEEDS_REVIEW')
  // Another import of the business is running all night.
  await stack.sql`
    insert into imports (id, business, source, state)
    values (${feed.id}, ${owner.business.id}, 'other', 'RUNNING')`
  await stack.sql`update feed_reads set due = now() where feed = ${feed.id}`
  await until(async () => (await feedOf(owner, feed.id)).state === 'OK')
  expect(await sitesOf(owner)).toEqual([])
  await stack.sql`update imports set state = 'DONE' where id = ${feed.id}`
  await sleepOver(owner, feed.id)
  await until(async () => (await sitesOf(owner)).length === 1)
})

test('an import of a feed ends in the same transaction in which the state of the feed is updated', async () => {
  const owner = await newOwnerWithSite(stack.url)
  await offer([station('A')], '"13"')
  const feed = await owner.client.send<Feed>(IMPORT_API.feeds, { method: 'POST', body: { url } })
  await until(async () => (await feedOf(owner, feed.id)).state === 'NEEDS_REVIEW')
  const asked = other.asked.length
  const answer = Promise.withResolvers<void>()
  other.answers = answer.promise
  other.status = 503
  const { id } = await owner.client.send<Import>(IMPORT_API.feedRead(feed.id), { method: 'POST' })
  await until(() => other.asked.length > asked)
  const stateOf = async () => (await owner.client.collection(IMPORTS).getOne<Import>(id)).state
  await stack.sql.begin(async (transaction) => {
    // The lock keeps the server from updating the state of the feed.
    const [held] = await transaction<{ pid: number }[]>`
      select pg_backend_pid() as pid from feeds where id = ${feed.id} for update`
    answer.resolve()
    await until(async () => {
      const waiting = await stack.sql`
        select from pg_stat_activity where ${held?.pid ?? 0} = any(pg_blocking_pids(pid))`
      return waiting.length > 0
    })
    expect(await stateOf()).toBe('READING')
  })
  await until(async () => (await stateOf()) === 'FAILED')
  expect(await feedOf(owner, feed.id)).toMatchObject({ state: 'FAILING' })
})

test('the earlier plan of a feed stays readable and applicable while the feed is read and after a failure', async () => {
  const owner = await newOwnerWithSite(stack.url)
  await offer([station('A')], '"5"')
  const feed = await owner.client.send<Feed>(IMPORT_API.feeds, { method: 'POST', body: { url } })
  const states = async () => (await importsOf(owner)).map(({ state }) => state)
  await until(async () => (await states()).includes('PLANNED'))
  const [planned] = await importsOf(owner)
  other.status = 500
  const readNow = () => owner.client.send<Import>(IMPORT_API.feedRead(feed.id), { method: 'POST' })
  await settled(owner.client, (await readNow()).id)
  await until(async () => (await feedOf(owner, feed.id)).state === 'FAILING')
  await settled(owner.client, (await readNow()).id)
  // Only the last failure is kept.
  await until(async () => (await states()).join() === 'PLANNED,FAILED')
  await owner.client.send(IMPORT_API.importRun(planned?.id ?? ''), { method: 'POST' })
  expect(await settled(owner.client, planned?.id ?? '')).toMatchObject({ counts: { APPLIED: 1 } })
  expect(await sitesOf(owner)).toMatchObject([{ reference: 'A' }])

  // A new plan replaces an earlier one.
  await offer([station('A', { cost: 'free' })], '"6"')
  await settled(owner.client, (await readNow()).id)
  await until(async () => (await states()).join() === 'DONE,PLANNED')
  await offer([station('A', { cost: '1' })], '"6b"')
  await settled(owner.client, (await readNow()).id)
  await until(async () => (await states()).join() === 'DONE,PLANNED')
})

test('a new feed is validated like its record', async () => {
  const { client } = await newOwnerWithSite(stack.url)
  const add = (values: object) =>
    client.send<Feed>(IMPORT_API.feeds, { method: 'POST', body: { url, ...values } })
  const refused = (values: object) =>
    add(values).catch((error: { response: { data: object } }) => error.response.data)
  const feed = await add({ name: '  Ours ', url: ` ${url} `, apply: ['NEW', 'NEW'], missing: null })
  expect(feed).toMatchObject({ name: 'Ours', url, apply: ['NEW'], missing: 'KEEP' })
  // The same errors as for a change of the record.
  const rows: [values: object, field: string, code: string][] = [
    [{ url: '' }, 'url', 'validation_required'],
    [{ url: 'feed.example/list' }, 'url', 'validation_invalid_url'],
    [{ url: 'ftp://feed.example/list' }, 'url', 'validation_invalid_url'],
    [{ url: 'https://user:secret@feed.example/list' }, 'url', 'validation_invalid_url'],
    [{ url: `${url}${'x'.repeat(2048)}` }, 'url', 'validation_max_text_constraint'],
    [{ name: 'x'.repeat(201) }, 'name', 'validation_max_text_constraint'],
    [{ name: 'a\ud800' }, 'name', 'validation_invalid_format'],
    [{ apply: ['EVERYTHING'] }, 'apply', 'validation_invalid_value'],
    [{ missing: 'FORGET' }, 'missing', 'validation_invalid_value'],
    [{ token: 5 }, 'token', 'validation_json_shape'],
    [{ is_active: false }, 'is_active', 'validation_in_invalid'],
  ]
  for (const [values, field, code] of rows)
    expect(await refused(values), JSON.stringify(values)).toMatchObject({ [field]: { code } })
  expect(await client.collection(FEEDS).getFullList()).toHaveLength(1)
})

test('a row that the rules of a feed leave out has a later version than when it was planned', async () => {
  const owner = await newOwnerWithSite(stack.url)
  await offer([station('A'), station('B')], '"v1"')
  const feed = await owner.client.send<Feed>(IMPORT_API.feeds, { method: 'POST', body: { url } })
  await until(async () => (await feedOf(owner, feed.id)).state === 'NEEDS_REVIEW')
  const [planned] = await importsOf(owner)
  await owner.client.send(IMPORT_API.importRun(planned?.id ?? ''), { method: 'POST' })
  await settled(owner.client, planned?.id ?? '')
  await offer([station('A', { cost: 'free' }), station('B')], '"v2"')
  await sleepOver(owner, feed.id)
  await until(async () => (await feedOf(owner, feed.id)).state === 'NEEDS_REVIEW')
  // Versions grow with each write; the row of B was written once, after that of A.
  expect(
    await stack.sql`
      select r.reference, r.action, r.included from import_rows r join imports i on i.id = r.import
      where i.feed = ${feed.id} and i.state = 'PLANNED' order by r.version`,
  ).toEqual([
    { reference: 'B', action: 'UNCHANGED', included: false },
    { reference: 'A', action: 'CHANGED', included: false },
  ])
})

test('the conditional request is sent again after a failure, once the feed was read without changes', async () => {
  const owner = await newOwnerWithSite(stack.url)
  await offer([station('A')], '"1"')
  const { id } = await owner.client.send<Feed>(IMPORT_API.feeds, {
    method: 'POST',
    body: { url, apply: ['NEW'] },
  })
  await until(async () => (await feedOf(owner, id)).state === 'NEEDS_REVIEW')
  const [planned] = await importsOf(owner)
  await owner.client.send(IMPORT_API.importRun(planned?.id ?? ''), { method: 'POST' })
  await settled(owner.client, planned?.id ?? '')
  other.status = 500
  await sleepOver(owner, id)
  await until(async () => (await feedOf(owner, id)).state === 'FAILING')
  other.status = 200
  await sleepOver(owner, id)
  await until(async () => (await feedOf(owner, id)).state === 'OK')
  await sleepOver(owner, id)
  expect(other.asked.at(-1)?.match).toBe('"1"')
})

test('a feed that no longer contains many of its sites removes none without confirmation', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const all = 'ABCDEFGHIJ'.split('').map((each) => station(each))
  await offer(all, '"1"')
  const { id } = await owner.client.send<Feed>(IMPORT_API.feeds, {
    method: 'POST',
    body: { url, apply: ['NEW', 'CHANGED', 'MISSING'], missing: 'REMOVE' },
  })
  await until(async () => (await feedOf(owner, id)).state === 'NEEDS_REVIEW')
  const [planned] = await importsOf(owner)
  await owner.client.send(IMPORT_API.importRun(planned?.id ?? ''), { method: 'POST' })
  await settled(owner.client, planned?.id ?? '')
  const removed = async (): Promise<number> =>
    (await sitesOf(owner)).filter((site) => site['status'] === 'REMOVED').length

  await offer([station('A', { cost: 'free' }), ...all.slice(1, 3)], '"2"')
  await sleepOver(owner, id)
  await until(async () => (await feedOf(owner, id)).state === 'NEEDS_REVIEW')
  await until(async () => (await sitesOf(owner))[0]?.['cost'] === 'free')
  expect(await removed(), 'seven of ten').toBe(0)
  expect(await feedOf(owner, id)).toMatchObject({
    problem: { code: 'many_missing', params: { count: 7, total: 10 } },
  })

  await offer(all.slice(2), '"3"')
  await sleepOver(owner, id)
  await until(async () => (await removed()) === 2)
  await until(async () => (await feedOf(owner, id)).state === 'OK')
})

test('a failing feed reports the reason, and its owner gets a mail once it is dead', async () => {
  const owner = await newOwnerWithSite(stack.url)
  await stack.sql`update users set verified = true where id = ${owner.id}`
  other.status = 500
  const feed = await owner.client.send<Feed>(IMPORT_API.feeds, { method: 'POST', body: { url } })
  await until(async () => (await feedOf(owner, feed.id)).state === 'FAILING')
  expect(await feedOf(owner, feed.id)).toMatchObject({
    problem: { code: 'url_refused', params: { status: 500 } },
  })
  await stack.sql`update feed_reads set failures = 6 where feed = ${feed.id}`
  await sleepOver(owner, feed.id)
  await until(async () => (await feedOf(owner, feed.id)).state === 'DEAD')
  const subject = FEED_MAILS.en.feedDead.subject(stack.config.productName)
  const mails = async () =>
    (await readMails(stack, owner.email)).filter((mail) => JSON.stringify(mail).includes(subject))
  await until(async () => (await mails()).length > 0)
  await offer([station('A')], '"3"')
  await sleepOver(owner, feed.id)
  await until(async () => (await feedOf(owner, feed.id)).state === 'NEEDS_REVIEW')
  expect(await mails()).toHaveLength(1)
})

test('a mail about a feed that could not be sent is sent later, once', async () => {
  const smtp = await startSmtp()
  await smtp.close()
  const ground = await startStack({ limits: { importsMs: 600_000 } })
  const env = { IMPORT_PRIVATE_ADDRESSES: 'on' }
  const beside = { beside: ground, env, limits: { importsMs: 50 } }
  const without = await startStack({
    ...beside,
    env: { ...env, SMTP_URL: smtp.url, MAIL_FROM: 'mail@voltleaf.example' },
  })
  try {
    const owner = await newOwnerWithSite(ground.url)
    await ground.sql`update users set verified = true where id = ${owner.id}`
    other.status = 500
    const body = { url }
    const feed = await owner.client.send<Feed>(IMPORT_API.feeds, { method: 'POST', body })
    await until(async () => (await feedOf(owner, feed.id)).state === 'FAILING')
    await ground.sql`update feed_reads set failures = 6, due = now() where feed = ${feed.id}`
    const failures = () => without.logged.filter((line) => line.includes(`feed ${feed.id}`))
    await expect.poll(failures).toHaveLength(1)
    await sleep(500)
    expect(failures(), 'it is not tried again at once').toHaveLength(1)
    await without.close()
    await ground.sql`update feed_reads set mail_due = now()`
    const server = await startStack(beside)
    const mail = await receiveMail(ground, owner.email)
    expect(mail.subject).toBe(FEED_MAILS.en.feedDead.subject(ground.config.productName))
    await sleep(500)
    await server.close()
    expect(await readMails(ground, owner.email)).toHaveLength(1)
  } finally {
    await ground.close()
  }
})

/** A feed whose pages a test sets, which applies all actions. */
const newPagedFeed = async (owner: Owner) => {
  const sent: { pages: readonly string[] } = { pages: [pageOf('A'), pageOf('B')] }
  const sender = createServer((request, response) => {
    const offset = Number(new URL(request.url ?? '', url).searchParams.get('offset'))
    if (offset + 1 < sent.pages.length)
      response.setHeader('link', `</locations?offset=${offset + 1}>; rel="next"`)
    response.end(sent.pages[offset])
  })
  await new Promise<void>((resolve) => sender.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void sender.close())
  const feed = await owner.client.send<Feed>(IMPORT_API.feeds, {
    method: 'POST',
    body: {
      url: `http://127.0.0.1:${(sender.address() as AddressInfo).port}/locations`,
      missing: 'REMOVE',
      apply: ['NEW', 'CHANGED', 'MISSING'],
    },
  })
  /** Lets a night pass in which the feed sends these pages. */
  const readNext = async (...pages: readonly string[]): Promise<void> => {
    sent.pages = pages
    await stack.sql`update feed_reads set due = now() where feed = ${feed.id}`
    // An hour ahead: the column rounds to milliseconds, so `due` may already lie slightly in the future.
    const isBegun = () =>
      stack.sql`select from feed_reads where feed = ${feed.id} and due > now() + interval '1 hour'`
    await until(async () => (await isBegun()).length > 0)
    await until(async () =>
      (await importsOf(owner)).every(({ state }) => !['READING', 'RUNNING'].includes(state)),
    )
  }
  await until(async () => (await feedOf(owner, feed.id)).last_read !== '')
  await readNext(pageOf('A'), pageOf('B'))
  expect(await sitesOf(owner)).toMatchObject([{ reference: 'A' }, { reference: 'B' }])
  const statuses = async () => (await sitesOf(owner)).map(({ status }) => String(status))
  return { id: feed.id, readNext, statuses }
}
const pageOf = (name: string, more: object = {}): string =>
  JSON.stringify({ status_code: 1000, data: [{ ...location(name), ...more }] })

test('an OCPI error with status 200 on a later page removes nothing', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const { id, readNext, statuses } = await newPagedFeed(owner)
  await readNext(pageOf('A'), '{"status_code":3001,"data":[]}')
  expect(await statuses()).toEqual(['AVAILABLE', 'AVAILABLE'])
  expect(await feedOf(owner, id)).toMatchObject({
    state: 'FAILING',
    problem: { code: 'url_refused', params: { status: 3001 } },
  })
  await readNext(pageOf('A'))
  expect(await statuses(), 'a feed that is read to its end').toEqual(['AVAILABLE', 'REMOVED'])
})

test.each([
  [
    'of which a page is cut off',
    [pageOf('A', { postal_code: 'BT56' }), '{"data":[{'],
    'json_cut_off',
  ],
  ['with a page of a gateway', [pageOf('A', { postal_code: 'BT56' }), '<html>'], 'json_unexpected'],
  ['that is empty', ['{"status_code":1000,"data":[]}'], 'source_without_stations'],
  [
    'of which a record is too large',
    [pageOf('A', { postal_code: 'BT56' }), pageOf('C', { comment: 'x'.repeat(9 << 20) })],
    'record_too_large',
  ],
])('a feed %s counts as failing', async (_, pages, code) => {
  const owner = await newOwnerWithSite(stack.url)
  const { id, readNext, statuses } = await newPagedFeed(owner)
  await readNext(...pages)
  expect(await feedOf(owner, id)).toMatchObject({ state: 'FAILING', problem: { code } })
  expect(await statuses()).toEqual(['AVAILABLE', 'AVAILABLE'])
  const [first] = await sitesOf(owner)
  expect(first?.['postal_code'], 'what was read is applied').toBe(pages.length > 1 ? 'BT56' : '')
  await stack.sql`update feed_reads set failures = 6 where feed = ${id}`
  await readNext(...pages)
  expect(await feedOf(owner, id)).toMatchObject({ state: 'DEAD', problem: { code } })
  await readNext(pageOf('A'), '{"data":[7,{"session":1}]}')
  expect(await feedOf(owner, id), 'records of other kinds').toMatchObject({
    state: 'OK',
    problem: null,
  })
})

test('what a person has changed, deleted or left out stays, until the feed changes it', async () => {
  const owner = await newOwnerWithSite(stack.url)
  await offer(
    'ABCDE'.split('').map((each) => station(each)),
    '"n1"',
  )
  const { id } = await owner.client.send<Feed>(IMPORT_API.feeds, {
    method: 'POST',
    body: { url, apply: ['NEW', 'CHANGED', 'MISSING'], missing: 'REMOVE' },
  })
  const is = (state: Feed['state']) => until(async () => (await feedOf(owner, id)).state === state)
  const runPlan = async (): Promise<string> => {
    const planned = (await importsOf(owner)).findLast(({ state }) => state === 'PLANNED')
    await owner.client.send(IMPORT_API.importRun(planned?.id ?? ''), { method: 'POST' })
    await settled(owner.client, planned?.id ?? '')
    return planned?.id ?? ''
  }
  const latest = async () => (await importsOf(owner)).at(-1)?.id ?? ''
  await is('NEEDS_REVIEW')
  const left = (await rowsOf(owner.client, await latest())).find(({ name }) => name === 'Station E')
  const patch = { method: 'PATCH', body: { included: false } }
  await owner.client.send(IMPORT_API.importRow(await latest(), String(left?.number)), patch)
  await runPlan()
  await is('OK')
  const [a, b, c] = await sitesOf(owner)
  const sites = owner.client.collection(SITES)
  await sites.update(String(a?.['id']), { name: 'The name on the sign', status: 'OUTOFORDER' })
  await sites.update(String(b?.['id']), { latitude: 55.01, published: false })
  await sites.delete(String(c?.['id']))
  const stays = [
    { reference: 'A', name: 'The name on the sign', status: 'OUTOFORDER' },
    { reference: 'B', latitude: 55.01, published: false },
    { reference: 'D' },
  ]
  // The feed changes other values of the same stations, and lacks none.
  await offer(
    [
      station('A', { cost: 'free' }),
      station('B'),
      station('C', { cost: 'free' }),
      station('D'),
      station('E', { status: 'PLANNED' }),
    ],
    '"n2"',
  )
  await sleepOver(owner, id)
  await until(async () => (await sitesOf(owner))[0]?.['cost'] === 'free')
  expect(await sitesOf(owner)).toMatchObject(stays)
  expect(await sitesOf(owner)).toHaveLength(stays.length)
  const run = (await importsOf(owner)).findLast(({ state }) => state === 'DONE')
  expect(run).toMatchObject({ counts: { APPLIED: 1, NEW: 2, left_out: 2 } })
  expect(await feedOf(owner, id)).toMatchObject({ state: 'OK' })

  // A run that was undone is not repeated.
  await owner.client.send(IMPORT_API.importUndo(run?.id ?? ''), { method: 'POST' })
  await settled(owner.client, run?.id ?? '')
  await sleepOver(owner, id)
  expect(await sitesOf(owner)).toMatchObject([{ cost: '', ...stays[0] }, ...stays.slice(1)])

  // A person who reads the feed finds the differences, and chooses.
  await settled(
    owner.client,
    (await owner.client.send<Import>(IMPORT_API.feedRead(id), { method: 'POST' })).id,
  )
  const rows = await rowsOf(owner.client, await latest())
  expect(rows.map(({ name, included, problem }) => [name, included, problem?.code])).toEqual([
    ['Station A', false, 'unchanged_in_feed'],
    ['Station B', false, 'unchanged_in_feed'],
    ['Station C', false, 'unchanged_in_feed'],
    ['Station D', false, undefined],
    ['Station E', false, 'unchanged_in_feed'],
  ])
  await owner.client.send(IMPORT_API.import(await latest()), {
    method: 'PATCH',
    body: { included: true, where: { name: 'station b' } },
  })
  await runPlan()
  expect((await sitesOf(owner))[1]).toMatchObject({ reference: 'B', latitude: 54.066 })

  // The feed has the last word when it changes what a person has changed.
  await offer([station('A', { name: 'Renamed' }), station('B'), station('D')], '"n3"')
  await sleepOver(owner, id)
  await until(async () => (await sitesOf(owner))[0]?.['name'] === 'Renamed')
  expect(await sitesOf(owner)).toMatchObject([{ status: 'OUTOFORDER' }, { published: false }, {}])
})

test('a station without an id keeps its site, whatever its owner and the feed change', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const offerTable = (etag: string, latitude: number, ...more: readonly string[]): void => {
    const rows = [`Town hall;1 Quay Street;${latitude};-6.7;Type 2;22`, ...more]
    other.body = ['Name;Address;Latitude;Longitude;Plug type;Power kW', ...rows].join('\n')
    other.etag = etag
    other.status = 200
  }
  offerTable('"t1"', 55.2)
  const { id } = await owner.client.send<Feed>(IMPORT_API.feeds, {
    method: 'POST',
    body: { url, apply: ['NEW', 'CHANGED'] },
  })
  const is = (state: Feed['state']) => until(async () => (await feedOf(owner, id)).state === state)
  const named = async () =>
    (
      await owner.client.collection(SITES).getFullList({ filter: 'latitude > 55.19', sort: 'name' })
    ).map(({ id: site, name, latitude }) => [site, name, latitude])
  await is('NEEDS_REVIEW')
  const [planned] = await importsOf(owner)
  await owner.client.send(IMPORT_API.importRun(planned?.id ?? ''), { method: 'POST' })
  await settled(owner.client, planned?.id ?? '')
  const others = (await named()).filter(([, name]) => name !== 'Town hall')
  const [[first = ''] = []] = (await named()).filter(
    ([, name]) => name === 'Town hall',
  ) as string[][]
  await owner.client.collection(SITES).update(first, { name: 'A Guildhall', latitude: 55.2001 })

  offerTable('"t2"', 55.2, 'Depot;9 Mill Road;55.4;-6.7;CCS;50')
  await sleepOver(owner, id)
  await until(async () => (await named()).some(([, name]) => name === 'Depot'))
  expect(await feedOf(owner, id)).toMatchObject({ state: 'OK' })
  expect(await named()).toHaveLength(others.length + 2)
  expect(await named()).toContainEqual([first, 'A Guildhall', 55.2001])

  offerTable('"t3"', 55.2009, 'Depot;9 Mill Road;55.4;-6.7;CCS;50')
  await sleepOver(owner, id)
  await until(async () => (await named()).some(([, , latitude]) => latitude === 55.2009))
  expect(await named()).toHaveLength(others.length + 2)
  expect(await named()).toContainEqual([first, 'A Guildhall', 55.2009])
})

/** A feed of a table without ids, which applies all actions, after the first plan has been run. */
const newTableFeed = async (owner: Owner, ...rows: readonly string[]) => {
  let nights = 0
  const offerRows = (some: readonly string[]): void => {
    other.body = ['Name;Address;Latitude;Longitude;Plug type;Power kW', ...some].join('\n')
    other.etag = `"${owner.id} ${nights++}"`
    other.status = 200
  }
  offerRows(rows)
  const { id } = await owner.client.send<Feed>(IMPORT_API.feeds, {
    method: 'POST',
    body: { url, apply: ['NEW', 'CHANGED', 'MISSING'], missing: 'REMOVE' },
  })
  await until(async () => (await feedOf(owner, id)).state === 'NEEDS_REVIEW')
  const [planned] = await importsOf(owner)
  await owner.client.send(IMPORT_API.importRun(planned?.id ?? ''), { method: 'POST' })
  await settled(owner.client, planned?.id ?? '')
  const sites = owner.client.collection(SITES)
  return {
    id,
    sites,
    readNext: async (...some: readonly string[]): Promise<void> => {
      offerRows(some)
      await sleepOver(owner, id)
    },
    names: async () => {
      const all = await sites.getFullList({ filter: `id != "${owner.site.id}"`, sort: 'name' })
      return all.map(({ name }) => String(name))
    },
  }
}

test('a deleted site without an id stays deleted, whatever the feed renames or moves', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const depot = 'Depot;9 Mill Road;56.4;-6.7;CCS;50'
  const rowOf = (name: string, latitude: number) =>
    `${name};1 Quay Street;${latitude};-6.7;Type 2;22`
  const { id, sites, readNext, names } = await newTableFeed(owner, rowOf('Town hall', 56.2), depot)
  const { id: site } = await sites.getFirstListItem('name = "Town hall"')
  await sites.delete(site)
  for (const [name, latitude] of [
    ['Guildhall', 56.2],
    ['Guildhall', 56.2009],
    ['Assembly rooms', 56.2009],
  ] as const) {
    await readNext(rowOf(name, latitude), depot)
    expect(await names()).toEqual(['Depot'])
    expect(await feedOf(owner, id)).toMatchObject({ state: 'OK' })
  }
  // Another station at the point where it was.
  await readNext(rowOf('Assembly rooms', 56.2009), rowOf('Brewery', 56.2), depot)
  expect(await names()).toEqual(['Brewery', 'Depot'])
  const review = await owner.client.send<Import>(IMPORT_API.feedRead(id), { method: 'POST' })
  await settled(owner.client, review.id)
  const [row] = await rowsOf(owner.client, review.id)
  expect(row).toMatchObject({ included: false, problem: { code: 'unchanged_in_feed' } })
  const include = { method: 'PATCH', body: { included: true } }
  await owner.client.send(IMPORT_API.importRow(review.id, String(row?.number)), include)
  await owner.client.send(IMPORT_API.importRun(review.id), { method: 'POST' })
  await settled(owner.client, review.id)
  expect(await names()).toEqual(['Assembly rooms', 'Brewery', 'Depot'])
})

test('a page in place of a table closes no sites and gives the reason', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const rows = Array.from(
    { length: 20 },
    (_, nth) => `Quay ${nth};${nth} Quay Street;${60 + nth / 10};9.7;Type 2;22`,
  )
  const { id, sites } = await newTableFeed(owner, ...rows)
  other.body = '<!DOCTYPE html>\n<html><title>Sign in</title></html>'
  other.etag = '"page"'
  await sleepOver(owner, id)
  expect(await feedOf(owner, id)).toMatchObject({
    state: 'FAILING',
    problem: { code: 'source_is_page' },
  })
  expect(await sites.getFullList({ filter: 'status = "REMOVED"' })).toEqual([])
})

test('a site that a person has opened again is not closed every night', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const { readNext, statuses } = await newPagedFeed(owner)
  await readNext(pageOf('A'))
  expect(await statuses()).toEqual(['AVAILABLE', 'REMOVED'])
  const [, b] = await sitesOf(owner)
  await owner.client.collection(SITES).update(String(b?.['id']), { status: 'AVAILABLE' })
  await readNext(pageOf('A'))
  expect(await statuses()).toEqual(['AVAILABLE', 'AVAILABLE'])
  await readNext(pageOf('A'), pageOf('B'))
  await readNext(pageOf('A'))
  expect(await statuses(), 'it was back meanwhile').toEqual(['AVAILABLE', 'REMOVED'])
})

/** Reads a feed, refuses its stations that are in another country than stated, and runs the plan. */
const refuseAbroad = async (owner: Owner, feed: string, others: Answers = {}): Promise<void> => {
  const { id } = await owner.client.send<Import>(IMPORT_API.feedRead(feed), { method: 'POST' })
  await settled(owner.client, id)
  const body = { answers: { country_of_position_likely: false, ...others } }
  await owner.client.send(IMPORT_API.import(id), { method: 'PATCH', body })
  await owner.client.send(IMPORT_API.importRun(id), { method: 'POST' })
  await settled(owner.client, id)
}

test('a question whose answer refuses a station is asked once', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const { id, readNext } = await newPagedFeed(owner)
  const abroad = { country: 'FRA' }
  await readNext(pageOf('A'), pageOf('B'), pageOf('C', abroad))
  expect(await feedOf(owner, id)).toMatchObject({ state: 'NEEDS_REVIEW' })
  await refuseAbroad(owner, id)
  await readNext(pageOf('A'), pageOf('B'), pageOf('C', abroad))
  expect(await feedOf(owner, id)).toMatchObject({ state: 'OK' })
  await readNext(pageOf('A'), pageOf('B'), pageOf('C'))
  expect(await sitesOf(owner), 'the feed has corrected it').toMatchObject([
    { reference: 'A' },
    { reference: 'B' },
    { reference: 'C' },
  ])
})

test('a refused station that the feed has changed is asked about again', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const { id, readNext } = await newPagedFeed(owner)
  const abroad = (more: object = {}) => pageOf('C', { country: 'FRA', ...more })
  await readNext(pageOf('A'), pageOf('B'), abroad())
  await refuseAbroad(owner, id)
  await readNext(pageOf('A'), pageOf('B'), abroad({ postal_code: 'BT56' }))
  expect(await feedOf(owner, id)).toMatchObject({ state: 'NEEDS_REVIEW' })
  const [latest] = (await importsOf(owner)).slice(-1)
  expect((await rowsOf(owner.client, latest?.id ?? '')).at(-1)).toMatchObject({
    action: 'REFUSED',
    open_questions: 1,
  })
})

test('several answers that refuse a station together are asked for once', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const { id, readNext } = await newPagedFeed(owner)
  const pages = [pageOf('A'), pageOf('B'), pageOf('C', { country: 'FRA', name: 'x'.repeat(300) })]
  await readNext(...pages)
  await refuseAbroad(owner, id, { text_shortened: true })
  await readNext(...pages)
  expect(await feedOf(owner, id)).toMatchObject({ state: 'OK' })
})

test('a station that an answer refuses keeps what its owner has changed', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const { id, readNext } = await newPagedFeed(owner)
  const [a] = await sitesOf(owner)
  await owner.client.collection(SITES).update(String(a?.['id']), { name: 'The name on the sign' })
  const plug = location('A').evses[0]?.connectors[0]
  const plugs = ['1', '2'].map((each) => ({ ...plug, id: each, max_amperage: 16 }))
  const content = { postal_code: 'BT55', evses: [{ uid: 'evse A', connectors: plugs }] }
  const abroad = pageOf('A', { country: 'FRA', ...content })
  await readNext(abroad, pageOf('B'))
  await refuseAbroad(owner, id)
  await readNext(abroad, pageOf('B'))
  expect(await feedOf(owner, id), 'the question is asked once').toMatchObject({ state: 'OK' })
  await readNext(pageOf('A', content), pageOf('B'))
  expect(await sitesOf(owner)).toMatchObject([
    { name: 'The name on the sign', postal_code: 'BT55', status: 'AVAILABLE' },
    { reference: 'B' },
  ])
  // The content that was refused had not been merged.
  const connectors = await owner.client
    .collection(CONNECTORS)
    .getFullList({ filter: `site = "${a?.id}"` })
  expect(connectors.map(({ amperage }) => Number(amperage))).toEqual([16, 16])
})

test('what a feed leaves out for a night is not new when it returns', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const { id, readNext } = await newPagedFeed(owner)
  const plugs = ['1', '2'].map((nth) => ({
    id: nth,
    standard: 'IEC_62196_T2',
    format: 'SOCKET',
    power_type: 'AC_3_PHASE',
    max_voltage: 230,
    max_amperage: 32,
    max_electric_power: 22_000,
  }))
  const withPlugs = (connectors: readonly object[]) => ({
    evses: [{ uid: 'evse A', status: 'AVAILABLE', connectors }],
  })
  const whole = pageOf('A', { ...withPlugs(plugs), postal_code: 'BT56' })
  await readNext(whole, pageOf('B'))
  const [a] = await sitesOf(owner)
  const site = String(a?.['id'])
  const connectors = owner.client.collection(CONNECTORS)
  const plugsOf = () => connectors.getFullList({ filter: `site = "${site}"`, sort: 'reference' })
  const [plug] = await plugsOf()
  const edited = { name: 'The name on the sign', postal_code: 'BT57' }
  await owner.client.collection(SITES).update(site, edited)
  await connectors.update(String(plug?.id), { amperage: 16 })
  const nights: Readonly<Record<string, string>> = {
    'some values are missing': pageOf('A', {
      ...withPlugs(plugs.map((one) => ({ ...one, max_amperage: undefined }))),
      name: undefined,
    }),
    'all connectors are missing': pageOf('A', { evses: [], postal_code: '' }),
    'the connectors are in another order': pageOf('A', {
      ...withPlugs(plugs.toReversed()),
      postal_code: 'BT56',
    }),
  }
  for (const [night, page] of Object.entries(nights))
    for (const each of [page, whole]) {
      await readNext(each, pageOf('B'))
      expect((await sitesOf(owner))[0], night).toMatchObject(edited)
      expect((await plugsOf()).map(({ amperage }) => Number(amperage), night)).toEqual([16, 32])
      expect(await feedOf(owner, id), night).toMatchObject({ state: 'OK' })
    }
  // What the feed changes wins, also after a night without it.
  await readNext(pageOf('A', withPlugs(plugs)), pageOf('B'))
  await readNext(pageOf('A', { ...withPlugs(plugs), postal_code: 'BT58' }), pageOf('B'))
  expect((await sitesOf(owner))[0]).toMatchObject({ ...edited, postal_code: 'BT58' })
})

test('a connector keeps what its owner has changed when the feed changes its price, and so does a price of another', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const { readNext } = await newPagedFeed(owner)
  const pageFor = (price: number, more: object = {}) => {
    const { evses, ...a } = location('A')
    const [plug] = evses[0]?.connectors ?? []
    const priced = { ...plug, max_electric_power: 22_000, tariff_ids: ['T1'], ...more }
    const second = { ...plug, id: '2', standard: 'IEC_62196_T1', tariff_ids: ['T2'] }
    const tariffOf = (id: string, each: number) => ({
      id,
      currency: 'GBP',
      elements: [{ price_components: [{ type: 'ENERGY', price: each, step_size: 1 }] }],
    })
    return JSON.stringify({
      locations: [
        { ...a, evses: [{ uid: 'evse A', connectors: [priced, second] }] },
        location('B'),
      ],
      tariffs: [tariffOf('T1', price), tariffOf('T2', 0.7)],
    })
  }
  await readNext(pageFor(0.5))
  const [a] = await sitesOf(owner)
  const connectors = owner.client.collection(CONNECTORS)
  const plugsOf = () => connectors.getFullList({ filter: `site = "${a?.id}"`, sort: 'created,id' })
  const plugs = await plugsOf()
  const [plug, dearer] = ['IEC_62196_T2', 'IEC_62196_T1'].map((standard) =>
    plugs.find((each) => each['standard'] === standard),
  )
  await connectors.update(String(plug?.id), { kw_rating: 11 })
  await connectors.update(String(dearer?.id), { tariff: plug?.['tariff'] as string })
  const own = { standard: 'CHADEMO', format: 'CABLE', current_type: 'DC', kw_rating: 50 }
  const { id: ownId } = await connectors.create({ site: a?.id, ...own })
  const read = (id = '') => connectors.getOne(id)
  await readNext(pageFor(0.6))
  expect(await read(plug?.id)).toMatchObject({ kw_rating: 11 })
  expect((await read(plug?.id))['tariff'], 'the new price').not.toBe(plug?.['tariff'])
  expect((await read(dearer?.id))['tariff'], 'a price of the owner').toBe(plug?.['tariff'])
  expect(await read(ownId)).toMatchObject(own)
  await readNext(pageFor(0.6, { max_electric_power: 7400 }))
  expect(await read(plug?.id), 'the feed changes the power').toMatchObject({ kw_rating: 7.4 })
  expect(await plugsOf()).toHaveLength(3)
})

test('a connector of a feed without ids stays the same one, whatever its owner changes', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const depot = 'Depot;9 Mill Road;57.4;-6.7;CCS;50'
  const hall = (...kws: readonly string[]) =>
    kws.map((kw) => `Town hall;1 Quay Street;57.2;-6.7;Type 2;${kw}`)
  const { id, sites, readNext } = await newTableFeed(owner, ...hall('11', '22'), depot)
  const { id: site } = await sites.getFirstListItem('name = "Town hall"')
  const connectors = owner.client.collection(CONNECTORS)
  const filter = `site = "${site}"`
  const powers = async () =>
    Object.fromEntries(
      (await connectors.getFullList({ filter })).map((each) => [each.id, each['kw_rating']]),
    )
  const [slow, fast] = (await connectors.getFullList({ filter, sort: 'kw_rating' })).map(
    (each) => each.id,
  )
  const own = await connectors.create({
    site,
    standard: 'IEC_62196_T2',
    format: 'SOCKET',
    current_type: 'AC_3_PHASE',
    kw_rating: 7.4,
  })
  await connectors.update(String(slow), { kw_rating: 22 })

  await readNext(...hall('11', '43'), depot)
  expect(await powers()).toEqual({ [String(slow)]: 22, [String(fast)]: 43, [own.id]: 7.4 })
  await connectors.delete(String(fast))
  await readNext(...hall('12', '43'), depot)
  expect(await powers()).toEqual({ [String(slow)]: 12, [own.id]: 7.4 })
  expect(await feedOf(owner, id)).toMatchObject({ state: 'OK' })

  // A person may restore what was deleted. From then on, it is a connector of the feed again.
  await includeAgain(owner, id, 'Town hall', 'KEEP')
  await readNext(...hall('12', '44'), depot)
  const { [String(slow)]: same, [own.id]: added, ...restored } = await powers()
  expect([same, added, Object.values(restored)]).toEqual([12, 7.4, [44]])

  await readNext(...hall('44'), depot)
  expect(await powers(), 'the feed no longer has it').toEqual({ ...restored, [own.id]: 7.4 })
})

test('connectors that a feed no longer has are kept until its rule says otherwise', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const { id, readNext } = await newPagedFeed(owner)
  const plug = location('A').evses[0]?.connectors[0]
  const withPlugs = (...ids: readonly string[]) =>
    pageOf('A', {
      evses: [{ uid: 'evse A', connectors: ids.map((each) => ({ ...plug, id: each })) }],
    })
  await readNext(withPlugs('1', '2'), pageOf('B'))
  const feed = owner.client.collection(FEEDS)
  await feed.update(id, { missing: 'KEEP' })
  const [a] = await sitesOf(owner)
  const count = async () =>
    (await owner.client.collection(CONNECTORS).getFullList({ filter: `site = "${a?.id}"` })).length
  for (let night = 0; night < 2; night++) await readNext(withPlugs('1'), pageOf('B'))
  expect(await count()).toBe(2)
  await feed.update(id, { missing: 'REMOVE' })
  await readNext(withPlugs('1'), pageOf('B'))
  expect(await count()).toBe(1)
})

test.each([
  ['KEEP', 58.2],
  ['REMOVE', 58.6],
])(
  'a type that a person has corrected before the feed stays one connector: %s',
  async (missing, latitude) => {
    const owner = await newOwnerWithSite(stack.url)
    const depot = `Depot;9 Mill Road;${latitude + 0.2};-6.7;CCS;50`
    const hall = (type: string) => `Town hall;1 Quay Street;${latitude};-6.7;${type};50`
    const { id, sites, readNext } = await newTableFeed(owner, hall('CHAdeMO'), depot)
    await owner.client.collection(FEEDS).update(id, { missing })
    const { id: site } = await sites.getFirstListItem('name = "Town hall"')
    const connectors = owner.client.collection(CONNECTORS)
    const plugsOf = () => connectors.getFullList({ filter: `site = "${site}"` })
    const [plug] = await plugsOf()
    const edited = { standard: 'IEC_62196_T2_COMBO', evse_id: 'DE*ABC*E1' }
    await connectors.update(String(plug?.id), edited)
    for (const type of ['CHAdeMO', 'CCS']) {
      await readNext(hall(type), depot)
      expect(await plugsOf(), type).toMatchObject([{ id: plug?.id, ...edited }])
    }
  },
)

test('a connector that a person has put in the place of one of the feed is not that one', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const depot = 'Depot;9 Mill Road;59.4;-6.7;CCS;50'
  const hall = (kw: number) => `Town hall;1 Quay Street;59.2;-6.7;Type 2;${kw}`
  const { sites, readNext } = await newTableFeed(owner, hall(22), depot)
  const { id: site } = await sites.getFirstListItem('name = "Town hall"')
  const connectors = owner.client.collection(CONNECTORS)
  const plugsOf = () => connectors.getFullList({ filter: `site = "${site}"` })
  await connectors.delete(String((await plugsOf())[0]?.id))
  const own = { standard: 'IEC_62196_T2', format: 'SOCKET', current_type: 'AC_3_PHASE' }
  await connectors.create({ site, ...own, kw_rating: 7.4 })
  await readNext(hall(43), depot)
  expect(await plugsOf()).toMatchObject([{ kw_rating: 7.4 }])
})

/** Reads a feed, and imports one station that the plan leaves out. */
const includeAgain = async (
  owner: Owner,
  feed: string,
  name: string,
  missing: 'KEEP' | 'REMOVE' = 'REMOVE',
): Promise<void> => {
  const { id } = await owner.client.send<Import>(IMPORT_API.feedRead(feed), { method: 'POST' })
  await settled(owner.client, id)
  const row = (await rowsOf(owner.client, id)).find((each) => each.name === name)
  expect(row).toMatchObject({ included: false, problem: { code: 'unchanged_in_feed' } })
  const patch = (path: string, body: object) => owner.client.send(path, { method: 'PATCH', body })
  await patch(IMPORT_API.import(id), { missing })
  await patch(IMPORT_API.importRow(id, String(row?.number)), { included: true })
  await owner.client.send(IMPORT_API.importRun(id), { method: 'POST' })
  await settled(owner.client, id)
  const [done] = (await rowsOf(owner.client, id)).filter((each) => each.name === name)
  expect(done).toMatchObject({ state: 'APPLIED' })
}

test('a deleted site that a person imports again keeps what its owner then changes', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const { id, readNext } = await newPagedFeed(owner)
  const sites = owner.client.collection(SITES)
  await sites.delete(String((await sitesOf(owner))[0]?.['id']))
  await readNext(pageOf('A'), pageOf('B'))
  expect(await sitesOf(owner)).toMatchObject([{ reference: 'B' }])
  await includeAgain(owner, id, 'Station A')
  const restored = await sites.getFirstListItem('reference = "A"')
  await sites.update(restored.id, { name: 'The name on the sign' })
  const connectors = owner.client.collection(CONNECTORS)
  const plugsOf = () =>
    connectors.getFullList({ filter: `site = "${restored.id}"`, sort: 'kw_rating' })
  const [plug] = await plugsOf()
  await connectors.update(String(plug?.id), { kw_rating: 11 })
  const own = { standard: 'CHADEMO', format: 'CABLE', current_type: 'DC', kw_rating: 50 }
  await connectors.create({ site: restored.id, ...own })
  await readNext(pageOf('A'), pageOf('B'))
  expect(await sites.getOne(restored.id)).toMatchObject({ name: 'The name on the sign' })
  expect(await plugsOf()).toMatchObject([{ id: plug?.id, kw_rating: 11 }, own])
  const { evses } = location('A')
  const plugs = evses[0]?.connectors.map((each) => ({ ...each, max_electric_power: 7400 }))
  await readNext(pageOf('A', { evses: [{ ...evses[0], connectors: plugs }] }), pageOf('B'))
  expect(await plugsOf()).toMatchObject([{ id: plug?.id, kw_rating: 7.4 }, own])
})

test('a connector that was moved to another site can be restored', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const { id, readNext } = await newPagedFeed(owner)
  const [a, b] = await sitesOf(owner)
  const connectors = owner.client.collection(CONNECTORS)
  const filter = `site = "${a?.id}"`
  const { id: plug } = await connectors.getFirstListItem(filter)
  await connectors.update(plug, { site: b?.id, reference: '' })
  await readNext(pageOf('A'), pageOf('B'))
  expect(await connectors.getFullList({ filter })).toEqual([])
  await includeAgain(owner, id, 'Station A')
  expect(await connectors.getFullList({ filter })).toHaveLength(1)
})

test('another rule for missing connectors does not select what a feed only repeats', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const { id } = await newPagedFeed(owner)
  const [a] = await sitesOf(owner)
  const own = { standard: 'CHADEMO', format: 'CABLE', current_type: 'DC', kw_rating: 50 }
  await owner.client.collection(CONNECTORS).create({ site: a?.id, ...own })
  const { id: read } = await owner.client.send<Import>(IMPORT_API.feedRead(id), { method: 'POST' })
  await settled(owner.client, read)
  for (const missing of ['KEEP', 'REMOVE']) {
    await owner.client.send(IMPORT_API.import(read), { method: 'PATCH', body: { missing } })
    expect(await rowsOf(owner.client, read), missing).toMatchObject([
      { name: 'Station A', included: false },
      { name: 'Station B', included: false },
    ])
  }
})

test('a connector that one plan has removed is added again when the feed has it again', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const { id, readNext } = await newPagedFeed(owner)
  const [plug] = location('A').evses[0]?.connectors ?? []
  const withPlugs = (...ids: readonly string[]) =>
    pageOf('A', {
      evses: [{ uid: 'evse A', connectors: ids.map((each) => ({ ...plug, id: each })) }],
    })
  await readNext(withPlugs('1', '2'), pageOf('B'))
  await owner.client.collection(FEEDS).update(id, { missing: 'KEEP' })
  const [a] = await sitesOf(owner)
  const count = async () =>
    (await owner.client.collection(CONNECTORS).getFullList({ filter: `site = "${a?.id}"` })).length
  await readNext(withPlugs('1'), pageOf('B'))
  expect(await count()).toBe(2)
  const { id: read } = await owner.client.send<Import>(IMPORT_API.feedRead(id), { method: 'POST' })
  await settled(owner.client, read)
  const remove = { method: 'PATCH', body: { missing: 'REMOVE' } }
  await owner.client.send(IMPORT_API.import(read), remove)
  await owner.client.send(IMPORT_API.importRun(read), { method: 'POST' })
  await settled(owner.client, read)
  expect(await count()).toBe(1)
  await readNext(withPlugs('1', '2'), pageOf('B'))
  expect(await count()).toBe(2)
})

test('a new station at the position of a former one is not mistaken for it if the feed has ids', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const { id, readNext } = await newPagedFeed(owner)
  await readNext(
    pageOf('A'),
    pageOf('X', { name: 'Brewery', coordinates: location('B').coordinates }),
  )
  expect((await sitesOf(owner)).map(({ name }) => name)).toContain('Station B')
  expect(await feedOf(owner, id)).toMatchObject({ state: 'NEEDS_REVIEW' })
})

test('a station that may be a deleted one under a new id is added only if a person selects it', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const { id, readNext } = await newPagedFeed(owner)
  // More than a kilometre from A.
  await readNext(pageOf('A'), pageOf('M'))
  const gone = (await sitesOf(owner)).filter(({ reference }) => reference !== 'A')
  for (const { id: site } of gone) await owner.client.collection(SITES).delete(site)
  const names = async () => (await sitesOf(owner)).map(({ name }) => name)
  const readRow = async (name: string) => {
    const { id: review } = await owner.client.send<Import>(IMPORT_API.feedRead(id), {
      method: 'POST',
    })
    await settled(owner.client, review)
    const row = (await rowsOf(owner.client, review)).find((each) => each.name === name)
    expect(row).toMatchObject({ included: false, problem: { code: 'perhaps_left_out' } })
    return { review, number: String(row?.number) }
  }
  const run = async (review: string): Promise<void> => {
    await owner.client.send(IMPORT_API.importRun(review), { method: 'POST' })
    await settled(owner.client, review)
  }
  // All stations are numbered anew.
  const renumbered = ['A', 'M'].map((each) => pageOf(each, { id: `new ${each}` }))
  await readNext(...renumbered)
  expect(await names()).toEqual(['Station A'])
  expect(await feedOf(owner, id)).toMatchObject({ state: 'NEEDS_REVIEW' })
  await run((await readRow('Station M')).review)
  await readNext(...renumbered)
  expect(await names()).toEqual(['Station A'])
  expect(await feedOf(owner, id), 'a person has left it out').toMatchObject({ state: 'OK' })

  // A new station replaces the deleted one.
  const { coordinates } = location('M')
  await readNext(
    pageOf('A', { id: 'new A' }),
    pageOf('X', { name: 'Brewery', coordinates }),
    pageOf('P'),
  )
  expect(await names()).toEqual(['Station P', 'Station A'])
  expect(await feedOf(owner, id)).toMatchObject({ state: 'NEEDS_REVIEW' })
  const { review, number } = await readRow('Brewery')
  await owner.client.send(IMPORT_API.importRow(review, number), {
    method: 'PATCH',
    body: { included: true },
  })
  await run(review)
  expect(await names()).toEqual(['Station P', 'Brewery', 'Station A'])
  expect(await feedOf(owner, id)).toMatchObject({ state: 'OK' })
})

test('very many stations at one point, all of which are renamed, wait for a person', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const offerNames = (etag: string, factor: number): void => {
    const rows = Array.from({ length: 700 }, (_, nth) => {
      const name = ((nth * factor) % 2 ** 32).toString(36)
      return `${name};1 Quay Street;57.5;-6.2;Type 2;22`
    })
    other.body = ['Name;Address;Latitude;Longitude;Plug type;Power kW', ...rows].join('\n')
    other.etag = etag
    other.status = 200
  }
  offerNames('"m1"', 2_654_435_761)
  const { id } = await owner.client.send<Feed>(IMPORT_API.feeds, { method: 'POST', body: { url } })
  await until(async () => (await feedOf(owner, id)).state === 'NEEDS_REVIEW')
  const [planned] = await importsOf(owner)
  await owner.client.send(IMPORT_API.importRun(planned?.id ?? ''), { method: 'POST' })
  await settled(owner.client, planned?.id ?? '')
  await until(async () => (await feedOf(owner, id)).state === 'OK')
  offerNames('"m2"', 1_597_334_677)
  await sleepOver(owner, id)
  expect((await importsOf(owner)).at(-1)).toMatchObject({ counts: { doubtful: 699 } })
})

test('a feed in the format of the dashboard changes the references of the owner', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const { address, latitude, longitude, name, id: site } = owner.site
  const offerTable = (etag: string, reference: string): void => {
    const head = 'Site;Address;Latitude;Longitude;Show on the public map;Your own reference;ID'
    const rows = [[name, address, latitude, longitude, 'Yes', reference, site].join(';')]
    other.body = [head, ...rows].join('\n')
    other.etag = etag
    other.status = 200
  }
  offerTable('"d1"', 'R-1')
  const { id } = await owner.client.send<Feed>(IMPORT_API.feeds, {
    method: 'POST',
    body: { url, apply: ['CHANGED'] },
  })
  await until(async () => (await feedOf(owner, id)).state === 'NEEDS_REVIEW')
  const [planned] = await importsOf(owner)
  await owner.client.send(IMPORT_API.importRun(planned?.id ?? ''), { method: 'POST' })
  await settled(owner.client, planned?.id ?? '')
  expect(await sitesOf(owner)).toMatchObject([{ reference: 'R-1' }])
  offerTable('"d2"', 'R-2')
  await sleepOver(owner, id)
  expect(await sitesOf(owner)).toMatchObject([{ reference: 'R-2' }])
})

test('a site is not missing while its station is refused, although its owner has renamed it', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const rowsWith = (plugType: string) => [
    `Town hall;1 Quay Street;55.6;-6.7;${plugType};22`,
    'Depot;9 Mill Road;55.7;-6.7;CCS;50',
  ]
  const { sites, readNext } = await newTableFeed(owner, ...rowsWith('Type 2'))
  const { id: site } = await sites.getFirstListItem('name = "Town hall"')
  await sites.update(site, { name: 'Guildhall' })
  await readNext(...rowsWith('lightning'))
  const [latest] = (await importsOf(owner)).slice(-1)
  expect(await rowsOf(owner.client, latest?.id ?? '')).toMatchObject([
    { name: 'Town hall', action: 'REFUSED' },
    { name: 'Depot', action: 'UNCHANGED' },
  ])
  expect(await sites.getOne(site)).toMatchObject({ status: 'AVAILABLE' })
})

test('a feed of which a station cannot be written needs a review, and leaves one run behind', async () => {
  const owner = await newOwnerWithSite(stack.url)
  await stack.sql`update users set verified = true where id = ${owner.id}`
  const { id, readNext } = await newPagedFeed(owner)
  // Another Location with the charge points of A.
  const copy = pageOf('C', { evses: location('A').evses })
  for (let night = 0; night < 3; night++) {
    await readNext(pageOf('A'), pageOf('B'), copy)
    expect(await feedOf(owner, id)).toMatchObject({ state: 'NEEDS_REVIEW' })
    await until(async () => (await readMails(stack, owner.email)).length > 0)
  }
  expect((await importsOf(owner)).filter(({ counts }) => counts?.FAILED === 1)).toHaveLength(1)
  expect(await readMails(stack, owner.email)).toHaveLength(1)
  await readNext(pageOf('A'), pageOf('B'))
  expect(await feedOf(owner, id)).toMatchObject({ state: 'OK' })
})

/** Reads a feed and runs the plan as it is. */
const reviewFeed = async (owner: Owner, feed: string): Promise<Import> => {
  const { id } = await owner.client.send<Import>(IMPORT_API.feedRead(feed), { method: 'POST' })
  await settled(owner.client, id)
  await owner.client.send(IMPORT_API.importRun(id), { method: 'POST' })
  return settled(owner.client, id)
}

test('a station that cannot be written waits for the feed once a person has seen that', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const { id, readNext } = await newPagedFeed(owner)
  const copy = pageOf('C', { evses: location('A').evses })
  await readNext(pageOf('A'), pageOf('B'), copy)
  expect(await feedOf(owner, id)).toMatchObject({ state: 'NEEDS_REVIEW' })
  expect(await reviewFeed(owner, id)).toMatchObject({ state: 'DONE', counts: { FAILED: 1 } })
  await readNext(pageOf('A'), pageOf('B'), copy)
  expect(await feedOf(owner, id)).toMatchObject({ state: 'OK' })
  // Another review, in which it is left out, does not settle it.
  await reviewFeed(owner, id)
  await readNext(pageOf('A'), pageOf('B'), pageOf('C'))
  expect((await sitesOf(owner)).map(({ reference }) => reference)).toEqual(['A', 'B', 'C'])
  expect(await feedOf(owner, id)).toMatchObject({ state: 'OK' })
})

test('a change that cannot be written is tried again although a person has seen that', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const { id, readNext } = await newPagedFeed(owner)
  const moved = pageOf('B', { evses: location('A').evses, postal_code: 'BT56' })
  await readNext(pageOf('A'), moved)
  expect(await reviewFeed(owner, id)).toMatchObject({ counts: { CHANGED: 1, FAILED: 1 } })
  await readNext(pageOf('A'), moved)
  expect(await feedOf(owner, id)).toMatchObject({ state: 'NEEDS_REVIEW' })
  // The charge points of A are free now; B is as before.
  await readNext(pageOf('A', { evses: location('X').evses }), moved)
  expect(await sitesOf(owner)).toMatchObject([
    { reference: 'A' },
    { reference: 'B', postal_code: 'BT56' },
  ])
  expect(await feedOf(owner, id)).toMatchObject({ state: 'OK' })
})

test('a feed that needs a review sends one mail until it has been reviewed', async () => {
  const owner = await newOwnerWithSite(stack.url)
  await stack.sql`update users set verified = true where id = ${owner.id}`
  await offer([station('A')], '"7"')
  const feed = await owner.client.send<Feed>(IMPORT_API.feeds, {
    method: 'POST',
    body: { url, apply: ['CHANGED'] },
  })
  const subject = FEED_MAILS.en.feedReview.subject(stack.config.productName)
  const mails = async () =>
    (await readMails(stack, owner.email)).filter((mail) => JSON.stringify(mail).includes(subject))
  const is = (state: Feed['state']) =>
    until(async () => (await feedOf(owner, feed.id)).state === state)
  const runPlan = async (): Promise<void> => {
    const planned = (await importsOf(owner)).findLast(({ state }) => state === 'PLANNED')
    await owner.client.send(IMPORT_API.importRun(planned?.id ?? ''), { method: 'POST' })
    await settled(owner.client, planned?.id ?? '')
  }
  await is('NEEDS_REVIEW')
  await runPlan()
  await is('OK')
  // Until here, the owner has requested the plan.
  for (const etag of ['"8"', '"9"']) {
    await offer([station('A'), station('B')], etag)
    await sleepOver(owner, feed.id)
    await is('NEEDS_REVIEW')
    await until(async () => (await mails()).length > 0)
  }
  expect(await sitesOf(owner), 'its rules leave out what is new').toHaveLength(1)
  const review = await owner.client.send<Import>(IMPORT_API.feedRead(feed.id), { method: 'POST' })
  await settled(owner.client, review.id)
  await runPlan()
  await is('OK')
  await offer([station('A'), station('B'), station('C')], '"11"')
  await sleepOver(owner, feed.id)
  await is('NEEDS_REVIEW')
  await until(async () => (await mails()).length > 1)
  expect(await mails()).toHaveLength(2)
})

test('an import of an address works without a feed', async () => {
  const owner = await newOwnerWithSite(stack.url)
  await offer([station('A')], '"4"')
  const { id } = await owner.client.send<Import>(IMPORT_API.imports, {
    method: 'POST',
    body: { url, token: 'another-secret' },
  })
  expect(await settled(owner.client, id)).toMatchObject({ state: 'PLANNED', counts: { NEW: 1 } })
  const kept = (ids: readonly string[]) => stack.sql`
    select distinct token, url from import_work where import = any(${[...ids]})`
  const told = url.replace('?key=hidden', '')
  expect(await kept([id])).toEqual([{ token: '', url: told }])

  // A failed import keeps no secret either.
  other.status = 403
  const failed = await owner.client.send<Import>(IMPORT_API.imports, {
    method: 'POST',
    body: { url, token: 'another-secret' },
  })
  expect(await settled(owner.client, failed.id)).toMatchObject({ state: 'FAILED', source: told })
  expect(await kept([failed.id])).toEqual([{ token: '', url: told }])
})

test('an import that a feed has begun ends if the feed is deleted meanwhile', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const silence = Promise.withResolvers<void>()
  onTestFinished(() => silence.resolve())
  const asked = other.asked.length
  await offer([station('A')], '"12"')
  other.answers = silence.promise
  const body = { url, token: 'top-secret-token' }
  const feed = await owner.client.send<Feed>(IMPORT_API.feeds, { method: 'POST', body })
  await until(() => other.asked.length > asked)
  await owner.client.collection(FEEDS).delete(feed.id)
  silence.resolve()
  await until(async () => (await importsOf(owner)).every(({ state }) => state !== 'READING'))
  expect(await importsOf(owner)).toMatchObject([{ state: 'PLANNED', counts: { NEW: 1 } }])
})

test('feeds that are added and removed leave a limited number of unfinished imports', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const body = { url: url.replace('/locations', '/missing') }
  const feed = await owner.client.send<Feed>(IMPORT_API.feeds, { method: 'POST', body })
  await stack.sql`
    insert into imports (id, business, state)
    select lpad(n::text, 15, '0'), ${feed.business}, 'PLANNED' from generate_series(1, 30) n`
  await expect(owner.client.send(IMPORT_API.feeds, { method: 'POST', body })).rejects.toMatchObject(
    { status: 400, response: { message: expect.stringContaining('Too many imports') } },
  )
})

test('feeds created at the same time do not exceed their number', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const created = await Promise.allSettled(
    Array.from({ length: 40 }, (_, index) =>
      owner.client.send(IMPORT_API.feeds, {
        method: 'POST',
        body: { url: `${url}&feed=${index}` },
        requestKey: null,
      }),
    ),
  )
  expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(
    IMPORT_LIMITS.feedsPerBusiness,
  )
})

test('slow addresses do not delay imports that have arrived', async () => {
  const [owner, ...slow] = await Promise.all([1, 2, 3].map(() => newOwnerWithSite(stack.url)))
  if (owner === undefined) throw new Error('no owner')
  const silence = Promise.withResolvers<void>()
  onTestFinished(() => silence.resolve())
  const asked = other.asked.length
  other.answers = silence.promise
  other.status = 403
  const begun = await Promise.all(
    slow.map(({ client }) =>
      client.send<Import>(IMPORT_API.imports, { method: 'POST', body: { url } }),
    ),
  )
  await until(() => other.asked.length >= asked + slow.length)
  for (const { client } of [owner, ...slow])
    expect(await bringIn(client, fileOf([station('A')]))).toMatchObject({ state: 'PLANNED' })
  const stateOf = async ({ client }: Owner, { id }: Import) =>
    (await client.collection(IMPORTS).getOne<Import>(id)).state
  const states = async () =>
    Promise.all(slow.map((each, index) => stateOf(each, begun[index] as Import)))
  expect(await states()).toEqual(['READING', 'READING'])
  silence.resolve()
  await until(async () => (await states()).every((state) => state === 'FAILED'))
})
