import type { ColumnTarget, Mapping } from '#domain/import-source.ts'
import { fields as de } from '#domain/labels/de/records.ts'
import { fields as en } from '#domain/labels/en/records.ts'
import { fields as es } from '#domain/labels/es/records.ts'
import { fields as fr } from '#domain/labels/fr/records.ts'
import type { Labels } from '#domain/labels/labels.ts'
import { inputNames } from '#domain/record.ts'
import { sites } from '#domain/site.ts'

import { bare } from '../repair/words.ts'

type SiteLabels = Labels['sites']

/** Prices are named in the file, not identified. */
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
 * How the dashboard heads the columns of the file that it offers, in each language: by the labels of the fields, and two shorter.
 * Those that are not here are not read back: plugs stand in it in words, without what tells them apart.
 */
export const OWN_HEADINGS = {
  en: headingsOf(en, { name: 'Site', vehicle_capacity: 'Cars' }),
  de: headingsOf(de, { name: 'Standort', vehicle_capacity: 'Fahrzeuge' }),
  fr: headingsOf(fr, { name: 'Site', vehicle_capacity: 'Véhicules' }),
  es: headingsOf(es, { name: 'Ubicación', vehicle_capacity: 'Vehículos' }),
} as const

/** Fewer may be the columns of another table. */
const MIN_KNOWN = 6

const TARGETS: readonly ReadonlyMap<string, ColumnTarget>[] = Object.values(OWN_HEADINGS).map(
  (headings) =>
    new Map(Object.entries(headings).map(([target, heading]) => [bare(heading), target])),
)

/** What the columns hold if the dashboard has written the table; somebody may have left out or added some. */
export const ownMapping = (headings: readonly string[]): Mapping | undefined =>
  TARGETS.map((targets) => headings.map((heading) => targets.get(bare(heading)) ?? ''))
    .filter((mapping) => mapping.includes('own_id') && mapping.includes('sites.published'))
    .find((mapping) => new Set(mapping.filter((target) => target !== '')).size >= MIN_KNOWN)
