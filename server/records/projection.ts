import { QUERY_LIMITS } from '#domain/api.ts'
import type { Collection } from '#domain/collection.ts'
import { findBackRelation } from '#domain/collections.ts'
import { fieldError } from '#domain/error.ts'
import type { Field } from '#domain/field.ts'

import { queryError } from './filter.ts'
import {
  dateText,
  identifier,
  literal,
  relationTarget,
  Scope,
  type Access,
  type Statement,
} from './sql.ts'

/** The keys that a caller asked for, at one level; undefined below a key asks for all of it. */
export type Picks = ReadonlyMap<string, Picks | undefined>

/**
 * Reads `fields` (record interface 3.3): dotted paths, with `*` for all keys of a level that no
 * other path starts with. Undefined asks for everything.
 * @throws ApiError 400 for a path that cannot be read
 */
export const readPicks = (text: string): Picks | undefined => {
  const paths = splitOutsideParentheses(text, ',')
  if (paths.length === 0) return undefined
  const picks = new Map<string, Map<string, never> | undefined>()
  for (const path of paths) {
    if (path.includes(':'))
      throw queryError(
        'fields',
        fieldError('validation_invalid_fields', { value: path.slice(0, 255) }),
      )
    addPath(picks, splitOutsideParentheses(path, '.'))
  }
  return picks
}

/** What `picks` asks for below a key: all of it, some of it, or nothing (false). */
export const picksBelow = (picks: Picks | undefined, key: string): Picks | undefined | false => {
  if (picks === undefined) return undefined
  if (picks.has(key)) return picks.get(key)
  return picks.has('*') ? undefined : false
}

/** The relations to follow from a record, by the key that was asked for, each with those below it. */
export type Expands = ReadonlyMap<string, Expands>

/**
 * Reads `expand` (record interface 3.4). Paths that name no relation are dropped whole, and what
 * lies deeper than the limit is cut off; an expand never fails a request.
 */
export const readExpands = (collection: Collection, text: string): Expands => {
  const expands = new Map()
  const paths = splitOutsideParentheses(text.replaceAll(/\s/g, ''), ',').map((path) =>
    splitOutsideParentheses(path, '.').slice(0, QUERY_LIMITS.expandDepth),
  )
  const isPrefix = (path: readonly string[]) =>
    paths.some((other) => other.length > path.length && path.every((key, i) => other[i] === key))
  for (const path of paths)
    if (!isPrefix(path) && leadsSomewhere(collection, path)) addPath(expands, path, true)
  return expands
}

/** SQL for one record: its JSON, the versions of the rows in it, and the joins that both need. */
export interface Projection {
  readonly json: string
  readonly versions: string
  readonly joins: string
}

/**
 * Builds the JSON of a record in SQL, with everything that was asked for nested in it, so that a
 * read is one statement whatever is expanded. Expanded records pass the owner rule of their own
 * collection; what does not is left out.
 */
export const projectRecord = (
  statement: Statement,
  collection: Collection,
  alias: string,
  access: Access,
  picks: Picks | undefined,
  expands: Expands,
): Projection => {
  const pairs = columns(collection, alias)
    .filter(([key]) => picksBelow(picks, key) !== false)
    .map(([key, value]) => `${literal(key)}, ${value}`)
  const joins: string[] = []
  const versions = [`${alias}.version::text`]
  const expandPicks = picksBelow(picks, 'expand')
  if (expands.size > 0 && expandPicks !== false) {
    const expanded = [...expands].flatMap(([key, deeper], index) => {
      const keyPicks = picksBelow(expandPicks, key)
      if (keyPicks === false) return []
      const name = `${alias}_e${index}`
      joins.push(
        ` left join lateral (${expandQuery(statement, collection, alias, name, access, key, keyPicks, deeper)}) ${name}x on true`,
      )
      versions.push(`coalesce('(' || ${name}x.versions || ')', '')`)
      return [`${statement.bind(key, 'text')}, ${name}x.json`]
    })
    pairs.push(`'expand', json_strip_nulls(json_build_object(${expanded.join(', ')}))`)
  }
  return {
    json: `json_build_object(${pairs.join(', ')})`,
    versions: versions.join(' || '),
    joins: joins.join(''),
  }
}

/** Every key of a record with the SQL of its value. */
const columns = (collection: Collection, alias: string): readonly (readonly [string, string])[] => [
  ['id', `${alias}.id`],
  ['collectionId', literal(collection.id)],
  ['collectionName', literal(collection.name)],
  ...Object.entries(collection.fields).map(
    ([name, field]) => [name, fieldValue(field, `${alias}.${identifier(name)}`)] as const,
  ),
]

const fieldValue = (field: Field, column: string): string =>
  field.kind === 'autodate' ? dateText(column) : column

/** The one row (`json`, `versions`) that a relation of a record leads to; null when it leads to nothing. */
const expandQuery = (
  statement: Statement,
  collection: Collection,
  alias: string,
  name: string,
  access: Access,
  key: string,
  picks: Picks | undefined,
  deeper: Expands,
): string => {
  const back = findBackRelation(collection, key)
  const target = back?.collection ?? relationTarget(collection, key)
  if (target === undefined) throw new TypeError(`no relation: ${collection.name}.${key}`)
  const scope = new Scope(target, name)
  const owned = scope.reachedBy(access)
  const projection = projectRecord(statement, target, name, access, picks, deeper)
  const link =
    back === undefined
      ? `${name}.id = ${alias}.${identifier(key)}`
      : `${name}.${identifier(back.field)} = ${alias}.id`
  const rows =
    `select ${projection.json} as json, ${projection.versions} as versions, ${name}.created, ${name}.id` +
    ` from ${identifier(target.name)} ${name}${scope.joins}${projection.joins} where ${link} and ${owned}`
  if (back === undefined || back.single) return rows
  return `select json_agg(r.json order by r.created, r.id) as json, string_agg(r.versions, ',' order by r.created, r.id) as versions from (${rows}) r`
}

const leadsSomewhere = (collection: Collection, path: readonly string[]): boolean => {
  const [key, ...rest] = path
  if (key === undefined) return true
  const target = findBackRelation(collection, key)?.collection ?? relationTarget(collection, key)
  return target !== undefined && leadsSomewhere(target, rest)
}

type Tree = Map<string, Tree | undefined>

/** Adds a path to a tree. Where one path ends and another goes on, the shorter one asks for all. */
const addPath = (tree: Tree, path: readonly string[], branch = false): void => {
  const [key, ...rest] = path
  if (key === undefined) return
  if (rest.length === 0 && !branch) {
    tree.set(key, undefined)
    return
  }
  if (tree.has(key) && tree.get(key) === undefined) return
  const below = tree.get(key) ?? new Map()
  tree.set(key, below)
  addPath(below, rest, branch)
}

/** Splits at a separator that is not inside parentheses; trims, and drops what is empty. */
const splitOutsideParentheses = (text: string, separator: string): string[] => {
  const parts = ['']
  let depth = 0
  for (const character of text) {
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (character === separator && depth <= 0) parts.push('')
    else parts[parts.length - 1] += character
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}
