import { describe, expect, test } from 'vitest'

import { readParts } from '../formats.ts'
import { joinKey, joinParts } from '../join.ts'
import { repairStation } from '../repair/repair.ts'
import type { Station } from '../station.ts'

// Tables as hotels, towns and small operators write them.

const bytesOf = async function* (source: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(source)
}

const piecesOf = async (table: string): Promise<readonly Station[]> => {
  const pieces = new Map<string, Station[]>()
  for await (const part of readParts(bytesOf(table))) {
    if (!('station' in part)) continue
    const key = joinKey(part.station) || part.position
    pieces.set(key, [...(pieces.get(key) ?? []), part.station])
  }
  return [...pieces.values()].map(joinParts)
}

const problemsOf = async (table: string): Promise<readonly unknown[]> => {
  const problems: unknown[] = []
  for await (const part of readParts(bytesOf(table)))
    if ('problem' in part) problems.push([part.position, part.problem.code])
  return problems
}

/** The plugs of the only site in a table with this cell for plugs and this one for the power. */
const plugsOf = async (plugs: string, power: string) => {
  const table = `Name;Adresse;Lat;Lon;Stecker;Leistung\nHotel Post;Ring 1;48.1;11.5;"${plugs}";${power}\n`
  const [station] = await piecesOf(table)
  if (station === undefined) throw new Error('There is no site.')
  const { station: repaired, questions } = repairStation(station)
  return {
    plugs: repaired.connectors.map(({ standard, kw_rating: kw }) => [standard, kw]),
    asked: questions.map(({ rule, after }) => [rule, after]),
  }
}

describe('plugs that share one power', () => {
  test.each([
    ['CCS, Typ 2', '150', [['IEC_62196_T2_COMBO', 150]]],
    [
      'T2-Combo2-CHAdeMO',
      '50',
      [
        ['IEC_62196_T2_COMBO', 50],
        ['CHADEMO', 50],
      ],
    ],
  ])('%s with %s kW: that of the AC plug is asked', async (plugs, power, expected) => {
    expect(await plugsOf(plugs, power)).toEqual({
      plugs: expected,
      asked: [['power_usual', 22]],
    })
  })

  test('the power beside the name of a plug is its own', async () => {
    expect(await plugsOf('CCS / Typ 2 22 kW', '150 kW')).toEqual({
      plugs: [
        ['IEC_62196_T2_COMBO', 150],
        ['IEC_62196_T2', 22],
      ],
      asked: [],
    })
  })

  test('what every plug can have is shared', async () => {
    expect(await plugsOf('CCS, Typ 2', '43')).toMatchObject({
      plugs: [
        ['IEC_62196_T2_COMBO', 43],
        ['IEC_62196_T2', 43],
      ],
    })
  })
})

test.each([
  ['a decimal comma', 'name,address,lat,lon\nA,Ring 1,48,137,11,575\nB,Ring 2,48.2,11.5,\n'],
  [
    'a price',
    'name;address;lat;lon;price\nA;Ring 1;48.1;11.5;free; guests\nB;Ring 2;48.2;11.5;1\n',
  ],
])('a row with more cells than headings is refused: %s without quotes', async (_, table) => {
  expect(await problemsOf(table)).toEqual([['line 2', 'row_with_extra_cells']])
  expect(await piecesOf(table)).toMatchObject([{ site: { name: 'B' } }])
})
