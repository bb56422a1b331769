import type { ColumnTarget, Mapping, TableColumns } from '#domain/import-source.ts'
import { isEmail } from '#domain/schema.ts'

import { countryOf } from '../repair/countries.ts'
import { standardOf } from '../repair/plugs.ts'
import { foldText, parseFlag } from '../repair/parse-text.ts'
import { TIME, daysIn, isClosed } from './day-hours.ts'
import {
  currentInHeading,
  daysOfHeadings,
  isAlwaysOpen,
  isHouseNumber,
  isOfDaysAndTimes,
  isOpenFromOrUntil,
  plugInHeading,
  targetNamed,
  targetOfHeading,
} from './headings.ts'
import { ownMapping } from './own-headings.ts'
import { countOfCell } from './quantity.ts'

/** Rows in the preview, which are also used to recognise columns by their values. */
export const PREVIEW_ROWS = 20

/** Maximum number of cells in the preview: tables with very many columns show fewer rows. */
const MAX_PREVIEW_CELLS = 4000

/** Longer cells are truncated before they are examined. */
const MAX_PREVIEW_CELL = 200

const isOfPlug = (target: ColumnTarget): boolean =>
  target === 'quantity' || target.startsWith('connectors.')

/**
 * Whether several columns may have the same target: parts of the address or of the hours, or values of a numbered plug.
 */
const isRepeatable = (target: ColumnTarget, heading: string): boolean =>
  target === 'sites.address' ||
  (isOfPlug(target) && /\d/.test(heading)) ||
  (target === 'sites.opening_hours' && (isOfDaysAndTimes(heading) || isAlwaysOpen(heading))) ||
  (target === 'plugs_in_heading' && currentInHeading(heading) !== undefined)

/** Recognises the content of each column by its heading, or else by its first values. */
export const recogniseColumns = (
  allHeadings: readonly string[],
  allRows: readonly (readonly string[])[],
): TableColumns => {
  // The beginnings of cells suffice to recognise a column.
  const headings = shortHeadings(allHeadings)
  const rows = allRows.map((row) => row.map(short))
  const preview = rows.slice(
    0,
    Math.min(PREVIEW_ROWS, Math.ceil(MAX_PREVIEW_CELLS / headings.length)),
  )
  const own = ownMapping(headings)
  if (own !== undefined) return { headings, mapping: own, preview }
  const taken = new Set<ColumnTarget>()
  const take = (target: ColumnTarget | undefined, heading: string): ColumnTarget => {
    if (target === undefined || (taken.has(target) && !isRepeatable(target, heading))) return ''
    if (!isAlwaysOpen(heading)) taken.add(target)
    return target
  }
  // Names of fields have priority: `reference` over `id`.
  const byName = headings.map((heading) => take(targetNamed(heading), heading))
  const byHeading: ColumnTarget[] = []
  for (const [index, heading] of headings.entries()) {
    const isInAddress = byHeading[index - 1] === 'sites.address' && isHouseNumber(heading)
    const found = isInAddress ? 'sites.address' : targetOfHeading(heading)
    byHeading.push(byName[index] || take(asFilled(found, valuesOf(rows, index)), heading))
  }
  const mapping = withPlugs(byHeading, headings, rows).map((target, index) => {
    if (target !== '') return target
    const values = valuesOf(rows, index)
    const found = CONTENTS.find(([each, fits]) => !taken.has(each) && mostly(values, fits))
    return take(found?.[0], '')
  })
  return {
    headings,
    mapping: withHours(
      withDays(withCoordinates(withFurtherPlugs(mapping, headings), rows, taken), headings, rows),
      headings,
      rows,
    ),
    preview,
  }
}

/**
 * Corrects the meaning of a heading by its values: numbers are not types of plugs, and times are not wheelchair access.
 */
const asFilled = (
  found: ColumnTarget | undefined,
  values: readonly string[],
): ColumnTarget | undefined => {
  if (found === 'connectors.standard' && mostly(values, isNumber)) return undefined
  // Until 2021, the French register used the heading "accessibilité" for the hours.
  return found === 'sites.wheelchair' && mostly(values, isAllDay) ? 'sites.opening_hours' : found
}

const isAllDay = (value: string): boolean => /^24 ?h?\s*\/\s*24/.test(value)

/** Truncates the headings of a table: the time to recognise one grows quadratically. */
export const shortHeadings = (headings: readonly string[]): readonly string[] => headings.map(short)

const short = (cell: string): string =>
  cell.length <= MAX_PREVIEW_CELL ? cell : `${cell.slice(0, MAX_PREVIEW_CELL - 1).toWellFormed()}…`

const valuesOf = (rows: readonly (readonly string[])[], index: number): readonly string[] =>
  rows.map((row) => row[index]?.trim() ?? '').filter((value) => value !== '')

const mostly = (values: readonly string[], fits: (value: string) => boolean): boolean =>
  values.length > 0 && values.filter(fits).length >= values.length * 0.7

const NUMBER = /^[+-]?\d{1,3}[.,]\d{3,}$/

/** Recognises columns by their values, without a heading. */
const CONTENTS: readonly (readonly [ColumnTarget, (value: string) => boolean])[] = [
  ['sites.contact_email', isEmail],
  [
    'position',
    (value) => /^\D{0,8}[+-]?\d{1,3}\.\d{3,}[\s,;]+[+-]?\d{1,3}\.\d{3,}\D{0,2}$/.test(value),
  ],
  ['connectors.evse_id', (value) => /^[A-Z]{2}\*[A-Z0-9]{3}\*E[A-Z0-9*]+$/.test(value)],
  ['connectors.standard', (value) => value.length > 1 && standardOf(value) !== undefined],
  ['connectors.kw_rating', (value) => /^\d{1,3}(?:[.,]\d+)?\s*kW$/i.test(value)],
  ['sites.opening_hours', (value) => /^24\/7$|\b(?:Mo|Lu|Mon)\b.*\d{1,2}:\d{2}/.test(value)],
  ['sites.contact_phone', (value) => /^(?:tel:)?(?:\+|00)[\d\s()/.-]{7,20}$/.test(value)],
  [
    'sites.country',
    // "no" is the code of Norway, but without a heading it is a word.
    (value) => value.length > 1 && parseFlag(value) === undefined && countryOf(value) !== undefined,
  ],
]

const isNumber = (value: string): boolean => /^\d+(?:[.,]\d+)?$/.test(value)

/** Usual power ratings in kW: a column that contains only these may be the power. */
const POWERS = new Set('7 11 22 43 50 75 100'.split(' '))

/** Columns with a type of plug as heading are counts, unless another column states the types of plugs. */
const withPlugs = (
  mapping: Mapping,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): Mapping =>
  mapping.includes('connectors.standard')
    ? mapping
    : mapping.map((target, index) => {
        const values = valuesOf(rows, index)
        const counts = values.every((value) => countOfCell(value) !== undefined)
        const mayBePowers = values.length > 0 && values.every((value) => POWERS.has(value))
        return target === '' && counts && !mayBePowers && plugInHeading(headings[index] ?? '')
          ? 'plugs_in_heading'
          : target
      })

/** Columns grouped by plug have the same headings in each group. */
const withFurtherPlugs = (mapping: Mapping, headings: readonly string[]): Mapping => {
  const names = headings.map(foldText)
  const plug = names[mapping.indexOf('connectors.standard')]
  if (names.indexOf(plug ?? '') === names.lastIndexOf(plug ?? '')) return mapping
  const targets = new Map(
    mapping.map((target, index) => [names[index], target] as const).toReversed(),
  )
  return mapping.map((target, index) => {
    const first = targets.get(names[index]) ?? ''
    return target === '' && isOfPlug(first) ? first : target
  })
}

/** Two adjacent columns with many decimals are latitude and longitude. */
const withCoordinates = (
  mapping: Mapping,
  rows: readonly (readonly string[])[],
  taken: ReadonlySet<ColumnTarget>,
): Mapping => {
  if (['position', 'sites.latitude', 'sites.longitude'].some((target) => taken.has(target)))
    return mapping
  const isDecimal = (index: number): boolean => {
    const values = valuesOf(rows, index)
    return mapping[index] === '' && mostly(values, (value) => NUMBER.test(value))
  }
  const first = mapping.findIndex((_, index) => isDecimal(index) && isDecimal(index + 1))
  return first < 0
    ? mapping
    : mapping.map((target, index) =>
        index === first ? 'sites.latitude' : index === first + 1 ? 'sites.longitude' : target,
      )
}

/** Fewer days may belong to something else. */
const MIN_DAYS = 5

const isHours = (value: string): boolean => /\d/.test(value) || isClosed(value)

/** Columns with days as headings contain opening hours: "Monday", "Mo-Fr", "Montag von". */
const withDays = (
  mapping: Mapping,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): Mapping => {
  const days = daysOfHeadings(headings)
  const isOfDay = (index: number): boolean =>
    mapping[index] === '' && days[index] !== '' && valuesOf(rows, index).every(isHours)
  const named = days.filter((_, index) => isOfDay(index)).flatMap(daysIn)
  const hasHours = mapping.some(
    (target, index) => target === 'sites.opening_hours' && !isAlwaysOpen(headings[index] ?? ''),
  )
  return hasHours || new Set(named).size < MIN_DAYS
    ? mapping
    : mapping.map((target, index) => (isOfDay(index) ? 'sites.opening_hours' : target))
}

/** Two columns with times are the opening and closing times; more than two are ambiguous. */
const withHours = (
  mapping: Mapping,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): Mapping => {
  const ofTimes = headings.flatMap((heading, index) => {
    const values = valuesOf(rows, index)
    return isOpenFromOrUntil(heading) && mostly(values, (value) => TIME.test(value)) ? [index] : []
  })
  const others = mapping.filter((_, index) => !ofTimes.includes(index))
  return ofTimes.length !== 2 || others.includes('sites.opening_hours')
    ? mapping
    : mapping.map((target, index) => (ofTimes.includes(index) ? 'sites.opening_hours' : target))
}

/** Whether the columns suffice to create sites without the user. */
export const isComplete = (mapping: Mapping): boolean => {
  const has = (target: ColumnTarget): boolean => mapping.includes(target)
  return (
    (has('sites.name') || has('sites.address')) &&
    (has('position') || (has('sites.latitude') && has('sites.longitude')))
  )
}
