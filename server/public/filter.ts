import { isPowerClass, MASK_BITS, PLUG_GROUPS, plugMask } from '#domain/plug-group.ts'
import type { SiteFilter } from '#domain/public-read.ts'
import { STATUSES_WITH_HOURS } from '#domain/site-values.ts'

/** The place of a site in the order of its list: a number, then the id. */
export type Key = readonly [number, string]

/** A statement under construction: its text has only names of ours, and every value enters through `bind`. */
export interface Parameters {
  readonly values: unknown[]
  /** @returns the placeholder of a value */
  readonly bind: (value: unknown, type: string) => string
}

export const createParameters = (): Parameters => {
  const values: unknown[] = []
  return { values, bind: (value, type) => `$${values.push(value)}::${type}` }
}

/** The hours that are open at the moment of a request, of those that the process knows. */
export interface KnownHours {
  readonly known: readonly string[]
  readonly open: readonly string[]
}

/** The condition without a filter: to begin a statement with one takes the database a tenth of the statement. */
export const EVERY_PLACE = 'true'

const isEmpty = ({
  plugs,
  minKw,
  access,
  free,
  available,
  openNow,
  business,
}: SiteFilter): boolean =>
  plugs.length + access.length + minKw === 0 &&
  !free &&
  !available &&
  !openNow &&
  business === undefined

/**
 * The condition on a place `p`. Its text is the same for most filters, so that the database plans it once: what is not
 * asked for is null. A business is named only if it is asked for, so that its index is used.
 */
export const filterCondition = (
  { bind }: Parameters,
  filter: SiteFilter,
  hours: KnownHours | undefined,
): string => {
  const { plugs, minKw, access } = filter
  if (isEmpty(filter)) return EVERY_PLACE
  const byPlug = plugs.length > 0 || minKw > 0
  const mask = bind(byPlug ? String(plugMask(plugs, minKw)) : null, 'bigint')
  const isExact = isPowerClass(minKw)
  const kw = bind(isExact ? null : minKw, 'float8')
  const standards = bind(
    isExact || plugs.length === 0 ? null : plugs.flatMap((plug) => [...PLUG_GROUPS[plug]]),
    'text[]',
  )
  const places = bind(access.length > 0 ? access : null, 'text[]')
  const open = bind(hours?.open ?? null, 'uuid[]')
  const has = (bit: number): string => `p.mask & (1::bigint << ${bit}) <> 0`
  const withHours = STATUSES_WITH_HOURS.map((status) => `'${status}'`).join(', ')
  return [
    ...(filter.business === undefined ? [] : [`p.business = ${bind(filter.business, 'text')}`]),
    `(${mask} is null or p.mask & ${mask} <> 0)`,
    // Asked of many places that do not have it: to read their documents would take as long as a statement may.
    `(${kw} is null or p.max_kw >= ${kw} and (${standards} is null or exists (
      select from connectors c where c.site = p.id and c.kw_rating >= ${kw} and c.standard = any(${standards}))))`,
    `(not ${bind(filter.free, 'boolean')} or ${has(MASK_BITS.free)})`,
    `(not ${bind(filter.available, 'boolean')} or p.status = 'AVAILABLE')`,
    `(${places} is null or p.access = any(${places}))`,
    `(${open} is null or (p.status in (${withHours})
      and (${has(MASK_BITS.alwaysOpen)} or p.hours in (select unnest(${open})))))`,
  ].join(' and ')
}
