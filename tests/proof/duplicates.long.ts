import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

import { describe, expect, test } from 'vitest'

import { ID_LENGTH } from '#domain/collection.ts'
import type { Compared } from '#domain/duplicate.ts'

import { findDuplicates } from '../../server/duplicates/duplicates.ts'
import { withStack } from '../support/fixtures.ts'
import {
  createNear,
  measure,
  neighboursOf,
  type Measured,
  type Original,
} from '../support/planted-duplicates.ts'
import { createRandom, insert } from '../support/public-network.ts'

// Duplicates among the stations of the French register (decision 0123). `REGISTER` names a gzipped file with one charge
// point per line. The register itself contains duplicates, so the proof uses only one station of an operator within 300
// m.

const { REGISTER } = process.env
const APART_M = 300
const ROWS_AT_ONCE = 500

interface Station extends Original {
  readonly plugs: string[]
  readonly evseIds: string[]
  maxKw: number
}

const STANDARDS = {
  prise_type_2: 'IEC_62196_T2',
  prise_type_combo_ccs: 'IEC_62196_T2_COMBO',
  prise_type_chademo: 'CHADEMO',
  prise_type_ef: 'DOMESTIC_E',
}

const readRegister = (file: string): Station[] => {
  const stations = new Map<string, Station>()
  for (const line of gunzipSync(readFileSync(file)).toString().split('\n')) {
    const point = JSON.parse(line || '{}') as Record<string, string | undefined>
    const [longitude = NaN, latitude = NaN] = (point['coordonneesXY']?.match(/[-\d.]+/g) ?? []).map(
      Number,
    )
    const key = point['id_station_itinerance'] ?? ''
    if (key === '' || !Number.isFinite(latitude)) continue
    const station = stations.get(key) ?? {
      id: String(stations.size).padStart(ID_LENGTH, '0'),
      name: point['nom_station'] ?? '',
      city: /\b\d{5}\s+([^,]+)/.exec(point['adresse_station'] ?? '')?.[1] ?? '',
      operator: point['nom_operateur'] ?? '',
      phone: point['telephone_operateur'] ?? '',
      latitude,
      longitude,
      plugs: [],
      evseIds: [],
      maxKw: 1,
    }
    stations.set(key, station)
    for (const [column, standard] of Object.entries(STANDARDS))
      if (point[column] === 'True') station.plugs.push(standard)
    station.evseIds.push(point['id_pdc_itinerance'] ?? '')
    station.maxKw = Math.max(station.maxKw, Number(point['puissance_nominale']))
  }
  return [...stations.values()].filter(({ plugs }) => plugs.length > 0)
}

/** Leaves out stations with another one of their operator nearby. */
const withoutClusters = (stations: readonly Station[]): Station[] => {
  const near = createNear(stations)
  return stations.filter((station) =>
    near(station, APART_M).every(
      ({ id, operator }) => operator !== station.operator || id >= station.id,
    ),
  )
}

const idOf = (kind: string, number: number): string =>
  kind + String(number).padStart(ID_LENGTH - kind.length, '0')

describe.skipIf(REGISTER === undefined)('the register of France', async () => {
  if (REGISTER === undefined) return
  const stack = await withStack()
  const originals = withoutClusters(readRegister(REGISTER))
  const operators = ['Muster Mobil GmbH', ...new Set(originals.map(({ operator }) => operator))]
  const { sql } = stack
  const numbers = [...operators.keys()]
  await insert(
    sql,
    'users',
    'id text, email text',
    numbers.map((number) => ({ id: idOf('usr', number), email: `${number}@example.org` })),
  )
  await insert(
    sql,
    'businesses',
    'id text, "user" text, name text',
    operators.map((name, number) => ({ id: idOf('bus', number), user: idOf('usr', number), name })),
  )
  await insert(
    sql,
    'sites',
    'id text, business text, name text, address text, city text, latitude float8, longitude float8, status text, contact_phone text',
    originals.map(({ operator, phone, ...site }) => ({
      ...site,
      business: idOf('bus', operators.indexOf(operator)),
      address: site.name,
      status: 'AVAILABLE',
      contact_phone: phone,
    })),
  )
  await insert(
    sql,
    'connectors',
    'id text, site text, standard text, format text, current_type text, kw_rating float8, evse_id text',
    originals.flatMap(({ id, plugs, evseIds, maxKw }, index) =>
      [...new Set(plugs)].map((standard, nth) => ({
        id: idOf('con', index * 10 + nth),
        site: id,
        standard,
        format: 'CABLE',
        current_type: 'DC',
        kw_rating: maxKw,
        evse_id: evseIds[nth] ?? '',
      })),
    ),
  )

  /** Searches as the business with this number, or as the operator of each site. */
  const findAs =
    (asker: number | 'operator') =>
    async (sites: readonly Compared[]): Promise<string[][]> => {
      const found: string[][] = []
      const byOwner = Map.groupBy(sites.entries(), ([, { operator = '' }]) =>
        asker === 'operator' ? operators.indexOf(operator) : asker,
      )
      for (const [owner, all] of byOwner)
        for (let from = 0; from < all.length; from += ROWS_AT_ONCE) {
          const chunk = all.slice(from, from + ROWS_AT_ONCE)
          const lists = await findDuplicates(
            sql,
            idOf('usr', owner),
            chunk.map(([, site]) => site),
          )
          for (const [place, [index]] of chunk.entries())
            found[index] = (lists[place] ?? [])
              .filter(({ score }) => score >= 0.5)
              .map(({ id }) => id)
        }
      return found
    }

  const tell = (title: string, { recall, precision, recallOf }: Measured): void => {
    const percent = (part: number): string => `${(part * 100).toFixed(1)} %`
    const parts = Object.entries(recallOf).map(([name, part]) => `${name} ${percent(part)}`)
    console.log(
      `${title}: recall ${percent(recall)} (${parts.join(', ')}), precision ${percent(precision)}`,
    )
  }

  test.each<readonly [string, number | 'operator', (original: Original) => Partial<Compared>]>([
    ['own, by name and position', 'operator', ({ operator }) => ({ operator })],
    ['of others, by name and position', 0, () => ({})],
    ['of others, with plugs and power', 0, ({ plugs, maxKw }) => ({ plugs, maxKw })],
    [
      'of others, with all that is known',
      0,
      ({ plugs, maxKw, evseIds, phone }) => ({ plugs, maxKw, evseIds, phone }),
    ],
  ])('%s', async (title, asker, say) => {
    const measured = await measure(createRandom(7), originals, findAs(asker), say)
    tell(title, measured)
    expect(measured.recall).toBeGreaterThan(0.95)
    expect(measured.precision).toBeGreaterThan(0.95)
  })

  test('sites of different operators within 60 m stay apart', async () => {
    const pairs = neighboursOf(originals, 60)
    const find = findAs('operator')
    const count = async (say: (site: Original) => Compared): Promise<number> => {
      const found = await find(pairs.map(([site]) => say(site)))
      return pairs.filter(([, other], index) => found[index]?.includes(other.id)).length
    }
    const byAll = await count((site) => site)
    const byName = await count((site) => ({ ...site, plugs: [], evseIds: [], phone: '' }))
    console.log(
      `${originals.length} stations, ${pairs.length} pairs: ${byAll} shown with all that is known, ${byName} by the name alone`,
    )
    expect(pairs.length).toBeGreaterThan(20)
    expect(byAll).toBe(0)
    expect(byName / pairs.length).toBeLessThan(0.15)
  })
})
