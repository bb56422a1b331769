import { describe, expect, test } from 'vitest'

import { diffConnectors } from '../../data/send-connectors.ts'
import type { SiteView } from '../../data/state.ts'
import { makeConnector, makeSite } from '../../../tests/support/make.ts'
import { countChanges, readDraft, SITE_SUBJECT, textOf, versionOf } from './site-draft.ts'
import {
  connectorRows,
  asNew,
  BLANK_DETAILS,
  copyRow,
  copySite,
  findSiteErrors,
  parseKw,
  readConnectors,
  resize,
  resizeDetails,
  siteText,
  withDetails,
  type ConnectorRow,
  type SiteText,
} from './site-values.ts'

const connector = (id: string, kw = 150) =>
  makeConnector(id, 'quay', {
    standard: 'IEC_62196_T2_COMBO',
    format: 'CABLE',
    current_type: 'DC',
    kw_rating: kw,
  })
const STORED = [connector('a'), connector('b', 50), connector('c'), connector('d')]
const SITE: SiteView = { ...makeSite('quay'), photos: [], connectors: STORED }
const text = (connectors = connectorRows(STORED, 'en')): SiteText => ({
  ...siteText(SITE, 'en'),
  connectors,
})
const mergeTexts = (base: SiteText, mine: SiteText, theirs: SiteText) =>
  SITE_SUBJECT.merge(versionOf(base), versionOf(mine), versionOf(theirs))
/** Generates the ids new1, new2 … */
const numberedIds = () => {
  let made = 0
  return () => `new${(made += 1)}`
}
const ids = ({ connectors }: Pick<SiteText, 'connectors'>) => connectors.map((row) => row.ids)

test.each([
  ['7,4', 7.4],
  ['7.4 kW', 7.4],
  ['22KW', 22],
  [' 150 ', 150],
  ['kW', undefined],
  ['7.4 W', undefined],
])('parses the power %j as %s', (typed, kw) => {
  expect(parseKw(typed)).toBe(kw)
})

describe('a row of equal connectors', () => {
  test('has the stored records, ordered by the first of each kind', () => {
    expect(ids(text())).toEqual([['a', 'c', 'd'], ['b']])
    expect(diffConnectors(STORED, readConnectors(text()))).toEqual({
      create: [],
      update: [],
      remove: [],
    })
  })

  test('changes all its records, creates missing ones and removes surplus ones', () => {
    const [fast, slow] = connectorRows(STORED, 'en')
    if (fast === undefined || slow === undefined) throw new Error('two rows')
    const wanted = text([
      { ...fast, kw_rating: '300', ids: ['a', 'c'] },
      { ...slow, ids: ['b', 'new'] },
    ])
    expect(diffConnectors(STORED, readConnectors(wanted))).toEqual({
      create: [expect.objectContaining({ id: 'new', kw_rating: 50 })],
      update: [
        expect.objectContaining({ id: 'a', kw_rating: 300 }),
        expect.objectContaining({ id: 'c', kw_rating: 300 }),
      ],
      remove: ['d'],
    })
    // Shown as two changed rows.
    expect(countChanges(text(), wanted, [], [])).toBe(2)
  })

  test('lowering and raising the quantity is no change', () => {
    let made = 0
    const options = { isFailed: () => false, newId: () => `new${(made += 1)}` }
    const down = resize(['a', 'c', 'd'], 1, { kept: [], ...options })
    expect(down).toEqual({ ids: ['a'], kept: ['c', 'd'] })
    expect(resize(down.ids, 4, { ...options, kept: down.kept })).toEqual({
      ids: ['a', 'c', 'd', 'new1'],
      kept: [],
    })
  })

  test('drops records that failed to save first', () => {
    const options = { kept: [], isFailed: (id: string) => id === 'a', newId: () => 'new' }
    expect(resize(['a', 'c', 'd'], 2, options)).toEqual({ ids: ['c', 'd'], kept: ['a'] })
  })

  test("is merged with another device's changes record by record", () => {
    const theirs = text(
      connectorRows([connector('a', 300), ...STORED.slice(1, 3), connector('e')], 'de'),
    )
    const [fast, slow] = connectorRows(STORED, 'en')
    if (fast === undefined || slow === undefined) throw new Error('two rows')
    const mine = text([fast, { ...slow, kw_rating: '60' }])
    const merged = textOf(mergeTexts(text(), mine, theirs).version)
    expect(merged.connectors).toMatchObject([
      { ids: ['a'], kw_rating: '300' },
      { ids: ['c', 'e'], kw_rating: '150' },
      { ids: ['b'], kw_rating: '60' },
    ])
    expect(textOf(versionOf(mine))).toEqual(mine)
  })

  test('is copied with its own records', () => {
    const copy = asNew(siteText(SITE, 'en'), numberedIds())
    expect(ids(copy)).toEqual([['new1', 'new2', 'new3'], ['new4']])
  })
})

describe('the details of single connectors', () => {
  const details = { tariff: 'fast', voltage: 400, evse: '1' }
  const stored = [
    { ...connector('a'), ...details, evse_id: 'FR*ABC*E1', reference: 'one' },
    { ...connector('b'), ...details, evse_id: 'FR*ABC*E2' },
  ]
  const [row] = connectorRows(stored, 'en')
  if (row === undefined) throw new Error('a row')
  const read = (...rows: readonly ConnectorRow[]) => readConnectors(text([...rows]))

  test('are stored in a row', () => {
    expect(diffConnectors(stored, read(row)).update).toEqual([])
    expect(read(row)).toMatchObject([{ evse_id: 'FR*ABC*E1' }, { evse_id: 'FR*ABC*E2' }])
  })

  test('an added connector gets the shared values, a restored one its former values', () => {
    const change = (from: ConnectorRow, quantity: number, kept: readonly string[]) => {
      const next = resize(from.ids, quantity, { kept, isFailed: () => false, newId: numberedIds() })
      return { ...from, ids: next.ids, details: resizeDetails(from, next) }
    }
    const fewer = change(row, 1, [])
    expect(read(fewer)).toMatchObject([{ id: 'a' }])
    expect(read(change(fewer, 3, ['b']))).toMatchObject([
      { id: 'a', evse_id: 'FR*ABC*E1' },
      { id: 'b', evse_id: 'FR*ABC*E2', tariff: 'fast' },
      { id: 'new1', evse_id: '', evse: '', reference: '', tariff: 'fast', voltage: 400 },
    ])
    const mixed = { ...row, details: withDetails(row, { b: { tariff: 'slow' } }) }
    expect(read(change(mixed, 3, []))[2]).toMatchObject({ tariff: '', voltage: 400 })
    // A record without details has blank ones.
    const silent = { ...row, details: { a: row.details['a'] ?? BLANK_DETAILS } }
    expect(read(change(change(silent, 1, []), 2, ['b']))[1]).toMatchObject({ id: 'b', tariff: '' })
  })

  test('a copy has no ids, and in the same site no charge points', () => {
    expect(read(copyRow(row, numberedIds()))).toMatchObject(
      ['new1', 'new2'].map((id) => ({ ...details, id, evse: '', evse_id: '', reference: '' })),
    )
    const site = { ...siteText(SITE, 'en'), reference: 'quay', confirmed: '2026-11-01' }
    const copy = copySite({ ...site, connectors: [row] }, numberedIds())
    expect(copy).toMatchObject({ reference: '', confirmed: '', name: SITE.name })
    expect(readConnectors(copy)).toMatchObject(
      ['new1', 'new2'].map((id) => ({ ...details, id, evse_id: '', reference: '' })),
    )
  })

  test('a site that is added again keeps all of them', () => {
    const site = { ...siteText(SITE, 'en'), reference: 'quay', connectors: [row] }
    const again = asNew(site, numberedIds())
    expect(again.reference).toBe('quay')
    expect(readConnectors(again)).toMatchObject([
      { id: 'new1', evse_id: 'FR*ABC*E1', reference: 'one' },
      { id: 'new2', evse_id: 'FR*ABC*E2' },
    ])
  })

  test('a shared error is shown once, that of a single connector at that one', () => {
    const changes = { a: { voltage: 'x' }, b: { voltage: 'x', evse_id: 'E2' } }
    const wrong = { ...row, details: withDetails(row, changes) }
    expect(findSiteErrors(text([wrong])).map(([path]) => path)).toEqual([
      'connectors.0.details.a.voltage',
      'connectors.0.details.b.evse_id',
    ])
  })

  test('references are unique', () => {
    const [other] = connectorRows([{ ...connector('c', 50), reference: 'one' }], 'en')
    if (other === undefined) throw new Error('a row')
    expect(findSiteErrors(text([row, other])).map(([path, { code }]) => [path, code])).toEqual([
      ['connectors.0.details.a.reference', 'validation_not_unique'],
      ['connectors.1.details.c.reference', 'validation_not_unique'],
    ])
    expect(findSiteErrors(text([row]))).toEqual([])
  })
})

test('a draft from before a field existed leaves the field unchanged', () => {
  const stored = siteText({ ...SITE, cost: 'Free' }, 'en')
  const { cost: _, ...older } = text()
  const connectors = older.connectors.map(({ format: _format, ...row }) => row)
  const values = {
    base: { ...older, connectors },
    text: { ...older, connectors, name: 'Mine' },
    photos: [],
  }
  const draft = { values, files: [], at: 0, isNew: false, lostFiles: 0, isQueued: false }
  const kept = readDraft(draft, stored)
  const merged = mergeTexts(kept?.base ?? stored, kept?.text ?? stored, stored)
  expect(merged.conflicts).toEqual([])
  expect(textOf(merged.version)).toEqual({ ...stored, name: 'Mine' })
})

test('a number that the form cannot read is an error, although the schema reads its text', () => {
  const typed = { ...text(), latitude: '5.52E+01', vehicle_capacity: '1e1' }
  expect(findSiteErrors(typed).map(([name, { code }]) => [name, code])).toEqual([
    ['latitude', 'validation_not_a_number'],
    ['vehicle_capacity', 'validation_not_a_number'],
  ])
})
