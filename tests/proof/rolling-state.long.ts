import { setTimeout as sleep } from 'node:timers/promises'

import PocketBase from 'pocketbase'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { BUSINESSES, CONNECTORS, REPORTS, SITES, USERS } from '#domain/collection.ts'
import { API } from '#domain/paths.ts'

import { provideEventSource } from '../support/event-source.ts'
import { connectorBody, newOwner, siteBody, type Owner } from '../support/owner.ts'
import { startRollingProcesses, type RollingProcesses } from '../support/rolling-processes.ts'
import type { SecondProcess } from '../support/second-process.ts'
import { startSmtp, type SmtpServer } from '../support/smtp.ts'
import { startStack, type Stack } from '../support/stack.ts'
import { report, times } from './figures.ts'

// Three processes are restarted one after the other. Their shared state continues: events reach every subscriber, a
// sign-out applies everywhere, limits are counted together, and each mail is sent once.

const ROUNDS = times(1, 3)
const PROCESSES = 3
const SITE_COUNT = 3
const WRITE_MS = 130
/** For one address, as in server/rate-limit/rate-limit.ts; each time, all of it happens within a minute. */
const SIGN_INS_A_MINUTE = 30

let stack: Stack
let smtp: SmtpServer
let processes: RollingProcesses

beforeAll(async () => {
  provideEventSource()
  smtp = await startSmtp()
  // This server sends no mails.
  stack = await startStack({ limits: { reportMailsMs: 1_000_000 } })
  const env = {
    RATE_LIMITS: 'on',
    TRUST_PROXY: 'on',
    SMTP_URL: smtp.url,
    MAIL_FROM: 'no-reply@example.org',
  }
  processes = await startRollingProcesses(stack, PROCESSES, env, { reportMailsMs: 200 })
})
afterAll(async () => {
  await processes.close()
  await stack.close()
  await smtp.close()
})

/**
 * A client that keeps the data from its reads and events, like the app: after an interruption it reads everything
 * again.
 */
const follow = async (owner: Owner) => {
  const client = new PocketBase(processes.url)
  client.autoCancellation(false)
  client.authStore.save(owner.client.authStore.token, owner.client.authStore.record)
  const turns = new Map<string, number>()
  const connections = { count: 0 }
  const note = (site: Record<string, unknown>): void => {
    const { id, cost } = site as { id: string; cost: string }
    turns.set(id, Math.max(turns.get(id) ?? 0, Number(cost)))
  }
  await client.realtime.subscribe('PB_CONNECT', () => {
    connections.count += 1
    void client
      .collection(SITES)
      .getFullList()
      .then((sites) => sites.forEach(note))
  })
  await client.collection(SITES).subscribe('*', ({ record }) => note(record))
  return { turns, connections, close: () => client.realtime.unsubscribe() }
}

const json = (url: string, method: string, body: object, headers = {}): Promise<Response> =>
  fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

test('events, sign-outs, limits and mails keep working while processes are restarted', async () => {
  const owner = await newOwner(stack.url)
  const business = await owner.client.collection(BUSINESSES).create({ name: 'Ada', user: owner.id })
  const sites = await Promise.all(
    Array.from({ length: SITE_COUNT }, async () => {
      const site = await owner.client
        .collection(SITES)
        .create({ ...siteBody(business.id), cost: '0' })
      await owner.client.collection(CONNECTORS).create(connectorBody(site.id))
      return site.id
    }),
  )
  const headers = { authorization: owner.client.authStore.token }
  const followers = await Promise.all(Array.from({ length: 4 }, () => follow(owner)))
  const over = new AbortController()
  const wrong: string[] = []
  const counts = { writes: 0, reports: 0, 'sign-outs': 0, 'limits reached': 0, restarts: 0 }

  const write = async (): Promise<readonly number[]> => {
    const turns = sites.map(() => 0)
    for (let index = 0; !over.signal.aborted; index = (index + 1) % sites.length) {
      const turn = (turns[index] ?? 0) + 1
      const url = processes.url + API.record(SITES, sites[index] ?? '')
      const answer = await json(url, 'PATCH', { cost: String(turn) }, headers).catch(
        () => undefined,
      )
      if (answer?.status === 200) {
        turns[index] = turn
        counts.writes++
      }
      await sleep(WRITE_MS)
    }
    return turns
  }
  /** A traveller sends a report and gets an answer. */
  const tell = async (): Promise<void> => {
    const number = counts.reports++
    const site = sites[number % sites.length] ?? ''
    const told = {
      reason: 'NO_ACCESS',
      message: `No ${number}`,
      email: `traveller-${number}@example.org`,
    }
    const from = { 'x-forwarded-for': `198.51.100.${number + 1}` }
    const taken = await json(processes.url + API.publicReports(site), 'POST', told, from)
    if (taken.status !== 204) wrong.push(`report ${number}: ${taken.status}`)
    const [found] = await owner.client
      .collection(REPORTS)
      .getFullList({ filter: `message='No ${number}'` })
    const url = processes.url + API.record(REPORTS, found?.id ?? '')
    const answered = await json(
      url,
      'PATCH',
      { state: 'ANSWERED', answer: 'Try the gate.' },
      headers,
    )
    if (answered.status !== 200) wrong.push(`answer ${number}: ${answered.status}`)
  }
  /** A user signs out at one process; no process accepts the session any more. */
  const signOut = async (somebody: Owner, told: number): Promise<void> => {
    const auth = { authorization: somebody.client.authStore.token }
    const ask = async ({ url }: SecondProcess): Promise<number> =>
      (await fetch(url + API.record(USERS, somebody.id), { headers: auth })).status
    const before = await Promise.all(processes.running().map(ask))
    if (!before.every((status) => status === 200)) wrong.push(`signed in: ${before.join()}`)
    const url = processes.running()[told % processes.running().length]?.url ?? ''
    await fetch(url + API.endSessions(USERS), { method: 'POST', headers: auth })
    const after = await Promise.all(processes.running().map(ask))
    if (after.some((status) => status === 200)) wrong.push(`signed out: ${after.join()}`)
    counts['sign-outs']++
  }
  /** Guesses passwords at all processes. @returns the number of guesses that were checked */
  const guess = async (address: string, count: number): Promise<number> => {
    const from = { 'x-forwarded-for': address }
    const body = { identity: 'ada@example.org', password: 'a guess' }
    const path = API.authWithPassword(USERS)
    const statuses: number[] = []
    for (let index = 0; index < count; index++) {
      const { url } = processes.running()[index % processes.running().length] ?? { url: '' }
      statuses.push((await json(url + path, 'POST', body, from)).status)
    }
    return statuses.filter((status) => status !== 429).length
  }

  const writing = write()
  for (let round = 0; round < ROUNDS; round++)
    for (let index = 0; index < PROCESSES; index++) {
      const address = `203.0.113.${round * PROCESSES + index + 1}`
      const [one, other] = [await newOwner(stack.url), await newOwner(stack.url)]
      let looked = await guess(address, SIGN_INS_A_MINUTE / 2)
      await signOut(one, index)
      await tell()
      // Requests in progress are completed meanwhile, and answers to travellers are written.
      await Promise.all([processes.stop(index), tell(), tell()])
      looked += await guess(address, SIGN_INS_A_MINUTE)
      await signOut(other, index)
      await processes.start(index)
      looked += await guess(address, PROCESSES)
      if (looked !== SIGN_INS_A_MINUTE) wrong.push(`${looked} guesses were looked at`)
      counts['limits reached']++
      counts.restarts++
    }
  over.abort()
  const written = await writing
  const expected = new Map(sites.map((id, index) => [id, written[index]]))
  // Without reconnecting, which would read everything again.
  const connected = followers.map(({ connections }) => connections.count)
  for (const { turns } of followers)
    await expect.poll(() => new Map(turns), { timeout: 10_000 }).toEqual(expected)
  const mailsTo = (number: number): number =>
    smtp.received().split(`RCPT TO:<traveller-${number}@example.org>`).length - 1
  const numbers = Array.from({ length: counts.reports }, (_, number) => number)
  const once = numbers.map(() => 1)
  await expect.poll(() => numbers.map(mailsTo), { timeout: 10_000 }).toEqual(once)
  await sleep(1000)
  expect(numbers.map(mailsTo)).toEqual(once)
  expect(followers.map(({ connections }) => connections.count)).toEqual(connected)
  expect(Math.min(...connected)).toBeGreaterThan(1)
  await Promise.all(followers.map(({ close }) => close()))
  await report('rolling restarts, what processes share', {
    failures: wrong.length,
    ...counts,
    'connections of 4 subscribers': connected.reduce((sum, count) => sum + count, 0),
  })
  expect(wrong).toEqual([])
})
