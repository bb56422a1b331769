import type { ImportedStation } from '#domain/import.ts'
import { isSameValue } from '#domain/record.ts'

import type { Runner } from '../db/sql.ts'
import type { Station } from '../formats/station.ts'
import type { Work } from './work.ts'

// A feed repeats itself every night. Only what it changes is news: what a person has changed, deleted or left out since
// then stays that way (decision 0184).

/** What a feed said of stations when they were last settled. */
export interface Settled {
  readonly bySite: ReadonlyMap<string, Station>
  /** Stations whose site is gone, or that a person has left out, by number. */
  readonly withoutSite: ReadonlyMap<number, Station>
}

const NOTHING_SETTLED: Settled = { bySite: new Map(), withoutSite: new Map() }

/** Reads what a feed said of stations, by their numbers, and of sites. */
export const readSettled = async (
  runner: Runner,
  { import: id, feed }: Pick<Work, 'import' | 'feed'>,
  numbers: readonly number[],
  sites: readonly string[],
): Promise<Settled> => {
  if (feed === '') return NOTHING_SETTLED
  const known = await runner<{ site: string; station: Station }[]>`
    select site, station from feed_stations where feed = ${feed} and site <> '' and site = any(${[...sites]})`
  const others = await runner<{ number: number; station: Station }[]>`
    select k.number, f.station from import_keys k join feed_stations f on f.feed = ${feed} and f.key = k.key
    where k.import = ${id} and k.number = any(${[...numbers]})
      and not exists (select from sites s where s.id = f.site)`
  return {
    bySite: new Map(known.map(({ site, station }) => [site, station])),
    withoutSite: new Map(others.map(({ number, station }) => [number, station])),
  }
}

/** Fields that change as one value. */
const POSITION = ['latitude', 'longitude']

/** The values of a station that differ from those that were settled. */
export const newsOf = (
  imported: ImportedStation,
  station: Station,
  settled: Station,
): ImportedStation => {
  const hasSamePrices = isSameValue(station.tariffs, settled.tariffs)
  const isNews = (field: string): boolean =>
    field === 'reference'
      ? station.reference !== settled.reference
      : !isSameValue(station.site[field], settled.site[field])
  const hasMoved = POSITION.some(isNews)
  return {
    site: Object.fromEntries(
      Object.entries(imported.site).filter(
        ([field]) =>
          isNews(field) ||
          (hasMoved && POSITION.includes(field)) ||
          (field === 'tariff' && !hasSamePrices),
      ),
    ),
    // Connectors can only be paired when all of them are known.
    connectors:
      hasSamePrices && isSameValue(station.connectors, settled.connectors)
        ? []
        : imported.connectors,
  }
}
