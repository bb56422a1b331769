import { buffer } from 'node:stream/consumers'

import { writeXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'

import { zip, type ZipEntry } from '../../zip.ts'
import { filesIn, unpackFile } from '../archive.ts'
import { openWorkbook } from './workbook.ts'

const ROWS = [
  ['Name', 'Plug type'],
  ['Town hall', 'CCS'],
]

/** A workbook with these shared strings, whatever its cells refer to. */
const workbookWith = async (texts: string): Promise<Buffer> => {
  const book = Buffer.from(await writeXlsx({ sheets: [{ name: 'Sites', rows: ROWS }] }))
  const entries = async function* (): AsyncGenerator<ZipEntry> {
    for (const path of ['_rels/.rels', ...(await filesIn(book))]) {
      const isTexts = path === 'xl/sharedStrings.xml'
      const content = isTexts ? Buffer.from(texts) : await buffer(unpackFile(book, path))
      yield { path, modified: new Date(), level: 6, content: [content] as never }
    }
  }
  return buffer(zip(entries()))
}

const SOME = '<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
const textsOf = (count: number): string => `${SOME}${'<si><t>a</t></si>'.repeat(count)}</sst>`

test.each([
  ['memory', { memoryMb: 32, rowsMs: 60_000 }],
  ['time', { memoryMb: 768, rowsMs: 1 }],
])('a workbook that takes too much %s is refused, and the process continues', async (_, limits) => {
  const archive = await workbookWith(textsOf(400_000))
  expect(archive.length).toBeLessThan(100_000)
  const workbook = openWorkbook({ archive, maxRows: undefined }, limits)
  await expect(workbook.rows(0).next()).rejects.toMatchObject({
    problem: { code: 'workbook_too_costly' },
  })
  await workbook.close()
})

test('sheets are read one after another, and again from the start', async () => {
  const book = await writeXlsx({
    sheets: [
      { name: 'A', rows: ROWS },
      { name: 'B', rows: [['Second']] },
    ],
  })
  const workbook = openWorkbook({ archive: book, maxRows: undefined })
  const rowsOf = async (sheet: number) => {
    const rows = []
    for await (const { cells, number } of workbook.rows(sheet)) rows.push([number, ...cells])
    return rows
  }
  const first = [
    [1, 'Name', 'Plug type'],
    [2, 'Town hall', 'CCS'],
  ]
  expect(await rowsOf(0)).toEqual(first)
  expect((await workbook.rows(0).next()).value).toMatchObject({ number: 1 })
  expect(await rowsOf(1)).toEqual([[1, 'Second']])
  expect(await rowsOf(0)).toEqual(first)
  await workbook.close()
})

test('the rows before damaged data are read', async () => {
  const many = Array.from({ length: 5000 }, (_, index) => [Math.sin(index)])
  const archive = Buffer.from(await writeXlsx({ sheets: [{ name: 'Sites', rows: many }] }))
  const sheet = archive.indexOf('xl/worksheets/sheet1.xml')
  archive.fill(0xff, sheet + 20_000, sheet + 20_100)
  const workbook = openWorkbook({ archive, maxRows: undefined })
  let count = 0
  await expect(async () => {
    for await (const _ of workbook.rows(0)) count++
  }).rejects.toMatchObject({ problem: { code: 'archive_damaged' } })
  expect(count).toBeGreaterThan(400)
  await workbook.close()
})
