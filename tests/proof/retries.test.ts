import { randomInt } from 'node:crypto'
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { API } from '#domain/paths.ts'
import { CONNECTORS, ID_LENGTH, SITES, USERS } from '#domain/collection.ts'

import { randomText } from '../../server/db/random.ts'
import { makePhoto } from '../support/images.ts'
import { connectorBody, newOwner, newOwnerWithSite, siteBody } from '../support/owner.ts'
import { startSecondProcess, type SecondProcess } from '../support/second-process.ts'
import { startStack, type Stack } from '../support/stack.ts'
import { photoPath } from './disk-recorder.ts'
import { report, times } from './figures.ts'

// Sends every retryable write five times: concurrently, to two processes, and before and after its process is killed.
// It counts once, in tables and in files, and every request with its key gets the same response (record interface
// 9.10).

const COPIES = 5
const ROUNDS = times(1, 12)
const KILLS = times(2, 15)

let photos: readonly [File, File, File]
let stack: Stack
let other: SecondProcess
beforeAll(async () => {
  photos = [
    await makePhoto('one.jpg', { width: 64, height: 48 }),
    await makePhoto('two.jpg', { width: 64, height: 64 }),
    await makePhoto('three.jpg', { width: 48, height: 64 }),
  ]
  stack = await startStack()
  other = await startSecondProcess(stack)
  await stack.sql.unsafe(NOTE_CHANGES)
})
afterAll(async () => {
  await other.close()
  await stack.close()
})

/** Every change of a site or a user adds a row, whatever it changes. */
const NOTE_CHANGES = `
  create table proof_changes (record text not null);
  create function proof_note() returns trigger language plpgsql as
    $$ begin insert into proof_changes values (new.id); return null; end $$;
  create trigger proof after update on sites for each row execute function proof_note();
  create trigger proof after update on users for each row execute function proof_note();`

const changesOf = async (id: string): Promise<object> => ({
  changes: (await stack.sql`select 1 from proof_changes where record = ${id}`).length,
})

/** A write that will be sent several times. */
interface Write {
  readonly method: string
  readonly path: string
  readonly body?: () => object
  readonly key?: string
  /** The expected state if the write was executed exactly once. */
  readonly once: object
  readonly effect: () => Promise<object>
  /** The response to late copies without a key. */
  readonly late?: { readonly status: number; readonly code?: string }
}

/** A separate owner, and a site with two photos. */
const settle = async () => {
  const owner = await newOwnerWithSite(stack.url)
  const sites = owner.client.collection(SITES)
  const [one, two, three] = photos
  const site = await sites.update(owner.site.id, { photos: [one, two] })
  await stack.sql`delete from proof_changes where record in (${site.id}, ${owner.id})`
  return {
    ...owner,
    site,
    siteBody: siteBody(owner.business.id),
    newId: randomText(ID_LENGTH),
    key: randomText(24),
    photo: three,
    photos: async () => {
      const [row] = await stack.sql<{ photos: string[] }[]>`
        select photos from sites where id = ${site.id}`
      const names = row?.photos ?? []
      await Promise.all(names.map((name) => access(photoPath(stack.dataDir, site.id, name))))
      return { photos: names.map((name) => name.split('_')[0]) }
    },
    sites: async () => {
      const rows = await stack.sql<{ id: string; photos: string[] }[]>`
        select id, photos from sites where business = ${owner.business.id} and id <> ${site.id}`
      for (const { id, photos: names } of rows)
        await Promise.all(names.map((name) => access(photoPath(stack.dataDir, id, name))))
      return { sites: rows.length, photos: rows.flatMap((row) => row.photos).length }
    },
    connectors: async () => {
      const rows = await stack.sql<{ kw_rating: number }[]>`
        select c.kw_rating from connectors c join sites s on s.id = c.site
        where s.business = ${owner.business.id} order by c.created, c.id`
      return { connectors: rows.map((row) => row.kw_rating) }
    },
    capacity: async () => {
      const [row] = await stack.sql<{ vehicle_capacity: number }[]>`
        select vehicle_capacity from sites where id = ${site.id}`
      return { capacity: row?.vehicle_capacity }
    },
  }
}
type Settled = Awaited<ReturnType<typeof settle>>

const TAKEN = { status: 400, code: 'validation_not_unique' }
const form = (fields: object, photo: File, name = 'photos'): FormData => {
  const made = new FormData()
  for (const [key, value] of Object.entries(fields)) made.append(key, String(value))
  made.append(name, photo)
  return made
}

/** Every kind of write that the product allows to be retried. */
const WRITES: Readonly<Record<string, (settled: Settled) => Promise<Write> | Write>> = {
  'a site by its own id': (my) => ({
    method: 'POST',
    path: API.records(SITES),
    body: () => ({ ...my.siteBody, id: my.newId }),
    once: { sites: 1, photos: 0 },
    effect: my.sites,
    late: TAKEN,
  }),
  'a site with a photo by its own id': (my) => ({
    method: 'POST',
    path: API.records(SITES),
    body: () => form({ ...my.siteBody, id: my.newId }, my.photo),
    once: { sites: 1, photos: 1 },
    effect: my.sites,
    late: TAKEN,
  }),
  'a business by its own id': async (my) => {
    const { client, id } = await newOwner(stack.url)
    const businesses = async () => ({
      businesses: (await stack.sql`select 1 from businesses where "user" = ${id}`).length,
    })
    my.client.authStore.save(client.authStore.token, client.authStore.record)
    return {
      method: 'POST',
      path: API.records('businesses'),
      body: () => ({ id: my.newId, user: id, name: 'Quay Works' }),
      once: { businesses: 1 },
      effect: businesses,
      late: TAKEN,
    }
  },
  'a connector by its own id': (my) => ({
    method: 'POST',
    path: API.records(CONNECTORS),
    body: () => ({ ...connectorBody(my.site.id), kw_rating: 22, id: my.newId }),
    once: { connectors: [150, 22] },
    effect: my.connectors,
    late: TAKEN,
  }),
  'a site by a key': (my) => ({
    method: 'POST',
    path: API.records(SITES),
    body: () => my.siteBody,
    key: my.key,
    once: { sites: 1, photos: 0 },
    effect: my.sites,
  }),
  'a site with a photo by a key': (my) => ({
    method: 'POST',
    path: API.records(SITES),
    body: () => form(my.siteBody, my.photo),
    key: my.key,
    once: { sites: 1, photos: 1 },
    effect: my.sites,
  }),
  'a connector by a key': (my) => ({
    method: 'POST',
    path: API.records(CONNECTORS),
    body: () => ({ ...connectorBody(my.site.id), kw_rating: 22 }),
    key: my.key,
    once: { connectors: [150, 22] },
    effect: my.connectors,
  }),
  'one more photo': (my) => ({
    method: 'PATCH',
    path: API.record(SITES, my.site.id),
    body: () => form({}, my.photo),
    key: my.key,
    once: { photos: ['one', 'two', 'three'] },
    effect: my.photos,
  }),
  'one more photo in front': (my) => ({
    method: 'PATCH',
    path: API.record(SITES, my.site.id),
    body: () => form({}, my.photo, '+photos'),
    key: my.key,
    once: { photos: ['three', 'one', 'two'] },
    effect: my.photos,
  }),
  'a photo less, by a key': (my) => ({
    method: 'PATCH',
    path: API.record(SITES, my.site.id),
    body: () => ({ 'photos-': [String(my.site['photos'][0])] }),
    key: my.key,
    once: { photos: ['two'] },
    effect: my.photos,
  }),
  'a photo less, without a key': (my) => ({
    method: 'PATCH',
    path: API.record(SITES, my.site.id),
    body: () => ({ 'photos-': [String(my.site['photos'][0])] }),
    once: { photos: ['two'] },
    effect: my.photos,
    late: { status: 200 },
  }),
  'a capacity of three more': (my) => ({
    method: 'PATCH',
    path: API.record(SITES, my.site.id),
    body: () => ({ 'vehicle_capacity+': 3 }),
    key: my.key,
    once: { capacity: 5 },
    effect: my.capacity,
  }),
  'a rating of 50 kW less': (my) => ({
    method: 'PATCH',
    path: API.record(CONNECTORS, my.connector.id),
    body: () => ({ 'kw_rating-': 50 }),
    key: my.key,
    once: { connectors: [100] },
    effect: my.connectors,
  }),
  'a change of a site': (my) => ({
    method: 'PATCH',
    path: API.record(SITES, my.site.id),
    body: () => ({ name: 'Pier' }),
    key: my.key,
    once: { changes: 1 },
    effect: () => changesOf(my.site.id),
  }),
  'a change of a user': (my) => ({
    method: 'PATCH',
    path: API.record(USERS, my.id),
    body: () => ({ name: 'Ada Lovelace', onboarded: true }),
    key: my.key,
    once: { changes: 1 },
    effect: () => changesOf(my.id),
  }),
  'a delete by a key': (my) => ({
    method: 'DELETE',
    path: API.record(CONNECTORS, my.connector.id),
    key: my.key,
    once: { connectors: [] },
    effect: my.connectors,
  }),
  'a delete without a key': (my) => ({
    method: 'DELETE',
    path: API.record(CONNECTORS, my.connector.id),
    once: { connectors: [] },
    effect: my.connectors,
    late: { status: 404 },
  }),
  'a batch': (my) => ({
    method: 'POST',
    path: API.batch,
    body: () => ({
      requests: [
        { method: 'POST', url: API.records(SITES), body: my.siteBody },
        { method: 'POST', url: API.records(SITES), body: my.siteBody },
        {
          method: 'POST',
          url: API.records(CONNECTORS),
          body: { ...connectorBody(my.site.id), kw_rating: 22 },
        },
        {
          method: 'PATCH',
          url: API.record(SITES, my.site.id),
          body: { 'vehicle_capacity+': 3 },
        },
        { method: 'DELETE', url: API.record(CONNECTORS, my.connector.id) },
      ],
    }),
    key: my.key,
    once: { sites: 2, photos: 0, connectors: [22], capacity: 5 },
    effect: async () => ({
      ...(await my.sites()),
      ...(await my.connectors()),
      ...(await my.capacity()),
    }),
  }),
  'a batch with a photo': (my) => ({
    method: 'POST',
    path: API.batch,
    body: () => {
      const requests = [
        { method: 'POST', url: API.records(SITES), body: my.siteBody },
        { method: 'PATCH', url: API.record(SITES, my.site.id), body: { 'vehicle_capacity+': 3 } },
      ]
      return form({ '@jsonPayload': JSON.stringify({ requests }) }, my.photo, 'requests.0.photos')
    },
    key: my.key,
    once: { sites: 1, photos: 1, capacity: 5 },
    effect: async () => ({ ...(await my.sites()), ...(await my.capacity()) }),
  }),
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly replayed: boolean
}

/** Undefined if the response was lost. */
const send = async (url: string, token: string, write: Write): Promise<Answer | undefined> => {
  const body = write.body?.()
  const isForm = body instanceof FormData
  try {
    const answer = await fetch(url + write.path, {
      method: write.method,
      headers: {
        authorization: token,
        ...(write.key !== undefined && { 'idempotency-key': write.key }),
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    })
    return {
      status: answer.status,
      text: await answer.text(),
      replayed: answer.headers.get('idempotency-replayed') === 'true',
    }
  } catch {
    return undefined
  }
}

/** The problems of the responses to copies of one write, as sentences. */
const judge = (write: Write, answers: readonly (Answer | undefined)[]): string[] => {
  const given = answers.filter((answer) => answer !== undefined)
  const done = given.filter(({ status, replayed }) => status < 300 && !replayed)
  const isLost = given.length < answers.length
  const rest = given.filter((answer) => !done.includes(answer))
  if (write.key !== undefined) {
    const different = given.find(({ text }) => text !== given[0]?.text)
    return [
      ...given.filter(({ status }) => status >= 300).map(({ status, text }) => `${status} ${text}`),
      ...(different === undefined ? [] : [`answered ${given[0]?.text} and ${different.text}`]),
      ...(done.length === 1 || (isLost && done.length === 0) ? [] : [`done ${done.length} times`]),
    ]
  }
  const { status, code = '' } = write.late ?? { status: 0 }
  const first = status < 300 ? done.length > 0 : done.length === 1 || (isLost && done.length === 0)
  return [
    ...rest
      .filter((answer) => answer.status !== status || !answer.text.includes(code))
      .map((answer) => `${answer.status} ${answer.text}`),
    ...(first ? [] : [`done ${done.length} times`]),
  ]
}

/** Another request that could be sent to the same URL. */
const another = (write: Write): Write => {
  if (write.method === 'DELETE') return { ...write, path: `${write.path}?fields=id` }
  const name = { name: 'Something else' }
  const request = { method: 'POST', url: API.records('sites'), body: name }
  return { ...write, body: () => (write.path === API.batch ? { requests: [request] } : name) }
}

/** Sends one kind of write. @returns the problems with its result */
const prove = async (
  name: string,
  sendAll: (token: string, write: Write) => Promise<readonly (Answer | undefined)[]>,
): Promise<string[]> => {
  const settled = await settle()
  const make = WRITES[name]
  if (make === undefined) throw new TypeError(`no write: ${name}`)
  const write = await make(settled)
  const { token } = settled.client.authStore
  const problems = judge(write, await sendAll(token, write))
  const effect = async () => JSON.stringify(await write.effect())
  const once = JSON.stringify(write.once)
  if ((await effect()) !== once) problems.push(`${INSTEAD} ${await effect()} instead of ${once}`)
  if (write.key !== undefined) {
    const refused = await send(stack.url, token, another(write))
    if (refused?.status !== 422) problems.push(`another write: ${JSON.stringify(refused)}`)
    if ((await effect()) !== once) problems.push('another write by its key changed something')
  }
  return problems.map((problem) => `${name}: ${problem}`)
}

const copies = <T>(run: (copy: number) => Promise<T>, count = COPIES): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, copy) => run(copy)))

/** The beginning of a problem that concerns stored data. */
const INSTEAD = 'there is'
const counts = { copies: 0, lost: 0, failures: 0, doubled: 0 }
const note = (problems: readonly string[]): void => {
  counts.failures += problems.length
  counts.doubled += problems.filter((problem) => problem.includes(INSTEAD)).length
}
const names = Object.keys(WRITES)

test.each([
  ['at once to one process', () => [stack.url]],
  ['at once to two processes', () => [stack.url, other.url]],
])('every write that is sent five times %s is executed once', async (_, urls) => {
  const problems: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const proofs = names.map((name) =>
      prove(name, (token, write) =>
        copies(async (copy) => {
          if (round > 0) await sleep(randomInt(20))
          return send(urls()[copy % urls().length] ?? '', token, write)
        }),
      ),
    )
    problems.push(...(await Promise.all(proofs)).flat())
  }
  counts.copies += names.length * ROUNDS * COPIES
  note(problems)
  expect(problems).toEqual([])
})

test('every write that is sent before and after its process is killed is executed once', async () => {
  const problems: string[] = []
  for (let round = 0; round < KILLS; round++) {
    // All kinds are pending at the kill, and continue once there is a process again.
    const killed = Promise.withResolvers<void>()
    const again = Promise.withResolvers<void>()
    let ready = 0
    const everybodyReady = Promise.withResolvers<void>()
    // After a number of responses, from the first to half of them. After a fixed time, a fast machine would have
    // received all responses.
    const untilKill = 1 + randomInt(names.length)
    let answered = 0
    const killTime = Promise.withResolvers<void>()
    const proofs = names.map((name) =>
      prove(name, async (token, write) => {
        ready += 1
        if (ready === names.length) everybodyReady.resolve()
        await everybodyReady.promise
        const first = await copies(async () => {
          const answer = await send(other.url, token, write)
          answered += 1
          if (answered === untilKill) killTime.resolve()
          return answer
        }, 2)
        counts.lost += first.filter((answer) => answer === undefined).length
        await killed.promise
        // One copy is sent to another server, while the killed process may still hold locks on its rows.
        const elsewhere = await send(stack.url, token, write)
        await again.promise
        const more = await copies(() => send(other.url, token, write), 2)
        return [...first, elsewhere, ...more]
      }),
    )
    await killTime.promise
    await other.kill()
    killed.resolve()
    other = await startSecondProcess(stack)
    again.resolve()
    problems.push(...(await Promise.all(proofs)).flat())
  }
  counts.copies += names.length * KILLS * COPIES
  note(problems)
  expect(problems).toEqual([])
  expect(counts.lost).toBeGreaterThan(0)
})

afterAll(() =>
  report('Retries', {
    failures: counts.failures,
    kinds: names.length,
    'copies sent': counts.copies,
    kills: KILLS,
    'answers lost': counts.lost,
    doubled: counts.doubled,
  }),
)
