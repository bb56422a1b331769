import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { deflateRawSync, gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { writeXlsx } from 'hucre/xlsx'

import type { Mapping } from '#domain/import-source.ts'

import { zip, type ZipEntry } from '../zip.ts'
import { readParts, detectFormat } from './formats.ts'
import { joinKey, joinParts } from './join.ts'
import { repairStation } from './repair/repair.ts'
import type { Part, Unreadable } from './station.ts'

type Source = string | Uint8Array

const bytesOf = async function* (source: Source, size = 1000): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(source as string)
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}
const read = async (source: Source, mapping?: Mapping): Promise<readonly (Part | Unreadable)[]> => {
  const parts: (Part | Unreadable)[] = []
  for await (const part of readParts(bytesOf(source), mapping && { mapping })) parts.push(part)
  return parts
}
const stationsOf = async (source: Source, mapping?: Mapping) =>
  (await read(source, mapping)).flatMap((part) => ('station' in part ? [part.station] : []))
const problemsOf = async (source: Source): Promise<readonly string[]> =>
  (await read(source)).flatMap((part) => ('problem' in part ? [part.problem.code] : []))
const formatOf = async (source: Source): Promise<string> => {
  const found = await detectFormat(bytesOf(source))
  return 'problem' in found ? found.problem.code : found.format
}

const point = {
  nom_amenageur: 'Example',
  contact_operateur: 'help@example.org',
  telephone_operateur: 'tel:+33-1-76-31-06-84',
  nom_enseigne: 'Example',
  id_station_itinerance: 'FREXAP1',
  nom_station: 'Hôtel de ville',
  implantation_station: 'Voirie',
  adresse_station: '8 Rue Paul Paray, 67430 Diemeringen, France',
  coordonneesXY: '[7.186, 48.938]',
  nbre_pdc: '2',
  id_pdc_itinerance: 'FREXAE1',
  puissance_nominale: '22.0',
  prise_type_ef: 'True',
  prise_type_2: 'True',
  prise_type_combo_ccs: 'False',
  prise_type_chademo: 'False',
  gratuit: 'False',
  paiement_acte: 'True',
  paiement_cb: 'True',
  paiement_autre: 'True',
  condition_acces: 'Accès libre',
  horaires: '24/7',
  accessibilite_pmr: 'Accessibilité inconnue',
  restriction_gabarit: 'hauteur maximale 2,10 m',
  station_deux_roues: 'False',
}
const second = {
  ...point,
  id_pdc_itinerance: 'FREXAE2',
  puissance_nominale: '150',
  prise_type_ef: 'false',
  prise_type_2: 'false',
  prise_type_combo_ccs: 'true',
  accessibilite_pmr: 'Réservé PMR',
}
const csvOf = (delimiter: string, rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map((cell) => `"${cell}"`).join(delimiter)).join('\r\n')

describe('the register of France', () => {
  test.each([
    ['JSON a line', `${JSON.stringify(point)}\n${JSON.stringify(second)}\n`],
    ['a list of JSON', JSON.stringify([point, second])],
    ['CSV', csvOf(',', [Object.keys(point), Object.values(point), Object.values(second)])],
    ['gzip', gzipSync(`${JSON.stringify(point)}\n${JSON.stringify(second)}`)],
  ])('as %s: two charge points of one station', async (_, source) => {
    expect(await formatOf(source)).toBe('IRVE')
    const pieces = await stationsOf(source)
    expect(new Set(pieces.map(joinKey))).toEqual(new Set(['FREXAP1']))
    const { station, refusal, questions } = repairStation(joinParts(pieces))
    expect([refusal, questions]).toEqual([undefined, []])
    expect(station).toEqual({
      reference: 'FREXAP1',
      site: {
        reference: 'FREXAP1',
        name: 'Hôtel de ville',
        address: '8 Rue Paul Paray, 67430 Diemeringen, France',
        latitude: 48.938,
        longitude: 7.186,
        contact_email: 'help@example.org',
        contact_phone: '+33-1-76-31-06-84',
        vehicle_capacity: 2,
        postal_code: '67430',
        city: 'Diemeringen',
        country: 'FRA',
        opening_hours: { twentyfourseven: true },
        access: 'PUBLIC',
        payment: ['APP', 'CREDIT_CARD_PAYABLE', 'DEBIT_CARD_PAYABLE'],
        parking_type: 'ON_STREET',
        wheelchair: 'RESERVED',
        two_wheelers: false,
        max_height_m: 2.1,
      },
      connectors: [
        {
          evse: 'FREXAE1',
          evse_id: 'FREXAE1',
          standard: 'IEC_62196_T2',
          format: 'SOCKET',
          current_type: 'AC_3_PHASE',
          kw_rating: 22,
        },
        {
          evse: 'FREXAE1',
          evse_id: 'FREXAE1',
          standard: 'DOMESTIC_E',
          format: 'SOCKET',
          current_type: 'AC_1_PHASE',
          kw_rating: 3.7,
        },
        {
          evse: 'FREXAE2',
          evse_id: 'FREXAE2',
          standard: 'IEC_62196_T2_COMBO',
          format: 'CABLE',
          current_type: 'DC',
          kw_rating: 150,
        },
      ],
      tariffs: [],
    })
  })

  test('in JSON, flags may be Booleans, and the position a list or an object', async () => {
    const typed = { ...point, prise_type_2: true, prise_type_ef: false, puissance_nominale: 22 }
    for (const coordonneesXY of [[7.186, 48.938], { lon: 7.186, lat: 48.938 }]) {
      const [piece] = await stationsOf(JSON.stringify({ data: [{ ...typed, coordonneesXY }] }))
      expect(piece?.site).toMatchObject({ latitude: 48.938, longitude: 7.186 })
      expect(piece?.connectors).toMatchObject([{ standard: 'IEC_62196_T2', kw_rating: 22 }])
    }
  })

  test('as properties of GeoJSON', async () => {
    const geometry = { type: 'Point', coordinates: [7.186, 48.938] }
    const features = [point, second].map((properties) => ({
      type: 'Feature',
      geometry,
      properties,
    }))
    const source = JSON.stringify({ type: 'FeatureCollection', features })
    expect(await formatOf(source)).toBe('GEOJSON')
    expect((await stationsOf(source)).map(({ reference }) => reference)).toEqual([
      'FREXAP1',
      'FREXAP1',
    ])
  })

  test('charge points without a station in the register stay separate', async () => {
    const alone = { ...point, id_station_itinerance: 'Non concerné' }
    const [one, other] = await stationsOf(
      `${JSON.stringify(alone)}\n${JSON.stringify({ ...alone, nom_station: 'Gare' })}`,
    )
    expect(one && joinKey(one)).not.toBe(other && joinKey(other))
  })

  test('an invalid line is a separate problem', async () => {
    const parts = await read(`${JSON.stringify(point)}\n{"broken\n${JSON.stringify(second)}`)
    expect(parts.map(({ position }) => position)).toEqual(['line 1', 'line 2', 'line 3'])
    expect(parts[1]).toMatchObject({ problem: { code: 'json_invalid' } })
  })
})

const town = {
  name: 'Town hall',
  address: 'Market Square 1',
  latitude: 50.9375,
  longitude: 6.9603,
}

describe('any table', () => {
  const rows = {
    en: [
      ['Name', 'Street', 'Latitude', 'Longitude', 'Plug type', 'Power (kW)'],
      ['Town hall', 'Market Square 1', '50.9375', '6.9603', 'Type 2', '22'],
    ],
    de: [
      ['Bezeichnung', 'Straße', 'Breitengrad', 'Längengrad', 'Steckertyp', 'Nennleistung [kW]'],
      ['Town hall', 'Market Square 1', '50,9375', '6,9603', 'Typ 2', '22,0'],
    ],
    fr: [
      ['Nom de la station', 'Adresse', 'Latitude', 'Longitude', 'Type de prise', 'Puissance (kW)'],
      ['Town hall', 'Market Square 1', '50,9375', '6,9603', 'T2', '22'],
    ],
    es: [
      ['Nombre', 'Dirección', 'Latitud', 'Longitud', 'Conector', 'Potencia'],
      ['Town hall', 'Market Square 1', '50.9375', '6.9603', 'Mennekes', '22 kW'],
    ],
  }
  const cases = Object.entries(rows).flatMap(([language, table]) =>
    [',', ';', '\t', '|'].map((delimiter) => [language, delimiter, table] as const),
  )
  test.each(cases)('in %s, separated by %j', async (_, delimiter, table) => {
    const [station] = await stationsOf(csvOf(delimiter, table))
    expect(station && repairStation(station).station).toMatchObject({
      site: town,
      connectors: [
        {
          standard: 'IEC_62196_T2',
          format: 'SOCKET',
          current_type: 'AC_3_PHASE',
          kw_rating: 22,
        },
      ],
    })
  })

  const german = csvOf(';', rows.de)
  test.each([
    ['UTF-8', Buffer.from(german)],
    ['UTF-8 with its mark', Buffer.from(`\ufeff${german}`)],
    ['UTF-16, little end first', Buffer.from(`\ufeff${german}`, 'utf16le')],
    ['UTF-16 without its mark', Buffer.from(german, 'utf16le')],
    ['UTF-16, big end first', Buffer.from(`\ufeff${german}`, 'utf16le').swap16()],
    ['Latin-1', Buffer.from(german, 'latin1')],
  ])('in %s', async (_, bytes) => {
    const found = await detectFormat(bytesOf(bytes))
    expect(found).toMatchObject({
      format: 'TABLE',
      isComplete: true,
      table: {
        headings: rows.de[0],
        mapping: [
          'sites.name',
          'sites.address',
          'sites.latitude',
          'sites.longitude',
          'connectors.standard',
          'connectors.kw_rating',
        ],
        preview: [rows.de[1]],
      },
    })
    expect(await stationsOf(bytes)).toHaveLength(1)
  })

  test('a workbook', async () => {
    const book = await writeXlsx({ sheets: [{ name: 'Sites', rows: rows.en }] })
    expect(await formatOf(book)).toBe('TABLE')
    const [station] = await stationsOf(book)
    expect(station && repairStation(station).station.site).toMatchObject(town)
  })

  const plugsIn = async (lines: readonly (readonly string[])[]) => {
    const stations = await stationsOf(csvOf(';', lines))
    return stations.map((station) =>
      repairStation(station).station.connectors.map((plug) =>
        [plug['standard'], plug['kw_rating']].join(' '),
      ),
    )
  }

  test.each([
    ['Type 2 22 kW', 'CCS (150 kW)', 'Power'],
    ['Anzahl Typ 2 (22 kW)', 'Anzahl CCS (150 kW)', 'Leistung'],
    ['Nb prises T2 22 kW', 'Nb CCS 150 kW', 'Puissance'],
    ['Número de Tipo 2 22 kW', 'CCS_150 kW', 'Potencia'],
  ])('a column per type of plug contains counts: %s, %s', async (ac, dc, power) => {
    const place = ['Name', 'Latitude', 'Longitude']
    expect(
      await plugsIn([
        [...place, ac, dc, power],
        ['Town hall', '50.9375', '6.9603', '2', '1', ''],
        ['Quay', '50.95', '6.97', '', '2x', '300'],
        ['Pier', '50.96', '6.98', 'x', '0', '11'],
      ]),
    ).toEqual([
      ['IEC_62196_T2 22', 'IEC_62196_T2 22', 'IEC_62196_T2_COMBO 150'],
      ['IEC_62196_T2_COMBO 150', 'IEC_62196_T2_COMBO 150'],
      ['IEC_62196_T2 22'],
    ])
    expect(
      await plugsIn([
        [...place, 'Type 2', 'CCS', power],
        ['Town hall', '50.9375', '6.9603', 'no', 'yes', '150'],
      ]),
      'the power of the row, if its plugs are of one kind',
    ).toEqual([['IEC_62196_T2_COMBO 150']])
  })

  test.each([
    ['Type 2: 2', 2],
    ['Type 2 (x2)', 2],
    ['2 Type 2', 2],
    ['Type 2 22 kW: 2', 2],
    ['Type 2', 1],
    ['3 phase Type 2', 1],
  ])('a number next to the type of plug is a count: %s', async (plug, count) => {
    expect(
      await plugsIn([
        ['Name', 'Latitude', 'Longitude', 'Connectors', 'Plug type', 'Power'],
        ['Town hall', '50.9375', '6.9603', '4', plug, '22'],
      ]),
    ).toEqual([Array.from({ length: count }, () => 'IEC_62196_T2 22')])
  })

  test('without a known heading, "no" is not a country, and powers are not counts of plugs', async () => {
    const table = csvOf(';', [
      ['Name', 'Latitude', 'Longitude', 'Solar roof', 'Type 2'],
      ['Town hall', '50.9375', '6.9603', 'no', '22'],
    ])
    expect(await detectFormat(bytesOf(Buffer.from(table)))).toMatchObject({
      table: { mapping: ['sites.name', 'sites.latitude', 'sites.longitude', '', ''] },
    })
  })

  test('columns without a known heading are recognised by their values', async () => {
    const table = csvOf(';', [
      ['A', 'B', 'C', 'D', 'E'],
      ['Town hall', '50,93750', '6,96030', 'help@example.org', 'CCS'],
      ['Church', '50,94130', '6,95810', 'info@example.org', 'Typ 2'],
    ])
    const found = await detectFormat(bytesOf(table))
    expect('table' in found && found.table?.mapping).toEqual([
      '',
      'sites.latitude',
      'sites.longitude',
      'sites.contact_email',
      'connectors.standard',
    ])
    expect('isComplete' in found && found.isComplete).toBe(false)
    const mapping = ['sites.name', 'sites.latitude', 'sites.longitude', '', 'connectors.standard']
    expect(await stationsOf(table, mapping)).toMatchObject([
      { site: { name: 'Town hall' }, connectors: [{ standard: 'CCS' }] },
      { site: { name: 'Church' }, connectors: [{ standard: 'Typ 2' }] },
    ])
  })

  test('a row may contain several plugs, in numbered columns, in a list and with a quantity', async () => {
    const [station] = await stationsOf(
      csvOf(';', [
        ['Name', 'Koordinaten', 'Steckertypen1', 'Leistung1', 'Steckertypen2', 'Leistung2'],
        ['A', '50.9375, 6.9603', 'AC Steckdose Typ 2, AC Schuko', '22', '2x CCS', '150'],
      ]),
    )
    const { connectors, site } = station
      ? repairStation(station).station
      : { connectors: [], site: {} }
    expect(site).toMatchObject({ latitude: 50.9375, longitude: 6.9603 })
    expect(connectors.map(({ standard, kw_rating: kw }) => [standard, kw])).toEqual([
      ['IEC_62196_T2', 22],
      ['DOMESTIC_F', 3.7],
      ['IEC_62196_T2_COMBO', 150],
      ['IEC_62196_T2_COMBO', 150],
    ])
  })

  /** Stations as an import produces them: pieces joined, and repaired. */
  const imported = async (source: Source) => {
    const pieces = await stationsOf(source)
    const groups = Map.groupBy(pieces, (piece) => joinKey(piece) || piece)
    return [...groups.values()].map((parts) => repairStation(joinParts(parts)))
  }
  const TWO_PLUGS = [
    ['IEC_62196_T2_COMBO', 'DC', 150],
    ['IEC_62196_T2', 'AC_3_PHASE', 22],
  ]
  test.each([
    [
      'the power of the station beside that of its plugs',
      'Name;Lat;Lon;Leistung (kW);Steckertyp 1;Leistung 1;Steckertyp 2;Leistung 2\nA;50.1;6.9;172;CCS;150;Typ 2;22\n',
    ],
    [
      'a list of plugs and one of powers',
      'Name;Lat;Lon;Stecker;Leistung\nA;50.1;6.9;CCS, Typ 2;150, 22\n',
    ],
    [
      'the first plug without a number',
      'Name;Lat;Lon;Stecker;Leistung;Stecker 2;Leistung 2\nA;50.1;6.9;CCS;150;Typ 2;22\n',
    ],
    [
      'columns that were numbered by a program',
      'Name;Lat;Lon;Stecker;Leistung;Stecker.1;Leistung.1\nA;50.1;6.9;CCS;150;Typ 2;22\n',
    ],
    [
      'powers separated by a slash',
      'Name;Lat;Lon;Stecker;Leistung\nA;50.1;6.9;CCS / Typ 2;150 / 22\n',
    ],
    ['kinds joined by a sign', 'Name;Lat;Lon;Stecker;Leistung\nA;50.1;6.9;CCS & Typ 2;150 / 22\n'],
    [
      'headings below a group for each plug',
      'Site;;;Plug 1;;Plug 2;\nName;Lat;Lon;Type;kW;Type;kW\nA;50.1;6.9;CCS;150;Typ 2;22\n',
    ],
    [
      'known headings below a group for each plug',
      ';;;Plug 1;;Plug 2;\nName;Lat;Lon;Plug;kW;Plug;kW\nA;50.1;6.9;CCS;150;Typ 2;22\n',
    ],
  ])('each plug has its own power: %s', async (_, table) => {
    const [one] = await imported(table)
    expect(
      one?.station.connectors.map((each) => [
        each['standard'],
        each['current_type'],
        each['kw_rating'],
      ]),
    ).toEqual(TWO_PLUGS)
  })

  test.each([
    // As in the register of the United States.
    ['CHADEMO J1772 J1772COMBO', ['CHADEMO', 'IEC_62196_T1', 'IEC_62196_T1_COMBO']],
    ['CCS & CHAdeMO', ['IEC_62196_T2_COMBO', 'CHADEMO']],
    ['CCS or CHAdeMO', ['IEC_62196_T2_COMBO', 'CHADEMO']],
    ['CCS Combo 2', ['IEC_62196_T2_COMBO']],
    ['Tesla CCS', ['IEC_62196_T2_COMBO']],
    ['Type 2 / Mennekes', ['IEC_62196_T2']],
    ['Type 2 11 kW / Type 2 22 kW', ['IEC_62196_T2', 'IEC_62196_T2']],
    ['Type 2, Type 2', ['IEC_62196_T2', 'IEC_62196_T2']],
  ])('a cell may contain several plugs: %s', async (cell, standards) => {
    const [one] = await imported(`Name,Lat,Lon,Plug,Power\nA,50.1,6.9,"${cell}",11\n`)
    expect(one?.station.connectors.map(({ standard }) => standard)).toEqual(standards)
  })

  test.each([
    ['AC Typ 2 Steckdose', '', 'SOCKET'],
    ['AC Typ 2 Fahrzeugkupplung', '', 'CABLE'],
    ['Type 2 (tethered)', '', 'CABLE'],
    ['Type 2 (untethered)', '', 'SOCKET'],
    ['Type 2', 'yes', 'CABLE'],
    ['Typ 2', 'nein', 'SOCKET'],
    ['Type 2', '1', 'CABLE'],
    ['Type 2 Outlet', 'Cable', 'CABLE'],
    ['Type 2', '', 'SOCKET'],
    // A row states this for all its plugs.
    ['CCS', 'no', 'CABLE'],
  ])('%j with the value %j in the column "Cable attached"', async (plug, cable, format) => {
    const [one] = await imported(
      `Name,Lat,Lon,Plug,Power,Cable attached\nA,50.1,6.9,${plug},11,${cable}\n`,
    )
    expect(one?.station.connectors).toMatchObject([{ format }])
  })

  test('an unknown type of plug next to two others is reported', async () => {
    const [one] = await imported(
      'Name,Lat,Lon,Plug,Power\nA,50.1,6.9,"CCS; Warp drive; Type 2",22\n',
    )
    expect(one?.station.connectors.map(({ standard }) => standard)).toEqual([
      'IEC_62196_T2_COMBO',
      'IEC_62196_T2',
    ])
    expect(one?.repairs.map(({ rule, field }) => `${rule} ${field}`)).toContain(
      'connector_left_out connectors[1]',
    )
  })

  test('the number in a heading assigns an ID to a plug', async () => {
    const [one] = await imported(
      'Name;Lat;Lon;Steckertyp 1;Leistung 1;Steckertyp 2;Leistung 2;EVSE-ID 2\nA;50.1;6.9;CCS;150;Typ 2;22;DE*ABC*E2\n',
    )
    expect(one?.station.connectors.map((each) => each['evse_id'])).toEqual([undefined, 'DE*ABC*E2'])
  })

  test('an unknown type without a power is not a plug, but the site is read', async () => {
    const table =
      'Name,Lat,Lon,Connector type,Power,Count\nA,50.1,6.9,unknown,,2\nB,50.2,6.9,unknown,22,2\n'
    const [one, two] = await imported(table)
    expect([one?.refusal, one?.station.connectors]).toEqual([undefined, []])
    expect(two?.refusal?.code, 'but there is a plug').toBe('connectors_invalid')
  })

  test.each(['2', '2,0', '2 Stück', '2x'])('a quantity of %j is two', async (quantity) => {
    const [one] = await imported(
      `Name;Lat;Lon;Stecker;Leistung;Anzahl\nA;50.1;6.7;Typ 2;22;${quantity}\n`,
    )
    expect(one?.station.connectors).toHaveLength(2)
  })

  test.each([
    [
      'a placeholder as their id',
      'ID;Name;Adresse;Lat;Lon;Stecker;Leistung\n-;Rathaus;Weg 1;50.9;6.9;Typ 2;22\n-;Bahnhof;Weg 2;51.2;6.7;Typ 2;22\n',
    ],
    [
      'the same number of the house',
      'Name;Straße;Nummer;PLZ;Ort;Lat;Lon;Stecker;Leistung\nRathaus;Hauptstr.;12;50667;Köln;50,93;6,95;Typ 2;22\nBahnhof;Bahnhofstr.;12;53111;Bonn;50,73;7,09;CCS;50\n',
    ],
  ])('stations with %s stay separate', async (_, table) => {
    const found = await imported(table)
    expect(found.map(({ station }) => station.site['name'])).toEqual(['Rathaus', 'Bahnhof'])
    expect(found.map(({ refusal }) => refusal)).toEqual([undefined, undefined])
  })

  test.each([
    ['PLZ / Ort', '79098 Freiburg', '79098', 'Freiburg'],
    ['Ort', 'A-1010 Wien', '1010', 'Wien'],
    ['City', '1012 AB Amsterdam', '1012 AB', 'Amsterdam'],
    ['Ville', '75001 Paris', '75001', 'Paris'],
    ['City', '25 de Mayo', undefined, '25 de Mayo'],
    ['City', 'Freiburg', undefined, 'Freiburg'],
  ])('the town in the column %s of %j', async (heading, cell, code, city) => {
    const [one] = await imported(
      `Name;${heading};Lat;Lon;Plug;Power\nA;${cell};47.9959;7.8494;CCS;50\n`,
    )
    expect([one?.station.site['postal_code'], one?.station.site['city']]).toEqual([code, city])
  })

  test('the house number follows the street in the address', async () => {
    const [one] = await imported(
      'Name;Street;Number;Lat;Lon;Plug;Power\nA;High St;12;50.1;6.9;CCS;50\n',
    )
    expect(one?.station.site['address']).toBe('High St 12')
    expect(one?.station.connectors).toHaveLength(1)
  })

  test('letters after the beginning of a file determine its encoding', async () => {
    const plain = Array.from({ length: 20_000 }, (_, index) => `Site ${index};48.1;2.3`).join('\n')
    const table = `name;latitude;longitude\n${plain}\nKöln;50.9;6.9\n`
    for (const encoding of ['latin1', 'utf8'] as const)
      expect((await stationsOf(Buffer.from(table, encoding))).at(-1)?.site['name']).toBe('Köln')
  })

  test('a stray control character does not make it another kind of file', async () => {
    const text = `name;latitude;longitude\n${'Town hall;50.9375;6.9603\n'.repeat(9)}Hotel\u0011;50.9;6.9\n`
    expect(await stationsOf(text)).toHaveLength(10)
    // DOS programs end a file with one.
    const short = 'name;latitude;longitude\nTown hall;50.9375;6.9603\n\u001A'
    expect((await stationsOf(short))[0]?.site['name']).toBe('Town hall')
  })

  test('a cell may contain separators and line breaks, and rows may be short', async () => {
    const table = 'name;address;latitude;longitude\n"A;B";"Line 1\nLine 2";48.1;2.3\n\nC;D;48.2\n'
    expect(await read(table)).toMatchObject([
      { position: 'line 3', station: { site: { name: 'A;B', address: 'Line 1\nLine 2' } } },
      { position: 'line 5', station: { site: { name: 'C', latitude: '48.2' } } },
    ])
  })

  test('an Excel file may state its separator in its first line', async () => {
    expect(await stationsOf('sep=|\nname|latitude|longitude\nA, B|48.1|2.3\n')).toMatchObject([
      { site: { name: 'A, B', latitude: '48.1' } },
    ])
  })
})

test('the published tables: names of fields, one row per connector', async () => {
  const tariff = {
    id: 'tariff000000001',
    currency: 'EUR',
    tax_included: 'YES',
    elements: [{ price_components: [{ type: 'ENERGY', price: 0.59, step_size: 1 }] }],
    min_price: null,
  }
  const heading =
    'id,reference,name,address,latitude,longitude,contact_phone,connector_id,connector_reference,standard,kw_rating,tariff,business_id,phone'
  const row = (plug: string): string =>
    `site0000000001,R1,Town hall,Market Square 1,50.9375,6.9603,'+49 1,c${plug},${plug},IEC_62196_T2,22,"${JSON.stringify(tariff).replaceAll('"', '""')}",b1,+33 2`
  const pieces = await stationsOf([heading, row('P1'), row('P2')].join('\r\n'))
  const { id: reference, min_price: _, ...prices } = tariff
  const plug = { standard: 'IEC_62196_T2', kw_rating: '22', tariff: reference }
  expect(joinParts(pieces)).toEqual({
    reference: 'R1',
    site: {
      name: 'Town hall',
      address: 'Market Square 1',
      latitude: '50.9375',
      longitude: '6.9603',
      contact_phone: '+49 1',
    },
    connectors: [
      { ...plug, reference: 'P1' },
      { ...plug, reference: 'P2' },
    ],
    tariffs: [{ reference, values: { name: reference, ...prices } }],
  })
})

test('OSM JSON from the Overpass API: charging stations among other elements', async () => {
  const tags = { amenity: 'charging_station', name: 'Quay', 'socket:type2': '2' }
  const source = JSON.stringify(
    {
      version: 0.6,
      osm3s: { copyright: 'OpenStreetMap contributors' },
      elements: [
        { type: 'node', id: 1, lat: 54.1, lon: -6.9, tags },
        { type: 'node', id: 2, lat: 54.2, lon: -6.9 },
        { type: 'node', id: 3, lat: 54.3, lon: -6.9, tags: { amenity: 'bench' } },
        { type: 'way', id: 4, center: { lat: 54.4, lon: -6.9 }, nodes: [1], tags },
      ],
    },
    null,
    2,
  )
  expect(await formatOf(source)).toBe('OSM')
  expect(await stationsOf(source)).toMatchObject([
    {
      reference: 'node/1',
      site: { name: 'Quay', latitude: 54.1, longitude: -6.9 },
      connectors: [{ standard: 'IEC_62196_T2' }, { standard: 'IEC_62196_T2' }],
    },
    { reference: 'way/4', site: { latitude: 54.4, longitude: -6.9 } },
  ])
})

test('GeoJSON: OpenStreetMap tags, properties named like the fields, and any others', async () => {
  const geometry = { type: 'Point', coordinates: [6.9603, 50.9375] }
  const document = {
    type: 'FeatureCollection',
    features: [
      {
        type: 'Feature',
        geometry,
        properties: {
          amenity: 'charging_station',
          name: 'Town hall',
          'addr:street': 'Market Square',
          'addr:housenumber': '1',
          'socket:type2': '2',
          'socket:type2:output': '22 kW',
          fee: 'no',
        },
      },
      { type: 'Feature', geometry, properties: { ...town, connectors: [{ standard: 'CCS' }] } },
      { type: 'Feature', geometry, properties: { Bezeichnung: 'Rathaus', Ort: 'Köln' } },
      { type: 'Feature', geometry: null, properties: null },
      {
        type: 'Feature',
        geometry,
        properties: { '@id': 'node/1', amenity: 'charging_station', operator: 'Stadtwerke' },
      },
    ],
  }
  const text = JSON.stringify(document)
  expect(await formatOf(text)).toBe('GEOJSON')
  const parts = await read(text)
  expect(parts).toMatchObject([
    {
      station: {
        site: {
          name: 'Town hall',
          address: 'Market Square 1',
          latitude: 50.9375,
          payment: ['FREE_OF_CHARGE'],
        },
        connectors: [
          { standard: 'IEC_62196_T2', format: 'SOCKET', kw_rating: '22 kW' },
          { standard: 'IEC_62196_T2', format: 'SOCKET', kw_rating: '22 kW' },
        ],
      },
    },
    { station: { site: town, connectors: [{ standard: 'CCS' }] } },
    { station: { site: { name: 'Rathaus', city: 'Köln', longitude: 6.9603 } } },
    { problem: { code: 'record_not_location' } },
    { station: { reference: 'node/1', site: { name: 'Stadtwerke' } } },
  ])
})

describe('a record that is repeated', () => {
  const plugsOf = async (source: string): Promise<number> => {
    const stations = await stationsOf(source)
    expect(stations).toHaveLength(2)
    return joinParts(stations).connectors.length
  }
  const geometry = { type: 'Point', coordinates: [7.1, 49.2] }
  const collectionOf = (...features: object[]): string =>
    JSON.stringify({
      type: 'FeatureCollection',
      features: features.map((each) => ({ type: 'Feature', geometry, ...each })),
    })
  const row = { station_id: 'A', name: 'Post', plug: 'Type 2', power: '22' }
  const tags = { '@id': 'node/7', amenity: 'charging_station', 'socket:type2': '2' }
  const location = {
    id: 'L1',
    coordinates: { latitude: '49.2', longitude: '7.1' },
    evses: [{ connectors: [{ standard: 'IEC_62196_T2', max_electric_power: 22000 }] }],
  }
  const node = { type: 'node', id: 7, lat: 49.2, lon: 7.1, tags }
  const { '@id': _id, ...others } = tags
  const one = { ...others, 'socket:type2': '1' }
  const poi = {
    OperatorsReference: 'R1',
    AddressInfo: { Title: 'Post', Latitude: 49.2, Longitude: 7.1 },
    Connections: [{ ConnectionTypeID: 25, PowerKW: 22, Quantity: 1 }],
  }

  test.each([
    [
      'a feature with an ID',
      collectionOf({ id: 1, properties: row }, { id: 1, properties: row }),
      1,
    ],
    [
      'a feature with tags',
      collectionOf({ id: 'node/7', properties: tags }, { id: 'node/7', properties: tags }),
      2,
    ],
    ['a Location', JSON.stringify({ data: [location, location] }), 1],
    ['an element', JSON.stringify({ elements: [node, node] }), 2],
  ])('adds no plugs: %s', async (_, source, count) => {
    expect(await plugsOf(source)).toBe(count)
  })

  test.each([
    ['equal rows', 'station_id;name;plug;power\nA;Post;Type 2;22\nA;Post;Type 2;22\n'],
    [
      'features with other IDs',
      collectionOf({ id: 1, properties: row }, { id: 2, properties: row }),
    ],
    [
      'points of interest with one reference',
      JSON.stringify([
        { ...poi, ID: 1 },
        { ...poi, ID: 2 },
      ]),
    ],
    [
      'elements with one reference',
      JSON.stringify({
        elements: [7, 8].map((id) => ({ ...node, id, tags: { ...one, ref: 'R1' } })),
      }),
    ],
    ['features without IDs', collectionOf({ properties: row }, { properties: row })],
  ])('is another plug: %s', async (_, source) => {
    expect(await plugsOf(source)).toBe(2)
  })
})

test('OICP: the charge points of a station, pulled from Hubject and as published by Switzerland', async () => {
  const record = {
    EvseID: 'CH*ABC*E1',
    ChargingStationID: 'CH*ABC*S1',
    ChargingStationNames: [{ lang: 'en', value: 'Station square' }],
    Address: {
      Street: 'Station square',
      HouseNum: '1',
      City: 'Meyrin',
      PostalCode: '1217',
      Country: 'CHE',
    },
    GeoCoordinates: { Google: { Coordinates: '46.23432 6.055602' } },
    ChargingFacilities: [{ Power: 22, PowerType: 'AC_3_PHASE', Voltage: 230, Amperage: 32 }],
    Plugs: ['Type 2 Outlet'],
    Accessibility: 'Paying publicly accessible',
    AccessibilityLocation: 'UndergroundParkingGarage',
    AuthenticationModes: ['NFC RFID Classic', 'REMOTE'],
    PaymentOptions: ['No Payment'],
    HotlinePhoneNumber: '+41800000000',
    IsOpen24Hours: false,
    OpeningTimes: [
      { on: 'Workdays', Period: [{ begin: '08:00', end: '18:00' }] },
      { on: 'Saturday', Period: [{ begin: '09:00', end: '12:00' }] },
    ],
  }
  const rapid = {
    ...record,
    EvseID: 'CH*ABC*E2',
    GeoCoordinates: { Google: '46.23432 6.055602' },
    ChargingFacilities: [
      { power: '43', powertype: 'AC_3_PHASE' },
      { power: '150', powertype: 'DC' },
    ],
    Plugs: ['CCS Combo 2 Plug (Cable Attached)', 'Type 2 Connector (Cable Attached)'],
  }
  const gone = { ...record, EvseID: 'CH*ABC*E3', deltaType: 'delete' }
  const EvseDataRecord = [record, rapid, gone]
  for (const document of [
    EvseDataRecord,
    { content: EvseDataRecord },
    { EvseData: { OperatorEvseData: [{ OperatorID: 'CH*ABC', EvseDataRecord }] } },
    { EVSEData: [{ EVSEDataRecord: EvseDataRecord }] },
  ]) {
    const text = JSON.stringify(document)
    expect(await formatOf(text)).toBe('OICP')
    const parts = await stationsOf(text)
    expect(new Set(parts.map(joinKey))).toEqual(new Set(['CH*ABC*S1']))
    const { station, refusal } = repairStation(joinParts(parts))
    expect(refusal).toBeUndefined()
    expect(station).toMatchObject({
      site: {
        name: 'Station square',
        address: 'Station square 1',
        city: 'Meyrin',
        postal_code: '1217',
        country: 'CHE',
        latitude: 46.23432,
        longitude: 6.055602,
        access: 'PUBLIC',
        parking_type: 'UNDERGROUND_GARAGE',
        payment: ['FREE_OF_CHARGE', 'RFID_READER', 'APP'],
        contact_phone: '+41800000000',
        opening_hours: { regular_hours: { length: 6 } },
      },
      connectors: [
        { evse: 'CH*ABC*E1', standard: 'IEC_62196_T2', format: 'SOCKET', kw_rating: 22 },
        { evse: 'CH*ABC*E2', standard: 'IEC_62196_T2_COMBO', current_type: 'DC', kw_rating: 150 },
        { evse_id: 'CH*ABC*E2', standard: 'IEC_62196_T2', format: 'CABLE', kw_rating: 43 },
      ],
    })
  }
})

test('NOBIL: the attributes of a station and of its connectors', async () => {
  const attribute = (attrname: string, trans: string, attrval: string | boolean = '') => ({
    attrname,
    trans,
    attrval,
  })
  const station = {
    csmd: {
      id: 1415,
      name: 'Shopping centre',
      Street: 'Main street',
      House_number: '4',
      Zipcode: '1789',
      City: 'HALDEN',
      County: 'Østfold',
      Number_charging_points: 2,
      Position: '(59.1295,11.27407)',
      Contact_info: '22 00 00 00',
      Station_status: 1,
      Land_code: 'NOR',
      International_id: 'NOR_01415',
    },
    attr: {
      st: {
        2: attribute('Availability', 'Visitors'),
        3: attribute('Location', 'Street'),
        24: attribute('Open 24h', 'No', '06:00-23:00'),
      },
      conn: {
        1: {
          4: attribute('Connector', 'CCS/Combo'),
          5: attribute('Charging capacity', '50 kW - 500VDC max 100A'),
          25: attribute('Fixed cable', 'Yes'),
        },
        2: {
          4: attribute('Connector', 'Type 2'),
          5: attribute('Charging capacity', '3,6 kW - 230V 1-phase max 16A'),
          25: attribute('Fixed cable', 'No'),
        },
      },
    },
  }
  const text = JSON.stringify({ Provider: 'NOBIL.no', chargerstations: [station] })
  expect(await formatOf(text)).toBe('NOBIL')
  const [piece] = await stationsOf(text)
  expect(piece && repairStation(piece)).toMatchObject({
    station: {
      reference: 'NOR_01415',
      site: {
        name: 'Shopping centre',
        address: 'Main street 4',
        country: 'NOR',
        latitude: 59.1295,
        longitude: 11.27407,
        status: 'AVAILABLE',
        access: 'CUSTOMERS',
        parking_type: 'ON_STREET',
        contact_phone: '22 00 00 00',
        opening_hours: { regular_hours: { length: 7 } },
      },
      connectors: [
        { standard: 'IEC_62196_T2_COMBO', current_type: 'DC', kw_rating: 50, amperage: 100 },
        { standard: 'IEC_62196_T2', current_type: 'AC_1_PHASE', format: 'SOCKET', kw_rating: 3.6 },
      ],
    },
  })
})

describe('a list of records in JSON is a table', () => {
  const record = {
    station_name: 'Depot',
    latitude: 42.36,
    longitude: -71.06,
    street_address: '1 Main St',
    city: 'Boston',
    country: 'US',
    id: 1,
    status_code: 'E',
    fuel_type_code: 'ELEC',
    ev_connector_types: ['J1772', 'J1772COMBO'],
    ev_level2_evse_num: 4,
    ev_dc_fast_count: 2,
    phone: null,
  }

  test('as in the register of the United States', async () => {
    const text = JSON.stringify({
      total_results: 2,
      station_counts: { fuels: [{ name: 'ELEC', total: 2 }] },
      fuel_stations: [record, { ...record, id: 2, station_name: 'Mall', latitude: 42.37 }],
    })
    expect(await formatOf(text)).toBe('TABLE')
    expect(await read(text)).toMatchObject([
      {
        position: 'fuel_stations[0]',
        station: {
          reference: '1',
          site: { name: 'Depot', address: '1 Main St', latitude: '42.36', status: 'AVAILABLE' },
        },
      },
      { position: 'fuel_stations[1]', station: { reference: '2', site: { name: 'Mall' } } },
    ])
    const [first] = await stationsOf(text)
    expect(first?.connectors.map(({ standard }) => standard)).toEqual([
      ...Array.from({ length: 4 }, () => 'J1772'),
      ...Array.from({ length: 2 }, () => 'J1772COMBO'),
    ])
  })

  test('with plugs in a list, and objects in it', async () => {
    const text = JSON.stringify([
      {
        _id: 'x1',
        operator: { name: 'Stadtwerke', phone: '1' },
        name: 'Rathaus',
        address: { street: 'Markt 1', city: 'Köln' },
        location: { type: 'Point', coordinates: [6.96, 50.94] },
        connectors: [
          { id: 1, type: 'CCS', power: 150, status: 'free' },
          { id: 2, type: 'Type 2', power: 22, status: 'faulted' },
        ],
      },
    ])
    const parts = await stationsOf(text)
    const [station, ...others] = [...Map.groupBy(parts, joinKey).values()].map(joinParts)
    expect(others).toEqual([])
    expect(repairStation(station ?? parts[0]!)).toMatchObject({
      station: {
        site: {
          name: 'Rathaus',
          address: 'Markt 1',
          city: 'Köln',
          latitude: 50.94,
          longitude: 6.96,
        },
        connectors: [
          { standard: 'IEC_62196_T2_COMBO', kw_rating: 150 },
          { standard: 'IEC_62196_T2', kw_rating: 22 },
        ],
      },
    })
  })

  test('as in the former register of the United Kingdom', async () => {
    const text = JSON.stringify({
      Scheme: { SchemeData: { OrganisationName: 'Department' } },
      ChargeDevice: [
        {
          ChargeDeviceId: 'abc',
          ChargeDeviceRef: 'SRC_1',
          ChargeDeviceName: 'Riddons Road',
          ChargeDeviceLocation: {
            Latitude: '51.431454',
            Longitude: '0.031175',
            Address: {
              BuildingNumber: '2',
              Thoroughfare: 'Riddons Road',
              PostTown: 'London',
              Country: 'gb',
            },
          },
          Accessible24Hours: true,
          RegularOpenings: [{ Days: 'Monday', Hours: { From: '09:00', To: '18:00' } }],
          DeviceOwner: { OrganisationName: 'Owner', TelephoneNo: '020' },
          Connector: [
            {
              ConnectorId: '1',
              ConnectorType: 'Type 2 Mennekes (IEC62196)',
              RatedOutputkW: '7.0',
              TetheredCable: '1',
            },
            {
              ConnectorId: '2',
              ConnectorType: '3-pin Type G (BS1363)',
              RatedOutputkW: '3.7',
              TetheredCable: '0',
            },
          ],
        },
      ],
    })
    const [first, ...others] = await stationsOf(text)
    expect(first && repairStation(joinParts([first, ...others]))).toMatchObject({
      station: {
        reference: 'SRC_1',
        site: {
          name: 'Riddons Road',
          address: '2 Riddons Road',
          city: 'London',
          opening_hours: { twentyfourseven: true },
        },
        connectors: [
          { standard: 'IEC_62196_T2', format: 'CABLE', kw_rating: 7 },
          { standard: 'DOMESTIC_G', format: 'SOCKET', kw_rating: 3.7 },
        ],
      },
    })
  })

  test('with columns chosen by the user', async () => {
    const text = JSON.stringify({ punti: [{ via: 'Via Roma 1', la: '45.1', lo: '9.1' }] })
    const found = await detectFormat(bytesOf(text))
    expect(found).toMatchObject({ table: { headings: ['via', 'la', 'lo'] }, isComplete: false })
    const mapping = ['sites.address', 'sites.latitude', 'sites.longitude']
    expect(await stationsOf(text, mapping)).toMatchObject([{ site: { address: 'Via Roma 1' } }])
  })

  test('of any length, truncated anywhere', async () => {
    const many = Array.from({ length: 3000 }, (_, index) => ({ ...record, id: index }))
    const text = JSON.stringify({ fuel_stations: many })
    expect(await stationsOf(text)).toHaveLength(3000)
    expect(await problemsOf(text.slice(0, -100))).toEqual(['json_cut_off'])
  })
})

test('Open Charge Map', async () => {
  const text = JSON.stringify([
    {
      ID: 7,
      UUID: 'b5a2',
      StatusType: { ID: 50 },
      UsageTypeID: 1,
      NumberOfPoints: 2,
      AddressInfo: {
        Title: 'Town hall',
        AddressLine1: 'Market Square 1',
        Latitude: 50.9375,
        Longitude: 6.9603,
        Country: { ISOCode: 'DE' },
      },
      Connections: [
        { ConnectionTypeID: 33, CurrentTypeID: 30, PowerKW: 150, Quantity: 2, LevelID: 3 },
      ],
    },
  ])
  expect(await formatOf(text)).toBe('OCM')
  const [station] = await stationsOf(text)
  const plug = {
    standard: 'IEC_62196_T2_COMBO',
    format: 'CABLE',
    current_type: 'DC',
    kw_rating: 150,
  }
  expect(station && repairStation(station).station).toMatchObject({
    reference: 'b5a2',
    site: { ...town, status: 'AVAILABLE', access: 'PUBLIC', country: 'DEU' },
    connectors: [plug, plug],
  })
})

describe('an account export', () => {
  const data = JSON.stringify({
    users: [{ collectionName: 'users', id: 'u' }],
    sites: [
      { collectionName: 'sites', id: 's1', ...town, reference: 'R1', tariff: 't1', cost: '' },
    ],
    connectors: [{ id: 'c1', site: 's1', standard: 'CHADEMO', kw_rating: 50, voltage: 0 }],
    tariffs: [{ id: 't1', name: 'Standard', currency: 'EUR', tax_included: 'YES', elements: [] }],
  })
  const expected = [
    {
      reference: 'R1',
      site: { ...town, tariff: 't1' },
      connectors: [{ standard: 'CHADEMO', kw_rating: 50 }],
      tariffs: [
        {
          reference: 't1',
          values: { name: 'Standard', currency: 'EUR', tax_included: 'YES', elements: [] },
        },
      ],
    },
  ]

  test('its data', async () => {
    expect(await formatOf(data)).toBe('VOLTLEAF')
    expect(await stationsOf(data)).toEqual(expected)
  })

  test('a site with more plugs than fit in a record is refused, and others are read', async () => {
    const plugs = Array.from({ length: 9 }, (_, index) => ({
      id: `c${index}`,
      site: 's2',
      evse: 'x'.repeat(1_000_000),
    }))
    const {
      sites: known,
      connectors: others,
      ...rest
    } = JSON.parse(data) as Record<string, object[]>
    const large = {
      ...rest,
      connectors: [...plugs, ...(others ?? [])],
      sites: [{ collectionName: 'sites', id: 's2', ...town }, ...(known ?? [])],
    }
    expect(await read(JSON.stringify(large))).toMatchObject([
      { position: 'sites[0]', problem: { code: 'record_too_large' } },
      { position: 'sites[1]', station: expected[0] },
    ])
  })

  test('its archive, of which only the data is unpacked', async () => {
    const header = Buffer.alloc(30)
    header.writeUInt32LE(0x04034b50)
    header.writeUInt16LE(8, 8)
    header.writeUInt16LE('data.json'.length, 26)
    const archive = Buffer.concat([
      header,
      Buffer.from('data.json'),
      deflateRawSync(data),
      Buffer.from('PK and photos, which nobody reads'),
    ])
    expect(await formatOf(archive)).toBe('VOLTLEAF')
    expect(await stationsOf(archive)).toEqual(expected)
  })
})

/** A ZIP archive as written by common programs, with files by path. */
const archiveOf = async (files: Readonly<Record<string, Source>>): Promise<Buffer> => {
  const entries = async function* (): AsyncGenerator<ZipEntry> {
    for (const [path, content] of Object.entries(files))
      yield {
        path,
        modified: new Date(),
        level: 6,
        content: bytesOf(content) as AsyncIterable<Buffer>,
      }
  }
  const chunks: Buffer[] = []
  for await (const chunk of zip(entries())) chunks.push(chunk)
  return Buffer.concat(chunks)
}

describe('an archive', () => {
  const table = 'Name;Latitude;Longitude\nTown hall;50.9375;6.9603\n'
  const file = { 'Export/': '', 'Export/stations.csv': table }

  test.each([
    ['one file', file],
    ['what a Mac adds', { ...file, '__MACOSX/Export/._stations.csv': 'x', '.DS_Store': 'x' }],
    ['a text beside it', { 'README.txt': 'Our stations', ...file }],
    ['JSON', { 'locations.json': JSON.stringify([{ id: 'A', ...town, evses: [] }]) }],
  ])('with %s is read like the file', async (_, files) => {
    const archive = await archiveOf(files)
    expect(await formatOf(archive)).toMatch(/^(TABLE|OCPI)$/)
    expect(await read(archive)).toMatchObject([{ station: { site: { name: 'Town hall' } } }])
  })

  test('with a workbook, compressed once more', async () => {
    const rows = table.split('\n').map((line) => line.split(';'))
    const book = await writeXlsx({ sheets: [{ name: 'Sites', rows }] })
    const archive = gzipSync(await archiveOf({ 'stations.xlsx': book }))
    expect(await stationsOf(archive)).toMatchObject([{ site: { name: 'Town hall' } }])
  })

  test.each([
    ['several tables', { 'a.csv': table, 'b.csv': table }, 'archive_of_several'],
    ['no table', { 'a.txt': 'x', 'b.png': 'x' }, 'archive_without_data'],
    ['a file of another kind', { 'stations.pdf': '%PDF-1.7' }, 'format_unknown'],
    ['nothing but folders', { 'a/': '' }, 'archive_without_data'],
  ])('with %s is reported', async (_, files, code) => {
    const archive = await archiveOf(files)
    expect(await formatOf(archive)).toBe(code)
    expect(await problemsOf(archive)).toEqual([code])
  })

  test('may be nested once', async () => {
    const layered = async (count: number): Promise<Buffer> =>
      archiveOf({ 'a.csv': count === 1 ? table : await layered(count - 1) })
    expect(await problemsOf(await layered(2))).toEqual([])
    expect(await problemsOf(await layered(3))).toEqual(['compressed_damaged'])
  })

  test('whose file is larger than stated in its directory', async () => {
    const archive = await archiveOf({ 'a.csv': table.repeat(100) })
    archive.writeUInt32LE(10, archive.indexOf('PK\u0001\u0002', 0, 'latin1') + 24)
    expect(await problemsOf(archive)).toContain('archive_damaged')
  })
})

describe('unreadable sources have a reason', () => {
  test.each([
    ['nothing', '', 'source_empty'],
    ['white space', ' \n ', 'source_empty'],
    ['a page', '<!doctype html><title>Sign in</title>', 'source_is_page'],
    ['prose', 'Here are our chargers.', 'format_unknown'],
    ['headings alone', 'name,address\n', 'table_empty'],
    ['other JSON', '{"sessions": [1]}', 'source_without_stations'],
    ['an empty list', '{"stations": []}', 'source_without_stations'],
    ['a picture', readFileSync('docs/images/site-phone.png'), 'format_unknown'],
    ['a PDF file', '%PDF-1.7\nname,address\nA,B\n', 'format_unknown'],
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'excel_old_or_encrypted'],
    ['a broken archive', Buffer.from('504b030414000000', 'hex'), 'archive_damaged'],
    ['a broken compression', gzipSync('x'.repeat(1000)).subarray(0, 20), 'compressed_damaged'],
  ])('%s', async (_, source, code) => {
    expect(await formatOf(source)).toBe(code)
    expect(await problemsOf(source)).toEqual([code])
  })

  test.each([
    ['a list that ends too early', '[{"id":"A","evses":[],"name":"A"},{"id":', 'json_cut_off'],
    ['a list with a slip', '[{"id":"A","evses":[],"name":"A"} oops]', 'json_unexpected'],
    ['deep nesting', `[{"evses":${'['.repeat(100_000)}`, 'json_too_deep'],
    ['a giant text', `[{"evses":[],"name":"${'x'.repeat(9_000_000)}"}]`, 'record_too_large'],
    ['a giant list', `[{"evses":[${'{},'.repeat(100_000)}{}]}]`, 'record_too_many_values'],
    [
      'a giant list in a line',
      `{"id_pdc_itinerance":1}\n{"a":[${'1,'.repeat(100_000)}1]}`,
      'record_too_many_values',
    ],
    [
      'a giant line',
      `{"id_pdc_itinerance":1}\n{"a":"${'x'.repeat(9_000_000)}"}`,
      'record_too_large',
    ],
    [
      'a quote that is never closed',
      `name;latitude\n"${'x'.repeat(9_000_000)}`,
      'record_too_large',
    ],
    ['too many columns', `name${',x'.repeat(1000)}\nA`, 'row_too_wide'],
    ['an open quote', 'name;latitude\nA;1\n"B;2', 'quote_not_closed'],
  ])('%s: the records before it are read', async (_, source, code) => {
    expect(await problemsOf(source)).toContain(code)
  })

  test.each(['{"id":', 'oops]'])('a station before %s in the same piece', async (end) => {
    expect(await stationsOf(`[{"id":"A","evses":[],"name":"A"},${end}`)).toHaveLength(1)
  })

  test('a truncated gzip file', async () => {
    const noise = Array.from({ length: 3000 }, (_, index) => ({
      ...point,
      nom_station: `${index * 7919}`,
    }))
    const whole = gzipSync(noise.map((each) => JSON.stringify(each)).join('\n'))
    const parts = await read(whole.subarray(0, whole.length - 50))
    expect(parts.length).toBeGreaterThan(1000)
    expect(parts.at(-1)).toMatchObject({ problem: { code: 'compressed_damaged' } })
  })

  test('a file that is compressed several times', async () => {
    const layered = (count: number): Uint8Array =>
      count === 0 ? Buffer.from('name;latitude\nA;1') : gzipSync(layered(count - 1))
    expect(await problemsOf(layered(2))).toEqual([])
    expect(await problemsOf(layered(3))).toEqual(['compressed_damaged'])
  })

  test('a gzip bomb', async () => {
    const coordinates = { latitude: '1', longitude: '1' }
    const site = JSON.stringify({ id: '1', coordinates, name: 'x'.repeat(2 ** 20) })
    const bomb = gzipSync(`[${`${site},`.repeat(80)}{}]`)
    expect(await problemsOf(bomb)).toEqual(['archive_too_large'])
  })

  test('a workbook with too large a stated size', async () => {
    const book = await writeXlsx({ sheets: [{ name: 'A', rows: [['name'], ['x']] }] })
    const bomb = Buffer.from(book)
    // The size in the directory limits the unpacked size of an archive.
    bomb.writeUInt32LE(0xfffffff0, bomb.indexOf('PK\u0001\u0002', 0, 'latin1') + 24)
    expect(await problemsOf(bomb)).toEqual(['archive_too_large'])
  })

  test('a workbook with too large a part that is read as a whole', async () => {
    // Large enough that the part stays within the ratio of 250.
    const rows = Array.from({ length: 3000 }, () => [randomBytes(100).toString('hex'), 1])
    const book = await writeXlsx({ sheets: [{ name: 'A', rows: [['name', 'latitude'], ...rows] }] })
    /** Sets the stated size of a part to 65 MiB. */
    const withLarge = (name: string): Buffer => {
      const changed = Buffer.from(book)
      changed.writeUInt32LE(65 * 2 ** 20, changed.lastIndexOf(name) - 46 + 24)
      return changed
    }
    const texts = withLarge('xl/sharedStrings.xml')
    expect(await problemsOf(texts)).toEqual(['archive_too_large'])
    // Links, not names, determine the type of a part.
    texts.write('.bin', texts.lastIndexOf('xl/sharedStrings.xml') + 16, 'latin1')
    expect(await problemsOf(texts)).toEqual(['archive_too_large'])
    // A worksheet is read row by row; its stated size is enforced while it is read.
    expect(await problemsOf(withLarge('xl/worksheets/sheet1.xml'))).not.toContain(
      'archive_too_large',
    )
  })

  test('invalid UTF-8 is read with replacement characters', async () => {
    const good = Array.from({ length: 20_000 }, (_, index) => `Höhe ${index};48.1;2.3`).join('\n')
    const bytes = Buffer.concat([
      Buffer.from(`name;latitude;longitude\n${good}\n`),
      Buffer.from([0x41, 0xff, 0x3b]),
    ])
    expect((await stationsOf(bytes)).at(-1)?.site['name']).toBe('A\ufffd')
  })
})

describe('a value shared by very many plugs is not repeated without limit', () => {
  const long = 'x'.repeat(4_000_000)
  const of = (length: number, make: (index: number) => object): readonly object[] =>
    Array.from({ length }, (_, index) => make(index))

  test.each([
    [
      'an EVSE of OCPI',
      [
        {
          id: 'L',
          evses: [{ uid: long, evse_id: long, connectors: of(1000, () => ({ id: '1' })) }],
        },
      ],
      1000,
    ],
    [
      'a connection of Open Charge Map',
      [
        {
          ID: 1,
          UUID: 'U',
          AddressInfo: { Title: 'A' },
          Connections: of(2000, () => ({
            Quantity: 100,
            ConnectionType: { Title: long.slice(0, 2000) },
          })),
        },
      ],
      1001,
    ],
    [
      'sockets of OpenStreetMap',
      {
        type: 'FeatureCollection',
        features: [
          {
            type: 'Feature',
            geometry: { type: 'Point', coordinates: [2, 48] },
            properties: {
              amenity: 'charging_station',
              ...Object.assign({}, ...of(20_000, (index) => ({ [`socket:s${index}`]: '100' }))),
            },
          },
        ],
      },
      1001,
    ],
  ])('%s', async (_, source, plugs) => {
    const [station] = await stationsOf(JSON.stringify(source))
    expect(station?.connectors).toHaveLength(plugs)
    expect(JSON.stringify(station).length).toBeLessThan(10_000_000)
  })
})

describe('a long text in a table does not block the server', () => {
  const texts = [
    ['a gap', `1${' '.repeat(100_000)}2`],
    ['brackets that never close', `1${'('.repeat(100_000)}`],
  ] as const
  const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']
  const cells = ['Town hall', '50.9', '6.9', 'CCS', '50']
  const csv = (...rows: readonly (readonly string[])[]): string =>
    rows.map((row) => row.map((cell) => JSON.stringify(cell)).join(';')).join('\n')

  test.each(texts)('as a heading: %s', async (_, text) => {
    const headings = ['name', 'latitude', 'longitude', 'standard', 'kw_rating', `plug 2 ${text}`]
    const [station] = await stationsOf(csv(headings, [...cells, 'Type 2']))
    expect(station).toMatchObject({
      site: { name: 'Town hall' },
      connectors: [{ standard: 'CCS' }, { standard: 'Type 2' }],
    })
  })

  test.each(texts)('as opening hours: %s', async (_, text) => {
    for (const names of [['opening_hours'], days]) {
      const headings = ['name', 'latitude', 'longitude', 'standard', 'kw_rating', ...names]
      const [station] = await stationsOf(csv(headings, [...cells, ...names.map(() => text)]))
      expect(station?.site).toMatchObject({ name: 'Town hall', opening_hours: expect.any(String) })
    }
  })
})

test('arbitrary bytes are read or refused, and nothing is thrown', async () => {
  const seeds = [
    JSON.stringify([point]),
    JSON.stringify({ data: [{ id: 'A', evses: [{}], coordinates: {} }] }),
    'name;latitude;longitude\nA;1;2',
    gzipSync(JSON.stringify(point)),
    await writeXlsx({
      sheets: [
        {
          name: 'A',
          rows: [
            ['name', 'latitude'],
            ['x', 1],
          ],
        },
      ],
    }),
  ].map((seed) => Buffer.from(seed as string))
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...seeds),
      fc.array(fc.tuple(fc.nat(3000), fc.nat(255)), { maxLength: 6 }),
      fc.nat(4000),
      async (seed, changes, length) => {
        const bytes = Buffer.from(seed)
        for (const [place, byte] of changes) bytes[place % bytes.length] = byte
        const source = bytes.subarray(0, length < 2000 ? length : bytes.length)
        await detectFormat(bytesOf(source))
        const stations = await stationsOf(source)
        for (const station of stations) repairStation(station)
        // They contain nothing that PostgreSQL cannot store.
        expect(JSON.stringify(stations)).not.toMatch(/\\u0000|\\ud[89a-f]/)
      },
    ),
    { numRuns: 300 },
  )
})
