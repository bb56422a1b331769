import { setTimeout as sleep } from 'node:timers/promises'

import { expect, onTestFinished, test } from 'vitest'

import { cellOf, placeOnMap } from '#domain/cell.ts'
import { distanceM, EARTH_RADIUS_M, type Position } from '#domain/distance.ts'
import { spellingsOf, wordsOf } from '#domain/search-words.ts'

import { withStack } from '../../tests/support/fixtures.ts'
import { anyPosition, createRandom } from '../../tests/support/public-network.ts'
import { renewSummary } from '../public/upkeep.ts'
import { connect } from './connect.ts'

// The database and the process must compute the same values.

const stack = await withStack()
const { sql } = stack

test('words and their spellings', async () => {
  const texts = [
    'Saint-Étienne, Straße 5b',
    'ŁÓDŹ Œuvre Øresund',
    'Ça & là: 12bis',
    'Kadıköy ILGAZ İzmir',
    '東京 Ελλάδα',
    'a'.repeat(70),
    '',
  ]
  for (const text of texts) {
    const [row] = await sql<[{ words: string[] }]>`
      select tsvector_to_array(words_of(${text})) as words`
    expect(row.words).toEqual([...new Set(wordsOf(text))].toSorted(byBytes))
    for (const word of row.words) {
      const spellings = await sql<{ spelling: string }[]>`
        select spellings_of(${word}) as spelling`
      expect(new Set(spellings.map(({ spelling }) => spelling))).toEqual(new Set(spellingsOf(word)))
    }
  }
})

const byBytes = (one: string, other: string): number =>
  Buffer.compare(Buffer.from(one), Buffer.from(other))

test('cells and distances', async () => {
  const random = createRandom(7)
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const [one, other] = [anyPosition(random), anyPosition(random)]
    const [row] = await sql<[{ cell: string; metres: number }]>`
      select cell_of(${one.latitude}, ${one.longitude})::text as cell, ${EARTH_RADIUS_M}::float8 * great_circle(
        ${one.latitude}, ${one.longitude}, ${other.latitude}, ${other.longitude}) as metres`
    expect(row.metres).toBeCloseTo(distanceM(one, other), 2)
    expect([one, Number(row.cell)]).toEqual([one, cellOf(one)])
  }
})

test('the cells around a position cover everything within the distance, and little else', async () => {
  const random = createRandom(8)
  const rangesAround = async ({ at, radiusM }: { at: Position; radiusM: number }) => {
    const { cell, x, y } = placeOnMap(at)
    const ranges = await sql<{ first: string; last: string }[]>`
      select first::text, last::text from cells_around(
        ${at.latitude}, ${at.longitude}, ${cell}, ${x}, ${y}, ${radiusM})`
    return ranges.map(({ first, last }) => ({ from: Number(first), to: Number(last) }))
  }
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const at = anyPosition(random)
    const radiusM = 10 ** (random() * 7.4)
    const ranges = await rangesAround({ at, radiusM })
    for (let point = 0; point < 30; point += 1) {
      const other = random() < 0.5 ? positionNear(at, radiusM, random) : anyPosition(random)
      if (distanceM(at, other) > radiusM) continue
      const cell = cellOf(other)
      const holding = ranges.filter(({ from, to }) => from <= cell && cell <= to)
      expect([at, other, radiusM, holding.length]).toEqual([at, other, radiusM, 1])
    }
    expect(ranges.length).toBeLessThanOrEqual(25)
  }
  const town = await rangesAround({ at: { latitude: 48.85, longitude: 2.35 }, radiusM: 1000 })
  const cells = town.reduce((sum, { from, to }) => sum + to - from + 1, 0)
  // The area of the circle on the map, in cells.
  const radius =
    (1000 / (2 * Math.PI * EARTH_RADIUS_M * Math.cos((48.85 * Math.PI) / 180))) * 2 ** 26
  expect(cells / (Math.PI * radius ** 2)).toBeLessThan(5)
})

/** A position at about the distance, in any direction. */
const positionNear = (at: Position, radiusM: number, random: () => number): Position => {
  const degrees = (radiusM * Math.sqrt(random()) * 180) / Math.PI / EARTH_RADIUS_M
  const direction = random() * 2 * Math.PI
  const latitude = Math.max(-90, Math.min(90, at.latitude + degrees * Math.sin(direction)))
  const wide = degrees / Math.max(1e-6, Math.cos((at.latitude * Math.PI) / 180))
  const longitude = at.longitude + wide * Math.cos(direction)
  return { latitude, longitude: ((((longitude + 180) % 360) + 360) % 360) - 180 }
}

test('a renewal of the summary outlasts the timeouts of requests, and ends when the server does', async () => {
  const requests = connect(
    { url: stack.config.databaseUrl ?? '' },
    { max: 1, statementMs: 100, timeouts: { connectMs: 10_000, answerMs: 200 } },
  )
  onTestFinished(() => requests.end())
  const stopping = new AbortController()
  await sql`update place_summaries set renewed = '-infinity', version = 0`
  const renewing = await whileLocked(async () => {
    const promise = renewSummary(requests, stopping.signal)
    await sleep(500)
    return { promise }
  })
  await renewing.promise
  const [row] = await sql<[{ renewed: boolean }]>`
    select renewed > '-infinity' as renewed from place_summaries`
  expect(row.renewed).toBe(true)

  await sql`update place_summaries set renewed = '-infinity', version = 0`
  await whileLocked(async () => {
    setTimeout(() => stopping.abort(), 100)
    await renewSummary(requests, stopping.signal)
  })
})

/** Runs `work` while the summary cannot be renewed. */
const whileLocked = <T>(work: () => Promise<T>): Promise<T> =>
  sql.begin(async (transaction) => {
    await transaction`lock table places in access exclusive mode`
    return work()
  })
