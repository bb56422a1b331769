import { isPowerClass, MASK_BITS, PLUG_GROUPS, plugMask } from '#domain/plug-group.ts'
import type { SiteFilter } from '#domain/public-read.ts'
import { STATUSES_WITH_HOURS } from '#domain/site-values.ts'

/** The position of a site in the order of its list: a number, then the ID. */
export type Key = readonly [number, string]

/**
 * An SQL statement under construction. Its text contains only the server's own names; all values are bound with `bind`.
 */
export interface Parameters {
  readonly values: unknown[]
  /** @returns the placeholder for the value */
  readonly bind: (value: unknown, type: string) => string
}

export const createParameters = (): Parameters => {
  const values: unknown[] = []
  return { values, bind: (value, type) => `$${values.push(value)}::${type}` }
}

/** The opening hours that the process knows, and those of them that are open at the time of the request. */
export interface KnownHours {
  readonly known: readonly string[]
  readonly open: readonly string[]
}

/** The condition without a filter. PostgreSQL would spend a tenth of the statement's time on setting up a filter. */
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
 * The condition for a place `p`. Its text is the same for most filters, so that PostgreSQL plans it once: unused values
 * are null. The business appears only if it is requested, so that its index is used.
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
    // Reads the connectors rather than the documents of the places: many places may not match, and reading all their
    // documents could exceed the statement timeout.
    `(${kw} is null or p.max_kw >= ${kw} and (${standards} is null or exists (
      select from connectors c where c.site = p.id and c.kw_rating >= ${kw} and c.standard = any(${standards}))))`,
    `(not ${bind(filter.free, 'boolean')} or ${has(MASK_BITS.free)})`,
    `(not ${bind(filter.available, 'boolean')} or p.status = 'AVAILABLE')`,
    `(${places} is null or p.access = any(${places}))`,
    `(${open} is null or (p.status in (${withHours})
      and (${has(MASK_BITS.alwaysOpen)} or p.hours in (select unnest(${open})))))`,
  ].join(' and ')
}
