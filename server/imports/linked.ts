import { WHOLE } from '#domain/import.ts'

import type { Query, Runner } from '../db/sql.ts'

/** Rows per transaction, unless more of them are linked. */
const BATCH = 500

/**
 * Finds rows that pass references to each other, as in a list that is numbered anew. References are unique, so these
 * rows have to be written in one transaction, by a run as well as by its undo. If they exceed the limits of a
 * transaction, the database refuses some of them.
 * @param isDue the condition for the rows of `import_rows` that are to be written
 * @returns the numbers of these rows, in batches
 */
export const findLinked = async (
  runner: Runner,
  isDue: Query<unknown>,
): Promise<readonly (readonly number[])[]> => {
  const pairs = await runner<{ giver: number; taker: number }[]>`
    with changed as (
      select r.number, c->>'record' = r.site as is_site,
        case when c->>'field' = ${WHOLE} then c->'before'->>'reference' else c->>'before' end as before,
        case when c->>'field' = ${WHOLE} then c->'after'->>'reference' else c->>'after' end as after
      from import_rows r cross join jsonb_array_elements(r.changes) c
      where ${isDue} and action in ('CHANGED', 'MISSING') and c->>'field' in ('reference', ${WHOLE})),
    created as (
      select r.number, p.is_site, p.reference from import_rows r cross join lateral (
        select true as is_site, r.station->'site'->>'reference' as reference
        union all select false, c->>'reference' from jsonb_array_elements(r.station->'connectors') c) p
      where ${isDue} and action = 'NEW' and exists (select from changed)),
    taken as (select number, is_site, after from changed union all select * from created)
    select distinct g.number as giver, t.number as taker
    from changed g join taken t on t.is_site = g.is_site and t.after = g.before and t.number <> g.number
    where g.before <> '' and g.before is distinct from g.after`
  return pack(componentsOf(pairs))
}

/** The connected components of a graph. */
const componentsOf = (
  pairs: readonly { readonly giver: number; readonly taker: number }[],
): readonly (readonly number[])[] => {
  const neighbours = new Map<number, number[]>()
  const join = (one: number, other: number) => {
    const known = neighbours.get(one)
    if (known === undefined) neighbours.set(one, [other])
    else known.push(other)
  }
  for (const { giver, taker } of pairs) {
    join(giver, taker)
    join(taker, giver)
  }
  const seen = new Set<number>()
  return [...neighbours.keys()].flatMap((start) => {
    if (seen.has(start)) return []
    const component = new Set([start])
    for (const one of component) for (const other of neighbours.get(one) ?? []) component.add(other)
    for (const one of component) seen.add(one)
    return [[...component]]
  })
}

const pack = (components: readonly (readonly number[])[]): readonly (readonly number[])[] => {
  const batches: number[][] = []
  for (const component of components) {
    const last = batches.at(-1)
    if (last === undefined || last.length + component.length > BATCH) batches.push([...component])
    else last.push(...component)
  }
  return batches
}
