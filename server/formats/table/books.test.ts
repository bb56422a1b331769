import { writeOds } from 'hucre/ods'
import { writeXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'

import type { OpeningHours } from '#domain/hours.ts'
import { printOsm } from '#domain/hours/osm.ts'

import { zip, type ZipEntry } from '../../zip.ts'
import { readParts, detectFormat } from '../formats.ts'
import { joinKey, joinParts } from '../join.ts'
import { repairStation } from '../repair/repair.ts'

// Workbooks as written by common programs.

const HEADINGS = ['Name', 'Latitude', 'Longitude', 'Plug type', 'Power']
const ROW = ['Town hall', 50.9375, 6.9603, 'CCS', 150]
const TITLE = ['Our chargers', null, null, null, null]

const inChunks = async function* (bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += 1000) yield bytes.subarray(start, start + 1000)
}
const stationsIn = async (bytes: Uint8Array) => {
  const found = await detectFormat(inChunks(bytes))
  const parts = []
  for await (const part of readParts(inChunks(bytes))) parts.push(part)
  return { found, parts }
}
const EXPECTED = {
  station: {
    site: { name: 'Town hall', latitude: '50.9375', longitude: '6.9603' },
    connectors: [{ standard: 'CCS', kw_rating: '150' }],
  },
}

const hoursRead = (parts: Awaited<ReturnType<typeof stationsIn>>['parts']): readonly string[] =>
  parts.flatMap((part) => {
    if (!('station' in part)) return []
    const hours = repairStation(part.station).station.site['opening_hours'] as
      | OpeningHours
      | undefined
    return hours === undefined ? '' : printOsm(hours, 'Europe/Berlin')
  })

const merges = [{ startRow: 0, startCol: 0, endRow: 0, endCol: 4 }]
const SHEETS = [
  { name: 'About', rows: [['Chargers of 2026'], ['Made by Ada']] },
  { name: 'Sites', rows: [TITLE, HEADINGS, ROW], merges },
  {
    name: 'Notes',
    rows: [
      ['Day', 'Note'],
      ['Monday', 'Counted'],
    ],
  },
]

test.each([
  ['XLSX', writeXlsx],
  ['ODS', writeOds],
])('%s: the first sheet that has a table, below a merged title', async (_, write) => {
  const { found, parts } = await stationsIn(await write({ sheets: SHEETS }))
  expect(found).toMatchObject({ format: 'TABLE', isComplete: true, table: { headings: HEADINGS } })
  expect(parts).toMatchObject([{ position: 'line 3', ...EXPECTED }])
})

const SOUTH = ['South gate', 43.2965, 5.3698, 'Type 2', 22]

test.each([
  ['XLSX', writeXlsx],
  ['ODS', writeOds],
])('%s: a legend before the sheet with the sites is ignored', async (_, write) => {
  const legend = {
    name: 'Legend',
    rows: [
      ['Code', 'Meaning'],
      ['CCS', 'Combo 2'],
      ['T2', 'Type 2'],
    ],
  }
  const sites = { name: 'Sites', rows: [HEADINGS, ROW] }
  const { found, parts } = await stationsIn(await write({ sheets: [legend, sites] }))
  expect(found).toMatchObject({ isComplete: true, table: { headings: HEADINGS } })
  expect(parts).toMatchObject([{ position: 'line 2', ...EXPECTED }])
  const alone = await stationsIn(await write({ sheets: [legend] }))
  expect(alone.found, 'a person may map it').toMatchObject({ table: { headings: legend.rows[0] } })
})

test('XLSX: a hidden sheet with sites is reported, and not read', async () => {
  const { parts } = await stationsIn(
    await writeXlsx({
      sheets: [
        { name: 'Sites', rows: [HEADINGS, ROW] },
        { name: 'Former', hidden: true, rows: [HEADINGS, SOUTH] },
      ],
    }),
  )
  expect(parts.map((part) => ('problem' in part ? part.problem : part.position))).toEqual([
    { code: 'sheet_not_read', params: { sheet: 'Former' } },
    'line 2',
  ])
})

test('a note beside the rows of a workbook is ignored, whether its headings are known or not', async () => {
  for (const headings of [HEADINGS, ['A', 'B', 'C', 'D', 'E']]) {
    const { parts } = await stationsIn(
      await writeXlsx({
        sheets: [{ name: 'Sites', rows: [headings, [...ROW, null, 'To be checked']] }],
      }),
    )
    expect(
      parts.filter((part) => 'problem' in part && part.problem.code === 'row_with_extra_cells'),
    ).toEqual([])
  }
})

test.each([
  ['XLSX', writeXlsx],
  ['ODS', writeOds],
])('%s: sheets with the same headings are one table, others are reported', async (_, write) => {
  const book = await write({
    sheets: [
      { name: 'North', rows: [HEADINGS, ROW, ROW] },
      { name: 'South', rows: [['Our south', null], HEADINGS, SOUTH] },
      {
        name: 'Remarks',
        rows: [
          ['Day', 'Remark'],
          ['Monday', 'Counted'],
        ],
      },
      {
        name: 'West',
        rows: [
          ['Site', 'Lat', 'Lon', 'Plug'],
          ['Other', 1, 2, 'CCS'],
        ],
      },
      { name: 'North (2)', rows: [HEADINGS, ROW, ROW, BANK] },
    ],
  })
  const { parts } = await stationsIn(book)
  const said = parts.flatMap((part) =>
    'station' in part ? [[part.position, part.station.site['name']]] : [],
  )
  expect(said).toEqual([
    ['line 2', 'Town hall'],
    ['line 3', 'Town hall'],
    ['South, line 3', 'South gate'],
    // The rows of a copied sheet count once.
    ['North (2), line 4', 'Bank'],
  ])
  expect(parts.flatMap((part) => ('problem' in part ? [part.problem] : []))).toEqual([
    { code: 'sheet_not_read', params: { sheet: 'West' } },
  ])
})

test('CSV below a title that fills one cell', async () => {
  const lines = [TITLE, HEADINGS, ROW].map((row) => row.join(';'))
  const { found, parts } = await stationsIn(Buffer.from(lines.join('\r\n')))
  expect(found).toMatchObject({ table: { headings: HEADINGS } })
  expect(parts).toMatchObject([{ position: 'line 3', ...EXPECTED }])
})

const GROUPS = ['General', '', '', '1. Charge point', '']
const NOTE = ['As of', '2026-01-01']

test.each([
  ['XLSX', () => writeXlsx({ sheets: [{ name: 'Sites', rows: [NOTE, GROUPS, HEADINGS, ROW] }] })],
  ['ODS', () => writeOds({ sheets: [{ name: 'Sites', rows: [NOTE, GROUPS, HEADINGS, ROW] }] })],
  [
    'CSV, below a line without separators',
    async () =>
      Buffer.from(
        ['Chargers of 2026', ...[NOTE, GROUPS, HEADINGS, ROW].map((row) => row.join(';'))].join(
          '\n',
        ),
      ),
  ],
])('%s: headings below notes and groups of columns', async (_, write) => {
  const { found, parts } = await stationsIn(await write())
  expect(found).toMatchObject({ isComplete: true, table: { headings: HEADINGS } })
  expect(parts).toMatchObject([EXPECTED])
})

const BANK = ['Bank', 50.94, 6.97, 'Type 2', 22]
/** Three plugs of a site with merged cells, and a total below. */
const MERGED = [
  ROW,
  [null, null, null, 'CHAdeMO', 50],
  [null, null, null, 'Type 2', 22],
  BANK,
  [null, null, null, null, 244],
]

test.each([
  [
    'XLSX',
    () =>
      writeXlsx({
        sheets: [
          {
            name: 'Sites',
            rows: [HEADINGS, ...MERGED],
            merges: [0, 1, 2].map((col) => ({
              startRow: 1,
              startCol: col,
              endRow: 3,
              endCol: col,
            })),
          },
        ],
      }),
  ],
  ['ODS', () => writeOds({ sheets: [{ name: 'Sites', rows: [HEADINGS, ...MERGED] }] })],
  [
    'CSV',
    async () => Buffer.from([HEADINGS, ...MERGED].map((line) => line.join(';')).join('\r\n')),
  ],
])('%s: a plug below the merged cells of a site belongs to it', async (_, write) => {
  const { parts } = await stationsIn(await write())
  const stations = parts.flatMap((part) => ('station' in part ? [part.station] : []))
  const groups = Map.groupBy(stations, (station) => joinKey(station) || station)
  const repaired = [...groups.values()].map((pieces) => repairStation(joinParts(pieces)))
  const found = repaired.map(({ station: { site, connectors }, refusal }) => [
    site['name'] ?? refusal?.code,
    connectors.map(({ standard }) => standard),
  ])
  expect(found).toEqual([
    ['Town hall', ['IEC_62196_T2_COMBO', 'CHADEMO', 'IEC_62196_T2']],
    ['Bank', ['IEC_62196_T2']],
    ['name_and_address_missing', []],
  ])
})

const cell = (text: string, more = ''): string =>
  `<table:table-cell office:value-type="string"${more}><text:p>${text}</text:p></table:table-cell>`
const number = (value: number, shown: string): string =>
  `<table:table-cell office:value-type="float" office:value="${value}"><text:p>${shown}</text:p></table:table-cell>`
const odsOf = async (rows: string): Promise<Uint8Array> => {
  const content = `<?xml version="1.0" encoding="UTF-8"?><office:document-content
    xmlns:office="urn:office" xmlns:table="urn:table" xmlns:text="urn:text"><office:body><office:spreadsheet>
    <table:table table:name="A"><table:table-column table:number-columns-repeated="16384"/>${rows}
    </table:table></office:spreadsheet></office:body></office:document-content>`
  const entryOf = (path: string, text: string): ZipEntry => ({
    path,
    modified: new Date(),
    level: 6,
    content: inChunks(Buffer.from(text)) as AsyncIterable<Buffer>,
  })
  const entries = async function* () {
    yield entryOf('mimetype', 'application/vnd.oasis.opendocument.spreadsheet')
    yield entryOf('content.xml', content)
  }
  const chunks: Buffer[] = []
  for await (const chunk of zip(entries())) chunks.push(chunk)
  return Buffer.concat(chunks)
}
const row = (cells: string, more = ''): string =>
  `<table:table-row${more}>${cells}<table:table-cell table:number-columns-repeated="16374"/></table:table-row>`

test('ODS from LibreOffice: stored numbers, formatted words, repeated and empty cells', async () => {
  const note = '<office:annotation><text:p>A note</text:p></office:annotation>'
  const words = `<table:table-cell>${note}<text:p>Town <text:span>ha</text:span>ll</text:p></table:table-cell>`
  const book = await odsOf(
    [
      row(HEADINGS.map((heading) => cell(heading)).join('')),
      row('', ' table:number-rows-repeated="7"'),
      row(
        words +
          number(50.9375, '50,94') +
          number(6.9603, '6,96') +
          cell('CCS') +
          number(150, '150 kW'),
      ),
      row('', ' table:number-rows-repeated="1048567"'),
    ].join(''),
  )
  const { parts } = await stationsIn(book)
  expect(parts).toMatchObject([{ position: 'line 9', ...EXPECTED }])
})

test('an ODS with cells repeated a billion times takes no longer than others', async () => {
  const often = ' table:number-columns-repeated="1000000000"'
  const { found } = await stationsIn(
    await odsOf(row(cell('x', often), ' table:number-rows-repeated="1000000000"')),
  )
  expect(found).toEqual({ problem: { code: 'row_too_wide', params: { max: 1000 } } })
})

test.each([
  ['Open from', 'Open to'],
  ['Öffnet', 'Schließt'],
  ['Heure d’ouverture', 'Heure de fermeture'],
  ['Apertura', 'Cierre'],
])('two columns with times are the hours of every day: %s, %s', async (from, until) => {
  const hoursOf = async (lines: readonly (readonly (string | number)[])[], columns = HEADINGS) => {
    const rows = [[...columns, from, until], ...lines.map((times) => [...ROW, ...times])]
    const formats = [...columns.map(() => ({})), { numFmt: 'hh:mm' }, { numFmt: '[h]:mm' }]
    const book = await writeXlsx({ sheets: [{ name: 'Sites', columns: formats, rows }] })
    const { parts } = await stationsIn(book)
    return parts.map((part) => 'station' in part && part.station.site['opening_hours'])
  }
  expect(
    await hoursOf([
      [8.5 / 24, 18 / 24],
      [0, 1],
      [0.333333333, '20:00'],
    ]),
  ).toEqual(['08:30-18:00', '00:00-24:00', '08:00-20:00'])
  expect(await hoursOf([['daily', 18 / 24]]), 'a column without times').not.toContain('18:00')
})

test.each([
  ['Monday Tuesday Wednesday Thursday Friday Saturday Sunday', '9am - 1pm', 'Closed'],
  ['Mo Di Mi Do Fr Sa So', '9-13 Uhr', 'geschlossen'],
  ['Lu Ma Me Je Ve Sa Di', '9h-13h', 'fermé'],
  ['lunes martes miércoles jueves viernes sábado domingo', '9:00 a 13:00', '-'],
])('columns of weekdays are opening hours: %s', async (days, saturday, sunday) => {
  const weekdays = ['08:00-18:00', '8:00 - 12:00 / 14:00 - 18:00', '24h', '08:00-18:00', '']
  const lines = [
    [...HEADINGS, ...days.split(' ')],
    [...ROW, ...weekdays, saturday, sunday],
    [...BANK, '', '', '', '', '', '', ''],
  ]
  const { found, parts } = await stationsIn(
    Buffer.from(lines.map((line) => line.join(';')).join('\n')),
  )
  expect(found).toMatchObject({
    table: {
      mapping: [
        'sites.name',
        'sites.latitude',
        'sites.longitude',
        'connectors.standard',
        'connectors.kw_rating',
        ...Array<string>(7).fill('sites.opening_hours'),
      ],
    },
  })
  expect(hoursRead(parts)).toEqual([
    'Mo,Th 08:00-18:00; Tu 08:00-12:00,14:00-18:00; We 00:00-24:00; Sa 09:00-13:00',
    '',
  ])
})

test.each([
  [
    ['Mon–Fri', 'Sat', 'Sun'],
    ['08:00-18:00', '09:00-13:00', ''],
  ],
  [
    ['Montag bis Freitag von', 'Montag bis Freitag bis', 'Samstag von', 'Samstag bis'],
    ['08:00', '18:00', '9:00', '13:00'],
  ],
  [
    ['Lundi-vendredi ouverture', 'Lundi-vendredi fermeture', 'Samedi', 'Dimanche'],
    ['08:00', '18:00', '9h-13h', 'fermé'],
  ],
])('columns of groups of weekdays are opening hours: %s', async (days, hours) => {
  const lines = [
    [...HEADINGS, ...days],
    [...ROW, ...hours],
  ]
  const { parts } = await stationsIn(Buffer.from(lines.map((line) => line.join(';')).join('\n')))
  expect(hoursRead(parts)).toEqual(['Mo-Fr 08:00-18:00; Sa 09:00-13:00'])
})

test('times and dates in an ODS are read as displayed', async () => {
  const time = (value: string): string =>
    `<table:table-cell office:value-type="time" office:time-value="${value}"><text:p>x</text:p></table:table-cell>`
  const date = `<table:table-cell office:value-type="date" office:date-value="2025-12-31"><text:p>31.12.25</text:p></table:table-cell>`
  const headings = [...HEADINGS, 'Open from', 'Open to', 'Last verified']
  const values = ROW.map((value) => cell(String(value))).join('')
  const { parts } = await stationsIn(
    await odsOf(
      row(headings.map((heading) => cell(heading)).join('')) +
        row(values + time('PT08H30M00S') + time('PT18H00M00S') + date),
    ),
  )
  expect(parts).toMatchObject([
    { station: { site: { opening_hours: '08:30-18:00', confirmed: '2025-12-31' } } },
  ])
})
