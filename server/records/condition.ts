import type { Joins } from './sql.ts'

/**
 * A compiled filter. `rows` are the aliases of rows that its terms with `?` refer to: one row each, for which all
 * of them have to be true.
 */
export type Condition = { readonly rows: ReadonlySet<string> } & (
  | { readonly kind: 'term'; readonly sql: string }
  | { readonly kind: 'and' | 'or'; readonly items: readonly Condition[] }
)

/**
 * SQL that is true if rows exist for which a condition is true. Subqueries are nested as deep as possible, so that no
 * more rows are joined than the condition compares: each operand of `||` has its own, and so do operands of `&&`
 * without a row in common.
 */
export const findRows = (
  joins: Joins,
  condition: Condition,
  found: ReadonlySet<string> = new Set(),
): string => {
  const inside = (items: readonly Condition[], more = found) =>
    items.map((item) => findRows(joins, item, more))
  switch (condition.kind) {
    case 'term':
      return exists(joins, condition.rows.difference(found), condition.sql)
    case 'or':
      return `(${inside(condition.items).join(' or ')})`
    case 'and': {
      const all = groupByRows(condition.items, found).map(({ items, shared }) =>
        exists(joins, shared, inside(items, found.union(shared)).join(' and ')),
      )
      return `(${all.join(' and ')})`
    }
  }
}

const exists = (joins: Joins, rows: ReadonlySet<string>, sql: string): string =>
  rows.size === 0 ? sql : `exists (select 1 from (select 1) one${joins.textOf(rows)} where ${sql})`

interface Group {
  readonly items: readonly Condition[]
  readonly rows: ReadonlySet<string>
  /** The rows that more than one of the items refers to. */
  readonly shared: ReadonlySet<string>
}

/** Groups conditions that share a row which is not bound yet. */
const groupByRows = (items: readonly Condition[], found: ReadonlySet<string>): readonly Group[] =>
  items.reduce<readonly Group[]>((groups, item) => {
    const rows = item.rows.difference(found)
    const apart = groups.filter((group) => group.rows.isDisjointFrom(rows))
    const merged = groups
      .filter((group) => !apart.includes(group))
      .reduce<Group>(
        (all, group) => ({
          items: [...group.items, ...all.items],
          rows: all.rows.union(group.rows),
          shared: all.shared.union(group.shared).union(group.rows.intersection(rows)),
        }),
        { items: [item], rows, shared: new Set() },
      )
    return [...apart, merged]
  }, [])
