import type { ColumnTarget, Mapping } from '#domain/import-source.ts'
import { fields as de } from '#domain/labels/de/records.ts'
import { fields as en } from '#domain/labels/en/records.ts'
import { fields as es } from '#domain/labels/es/records.ts'
import { fields as fr } from '#domain/labels/fr/records.ts'
import type { Language } from '#domain/language.ts'
import type { Labels } from '#domain/labels/labels.ts'
import { inputNames } from '#domain/record.ts'
import { sites } from '#domain/site.ts'

import { foldText } from '../repair/parse-text.ts'

type SiteLabels = Labels['sites']

/** Excludes prices, which the file only names. */
const NAMES = inputNames(sites).filter((name) => name !== 'tariff')

const headingsOf = (
  labels: Labels,
  shorter: Pick<SiteLabels, 'name' | 'vehicle_capacity'>,
): Readonly<Record<ColumnTarget, string>> => {
  const headings: SiteLabels = { ...labels.sites, ...shorter }
  return {
    ...Object.fromEntries(NAMES.map((name) => [`sites.${name}`, headings[name]])),
    own_id: 'ID',
  }
}

/**
 * The column headings of the dashboard's file in each language: the labels of the fields, two of them shortened. Other
 * columns are not read: they contain plugs in words that do not identify them.
 */
export const OWN_HEADINGS = {
  en: headingsOf(en, { name: 'Site', vehicle_capacity: 'Cars' }),
  de: headingsOf(de, { name: 'Standort', vehicle_capacity: 'Fahrzeuge' }),
  fr: headingsOf(fr, { name: 'Site', vehicle_capacity: 'Véhicules' }),
  es: headingsOf(es, { name: 'Ubicación', vehicle_capacity: 'Vehículos' }),
} as const satisfies Readonly<Record<Language, unknown>>

/** With an id and "Show on the public map", fewer matches may be another table. */
const MIN_KNOWN = 6

/** Without one of them, a table with fewer matches may have been typed by hand, and its plugs must be read. */
const MIN_KNOWN_OF_PART = 12

const TARGETS: readonly ReadonlyMap<string, ColumnTarget>[] = Object.values(OWN_HEADINGS).map(
  (headings) =>
    new Map(Object.entries(headings).map(([target, heading]) => [foldText(heading), target])),
)

/** The mapping if the dashboard wrote the table; columns may be missing or added. */
export const ownMapping = (headings: readonly string[]): Mapping | undefined => {
  const folded = headings.map(foldText)
  return TARGETS.map((targets) => folded.map((heading) => targets.get(heading) ?? '')).find(isOurs)
}

const isOurs = (mapping: Mapping): boolean => {
  const known = new Set(mapping.filter((target) => target !== ''))
  const hasId = known.has('own_id')
  const isPublished = known.has('sites.published')
  const identifies = hasId || (isPublished && known.has('sites.reference'))
  return identifies && known.size >= (hasId && isPublished ? MIN_KNOWN : MIN_KNOWN_OF_PART)
}
