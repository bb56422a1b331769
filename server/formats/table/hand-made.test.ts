import { describe, expect, test } from 'vitest'

import { detectFormat, readParts } from '../formats.ts'
import { joinKey, joinParts } from '../join.ts'
import { repairStation } from '../repair/repair.ts'
import type { Station } from '../station.ts'

// Tables as hotels, towns and small operators write them.

const bytesOf = async function* (source: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield Buffer.from(source as string)
}

const piecesOf = async (table: string | Uint8Array): Promise<readonly Station[]> => {
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
    questions: questions.map(({ rule, after }) => [rule, after]),
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
  ])('%s with %s kW: that of the AC plug is a question', async (plugs, power, expected) => {
    expect(await plugsOf(plugs, power)).toEqual({
      plugs: expected,
      questions: [['power_usual', 22]],
    })
  })

  test('the power beside the name of a plug is its own', async () => {
    expect(await plugsOf('CCS / Typ 2 22 kW', '150 kW')).toEqual({
      plugs: [
        ['IEC_62196_T2_COMBO', 150],
        ['IEC_62196_T2', 22],
      ],
      questions: [],
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

test.each([
  ['Typ 2 (2x)', '22', [2, 'IEC_62196_T2', 22]],
  ['4 prises T2', '22', [4, 'IEC_62196_T2', 22]],
  ['2 bornes T2 22kW', '', [2, 'IEC_62196_T2', 22]],
  ['CCS', '2 x 150 kW', [2, 'IEC_62196_T2_COMBO', 150]],
  ['CCS', 'up to 150kW shared', [1, 'IEC_62196_T2_COMBO', 150]],
  ['Typ 2', '22kW AC', [1, 'IEC_62196_T2', 22]],
  ['Typ 2', '22kW/32A/400V', [1, 'IEC_62196_T2', 22]],
])('the plugs in %j with the power %j', async (cell, power, [count, standard, kw]) => {
  expect(await plugsOf(cell, power)).toEqual({
    plugs: Array.from({ length: Number(count) }, () => [standard, kw]),
    questions: [],
  })
})

test.each([
  [
    'Haus;Straße und Nr.;PLZ;Breite;Länge;Anschlüsse;Leistung pro Ladepunkt\nPost;Ring 1;01067;51,05;13,73;Typ 2;22\n',
    'sites.name sites.address sites.postal_code sites.latitude sites.longitude connectors.standard connectors.kw_rating',
  ],
  [
    'Nom de l’hôtel;Adresse;Coordonnées GPS;Type de borne;Puissance (kW);Nombre de bornes\nA;B;48,1 / 2,2;T2;22;2\n',
    'sites.name sites.address position connectors.standard connectors.kw_rating quantity',
  ],
  [
    'Nombre del hotel;Dirección;Latitud;Longitud;Tipo de cargador;Potencia máx.;Nº de cargadores;24h\nA;B;41,3;2,1;Schuko;3,7;2;sí\n',
    'sites.name sites.address sites.latitude sites.longitude connectors.standard connectors.kw_rating quantity sites.opening_hours',
  ],
  [
    'name,gps.latitude,gps.longitude,address.street,address.zip\nA,48.1,11.5,Ring 1,80331\n',
    'sites.name sites.latitude sites.longitude sites.address sites.postal_code',
  ],
])('the columns of %j', async (table, mapping) => {
  expect(await detectFormat(bytesOf(table))).toMatchObject({
    table: { mapping: mapping.split(' ') },
    isComplete: true,
  })
})

test('values that a spreadsheet has spoilt are left out, and its formulas for texts are read', async () => {
  const [station] = await piecesOf(
    'name;address;postcode;city;lat;lon;phone\nA;#REF!;="01067";#BEZUG!;51.05;13.73;4,97611E+11\n',
  )
  if (station === undefined) throw new Error('There is no site.')
  expect(repairStation(station).station.site).toEqual({
    name: 'A',
    address: '01067',
    postal_code: '01067',
    latitude: 51.05,
    longitude: 13.73,
  })
})

test('a row that adds up the plugs is no plug of the site above it', async () => {
  const pieces = await piecesOf(
    'name;address;lat;lon;plug;power\nA;Ring 1;48.1;11.5;Type 2;22\n;;;;Total Type 2;22\n',
  )
  expect(pieces.map(({ connectors }) => connectors.length)).toEqual([1, 1])
  expect(pieces[1]?.site).toEqual({})
})

test.each([
  ['access', 'nur Hotelgäste', 'CUSTOMERS'],
  ['access', 'réservé aux clients', 'CUSTOMERS'],
  ['payment', 'App oder RFID', ['APP', 'RFID_READER']],
  ['wheelchair', 'TRUE', 'ACCESSIBLE'],
])('%s in the words of an owner: %s', async (heading, words, value) => {
  const [station] = await piecesOf(`name;address;lat;lon;${heading}\nA;Ring 1;48.1;11.5;${words}\n`)
  if (station === undefined) throw new Error('There is no site.')
  expect(repairStation(station).station.site[heading]).toEqual(value)
})

test('the table of a single site may have as many titles above it', async () => {
  for (const titles of ['Our chargers', 'Our chargers\nNovember 2026', 'A\nB\nC'])
    expect(
      await piecesOf(`${titles}\nname;address;lat;lon\nPost;Ring 1;48.1;11.5\n`),
    ).toMatchObject([{ site: { name: 'Post' } }])
})

test('a table that Excel for the Mac has written', async () => {
  const [é, ü, ß] = [0x8e, 0x9f, 0xa7]
  const text = (part: string): number[] => [...Buffer.from(part)]
  const bytes = Uint8Array.from([
    ...text('name;address;lat;lon\rCaf'),
    é,
    ...text(' Z'),
    ü,
    ...text('rich;Stra'),
    ß,
    ...text('e 1;47.3769;8.5417\r'),
  ])
  expect(await piecesOf(bytes)).toMatchObject([
    { site: { name: 'Café Zürich', address: 'Straße 1' } },
  ])
})

test('JSON with connectors in a list of charge points', async () => {
  const [station] = await piecesOf(
    JSON.stringify({
      items: [
        {
          stationName: 'Post',
          location: { lat: 48.1, lng: 11.5 },
          address: { street: 'Ring', houseNumber: '1' },
          chargePoints: [
            {
              id: 7,
              evseId: 'DE*ABC*E1',
              connectors: [
                { type: 'TYPE_2', maxPower: 22 },
                { type: 'CCS_2', maxPower: 150 },
              ],
            },
            { id: 8, evseId: 'DE*ABC*E2', connectors: [{ type: 'CHADEMO', maxPower: 50 }] },
          ],
        },
      ],
    }),
  )
  if (station === undefined) throw new Error('There is no site.')
  const { connectors } = repairStation(station).station
  expect(connectors.map(({ evse_id: id, standard, kw_rating: kw }) => [id, standard, kw])).toEqual([
    ['DE*ABC*E1', 'IEC_62196_T2', 22],
    ['DE*ABC*E1', 'IEC_62196_T2_COMBO', 150],
    ['DE*ABC*E2', 'CHADEMO', 50],
  ])
})

test.each([
  ['3x 11kW', '', 3, 'IEC_62196_T2'],
  ['2 Wallboxen à 11 kW', '', 2, 'IEC_62196_T2'],
  ['22 kW', '', 1, 'IEC_62196_T2'],
  ['', '150', 1, 'IEC_62196_T2_COMBO'],
])(
  'the type of plug in %j with the power %j is a question',
  async (cell, power, count, standard) => {
    const { plugs, questions } = await plugsOf(cell, power)
    expect(plugs).toEqual([])
    expect(questions).toEqual(Array.from({ length: count }, () => ['plug_usual', standard]))
  },
)

test('plugs of other countries, and unknown ones, are not guessed', async () => {
  const [station] = await piecesOf(
    'name;address;lat;lon;plug;power\nA;1 Main St;39.79;-89.65;2 chargers;11\n',
  )
  if (station === undefined) throw new Error('There is no site.')
  expect(repairStation(station).questions).toEqual([])
  expect(await plugsOf('Gardena', '22')).toEqual({ plugs: [], questions: [] })
})

test('a list whose headings are some of ours is not taken for the file of the dashboard', async () => {
  const table = [
    'ID;Site;Adresse;Ville;Code postal;Latitude;Longitude;Votre référence;Type de prise;Puissance (kW)',
    '4711;Gare;1 rue du Port;Brest;29200;48.38;-4.48;CMD-1;CCS;150',
  ].join('\n')
  const [station] = await piecesOf(table)
  expect(station).toMatchObject({ reference: '4711', connectors: [{ kw_rating: '150' }] })
})
