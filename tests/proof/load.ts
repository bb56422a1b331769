import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import { API } from '#domain/paths.ts'
import { ID_LENGTH } from '#domain/collection.ts'

import { randomText } from '../../server/db/random.ts'
import type { Sql } from '../../server/db/sql.ts'
import { makePhoto } from '../support/images.ts'

/** The checked part of a record; null if the record does not exist. */
type RowState = { readonly [field: string]: string | number } | null

/** Joint states of records, before and after a write with an unknown outcome. */
interface Doubt {
  readonly before: ReadonlyMap<string, RowState>
  readonly after: ReadonlyMap<string, RowState>
}

/** The data that must exist from now on. */
export interface Promised {
  /** Records whose writes were all acknowledged. */
  readonly sure: ReadonlyMap<string, RowState>
  /** Writes without a response: each was executed completely or not at all. */
  readonly doubts: readonly Doubt[]
  /** The number of acknowledged writes. */
  readonly answered: number
}

/** An endless load by one owner, which creates, updates and deletes sites, connectors, photos and batches. */
export interface Load {
  promised(): Promised
  /** Sets the URL of the server; while undefined, no further write is started. */
  moveTo(url: string | undefined): void
  /** Waits for the current writes; call it while no write is started. */
  idle(): Promise<void>
  /** Waits for the current writes, then ends. */
  stop(): Promise<void>
  /** Unexpected responses. */
  readonly surprises: readonly string[]
}

export interface LoadOptions {
  readonly token: string
  readonly businessId: string
  readonly writers?: number
  /** The pause between the writes of a writer. */
  readonly pauseMs?: number
}

interface Write {
  readonly changes: ReadonlyMap<string, RowState>
  readonly send: (url: string) => Promise<Response>
}

const WRITERS = 6
const MAX_PHOTOS = 3

/** Starts writing as soon as there is a server. */
export const startLoad = async ({
  token,
  businessId,
  writers = WRITERS,
  pauseMs = 0,
}: LoadOptions): Promise<Load> => {
  const photos = await Promise.all(
    [320, 640].map((width) => makePhoto('car park.jpg', { width, height: 240 })),
  )
  const sure = new Map<string, RowState>()
  const lost: Doubt[] = []
  const pending = new Map<number, Write>()
  const surprises: string[] = []
  let answered = 0
  let url: string | undefined
  const end = new AbortController()

  const json = (method: string, path: string, body?: object, key?: string) => (at: string) =>
    fetch(at + path, {
      method,
      headers: {
        authorization: token,
        ...(body && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
  const form = (method: string, path: string, fields: object, files: number, key?: string) => {
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.append(name, String(value))
    for (let file = 0; file < files; file++) {
      const photo = photos[randomInt(photos.length)]
      if (photo !== undefined) body.append('photos', photo)
    }
    return (at: string) =>
      fetch(at + path, {
        method,
        headers: { authorization: token, ...(key !== undefined && { 'idempotency-key': key }) },
        body,
      })
  }

  const newId = (): string => randomText(ID_LENGTH)
  const siteFields = (id: string) => ({
    id,
    name: `Site ${id}`,
    address: '12 Quay Street',
    latitude: 55,
    longitude: -6,
    vehicle_capacity: 1,
    business: businessId,
  })
  const siteState = (id: string, cost: string, count: number): RowState => ({
    collection: 'sites',
    name: `Site ${id}`,
    cost,
    photos: count,
  })
  const connectorFields = (site: string, kw: number) => ({
    standard: 'IEC_62196_T2_COMBO',
    format: 'CABLE',
    current_type: 'DC',
    kw_rating: kw,
    site,
  })
  const connectorState = (site: string, kw: number): RowState => ({
    collection: 'connectors',
    site,
    kw_rating: kw,
  })

  /** The records of one writer; no other writer uses them. */
  const write = (mine: Set<string>): Write => {
    const sites = [...mine].filter((id) => sure.get(id)?.['collection'] === 'sites')
    const connectors = [...mine].filter((id) => sure.get(id)?.['collection'] === 'connectors')
    const site = sites[randomInt(Math.max(1, sites.length))]
    const connector = connectors[randomInt(Math.max(1, connectors.length))]
    const dice = randomInt(100)
    if (site === undefined || dice < 20) {
      const id = newId()
      const files = randomInt(3)
      const fields = { ...siteFields(id), cost: 'new' }
      return {
        changes: new Map([[id, siteState(id, 'new', files)]]),
        send:
          files === 0
            ? json('POST', API.records('sites'), fields)
            : form('POST', API.records('sites'), fields, files),
      }
    }
    const state = sure.get(site)
    const count = Number(state?.['photos'])
    if (dice < 40) {
      const id = newId()
      return {
        changes: new Map([[id, connectorState(site, 50)]]),
        send: json('POST', API.records('connectors'), { id, ...connectorFields(site, 50) }),
      }
    }
    if (dice < 60) {
      const cost = `€${randomInt(1_000_000)}`
      return {
        changes: new Map([[site, siteState(site, cost, count)]]),
        send: json('PATCH', API.record('sites', site), { cost }),
      }
    }
    if (dice < 75 && count < MAX_PHOTOS) {
      const cost = `€${randomInt(1_000_000)}`
      return {
        changes: new Map([[site, siteState(site, cost, count + 1)]]),
        send: form('PATCH', API.record('sites', site), { cost }, 1, newId()),
      }
    }
    if (dice < 82 && connector !== undefined) {
      return {
        changes: new Map([[connector, null]]),
        send: json('DELETE', API.record('connectors', connector)),
      }
    }
    if (dice < 87) {
      const below = [...mine].filter((id) => sure.get(id)?.['site'] === site)
      return {
        changes: new Map([site, ...below].map((id) => [id, null])),
        send: json('DELETE', API.record('sites', site)),
      }
    }
    const [fresh, one, two] = [newId(), newId(), newId()]
    const cost = `€${randomInt(1_000_000)}`
    return {
      changes: new Map([
        [fresh, siteState(fresh, '', 0)],
        [one, connectorState(fresh, 22)],
        [two, connectorState(fresh, 150)],
        [site, siteState(site, cost, count)],
      ]),
      send: json('POST', API.batch, {
        requests: [
          { method: 'POST', url: API.records('sites'), body: siteFields(fresh) },
          {
            method: 'POST',
            url: API.records('connectors'),
            body: { id: one, ...connectorFields(fresh, 22) },
          },
          {
            method: 'POST',
            url: API.records('connectors'),
            body: { id: two, ...connectorFields(fresh, 150) },
          },
          { method: 'PATCH', url: API.record('sites', site), body: { cost } },
        ],
      }),
    }
  }

  const before = (changes: Write['changes']): Map<string, RowState> =>
    new Map([...changes.keys()].map((id) => [id, sure.get(id) ?? null]))

  const work = async (writer: number): Promise<void> => {
    const mine = new Set<string>()
    while (!end.signal.aborted) {
      if (pauseMs > 0) await sleep(pauseMs)
      const at = url
      if (at === undefined) {
        await sleep(5)
        continue
      }
      const next = write(mine)
      pending.set(writer, next)
      const answer = await next
        .send(at)
        .then(async (response) => ({ status: response.status, body: await response.text() }))
        .catch(() => undefined)
      // Without an await in between: observers see the write as either pending or acknowledged.
      pending.delete(writer)
      if (answer === undefined || answer.status >= 500) {
        lost.push({ before: before(next.changes), after: next.changes })
        for (const id of next.changes.keys()) {
          sure.delete(id)
          mine.delete(id)
          // The children of a record in doubt are also in doubt, because they are deleted with it.
          for (const other of mine) if (sure.get(other)?.['site'] === id) forget(other, mine)
        }
        if (url === at) await sleep(20)
        continue
      }
      if (answer.status >= 400) {
        surprises.push(`${answer.status} ${answer.body}`)
        continue
      }
      answered++
      for (const [id, state] of next.changes) {
        sure.set(id, state)
        if (state === null) mine.delete(id)
        else mine.add(id)
      }
    }
  }
  const forget = (id: string, mine: Set<string>): void => {
    sure.delete(id)
    mine.delete(id)
  }

  const all = Promise.all(Array.from({ length: writers }, (_, writer) => work(writer)))
  return {
    promised: () => ({
      sure: new Map(
        [...sure].filter(([id]) => [...pending.values()].every(({ changes }) => !changes.has(id))),
      ),
      doubts: [
        ...lost,
        ...[...pending.values()].map(({ changes }) => ({
          before: before(changes),
          after: changes,
        })),
      ],
      answered,
    }),
    moveTo: (next) => {
      url = next
    },
    idle: async () => {
      while (pending.size > 0) await sleep(5)
    },
    stop: async () => {
      end.abort()
      await all
    },
    surprises,
  }
}

/** A stored photo, as referenced by a row. */
export interface NamedFile {
  readonly record: string
  readonly name: string
}

/** The differences between the stored and the promised data, as sentences. */
export const audit = async (
  sql: Sql,
  { sure, doubts }: Promised,
): Promise<{ problems: readonly string[]; files: readonly NamedFile[] }> => {
  const sites = await sql<{ id: string; name: string; cost: string; photos: string[] }[]>`
    select id, name, cost, photos from sites`
  const connectors = await sql<{ id: string; site: string; kw_rating: number }[]>`
    select id, site, kw_rating from connectors`
  const stored = new Map<string, RowState>([
    ...sites.map(
      ({ id, name, cost, photos }) =>
        [id, { collection: 'sites', name, cost, photos: photos.length }] as const,
    ),
    ...connectors.map(({ id, ...row }) => [id, { collection: 'connectors', ...row }] as const),
  ])
  const is = (id: string, state: RowState): boolean =>
    JSON.stringify(sorted(stored.get(id) ?? null)) === JSON.stringify(sorted(state))
  const show = (id: string): string => JSON.stringify(stored.get(id) ?? null)
  const problems = [
    ...[...sure]
      .filter(([id, state]) => !is(id, state))
      .map(([id, state]) => `${id} is ${show(id)}, not ${JSON.stringify(state)}`),
    ...doubts
      .filter(
        ({ before, after }) =>
          ![before, after].some((states) => [...states].every(([id, state]) => is(id, state))),
      )
      .map(
        ({ after }) =>
          `half of ${JSON.stringify([...after])}: ${[...after.keys()].map(show).join()}`,
      ),
  ]
  const files = sites.flatMap(({ id, photos }) => photos.map((name) => ({ record: id, name })))
  return { problems, files }
}

const sorted = (state: RowState): unknown =>
  state === null ? null : Object.entries(state).toSorted(([one], [other]) => (one < other ? -1 : 1))
