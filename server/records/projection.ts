import { QUERY_LIMITS } from '#domain/limits.ts'
import type { LinkedCollection } from '#domain/collection.ts'
import { findBackRelation, relationTarget } from '#domain/collections.ts'
import { fieldError } from '#domain/error.ts'

import {
  extendJson,
  identifier,
  jsonOf,
  jsonText,
  recordColumns,
  verbatim,
  type Json,
} from '../db/columns.ts'
import { queryError } from './filter.ts'
import { Scope, type Access, type Statement } from './sql.ts'

/** The selected keys of one level, each with its own selection. */
export type FieldSelection = ReadonlyMap<string, FieldSelection | Excerpt | undefined>

/** The beginning of a text, without markup. */
class Excerpt {
  readonly max: number
  readonly withEllipsis: boolean
  constructor(max: number, withEllipsis: boolean) {
    this.max = max
    this.withEllipsis = withEllipsis
  }
}

/**
 * Parses `fields` (record interface 3.3): dotted paths, with `*` for all keys of a level that no other path starts
 * with, and an optional `:excerpt(max, withEllipsis)`. Undefined selects everything.
 * @throws ApiError 400 for a malformed path
 */
export const parseFields = (text: string): FieldSelection | undefined => {
  const paths = splitOutsideParentheses(text, ',')
  if (paths.length === 0) return undefined
  const picks: Tree = new Map()
  for (const path of paths) {
    const [, names = '', modifier] = /^([^:]*)(?::(.*))?$/s.exec(path) ?? []
    const keys = splitOutsideParentheses(names, '.')
    if (keys.length > QUERY_LIMITS.fieldsDepth) throw fieldsError(path)
    addPath(picks, keys, readExcerpt(modifier, path))
  }
  return picks
}

const EXCERPT = /^excerpt\(\s*(\d{1,6})\s*(?:,\s*(true|false|1|0)\s*)?\)$/

const readExcerpt = (modifier: string | undefined, path: string): Excerpt | undefined => {
  if (modifier === undefined) return undefined
  const [, max, ellipsis] = EXCERPT.exec(modifier) ?? []
  if (Number(max) > 0) return new Excerpt(Number(max), ellipsis === 'true' || ellipsis === '1')
  throw fieldsError(path)
}

const fieldsError = (path: string) =>
  queryError('fields', fieldError('validation_invalid_fields', { value: path.slice(0, 255) }))

/** The selection below a key: everything (undefined), a part, or nothing (false). */
export const fieldsBelow = (
  picks: FieldSelection | undefined,
  key: string,
): FieldSelection | undefined | false => {
  if (picks === undefined) return undefined
  const by = picks.has(key) ? key : '*'
  if (!picks.has(by)) return false
  const below = picks.get(by)
  return below instanceof Excerpt ? undefined : below
}

/** Applies a selection to a value that was not read from the database. */
export const pickFrom = (picks: FieldSelection | undefined, value: unknown): unknown => {
  if (picks === undefined || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each) => pickFrom(picks, each))
  const entries = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    const below = fieldsBelow(picks, key)
    return below === false ? [] : [[key, pickFrom(below, inner)]]
  })
  return Object.fromEntries(entries)
}

/** The relations to expand in a record, by requested key, each with those below it. */
export type Expands = ReadonlyMap<string, Expands>

/**
 * Parses `expand` (record interface 3.4). Paths that name no relation are dropped whole, and levels beyond the
 * limit are cut off.
 * @param isOfMany whether more than one record is expanded
 * @throws ApiError 400 for more relations than one request may expand; nothing else fails
 */
export const readExpands = (
  collection: LinkedCollection,
  text: string,
  isOfMany: boolean,
): Expands => {
  const paths = splitOutsideParentheses(text.replaceAll(/\s/g, ''), ',').map((path) =>
    splitOutsideParentheses(path, '.').slice(0, QUERY_LIMITS.expandDepth),
  )
  const isPrefix = (path: readonly string[]) =>
    paths.some((other) => other.length > path.length && path.every((key, i) => other[i] === key))
  const expands: ExpandTree = new Map()
  let relations = 0
  for (const path of paths) {
    if (isPrefix(path) || !leadsSomewhere(collection, path)) continue
    relations += path.length
    if (relations > QUERY_LIMITS.expandRelations || multiplies(collection, path, isOfMany))
      throw queryError(
        'expand',
        fieldError('validation_invalid_value', { value: path.join('.').slice(0, 255) }),
      )
    let below = expands
    for (const key of path) {
      const next: ExpandTree = below.get(key) ?? new Map()
      below.set(key, next)
      below = next
    }
  }
  return expands
}

/**
 * Whether a path leads from many records to one that they share, and from there to many. Each of the first records then
 * has all of the last, for example every site all sites of its business.
 */
const multiplies = (
  collection: LinkedCollection,
  path: readonly string[],
  isOfMany: boolean,
): boolean => {
  let at: LinkedCollection | undefined = collection
  let isMany = isOfMany
  let isShared = false
  for (const key of path) {
    if (at === undefined) return false
    const back = findBackRelation(at, key)
    if (back === undefined) isShared = isMany
    else if (!back.single) {
      if (isShared) return true
      isMany = true
    }
    at = back?.collection ?? relationTarget(at, key)
  }
  return false
}

type ExpandTree = Map<string, ExpandTree>

/** SQL for one record: its JSON as text, the versions of its rows, and the joins that both need. */
export interface Projection {
  readonly json: string
  readonly versions: string
  readonly joins: string
}

/**
 * Builds the JSON of a record in SQL, with all expanded records nested in it, so that a read is one statement.
 * Expanded records pass the owner rule of their own collection; others are left out.
 */
export const projectRecord = (
  statement: Statement,
  collection: LinkedCollection,
  alias: string,
  access: Access,
  picks: FieldSelection | undefined,
  expands: Expands,
): Projection => {
  const isKept = picks === undefined && collection.storesJson === true
  const members = isKept ? [] : pickedMembers(statement, collection, alias, picks)
  const joins: string[] = []
  const versions = [`${alias}.version::text`]
  const expandPicks = fieldsBelow(picks, 'expand')
  if (expands.size > 0 && expandPicks !== false) {
    const expanded = [...expands].flatMap(([key, deeper], index) => {
      const keyPicks = fieldsBelow(expandPicks, key)
      if (keyPicks === false) return []
      const name = `${alias}_e${index}`
      joins.push(
        ` left join lateral (${expandQuery(statement, collection, alias, name, access, key, keyPicks, deeper)}) ${name}x on true`,
      )
      versions.push(`coalesce('(' || ${name}x.versions || ')', '')`)
      return [`to_json(${statement.bind(key, 'text')})::text || ':' || ${name}x.json`]
    })
    // Empty relations are null, and left out.
    const inner = expanded.length === 0 ? "''" : `concat_ws(',', ${expanded.join(', ')})`
    members.push([verbatim('"expand":{'), inner, verbatim('}')])
  }
  return {
    json: isKept ? extendJson(`${alias}.json`, members) : jsonText(members),
    versions: versions.join(' || '),
    joins: joins.join(''),
  }
}

/** The selected members of a record. */
const pickedMembers = (
  statement: Statement,
  collection: LinkedCollection,
  alias: string,
  picks: FieldSelection | undefined,
): Json[] =>
  recordColumns(collection, (name) => `${alias}.${identifier(name)}`)
    .filter(({ key }) => fieldsBelow(picks, key) !== false)
    .map(({ key, json, plain }) => {
      const pick = picks?.has(key) ? picks.get(key) : picks?.get('*')
      const value =
        pick instanceof Excerpt && plain !== undefined
          ? [jsonOf(excerptOf(statement, plain, pick))]
          : json
      return [verbatim(`"${key}":`), ...value]
    })

/** Elements that can occur within a word; all others separate words. */
const INLINE =
  'a|abbr|acronym|b|bdo|big|br|button|cite|code|em|i|img|input|kbd|label|map|q|s|samp|small|span|strong|sub|sup|time|u|var'

/** Characters that HTML escapes, and no-break spaces; `&` comes last. */
const ENTITIES: readonly (readonly [string, string])[] = [
  ['&(lt|#60|#x3c);', '<'],
  ['&(gt|#62|#x3e);', '>'],
  ['&(quot|#34|#x22);', '"'],
  ['&(apos|#39|#x27);', "''"],
  ['&(nbsp|#160|#xa0);', '\u00a0'],
  ['&(amp|#38|#x26);', '&'],
]

/** The text of HTML, with collapsed white space, truncated to `max` code points (record interface 3.3). */
const excerptOf = (
  statement: Statement,
  column: string,
  { max, withEllipsis }: Excerpt,
): string => {
  const steps: readonly (readonly [string, string])[] = [
    ['<(script|style|noscript|template)[^>]*>.*?</\\1>', ' '],
    [`</?(${INLINE})(\\s[^>]*)?/?>`, ''],
    ['<[^>]*>', ' '],
    ['[ \\t\\r\\n]+', ' '],
    ...ENTITIES,
  ]
  const plain = steps.reduce(
    (text, [pattern, by]) => `regexp_replace(${text}, '${pattern}', '${by}', 'gi')`,
    column,
  )
  const limit = statement.bind(String(max), 'bigint')
  const cut = `btrim(left(trimmed, ${limit}::int), E' \\u00a0')`
  const whole = withEllipsis
    ? `case when length(trimmed) > ${limit} then ${cut} || '...' else trimmed end`
    : cut
  return `(select ${whole} from btrim(${plain}, E' \\u00a0') trimmed)`
}

/** The one row (`json`, `versions`) of a record's relation; null if it is empty. */
const expandQuery = (
  statement: Statement,
  collection: LinkedCollection,
  alias: string,
  name: string,
  access: Access,
  key: string,
  picks: FieldSelection | undefined,
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
  return `select '[' || string_agg(r.json, ',' order by r.created, r.id) || ']' as json, string_agg(r.versions, ',' order by r.created, r.id) as versions from (${rows}) r`
}

const leadsSomewhere = (collection: LinkedCollection, path: readonly string[]): boolean => {
  const [key, ...rest] = path
  if (key === undefined) return true
  const target = findBackRelation(collection, key)?.collection ?? relationTarget(collection, key)
  return target !== undefined && leadsSomewhere(target, rest)
}

type Tree = Map<string, Tree | Excerpt | undefined>

/** Adds a path to a tree. If one path is a prefix of another, the shorter one selects everything. */
const addPath = (tree: Tree, path: readonly string[], end?: Excerpt): void => {
  const [key, ...rest] = path
  if (key === undefined) return
  const known = tree.get(key)
  if (rest.length === 0) tree.set(key, end)
  else if (!tree.has(key) || known instanceof Map) {
    const below = known instanceof Map ? known : new Map()
    tree.set(key, below)
    addPath(below, rest, end)
  }
}

/** Splits at a separator outside of parentheses; trims, and drops empty parts. */
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
