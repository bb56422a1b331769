import { MAX_CONNECTORS_PER_SITE } from '#domain/connector.ts'
import { COLUMN_TARGETS, type Mapping } from '#domain/import-source.ts'

import { bounded, idWithin, isJsonText, isRaw, omitEmpty, textOf } from '../read-values.ts'
import { readOpenDataValues, readDashboardValues } from '../repair/own-files.ts'
import { DC_STANDARDS, isAcOnly, standardNamed, standardOf } from '../repair/plugs.ts'
import {
  foldText,
  isPlaceholder,
  isShortenedNumber,
  parseFlag,
  parseNumber,
} from '../repair/parse-text.ts'
import { toOwnTariff } from '../voltleaf/values.ts'
import type { Station, StationTariff, Values } from '../station.ts'
import { TIME, hoursOfDays, hoursOfDaysAndTimes } from './day-hours.ts'
import { currentInHeading, daysOfHeadings, isAlwaysOpen, plugInHeading } from './headings.ts'
import { ownMapping } from './own-headings.ts'
import { countedKind, countOfCell, countOfPower, quantityIn } from './quantity.ts'

/** The layout of a table's columns, prepared for reading its rows. */
interface Layout {
  readonly site: readonly (readonly [name: string, index: number])[]
  /** The unit in the heading of a price column: "€/kWh". */
  readonly unitOfPrice: string
  /** The columns with the hours of certain days. */
  readonly days: readonly (readonly [days: string, index: number])[]
  /** The columns of each plug in a row, by field. */
  readonly plugs: readonly (readonly (readonly [name: string, index: number])[])[]
  /** The columns that count plugs of one type. */
  readonly counted: readonly (readonly [kind: string, index: number])[]
  /** The columns that count plugs of one type of current. */
  readonly countedByCurrent: readonly (readonly [current: 'AC' | 'DC', index: number])[]
  /** The columns in which "yes" means always open. */
  readonly alwaysOpen: readonly number[]
  /** The column with the status codes of the United States register. */
  readonly statusCode: number
  /** The column with the type of fuel, in registers that cover other fuels too. */
  readonly fuel: number
  readonly position: number
  readonly tariff: number
  readonly ownId: number
  /** Whether the dashboard wrote the table. */
  readonly isOurs: boolean
}

const TARGETS: ReadonlySet<string> = new Set(COLUMN_TARGETS)

/** Determines the layout of columns from their targets, and from the plug numbers in their headings. */
export const layoutOf = (mapping: Mapping, headings: readonly string[]): Layout => {
  const site: [string, number][] = []
  const ofPlugs: PlugColumn[] = []
  const counted: [string, number][] = []
  const countedByCurrent: ['AC' | 'DC', number][] = []
  const alwaysOpen: number[] = []
  const days: [string, number][] = []
  const ofHeadings = daysOfHeadings(headings)
  const foldedHeadings = headings.map(foldText)
  for (const [index, target] of mapping.entries()) {
    if (!TARGETS.has(target)) continue
    const heading = headings[index] ?? ''
    const current = currentInHeading(heading)
    if (target === 'plugs_in_heading')
      if (current === undefined) counted.push([plugInHeading(heading) ?? heading, index])
      else countedByCurrent.push([current, index])
    const [collection = '', field = target] = target.includes('.')
      ? target.split('.')
      : ['', target]
    if (collection === 'connectors' || target === 'quantity')
      ofPlugs.push({ field, index, number: numberIn(heading) })
    else if (field === 'opening_hours' && isAlwaysOpen(heading)) alwaysOpen.push(index)
    else if (field === 'opening_hours' && ofHeadings[index]) days.push([ofHeadings[index], index])
    else if (collection === 'sites') site.push([field, index])
  }
  return {
    site,
    unitOfPrice: unitOfPrice(headings[mapping.indexOf('sites.cost')] ?? ''),
    days,
    plugs: byPlug(ofPlugs),
    counted,
    countedByCurrent,
    alwaysOpen,
    statusCode: foldedHeadings.indexOf('statuscode'),
    fuel: foldedHeadings.indexOf('fueltypecode'),
    position: mapping.indexOf('position'),
    tariff: mapping.indexOf('tariff'),
    ownId: mapping.indexOf('own_id'),
    isOurs:
      mapping.includes('own_id') ||
      (mapping.includes('sites.published') && ownMapping(headings) !== undefined),
  }
}

const unitOfPrice = (heading: string): string =>
  /[([]([^)\]]*(?:[€£$¥]|EUR|CHF|GBP|USD|ct|kr)[^)\]]*)[)\]]/i.exec(heading)?.[1]?.trim() ?? ''

/** Adds the unit of the heading to a price that is only a number. */
const withUnit = (price: string, unit: string): string =>
  unit !== '' && /^\d+(?:[.,]\d+)?$/.test(price) ? `${price} ${unit}` : price

interface PlugColumn {
  readonly field: string
  readonly index: number
  /** The number of the plug, if the heading contains one. */
  readonly number: number | undefined
}

/** The only number in a heading: "Leistung 2 (kW)". */
const numberIn = (heading: string): number | undefined => {
  const numbers = heading.replaceAll(/[([].*?[)\]]/g, '').match(/\d+/g) ?? []
  return numbers.length === 1 ? Number(numbers[0]) : undefined
}

/**
 * Groups columns by plug if a table has several columns for a field. Columns with the same number belong to one plug.
 * Columns without a number belong to another plug before them ("Plug; Power; Plug 2; Power 2"). If they include no type
 * of plug, they belong to the first plug instead, where its numbered columns are empty: a table may contain the power
 * of the whole station besides that of its plugs. If the numbers are ambiguous, the n-th column of a field belongs to
 * the n-th plug.
 */
const byPlug = (columns: readonly PlugColumn[]): Layout['plugs'] => {
  const countOf = (keyOf: (column: PlugColumn) => string): number =>
    new Set(columns.map(keyOf)).size
  const numbers = columns.flatMap(({ number }) => number ?? [])
  const isNumbered =
    numbers.length > 0 &&
    countOf(({ field }) => field) < columns.length &&
    countOf(({ field, number }) => `${field} ${number}`) === columns.length
  if (isNumbered) {
    const [first, ...others] = [...new Set(numbers)].toSorted((one, other) => one - other)
    const of = (wanted: number | undefined): [string, number][] =>
      columns.filter(({ number }) => number === wanted).map(({ field, index }) => [field, index])
    const [unnumbered, one] = [of(undefined), of(first)]
    const isPlug = (group: readonly (readonly [string, number])[]): boolean =>
      group.some(([field]) => field === 'standard')
    return isPlug(unnumbered) && isPlug(one)
      ? [unnumbered, one, ...others.map(of)]
      : [[...unnumbered, ...one], ...others.map(of)]
  }
  const seen = new Map<string, number>()
  const plugs: [string, number][][] = []
  for (const { field, index } of columns) {
    const nth = seen.get(field) ?? 0
    seen.set(field, nth + 1)
    plugs[nth] = [...(plugs[nth] ?? []), [field, index]]
  }
  return plugs
}

/**
 * The text of a cell, without the apostrophe that prevents evaluation as a formula, and without the formula that keeps
 * leading zeros: ="01067".
 */
export const cellText = (cell = ''): string =>
  cell
    .trim()
    .replace(/^="([^"]*)"$/, '$1')
    .replace(/^'(?=[=+\-@])/, '')

/** The first word of a row that adds up others. */
const IS_TOTAL = /^(?:total|totals|sum|summe|gesamt|somme|suma)(?!\p{L})/iu

/** The fields that identify a site. */
const IDENTITY: readonly string[] = ['reference', 'name', 'address', 'latitude', 'longitude']

/**
 * Completes the cells of a row from the row above if it contains a plug but no site: a merged cell has its value in the
 * first of its rows.
 */
export const withSiteAbove = (
  { site, days, plugs, position }: Layout,
  cells: readonly string[],
  above: readonly string[],
): readonly string[] => {
  const isEmpty = (index: number): boolean => cellText(cells[index]) === ''
  const columns = [...site, ...days, ...(position < 0 ? [] : [['latitude', position] as const])]
  const namesPlug = plugs
    .flat()
    .some(
      ([name, index]) =>
        name === 'standard' && !isEmpty(index) && !IS_TOTAL.test(cellText(cells[index])),
    )
  const namesSite = columns.some(([name, index]) => IDENTITY.includes(name) && !isEmpty(index))
  if (!namesPlug || namesSite) return cells
  const ofSite = new Set(columns.map(([, index]) => index))
  return Array.from(
    { length: Math.max(cells.length, above.length) },
    (_, index) => (ofSite.has(index) && isEmpty(index) ? above[index] : cells[index]) ?? '',
  )
}

/** Converts a row of a table to a piece of a station; undefined if the row is empty. */
export const toTablePiece = (layout: Layout, cells: readonly string[]): Station | undefined => {
  const cell = (index: number): string => cellText(cells[index])
  // A register of all fuels also contains stations without charging.
  if (!/^(?:ELEC)?$/i.test(cell(layout.fuel))) return undefined
  const site: Record<string, unknown> = {}
  const columnsOfHours = layout.site.filter(([name]) => name === 'opening_hours')
  const paired = hoursOfDaysAndTimes(columnsOfHours.map(([, index]) => bounded(cell(index))))
  for (const [name, index] of layout.site) {
    const status = index === layout.statusCode ? (STATUS_CODES[cell(index)] ?? '') : ''
    const text =
      status || (name === 'cost' ? withUnit(cell(index), layout.unitOfPrice) : cell(index))
    const isRead = name === 'opening_hours' && paired !== ''
    const value = name === 'opening_hours' && isJsonText(text) ? text : bounded(text)
    const isSpoilt = name === 'reference' && isShortenedNumber(value)
    if (value === '' || isRead || isSpoilt) continue
    const before = site[name]
    const between = TIME.test(value) ? '-' : ' '
    site[name] = typeof before === 'string' ? `${before}${between}${value}` : value
  }
  const hours =
    (layout.alwaysOpen.some((index) => parseFlag(cell(index)) === true) && '24/7') ||
    paired ||
    hoursOfDays(layout.days.map(([days, index]) => [days, bounded(cell(index))]))
  const position = layout.position < 0 ? '' : bounded(cell(layout.position))
  const { reference = '', ...values } = withPostalCode(site)
  const price = layout.tariff < 0 ? '' : cell(layout.tariff)
  const tariff = tariffIn(price)
  const plugs = plugsIn(layout, cell).map((plug) => ({
    ...plug,
    ...(tariff && { tariff: tariff.reference }),
  }))
  // The reference may be what was changed in the file of the dashboard.
  const ownId = layout.ownId < 0 ? '' : bounded(cell(layout.ownId))
  const id = ownId || String(reference)
  const connectors = plugs.map((plug) => withOwnId(plug, id))
  const siteValues = omitEmpty({
    ...(position !== '' && { latitude: position }),
    // A price in words, which is not a tariff.
    ...(tariff === undefined && { cost: price }),
    ...(hours !== '' && { opening_hours: hours }),
    ...(ownId !== '' && reference !== '' && { reference }),
    ...values,
  })
  if (id === '' && connectors.length === 0 && Object.keys(siteValues).length === 0) return undefined
  return {
    reference: id,
    site: layout.isOurs ? readDashboardValues(siteValues) : readOpenDataValues(siteValues),
    connectors,
    tariffs: tariff ? [tariff] : [],
  }
}

/** The status codes of the United States register. */
const STATUS_CODES: Readonly<Record<string, string>> = {
  E: 'AVAILABLE',
  P: 'PLANNED',
  T: 'INOPERATIVE',
}

/** For example "79098 Freiburg", "A-1010 Wien", "1012 AB Amsterdam". */
const CODE_AND_TOWN = /^(?:[A-Z]{1,3}-)?(\d{4,5}(?: [A-Z]{2}(?=\s))?)\s+(\p{L}.*)$/u

/** Splits off a postal code before the town, unless the row has a separate one. */
const withPostalCode = (
  site: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => {
  const [, code, town] = CODE_AND_TOWN.exec(textOf(site['city'])) ?? []
  return code === undefined || 'postal_code' in site
    ? site
    : { ...site, city: town, postal_code: code }
}

const plugsIn = (
  { plugs, counted, countedByCurrent }: Layout,
  cell: (index: number) => string,
): readonly Values[] => {
  const stated = plugs.map((columns) =>
    Object.fromEntries(
      columns
        .map(([name, index]): [string, string] => [name, bounded(cell(index))])
        .filter(([, text]) => text !== ''),
    ),
  )
  const counts = counted
    .map(([kind, index]) => [kind, countOfCell(bounded(cell(index))) ?? 0] as const)
    .filter(([, count]) => count > 0)
  if (countedByCurrent.length > 0) {
    const countOf = (current: 'AC' | 'DC'): number =>
      countedByCurrent
        .filter(([each]) => each === current)
        .reduce((sum, [, index]) => sum + (countOfCell(bounded(cell(index))) ?? 0), 0)
    return withCounts(plugsOf(stated), countOf('AC'), countOf('DC'))
  }
  if (counts.length === 0) return plugsOf(stated)
  const named = stated.filter(({ standard }) => standard !== undefined)
  return [...countedPlugs(counts, stated[0] ?? {}), ...plugsOf(named)]
}

const withOwnId = (plug: Values, station: string): Values =>
  omitEmpty({ ...plug, reference: idWithin(station, textOf(plug['reference'])) })

/** Reads a tariff that a cell contains as JSON, by the names of its fields. */
const tariffIn = (cell: string): StationTariff | undefined => {
  if (!cell.startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(cell)
    return isRaw(value) ? toOwnTariff(value) : undefined
  } catch {
    return undefined
  }
}

/** The maximum power of a household socket. */
const HOUSEHOLD_KW = 3.7

const isHousehold = (kind: string): boolean => standardOf(kind)?.startsWith('DOMESTIC') === true

/** Limits the power that a row states for all its plugs to that of a household socket. */
const householdPower = (power: string): string =>
  (parseNumber(power)?.number ?? 0) > HOUSEHOLD_KW ? String(HOUSEHOLD_KW) : power

/** No AC plug has more: 63 A on three phases, rounded up. */
const ALTERNATING_KW = 44

/** Whether a plug carries alternating current wherever others with direct current stand beside it. */
const isAlternating = (kind: string): boolean => {
  const standard = standardOf(kind) ?? ''
  return standard === 'IEC_62196_T2' || isAcOnly(standard)
}

/**
 * The power of a plug in a row that states one for all its plugs; empty if it can only be that of others: "CCS, Typ 2"
 * with 150 kW does not tell the power of type 2.
 */
const powerShared = (kinds: readonly string[], power: string): ((kind: string) => string) => {
  if (kinds.length < 2) return () => power
  const isMuch = (parseNumber(power)?.number ?? 0) > ALTERNATING_KW
  const isOfOthers = isMuch && kinds.some((each) => DC_STANDARDS.includes(standardOf(each) ?? ''))
  return (kind) =>
    isHousehold(kind) ? householdPower(power) : isOfOthers && isAlternating(kind) ? '' : power
}

/** The plugs that the columns of a row name. A site with too many is refused, so the rest of them is not read. */
const plugsOf = (stated: readonly Readonly<Record<string, string>>[]): readonly Values[] => {
  const plugs: Values[] = []
  for (const values of stated)
    for (const plug of plugsNamedIn(values))
      if (plugs.push(plug) > MAX_CONNECTORS_PER_SITE) return plugs
  return plugs
}

/** The plugs of each type that a cell names: "2x CCS 50 kW", "Typ 2; Schuko". */
const plugsNamedIn = function* ({
  quantity = '',
  ...values
}: Readonly<Record<string, string>>): Generator<Values> {
  const { standard = '', kw_rating: power = '' } = values
  // A row with neither a type nor a power describes no plug.
  if ((standard === '' || isPlaceholder(standard)) && power === '') return
  const kinds = kindsIn(standard)
  const powers = power.split(/\s*[;|/+]\s*|,\s+/)
  const sharedPower = powerShared(kinds, power)
  for (const [index, text] of kinds.entries()) {
    const ofPower = kinds.length === 1 ? countOfPower(power) : undefined
    const { kind, count = quantityIn(quantity) ?? ofPower } = countedKind(text)
    const own = powers.length === kinds.length ? powers[index] : undefined
    const named = kinds.length > 1 ? kwIn(kind) : ''
    const kw = named || (own ?? sharedPower(kind)) || kwIn(kind)
    const plug = omitEmpty({ ...values, standard: kind, kw_rating: kw })
    // An ID belongs to a single plug.
    const copy = Object.fromEntries(
      Object.entries(plug).filter(([name]) => name !== 'reference' && name !== 'evse_id'),
    )
    for (let nth = 0; nth < (count || 1); nth++) yield nth === 0 ? plug : copy
  }
}

/** Plugs of these types may use either current. */
const OF_EITHER_CURRENT = ['TESLA_S', 'SAE_J3400']

/**
 * Repeats plugs according to the counts of a row per type of current. If several types use the same current, their
 * individual counts are unknown, and each occurs once.
 */
const withCounts = (plugs: readonly Values[], ac: number, dc: number): readonly Values[] => {
  const standards = plugs.map(({ standard }) => standardOf(textOf(standard)) ?? '')
  const hasDc = standards.some((standard) => DC_STANDARDS.includes(standard))
  const isDc = (standard: string): boolean =>
    DC_STANDARDS.includes(standard) ||
    (OF_EITHER_CURRENT.includes(standard) && dc > 0 && (ac === 0 || !hasDc))
  const ofDc = standards.map(isDc)
  return plugs.flatMap((plug, index) => {
    const isAlone = ofDc.filter((each) => each === ofDc[index]).length === 1
    const count = isAlone ? (ofDc[index] ? dc : ac) : 1
    const withCurrent = ofDc[index] ? { ...plug, current_type: 'DC' } : plug
    return Array.from({ length: count || 1 }, () => withCurrent)
  })
}

/** Plugs from columns that count types. Other plug values of the row apply only if there is just one type. */
const countedPlugs = (
  counts: readonly (readonly [kind: string, count: number])[],
  row: Values,
): readonly Values[] => {
  const { reference: _, evse_id: __, quantity: ___, ...others } = row
  const shared = counts.length === 1 ? others : {}
  return counts.flatMap(([kind, count]) => {
    const plug = omitEmpty({
      ...shared,
      standard: kind,
      kw_rating: kwIn(kind) || shared['kw_rating'],
    })
    return Array.from({ length: count }, () => plug)
  })
}

/** The French socket that accepts both type E and type F plugs. */
const E_AND_F = /(?<!\p{L})E ?\/ ?F(?!\p{L})/giu

/** The types that one cell names, if there are several; otherwise the whole text. */
const kindsIn = (cell: string): readonly string[] => {
  const text = cell.replace(E_AND_F, 'EF')
  const apart = text.split(/\s*[-–]\s*/)
  if (apart.length > 1 && new Set(apart.map(standardNamed)).size === apart.length)
    if (apart.every((part) => standardNamed(part) !== undefined)) return apart
  const parts = text
    .split(/\s*(?:[;|/+&\n]|,(?!\d+ ?kW))\s*|\s+(?:und|and|et|y|or|oder|ou)\s+/)
    .filter((part) => part !== '')
  if (parts.length < 2) return namesIn(text)
  const standards = parts.map(standardOf)
  const count = new Set(standards.filter((standard) => standard !== undefined)).size
  // With at least two types of plugs, other parts are kept, to be reported as left out.
  if (count > 1) return parts
  return standards.includes(undefined) || isOneOfTwoNames(text, parts) ? [text] : parts
}

/** Whether the parts are two names for one type: "Type 2 / Mennekes". */
const isOneOfTwoNames = (text: string, parts: readonly string[]): boolean =>
  !/[;|+&\n,]|\d\s*(?:kW|[x×])|\s(?:und|and|et|y)\s/i.test(text) &&
  new Set(parts.map(foldText)).size === parts.length

/** Words that may precede the type of a plug. */
const MAKES = /^(?:ac|tesla)\s/i

/** Splits "CHADEMO J1772 J1772COMBO" into three types, but not "CCS Combo 2". */
const namesIn = (text: string): readonly string[] => {
  const words = text.split(/\s+/)
  if (words.length < 2 || MAKES.test(text) || standardNamed(text) !== undefined) return [text]
  const standards = words.map(standardNamed)
  return !standards.includes(undefined) && new Set(standards).size === words.length ? words : [text]
}

const kwIn = (kind: string): string => /\d+(?:[.,]\d+)?\s*kW\b/i.exec(kind)?.[0] ?? ''
