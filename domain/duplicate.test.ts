import { describe, expect, test } from 'vitest'

import {
  createNear,
  makeOriginals,
  measure,
  neighboursOf,
  type Original,
} from '../tests/support/planted-duplicates.ts'
import { createRandom } from '../tests/support/public-network.ts'
import { compareSites, DUPLICATE_LIMITS, MIN_DUPLICATE_SCORE, type Compared } from './duplicate.ts'

const isShown = (one: Compared, other: Compared): boolean =>
  compareSites(one, other).score >= MIN_DUPLICATE_SCORE

describe('planted duplicates', () => {
  const originals = makeOriginals(createRandom(1), 600)
  const near = createNear(originals)
  const find = (sites: readonly Compared[]) =>
    Promise.resolve(
      sites.map((site) =>
        near(site, DUPLICATE_LIMITS.withinM)
          .filter((other) => isShown(site, other))
          .map(({ id }) => id),
      ),
    )

  test.each<readonly [string, (original: Original) => Partial<Compared>]>([
    ['the operator', ({ operator }) => ({ operator })],
    ['another business', () => ({ operator: 'Muster Mobil GmbH' })],
  ])(
    'at least 95 % of those that %s adds are found, and at least 95 %% of what is found is right',
    async (_, say) => {
      const { recall, precision } = await measure(createRandom(2), originals, find, say)
      expect(originals.length).toBeGreaterThan(1000)
      expect(recall).toBeGreaterThan(0.95)
      expect(precision).toBeGreaterThan(0.95)
    },
  )

  test('sites of different operators at one address stay apart', () => {
    const pairs = neighboursOf(originals, 60)
    expect(pairs.length).toBeGreaterThan(400)
    expect(pairs.filter(([one, other]) => isShown(one, other))).toEqual([])
    // Without their ids, some are shown because their names are the same.
    const byName = pairs.filter(([one, other]) => isShown({ ...one, evseIds: [] }, other))
    expect(byName.length / pairs.length).toBeLessThan(0.05)
  })
})

const SITE: Compared = {
  name: 'Parkhaus am Dom',
  latitude: 50.94,
  longitude: 6.957,
  operator: 'Rheinstrom',
  phone: '+49 221 1234567',
  plugs: ['IEC_62196_T2'],
  maxKw: 22,
  evseIds: ['DE*RHE*E1'],
}

describe('evidence for and against a duplicate', () => {
  const { name, latitude, longitude } = SITE
  const bare = { name, latitude, longitude }
  const score = (more: Partial<Compared>): number => compareSites(SITE, { ...bare, ...more }).score

  test('all evidence is optional, and the score is symmetric', () => {
    const other = { ...bare, name: 'PH Dom', operator: 'Rheinstrom AG', phone: '0221/1234567' }
    expect(compareSites(bare, bare).score).toBeGreaterThan(0.9)
    expect(compareSites(SITE, other).score).toBeCloseTo(compareSites(other, SITE).score, 10)
  })

  test.each<readonly [string, Partial<Compared>, Partial<Compared>]>([
    ['the distance', { latitude: latitude + 0.0002 }, { latitude: latitude + 0.001 }],
    ['the operator', { operator: 'Rheinstrom GmbH' }, { operator: 'Voltwerk' }],
    [
      'what the name says of the operator',
      { operator: 'Voltwerk' },
      { operator: 'Voltwerk', name: `Voltwerk ${name}` },
    ],
    ['the phone', { phone: '0221 1234567' }, { phone: '0221 7654321' }],
    ['the plugs', { plugs: ['IEC_62196_T2'] }, { plugs: ['CHADEMO'] }],
    ['the power', { plugs: SITE.plugs, maxKw: 22 }, { plugs: SITE.plugs, maxKw: 300 }],
    ['the ids of charge points', { evseIds: ['derhee1'] }, { evseIds: ['DE*RHE*E2'] }],
    ['the operator in these ids', { evseIds: ['DE*RHE*E2'] }, { evseIds: ['DE*VOL*E1'] }],
  ])('%s', (_, alike, different) => {
    expect(score(alike)).toBeGreaterThan(score(different))
  })

  test('with charge points of another operator it is another site, even with the same address and name', () => {
    expect(score({ operator: 'Voltwerk', evseIds: ['DE*VOL*E1'] })).toBeLessThan(
      MIN_DUPLICATE_SCORE,
    )
  })

  test('very many charge points are compared in a short time', () => {
    const ids = (begin: string) => Array.from({ length: 100_000 }, (_, index) => begin + index)
    const own = ids('DE*RHE*E')
    const [same, other] = [own, ids('FR*VWS*E')].map((evseIds) =>
      compareSites({ ...SITE, evseIds: own }, { ...SITE, evseIds }),
    )
    expect(same?.score).toBeGreaterThan(0.99)
    expect(other?.score).toBeLessThan(0.7)
  })

  test('sites with the same charge point are duplicates, whatever their names', () => {
    expect(score({ name: 'Tiefgarage 3', evseIds: ['DERHEE1'] })).toBeGreaterThan(0.9)
  })
})
