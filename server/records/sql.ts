import type { LinkedCollection, PublicRule } from '#domain/collection.ts'
import { findBackRelation, relationTarget } from '#domain/collections.ts'
import type { Field } from '#domain/field.ts'

import type { Caller } from '../caller.ts'
import { identifier, mayBeNull, type SqlType } from '../db/columns.ts'
import { LIFETIME_S } from '../db/connect.ts'
import type { QueryOptions, Runner } from '../db/sql.ts'
import { createStatementCache } from './statement-cache.ts'

/**
 * Fixed: the text depends only on the declarations, so there are few. Otherwise the text depends on a request (a
 * filter, a sort, fields, expands, the columns of an update), so there is no limit.
 */
export type Kind = 'fixed' | { readonly adHocOf: Caller }

/** For the lifetime of a connection: see `LIFETIME_S`. */
const statementCache = createStatementCache({
  max: 48,
  maxPerCaller: 12,
  windowMs: LIFETIME_S * 1000,
  maxLength: 8000,
})

/** A value of a parameter. */
export type Bindable = string | number | boolean | readonly string[] | null

/**
 * A statement under construction. Every value enters through `bind`; the text contains only names from the
 * declarations in `domain/`. The database keeps it prepared if it is fixed or frequent: decision 0039.
 */
export class Statement {
  readonly #values: Bindable[] = []
  readonly #kind: Kind

  constructor(kind: Kind) {
    this.#kind = kind
  }

  /** Adds a parameter. @returns its placeholder in the text, cast to a type */
  bind(value: Bindable, type: SqlType): string {
    this.#values.push(value)
    return `$${this.#values.length}::${type}`
  }

  async run<Row extends object>(
    runner: Runner,
    text: string,
    options: Pick<QueryOptions, 'answerMs'> = {},
  ): Promise<Row[]> {
    const kind = this.#kind
    const prepare = kind === 'fixed' || statementCache.shouldPrepare(text, kind.adHocOf.id ?? '')
    return runner.unsafe<Row[]>(text, this.#values, { prepare, ...options })
  }
}

/**
 * The access of a caller, as conditions. The session is looked up in the same statement that uses it, so that a revoked
 * or expired session becomes a guest immediately, in every process.
 */
export interface Access {
  /** True for rows whose owner's user id is in `column`; for superusers, for every row. */
  owns(column: string): string
  /** True only for superusers. */
  rules(): string
  /** True for the rows of a scope that match the filter of a public rule. */
  isPublic(scope: Scope, rule: PublicRule): string
  readonly superuser: boolean
}

/**
 * A condition that is true for valid sessions and, as a side effect, passes values to triggers: the actor and the
 * correlation id of the transaction, and the fields that the server has filled in. As part of the `where` it is
 * evaluated before a row is written.
 */
export const actsAs = (
  statement: Statement,
  { sessionId, correlationId }: Caller,
  filledIn: readonly string[] = [],
): string =>
  `(select set_config('voltleaf.actor', actor_of(s), true) || ${setFilledIn(statement, filledIn)}` +
  (correlationId === undefined
    ? ''
    : ` || set_config('voltleaf.correlation_id', ${statement.bind(correlationId, 'text')}, true)`) +
  ` from sessions s where s.id = ${statement.bind(sessionId, 'text')} and s.expires > now()) is not null`

/** Passes the names of the filled-in fields to the next write of the transaction. */
export const setFilledIn = (statement: Statement, names: readonly string[]): string =>
  `set_config('voltleaf.filled_in', ${statement.bind(names.join(), 'text')}, true)`

/**
 * Joins to a row in `from`, each made once. Their aliases are a prefix and a number: names made of paths would
 * exceed the 63 bytes of a PostgreSQL identifier.
 */
export class Joins {
  readonly #prefix: string
  readonly #joins = new Map<string, { readonly alias: string; readonly text: string }>()

  constructor(prefix: string) {
    this.#prefix = prefix
  }

  get text(): string {
    return [...this.#joins.values()].map(({ text }) => ` ${text}`).join('')
  }

  /** The joins of some aliases, in order of dependency. */
  textOf(aliases: ReadonlySet<string>): string {
    const joins = [...this.#joins.values()].filter(({ alias }) => aliases.has(alias))
    return joins.map(({ text }) => ` ${text}`).join('')
  }

  /** Joins the target of a path, unless it is joined. @returns its alias */
  add(path: string, text: (alias: string) => string): string {
    const alias = this.#joins.get(path)?.alias ?? `${this.#prefix}${this.#joins.size}`
    if (!this.#joins.has(path)) this.#joins.set(path, { alias, text: text(alias) })
    return alias
  }
}

/** The joins of paths that lead to many rows. */
export interface Many {
  readonly joins: Joins
  /** Paths of one operand share the same rows; paths of two operands get each pair of rows. */
  readonly operand: string
  readonly access: Access
  /** Receives the aliases along the paths. */
  readonly rows: Set<string>
}

/** Joins one row of many. @returns its alias */
export const addRow = (
  { joins, operand, rows }: Many,
  path: string,
  text: (alias: string) => string,
): string => {
  const alias = joins.add(`${operand} ${path}`, text)
  rows.add(alias)
  return alias
}

/** The target of a path in a filter or a sort. */
export interface Target {
  readonly column: string
  readonly field: Field | 'id'
  /** The column may be null: a row on the path may be missing, or an optional relation empty. */
  readonly nullable: boolean
  /** The path within a JSON field. */
  readonly keys?: readonly string[]
}

/**
 * A row of a collection under an alias, with the rows of its relations. Each path of relations to one row is
 * joined once.
 */
export class Scope {
  readonly collection: LinkedCollection
  readonly alias: string
  readonly #joins: Joins
  #backRelations = 0

  constructor(collection: LinkedCollection, alias: string) {
    this.collection = collection
    this.alias = alias
    this.#joins = new Joins(`${alias}_`)
  }

  /** The joins so far, to follow the row in `from`. */
  get joins(): string {
    return this.#joins.text
  }

  /** The number of back relations in paths. */
  get backRelations(): number {
    return this.#backRelations
  }

  /**
   * Resolves a path to a field; undefined if the field is not declared. A path to many rows puts its joins into
   * `many`; without `many` such paths are undefined. Rows of back relations are limited by `access`.
   */
  resolve(path: readonly string[], many?: Many): Target | undefined {
    let { collection, alias } = this as { collection: LinkedCollection; alias: string }
    let isMany = false
    let nullable = false
    const join = (index: number, text: (to: string) => string): string => {
      const key = path.slice(0, index + 1).join('.')
      return isMany && many !== undefined ? addRow(many, key, text) : this.#joins.add(key, text)
    }
    for (const [index, name] of path.entries()) {
      const last = index === path.length - 1
      if (name === 'id' && last) return { column: `${alias}.id`, field: 'id', nullable }
      const field = Object.hasOwn(collection.fields, name) ? collection.fields[name] : undefined
      const column = `${alias}.${identifier(name)}`
      if (field?.kind === 'json' && (last || field.schema !== undefined))
        return { column, field, nullable: true, keys: path.slice(index + 1) }
      if (field !== undefined && mayBeNull(field)) nullable = true
      if (field !== undefined && last) return { column, field, nullable }
      const target = relationTarget(collection, name)
      const back = findViaRelation(collection, name)
      if (target !== undefined) {
        // The id of a related record is the value of the relation: no join.
        if (path[index + 1] === 'id' && index + 2 === path.length)
          return { column, field: 'id', nullable }
        const table = identifier(target.name)
        alias = join(index, (to) => `left join ${table} ${to} on ${to}.id = ${column}`)
        collection = target
      } else if (back !== undefined && many !== undefined && !last) {
        this.#backRelations += 1
        isMany ||= !back.single
        const from = alias
        alias = join(index, (to) => {
          const rows = new Scope(back.collection, `${to}_r`)
          const reached = rows.reachedBy(many.access)
          return (
            `left join lateral (select ${rows.alias}.* from ${identifier(back.collection.name)} ${rows.alias}${rows.joins}` +
            ` where ${rows.alias}.${identifier(back.field)} = ${from}.id and ${reached}) ${to} on true`
          )
        })
        nullable = true
        collection = back.collection
      } else return undefined
    }
    return undefined
  }

  /** True for the rows on which a caller may perform an action. */
  reachedBy(access: Access, action: 'read' | 'change' | 'remove' = 'read'): string {
    const rule = this.collection.access[action]
    if (access.superuser || rule === 'superuser' || rule === 'nobody') return access.rules()
    if (rule === 'owner') return this.#owned(access)
    const open = access.isPublic(this, rule)
    return this.collection.owner === null ? open : `(${this.#owned(access)} or ${open})`
  }

  #owned(access: Access): string {
    const path = this.collection.owner
    if (path === null) return access.rules()
    const names = path.split('.')
    const near = this.#near(names)
    if (near !== undefined)
      return `${near.column} = (select o.id from ${identifier(near.to)} o where ${access.owns(`o.${identifier(near.by)}`)})`
    const owner = this.resolve(names)
    if (owner === undefined) throw new TypeError(`no owner path in ${this.collection.name}`)
    return access.owns(owner.column)
  }

  /**
   * The relation to a record of which an owner has at most one. Its id is looked up once per statement; a page of
   * its children then uses an index that begins with it, without a sort.
   */
  #near(path: readonly string[]): { column: string; to: string; by: string } | undefined {
    const by = path.at(-1) ?? ''
    const target = path.length === 1 ? undefined : this.resolve(path.slice(0, -1))
    if (target === undefined || target.field === 'id' || target.field.kind !== 'relation') return
    const { to } = target.field
    return this.collection.schema.find(to)?.fields[by]?.unique === true
      ? { column: target.column, to, by }
      : undefined
  }
}

/** In filters and sorts a back relation has one spelling: the other parses as a function. */
const findViaRelation = (collection: LinkedCollection, name: string) =>
  name.includes('(') ? undefined : findBackRelation(collection, name)
