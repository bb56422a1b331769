import type { Sql, TransactionSql } from 'postgres'

import type { Collection } from '#domain/collection.ts'
import { COLLECTIONS } from '#domain/collections.ts'
import type { Field } from '#domain/field.ts'

import type { Caller } from '../auth/auth.ts'

/** What can run a statement: the pool, or a transaction on it. */
export type Runner = Sql | TransactionSql

/**
 * A statement under construction. Every value enters through `bind`; the text is made of names
 * from the declarations in `domain/` alone.
 */
export class Statement {
  readonly #values: (string | number | boolean | readonly string[] | null)[] = []

  /** Adds a parameter; answers its place in the text, cast to a type. */
  bind(value: string | number | boolean | readonly string[] | null, type: SqlType): string {
    this.#values.push(value)
    return `$${this.#values.length}::${type}`
  }

  async run<Row extends object>(runner: Runner, text: string): Promise<Row[]> {
    return runner.unsafe<Row[]>(text, this.#values as never[], { prepare: true })
  }
}

export type SqlType = 'text' | 'text[]' | 'float8' | 'boolean' | 'bigint'

/** A declared name as an SQL identifier. */
export const identifier = (name: string): string => `"${name}"`

/** A declared name as an SQL text literal. */
export const literal = (name: string): string => `'${name}'`

/** The type of a field's column. */
export const columnType = (field: Field): SqlType => {
  switch (field.kind) {
    case 'number':
      return 'float8'
    case 'bool':
      return 'boolean'
    case 'files':
      return field.single ? 'text' : 'text[]'
    default:
      return 'text'
  }
}

/** Dates on the wire: `YYYY-MM-DD HH:MM:SS.mmmZ`, UTC (record interface 1.2). */
export const dateText = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS"Z"')`

/**
 * What a caller may reach, as conditions. The session is looked up in the same statement that uses it, so that a revoked or
 * expired session is a guest from that moment on, in every process.
 */
export interface Access {
  /** True for rows whose owner's user id is in `column`; for superusers, for every row. */
  owns(column: string): string
  /** True for superusers alone. */
  rules(): string
  readonly superuser: boolean
}

/** Builds the conditions of a caller into a statement; the session is bound when first needed. */
export const accessOf = (statement: Statement, caller: Caller): Access => {
  let bound: string | undefined
  const session = (): string => {
    bound ??= statement.bind(caller.sessionId, 'text')
    return `from sessions s where s.id = ${bound} and s.expires > now()`
  }
  const { superuser } = caller
  const rules = (): string =>
    superuser ? `exists (select 1 ${session()} and s.superuser is not null)` : 'false'
  return {
    superuser,
    rules,
    owns: (column) => (superuser ? rules() : `${column} = (select s."user" ${session()})`),
  }
}

/** The collection that a relation field points to. */
export const relationTarget = (collection: Collection, name: string): Collection | undefined => {
  const field = collection.fields[name]
  return field?.kind === 'relation'
    ? Object.values(COLLECTIONS).find((target) => target.name === field.to)
    : undefined
}

/**
 * A row of a collection under an alias, with the rows that its relations lead to. Each path of
 * relations is joined once, whoever asks for it.
 */
export class Scope {
  readonly collection: Collection
  readonly alias: string
  readonly #joins = new Map<string, { readonly alias: string; readonly text: string }>()

  constructor(collection: Collection, alias: string) {
    this.collection = collection
    this.alias = alias
  }

  /** The joins asked for so far, to follow the row in `from`. */
  get joins(): string {
    return [...this.#joins.values()].map((join) => ` ${join.text}`).join('')
  }

  /** Follows a path to a field; undefined when no such field is declared. */
  resolve(path: readonly string[]): { column: string; field: Field | 'id' } | undefined {
    let { collection, alias } = this as { collection: Collection; alias: string }
    for (const [index, name] of path.entries()) {
      const last = index === path.length - 1
      if (name === 'id' && last) return { column: `${alias}.id`, field: 'id' }
      const field = Object.hasOwn(collection.fields, name) ? collection.fields[name] : undefined
      if (field === undefined) return undefined
      const column = `${alias}.${identifier(name)}`
      if (last) return { column, field }
      const target = relationTarget(collection, name)
      if (target === undefined) return undefined
      // The id of a related record is the value of the relation itself: no join.
      if (path[index + 1] === 'id' && index + 2 === path.length) return { column, field: 'id' }
      alias = this.#join(path.slice(0, index + 1).join('_'), target, column)
      collection = target
    }
    return undefined
  }

  /** True for the rows that a caller may reach. */
  reachedBy(access: Access): string {
    const path = this.collection.owner
    if (path === null || access.superuser) return access.rules()
    const owner = this.resolve(path.split('.'))
    if (owner === undefined) throw new TypeError(`no owner path in ${this.collection.name}`)
    return access.owns(owner.column)
  }

  #join(key: string, target: Collection, column: string): string {
    const known = this.#joins.get(key)
    if (known !== undefined) return known.alias
    const alias = `${this.alias}_${key}`
    this.#joins.set(key, {
      alias,
      text: `left join ${identifier(target.name)} ${alias} on ${alias}.id = ${column}`,
    })
    return alias
  }
}
