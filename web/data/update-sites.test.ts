import { describe, expect, test } from 'vitest'
// Preloads the SDK, which the store imports lazily: that is slow on a busy machine.
import 'pocketbase'

import type { OpeningHours } from '#domain/hours.ts'
import { isSameValue } from '#domain/record.ts'
import type { Site } from '#domain/site.ts'
import {
  FakePage,
  makeToken,
  makeUser,
  newDevice,
  settle,
  storeSession,
  type Device,
  type Request,
} from '../../tests/support/fake-page.ts'
import { makeBusiness, makeSite } from '../../tests/support/make.ts'
import { mutationsKey } from './mutations.ts'

const ada = makeUser('ada000000000000')
const BATCH = '/api/batch'
const notFound = { status: 404, message: 'Not found.', data: {} }
const invalidStatus = {
  status: 400,
  message: 'Failed to update record.',
  data: { status: { code: 'validation_in_invalid', message: 'No.' } },
}

interface BatchRequest {
  readonly url: string
  readonly body: Partial<Site>
}

/** A fake server: batches are atomic, and idempotent by key. */
class Server {
  readonly sites: Map<string, Site>
  /** How often each site was given another value. */
  readonly writes = new Map<string, number>()
  readonly refuses = new Map<string, { readonly status: number }>()
  /** The correlation ids of the batches. */
  readonly correlationIds = new Set<string | null>()
  readonly #answers = new Map<string, unknown>()

  constructor(count: number) {
    const ids = Array.from(
      { length: count },
      (_, index) => `site${String(index).padStart(11, '0')}`,
    )
    this.sites = new Map(ids.map((id) => [id, makeSite(id)]))
  }

  ids(): readonly string[] {
    return [...this.sites.keys()]
  }

  statuses(): ReadonlySet<string> {
    return new Set([...this.sites.values()].map(({ status }) => status))
  }

  set(id: string, changes: Partial<Site>): void {
    this.sites.set(id, { ...this.sites.get(id)!, ...changes })
  }

  perform({ body, headers }: Request): { readonly status: number; readonly body: unknown } {
    const key = headers.get('Idempotency-Key') ?? ''
    this.correlationIds.add(headers.get('Correlation-Id'))
    const [payload = ''] = body['@jsonPayload'] as readonly string[]
    const { requests } = JSON.parse(payload) as { readonly requests: readonly BatchRequest[] }
    const former = this.#answers.get(key)
    if (former !== undefined) return { status: 200, body: former }
    for (const [index, request] of requests.entries()) {
      const id = idOf(request)
      const response = this.refuses.get(id) ?? (this.sites.has(id) ? undefined : notFound)
      if (response !== undefined)
        return {
          status: 400,
          body: { status: 400, message: 'Failed.', data: { requests: { [index]: { response } } } },
        }
    }
    const answer = requests.map((request) => {
      const id = idOf(request)
      this.set(id, request.body)
      this.writes.set(id, (this.writes.get(id) ?? 0) + 1)
      return { status: 200, body: { id, ...request.body } }
    })
    this.#answers.set(key, answer)
    return { status: 200, body: answer }
  }
}

const idOf = ({ url }: BatchRequest): string => /records\/(\w+)/.exec(url)?.[1] ?? ''

const answerLoad = async (page: FakePage, server: Server): Promise<void> => {
  const list = (items: readonly unknown[]) => ({ items, totalItems: items.length, totalPages: 1 })
  const business = { ...makeBusiness(), expand: { 'sites(business)': [...server.sites.values()] } }
  await (
    await page.next('GET', '/api/collections/businesses/records')
  ).answer(200, list([business]))
  await (await page.next('GET', '/api/collections/connectors/records')).answer(200, list([]))
  await settle()
}

const open = async (device: Device, server: Server): Promise<FakePage> => {
  if (!device.storage.has('pocketbase_auth')) storeSession(device, ada)
  const page = new FakePage(device)
  void page.store.start()
  const session = { token: makeToken(ada.id, device.now + 1e9, 'r'), record: ada }
  await (await page.next('POST', '/api/collections/users/auth-refresh')).answer(200, session)
  await answerLoad(page, server)
  return page
}

/** Answers batches until no more arrive. @returns their number */
const answerAll = async (page: FakePage, server: Server): Promise<number> => {
  for (let count = 0; ; count++) {
    await settle()
    const [request] = page.waiting('POST', BATCH)
    if (request === undefined) return count
    const { status, body } = server.perform(await page.next('POST', BATCH))
    await request.answer(status, body)
  }
}

const shown = (page: FakePage): ReadonlySet<string> =>
  new Set(page.store.getState().data?.sites.map(({ status }) => status))

describe('a bulk update', () => {
  test('is shown immediately, and sent in chunks', async () => {
    const server = new Server(250)
    const page = await open(newDevice(), server)
    expect(page.store.updateSites(server.ids(), { status: 'OUTOFORDER' })).toBe(250)
    expect(shown(page)).toEqual(new Set(['OUTOFORDER']))
    expect(page.store.bulkUpdate()).toMatchObject({ fields: ['status'], total: 250, settled: 0 })
    expect(await answerAll(page, server)).toBe(3)
    expect(server.correlationIds).toEqual(new Set([page.store.bulkUpdate()?.id]))
    expect(server.statuses()).toEqual(new Set(['OUTOFORDER']))
    expect(page.store.bulkUpdate()).toMatchObject({ total: 250, settled: 250, isDone: true })
    expect(page.device.storage.has(mutationsKey(ada.id))).toBe(false)
  })

  test('leaves out sites that have the values already', async () => {
    const server = new Server(3)
    const [first = ''] = server.ids()
    server.set(first, { status: 'PLANNED' })
    const page = await open(newDevice(), server)
    expect(page.store.updateSites(server.ids(), { status: 'PLANNED' })).toBe(2)
    await answerAll(page, server)
    expect(server.writes.has(first)).toBe(false)
    expect(page.store.updateSites(server.ids(), { status: 'PLANNED' })).toBe(0)
  })

  const CHUNKS = 4
  test.each(
    Array.from({ length: CHUNKS }, (_, chunk) => [
      { chunk, arrives: false },
      { chunk, arrives: true },
    ]).flat(),
  )(
    'changes every site once if the page is killed in chunk $chunk (arrived: $arrives)',
    async ({ chunk, arrives }) => {
      const server = new Server(CHUNKS * 100 - 20)
      const device = newDevice()
      const page = await open(device, server)
      page.store.updateSites(server.ids(), { status: 'OUTOFORDER' })
      for (let count = 0; count < chunk; count++) {
        const request = await page.next('POST', BATCH)
        const { status, body } = server.perform(request)
        await request.answer(status, body)
      }
      const last = await page.next('POST', BATCH)
      if (arrives) server.perform(last)
      page.crash()

      const next = await open(device, server)
      expect(shown(next)).toEqual(new Set(['OUTOFORDER']))
      await answerAll(next, server)
      expect(server.statuses()).toEqual(new Set(['OUTOFORDER']))
      expect([...server.writes.values()].every((count) => count === 1)).toBe(true)
      expect(server.writes.size).toBe(server.sites.size)
      expect(next.store.bulkUpdate()).toMatchObject({ isDone: true, refused: [] })
    },
  )

  test('continues after a lost response, which counts once', async () => {
    const server = new Server(150)
    const page = await open(newDevice(), server)
    page.store.updateSites(server.ids(), { status: 'OUTOFORDER' })
    const request = await page.next('POST', BATCH)
    server.perform(request)
    await request.fail()
    // The data is too recent to be read again: the idempotency key identifies the request.
    await page.advance(2000)
    await answerAll(page, server)
    expect([...server.writes.values()].every((count) => count === 1)).toBe(true)
    expect(server.statuses()).toEqual(new Set(['OUTOFORDER']))
  })

  test('waits offline, and is sent when the connection returns', async () => {
    const server = new Server(120)
    const device = newDevice()
    const page = await open(device, server)
    device.isOnline = false
    page.store.updateSites(server.ids(), { status: 'PLANNED' })
    expect(await answerAll(page, server)).toBe(0)
    expect(page.store.bulkUpdate()).toMatchObject({ settled: 0, isDone: false })
    device.isOnline = true
    await page.advance(60_000)
    page.emit('online')
    await answerLoad(page, server)
    expect(await answerAll(page, server)).toBe(2)
    expect(server.statuses()).toEqual(new Set(['PLANNED']))
  })

  test('names the sites that the server refuses, and changes the others', async () => {
    const server = new Server(130)
    const [, second = '', third = ''] = server.ids()
    server.refuses.set(second, invalidStatus)
    server.refuses.set(server.ids()[110] ?? '', invalidStatus)
    const page = await open(newDevice(), server)
    server.sites.delete(third)
    page.store.updateSites([...server.ids(), third], { status: 'PLANNED' })
    await answerAll(page, server)
    // A 404 may be caused by an expired session.
    const session = { token: makeToken(ada.id, page.device.now + 1e9, 's'), record: ada }
    await (await page.next('POST', '/api/collections/users/auth-refresh')).answer(200, session)
    await answerAll(page, server)
    const refused = page.store.bulkUpdate()?.refused ?? []
    expect(refused.map(({ name, problem }) => [name, problem.kind])).toEqual([
      [`Site ${second}`, 'invalid'],
      [`Site ${third}`, 'notFound'],
      [`Site ${server.ids()[109] ?? ''}`, 'invalid'],
    ])
    expect(server.writes.size).toBe(127)
    expect(page.store.getState().data?.sites.find(({ id }) => id === second)?.status).toBe(
      'AVAILABLE',
    )
  })

  test('does not retry sites one by one if the server refuses all', async () => {
    const server = new Server(1000)
    for (const id of server.ids()) server.refuses.set(id, invalidStatus)
    const page = await open(newDevice(), server)
    page.store.updateSites(server.ids(), { status: 'PLANNED' })
    expect(await answerAll(page, server)).toBeLessThan(40)
    expect(page.store.bulkUpdate()).toMatchObject({ isDone: true })
    expect(page.store.bulkUpdate()?.refused).toHaveLength(1000)
  })

  test('leaves sites that another device has changed as they are', async () => {
    const server = new Server(5)
    const device = newDevice()
    const page = await open(device, server)
    device.isOnline = false
    page.store.updateSites(server.ids(), { status: 'PLANNED' })
    const [first = '', second = ''] = server.ids()
    server.set(first, { status: 'REMOVED' })
    server.set(second, { name: 'Another name' })
    page.crash()
    device.isOnline = true
    const next = await open(device, server)
    await answerAll(next, server)
    expect(server.sites.get(first)?.status).toBe('REMOVED')
    expect(server.sites.get(second)).toMatchObject({ name: 'Another name', status: 'PLANNED' })
    expect(next.store.bulkUpdate()?.refused).toMatchObject([
      { id: first, problem: { kind: 'conflict' } },
    ])
  })

  test('restores the former values when undone, except where changed since', async () => {
    const server = new Server(4)
    const [first = '', second = '', third = ''] = server.ids()
    server.set(first, { status: 'PLANNED' })
    const device = newDevice()
    const page = await open(device, server)
    page.store.updateSites(server.ids(), { status: 'OUTOFORDER' })
    await answerAll(page, server)
    server.set(third, { status: 'REMOVED' })
    page.crash()
    // It can be undone after a reload.
    const next = await open(device, server)
    expect(next.store.bulkUpdate()).toMatchObject({ isDone: true, isUndo: false })
    next.store.undoUpdateSites()
    const former = ['PLANNED', 'AVAILABLE', 'REMOVED', 'AVAILABLE']
    expect(next.store.getState().data?.sites.map(({ status }) => status)).toEqual(former)
    await answerAll(next, server)
    expect([...server.sites.values()].map(({ status }) => status)).toEqual(former)
    expect(server.writes.get(second)).toBe(2)
    expect(next.store.bulkUpdate()).toMatchObject({ isUndo: true, isDone: true, total: 4 })
    expect(next.store.bulkUpdate()?.refused.map(({ id }) => id)).toEqual([third])
  })

  test('can be undone half-way: chunks not sent yet are dropped', async () => {
    const server = new Server(300)
    const page = await open(newDevice(), server)
    page.store.updateSites(server.ids(), { status: 'OUTOFORDER' })
    const first = await page.next('POST', BATCH)
    const answer = server.perform(first)
    await first.answer(answer.status, answer.body)
    const second = await page.next('POST', BATCH)
    page.store.undoUpdateSites()
    expect(shown(page)).toEqual(new Set(['AVAILABLE']))
    const late = server.perform(second)
    await second.answer(late.status, late.body)
    await answerAll(page, server)
    expect(server.statuses()).toEqual(new Set(['AVAILABLE']))
    expect(server.writes.size).toBe(200)
    expect(shown(page)).toEqual(new Set(['AVAILABLE']))
    expect(page.store.bulkUpdate()).toMatchObject({ isUndo: true, isDone: true, refused: [] })
  })

  test('works on a device that cannot store anything', async () => {
    const server = new Server(120)
    const page = await open(newDevice(), server)
    page.device.isFull = true
    page.store.updateSites(server.ids(), { status: 'PLANNED' })
    await answerAll(page, server)
    expect(server.statuses()).toEqual(new Set(['PLANNED']))
    expect(page.store.bulkUpdate()).toMatchObject({ isDone: true })
  })

  describe('of opening hours', () => {
    const hoursOf = (number: number): OpeningHours => ({
      twentyfourseven: false,
      regular_hours: [1, 2, 3, 4, 5].map((weekday) => ({
        weekday,
        period_begin: `0${number % 10}:00`,
        period_end: `1${number % 9}:${10 + (number % 50)}`,
      })),
    })
    const withHours = (count: number): Server => {
      const server = new Server(count)
      for (const [index, id] of server.ids().entries())
        server.set(id, { opening_hours: hoursOf(index % 58) })
      return server
    }
    const hoursIn = (sites: Iterable<{ readonly opening_hours: unknown }>) =>
      [...sites].map(({ opening_hours }) => opening_hours)
    const always = { twentyfourseven: true }

    test('restores the former values when undone', async () => {
      const server = withHours(250)
      const former = hoursIn(server.sites.values())
      const page = await open(newDevice(), server)
      page.store.updateSites(server.ids(), { opening_hours: always })
      await answerAll(page, server)
      expect(hoursIn(server.sites.values()).every((hours) => isSameValue(hours, always))).toBe(true)
      page.store.undoUpdateSites()
      expect(hoursIn(page.store.getState().data?.sites ?? [])).toEqual(former)
      await answerAll(page, server)
      expect(hoursIn(server.sites.values())).toEqual(former)
      expect(page.store.bulkUpdate()).toMatchObject({ fields: ['opening_hours'], refused: [] })
    })

    test('stores equal former values once', async () => {
      const server = withHours(10_000)
      const device = newDevice()
      const page = await open(device, server)
      device.isOnline = false
      page.store.updateSites(server.ids(), { opening_hours: always })
      const kept = device.storage.get(mutationsKey(ada.id)) ?? ''
      expect(kept).toContain(server.ids().at(-1))
      expect(kept.length).toBeLessThan(250_000)
    })

    test('may differ by site, and reports the fields that the owner set', async () => {
      const server = new Server(4)
      const [first = '', second = ''] = server.ids()
      server.set(first, { time_zone: 'Europe/Paris' })
      server.set(second, { time_zone: 'Europe/London' })
      const page = await open(newDevice(), server)
      const former = [...server.sites.values()]
      page.store.updateSites(server.ids(), ({ time_zone }) => ({
        opening_hours: hoursOf(time_zone.length),
        ...(time_zone === '' && { time_zone: 'Europe/Rome' }),
      }))
      expect(page.store.bulkUpdate()).toMatchObject({ fields: ['opening_hours'], total: 4 })
      await answerAll(page, server)
      const stored = [...server.sites.values()]
      expect(hoursIn(stored)).toEqual([12, 13, 0, 0].map(hoursOf))
      expect(stored.map(({ time_zone }) => time_zone)).toEqual([
        'Europe/Paris',
        'Europe/London',
        'Europe/Rome',
        'Europe/Rome',
      ])
      page.store.undoUpdateSites()
      await answerAll(page, server)
      expect([...server.sites.values()]).toEqual(former)
    })
  })
})
