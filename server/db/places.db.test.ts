import { expect, test } from 'vitest'

import { cellOf } from '#domain/cell.ts'
import { distanceM, EARTH_RADIUS_M } from '#domain/distance.ts'
import { spellingsOf, wordsOf } from '#domain/search-words.ts'

import { withStack } from '../../tests/support/fixtures.ts'
import { anyPosition, createRandom } from '../../tests/support/public-network.ts'

// What the database computes for places is what the process computes.

const { sql } = await withStack()

test('words and their spellings', async () => {
  const texts = [
    'Saint-Étienne, Straße 5b',
    'ŁÓDŹ Œuvre Øresund',
    'Ça & là: 12bis',
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
