import { randomInt } from 'node:crypto'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { API } from '#domain/api.ts'
import { BUSINESSES, CONNECTORS, SITES } from '#domain/collection.ts'

import { newOwnerWithSite } from '../support/owner.ts'
import { startSecondProcess, type SecondProcess } from '../support/second-process.ts'
import { startStack, type Stack } from '../support/stack.ts'
import { report, times } from './figures.ts'

// Two processes, and writers and readers at both: whoever begins to read after a write was answered
// sees it, wherever it was made, and a 304 is true (decisions 5.9).

const READS = times(3000, 100_000)
const OWNERS = 4
const READERS = 8

let one: Stack
let other: SecondProcess
beforeAll(async () => {
  one = await startStack()
  other = await startSecondProcess(one)
})
afterAll(async () => {
  await other.close()
  await one.close()
})

/** What one owner has, and the newest value of it that was answered. */
interface Subject {
  readonly authorization: string
  readonly site: string
  readonly connector: string
  answered: number
}

/** A way to look, and the value that it shows. */
interface Look {
  readonly path: (subject: Subject) => string
  readonly valueIn: (body: string) => number
}

const nameIn = (body: string): number => Number(/"name"\s*:\s*"v(\d+)"/.exec(body)?.[1])
const ratingIn = (body: string): number => Number(/"kw_rating"\s*:\s*(\d+)/.exec(body)?.[1])

const LOOKS: readonly Look[] = [
  { path: ({ site }) => `${API.records(SITES)}/${site}`, valueIn: nameIn },
  { path: () => `${API.records(SITES)}?perPage=20&sort=-created`, valueIn: nameIn },
  {
    path: () => `${API.records(BUSINESSES)}?perPage=1&expand=sites(business)&fields=id,expand`,
    valueIn: nameIn,
  },
  { path: ({ connector }) => `${API.records(CONNECTORS)}/${connector}`, valueIn: ratingIn },
  { path: () => `${API.records(CONNECTORS)}?perPage=500&skipTotal=1`, valueIn: ratingIn },
]

test('nobody is shown what was written over before they asked', async () => {
  const subjects = await Promise.all(
    Array.from({ length: OWNERS }, async (): Promise<Subject> => {
      const { client, site, connector } = await newOwnerWithSite(one.url)
      return {
        authorization: client.authStore.token,
        site: site.id,
        connector: connector.id,
        answered: 0,
      }
    }),
  )
  const urls = [one.url, other.url]
  const anyUrl = (): string => urls[randomInt(urls.length)] ?? one.url

  /** The rating is written last: it is the one that counts. */
  const write = async (subject: Subject): Promise<void> => {
    const value = subject.answered + 1
    const change = async (path: string, body: object): Promise<void> => {
      const answer = await fetch(anyUrl() + path, {
        method: 'PATCH',
        headers: { authorization: subject.authorization, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (answer.status !== 200) throw new Error(`a write was answered ${answer.status}`)
      await answer.arrayBuffer()
    }
    await Promise.all([
      change(`${API.records(SITES)}/${subject.site}`, { name: `v${value}` }),
      change(`${API.records(CONNECTORS)}/${subject.connector}`, { kw_rating: value }),
    ])
    subject.answered = value
  }
  for (const subject of subjects) await write(subject)

  const counts = { reads: 0, unchanged: 0, writes: 0 }
  const stale: string[] = []
  const isOver = (): boolean => counts.reads >= READS
  const read = async (known: Map<string, { etag: string; value: number }>): Promise<void> => {
    const owner = randomInt(OWNERS)
    const subject = subjects[owner]
    const look = LOOKS[randomInt(LOOKS.length)]
    if (subject === undefined || look === undefined) return
    const path = look.path(subject)
    const key = `${owner} ${path}`
    const before = known.get(key)
    const least = subject.answered
    const answer = await fetch(anyUrl() + path, {
      headers: {
        authorization: subject.authorization,
        ...(before && { 'if-none-match': before.etag }),
      },
    })
    const body = await answer.text()
    counts.reads++
    if (answer.status === 304) counts.unchanged++
    const value = answer.status === 304 ? (before?.value ?? -1) : look.valueIn(body)
    if (!(value >= least)) stale.push(`${answer.status} ${path}: ${value}, answered ${least}`)
    known.set(key, { etag: answer.headers.get('etag') ?? '', value })
  }

  await Promise.all([
    ...subjects.map(async (subject) => {
      while (!isOver()) {
        await write(subject)
        counts.writes += 2
        // Long enough now and then for reads that find nothing new.
        await new Promise((resolve) => setTimeout(resolve, randomInt(40)))
      }
    }),
    ...Array.from({ length: READERS }, async () => {
      const known = new Map<string, { etag: string; value: number }>()
      while (!isOver()) await read(known)
    }),
  ])

  await report('Stale answers', { failures: stale.length, ...counts })
  expect(stale).toEqual([])
  expect(counts.unchanged).toBeGreaterThan(0)
  expect(counts.writes).toBeGreaterThan(20)
})
