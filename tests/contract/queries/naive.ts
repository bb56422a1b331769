import { readFieldPath, type Filter, type Operand, type Term } from '#domain/filter.ts'

import { HOSTED } from '../../support/hosted-postgres.ts'

/** Records by collection and id, as the API returns them. */
export interface Memory {
  readonly users: readonly Row[]
  readonly businesses: readonly Row[]
  readonly sites: readonly Row[]
  readonly connectors: readonly Row[]
}
export type Row = Readonly<Record<string, unknown>> & { readonly id: string }
export type Name = keyof Memory

/** The target collection of each relation field. */
const FORWARD: Readonly<Record<string, Name>> = {
  user: 'users',
  business: 'businesses',
  site: 'sites',
}

type Scalar = string | number | boolean | null
/** The type of an operand, whatever its current value. */
type Kind = 'text' | 'number' | 'bool' | 'constant'
interface Values {
  readonly kind: Kind
  readonly values: readonly Scalar[]
}

/**
 * Whether a record matches a filter. The code is written for clarity: it tests every value. Terms with `?` refer to one
 * row of each back relation, the same for all of them, so every choice is tried.
 */
export const satisfies = (memory: Memory, row: Row, filter: Filter): boolean =>
  choices(memory, row, [...new Set(sharedPaths(filter))].toSorted()).some((chosen) =>
    holds(memory, row, filter, chosen),
  )

/**
 * The chosen row for a path that ends in a back relation, or the chosen name for one with `:each`; null if there is
 * none.
 */
type Chosen = ReadonlyMap<string, Row | string | null>

const sharedPaths = (filter: Filter): string[] => {
  if (filter.kind !== 'term') return filter.items.flatMap(sharedPaths)
  return filter.any ? [filter.left, filter.right].flatMap(pathsOf) : []
}

const pathsOf = (operand: Operand): string[] => {
  if (operand.kind !== 'path') return []
  const { path, modifier } = operand
  const backs = path.flatMap((name, i) =>
    name.includes('_via_') ? [path.slice(0, i + 1).join('.')] : [],
  )
  return modifier === 'each' ? [...backs, `${path.join('.')}:each`] : backs
}

/** Shorter paths come first, so that a longer one continues from the chosen row. */
const choices = (memory: Memory, row: Row, paths: readonly string[]): Chosen[] =>
  paths.reduce<Chosen[]>(
    (all, path) =>
      all.flatMap((chosen) => {
        const [names = '', each] = path.split(':')
        const next =
          each === undefined
            ? rowsAt(memory, row, names.split('.'), chosen, '')
            : follow(memory, row, names.split('.'), chosen).flatMap(namesIn)
        return next.map((choice) => new Map(chosen).set(path, choice))
      }),
    [new Map()],
  )

/** Each name in a file field; a single missing name if it is empty. */
const namesIn = (value: unknown): readonly (string | null)[] =>
  Array.isArray(value) && value.length > 0 ? (value as string[]) : [null]

const holds = (memory: Memory, row: Row, filter: Filter, chosen: Chosen): boolean => {
  if (filter.kind !== 'term') {
    const one = (item: Filter) => holds(memory, row, item, chosen)
    return filter.kind === 'and' ? filter.items.every(one) : filter.items.some(one)
  }
  const left = read(memory, row, filter.left, filter.any ? chosen : new Map())
  const right = read(memory, row, filter.right, filter.any ? chosen : new Map())
  return left.values.every((l) =>
    right.values.every((r) => compare(left.kind, l, filter, right.kind, r)),
  )
}

const read = (memory: Memory, row: Row, operand: Operand, chosen: Chosen): Values => {
  switch (operand.kind) {
    case 'path': {
      const each = chosen.get(`${operand.path.join('.')}:each`)
      if (operand.modifier === 'each' && each !== undefined)
        return { kind: 'text', values: [each as string | null] }
      const values = follow(memory, row, operand.path, chosen)
      const last = operand.path.at(-1) ?? ''
      if (operand.modifier === 'length' && SEVERAL.has(last))
        return { kind: 'number', values: values.map(count) }
      if (operand.modifier === 'each' && last === 'photos')
        return { kind: 'text', values: values.flatMap(namesIn) }
      if (operand.modifier === 'lower')
        return {
          kind: 'text',
          values: (values as Scalar[]).map((value) => value && inLowerCase(String(value))),
        }
      return { kind: kindOf(operand.path), values: values as Scalar[] }
    }
    case 'null':
      return { kind: 'constant', values: [null] }
    case 'text':
    case 'number':
    case 'bool':
      return { kind: 'constant', values: [operand.value] }
    default:
      throw new TypeError(operand.kind)
  }
}

/** The fields with any number of values. */
const SEVERAL = new Set([
  'photos',
  'logo',
  'status',
  'standard',
  'format',
  'user',
  'business',
  'site',
])

const count = (value: unknown): number =>
  Array.isArray(value) ? value.length : value === null || value === '' ? 0 : 1

/** The values at a path of a sort. */
export const valuesOf = (memory: Memory, row: Row, text: string): readonly Scalar[] => {
  const field = readFieldPath(text)
  if (field === undefined) throw new TypeError(text)
  return read(memory, row, { ...field, position: 0 }, new Map()).values
}

const kindOf = (path: readonly string[]): Kind => {
  switch (path.at(-1)) {
    case 'latitude':
    case 'longitude':
    case 'vehicle_capacity':
    case 'kw_rating':
      return 'number'
    case 'onboarded':
      return 'bool'
    default:
      return 'text'
  }
}

/** Every value at a path; a single missing value if there is none. */
const follow = (
  memory: Memory,
  row: Row,
  path: readonly string[],
  chosen: Chosen = new Map(),
): unknown[] =>
  rowsAt(memory, row, path.slice(0, -1), chosen, '').map(
    (found) => found?.[path.at(-1) ?? ''] ?? null,
  )

const rowsAt = (
  memory: Memory,
  row: Row,
  [key, ...rest]: readonly string[],
  chosen: Chosen,
  before: string,
): readonly (Row | null)[] => {
  if (key === undefined) return [row]
  const way = before === '' ? key : `${before}.${key}`
  const found = chosen.has(way) ? [chosen.get(way)] : related(memory, row, key)
  return (found.length === 0 ? [null] : found).flatMap((other) =>
    typeof other === 'object' && other !== null ? rowsAt(memory, other, rest, chosen, way) : [null],
  )
}

const related = (memory: Memory, row: Row, key: string): readonly Row[] => {
  const [, child, field] = /^(\w+?)_via_(\w+)$/.exec(key) ?? []
  const target = child === undefined ? FORWARD[key] : (child as Name)
  if (target === undefined) throw new TypeError(key)
  return memory[target].filter((other) =>
    field === undefined ? other.id === row[key] : other[field] === row.id,
  )
}

const toText = (value: Scalar): string => (value === null ? '' : String(value))

const compare = (leftKind: Kind, l: Scalar, term: Term, rightKind: Kind, r: Scalar): boolean => {
  switch (term.operator) {
    case '=':
      return equals(leftKind, l, rightKind, r)
    case '!=':
      return !equals(leftKind, l, rightKind, r)
    case '~':
    case '!~':
      // A missing value is neither like nor unlike anything.
      if (l === null || r === null) return false
      return like(l, rightKind, r) === (term.operator === '~')
    default: {
      const pair = align(leftKind, l, rightKind, r)
      if (pair === undefined) return false
      const [a, b] = pair
      // A missing value is neither less nor greater.
      if (a === null || b === null) return false
      const order =
        typeof a === 'string' && typeof b === 'string'
          ? Buffer.compare(Buffer.from(a), Buffer.from(b))
          : Number(a) - Number(b)
      return { '<': order < 0, '<=': order <= 0, '>': order > 0, '>=': order >= 0 }[term.operator]
    }
  }
}

const equals = (leftKind: Kind, l: Scalar, rightKind: Kind, r: Scalar): boolean => {
  const pair = align(leftKind, l, rightKind, r)
  if (pair === undefined) {
    // A missing number equals the empty text.
    const isNothing = (kind: Kind, value: Scalar) =>
      value === null || (kind === 'constant' && value === '')
    return leftKind !== rightKind && isNothing(leftKind, l) && isNothing(rightKind, r)
  }
  const [a, b] = pair
  return typeof a === 'string' || typeof b === 'string' ? toText(a) === toText(b) : a === b
}

/** Both values in one type; undefined if a number is compared with something else. */
const align = (
  leftKind: Kind,
  l: Scalar,
  rightKind: Kind,
  r: Scalar,
): readonly [Scalar, Scalar] | undefined => {
  const isTruth = (kind: Kind, value: Scalar) =>
    kind === 'bool' ||
    (kind === 'constant' && (typeof value === 'boolean' || value === 0 || value === 1))
  const isNumeric = (kind: Kind, value: Scalar) =>
    kind === 'number' ||
    kind === 'bool' ||
    (kind === 'constant' &&
      (typeof value === 'number' ||
        typeof value === 'boolean' ||
        (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))))
  const isNumber = (kind: Kind, value: Scalar) =>
    isNumeric(kind, value) && !(kind === 'constant' && typeof value === 'string')
  const texts = (): readonly [Scalar, Scalar] => [
    l === null ? null : String(l),
    r === null ? null : String(r),
  ]
  const numbers = (): readonly [Scalar, Scalar] => [
    l === null ? null : Number(l),
    r === null ? null : Number(r),
  ]
  if (isTruth(leftKind, l) && isTruth(rightKind, r)) return numbers()
  if (!isNumber(leftKind, l) && !isNumber(rightKind, r)) return texts()
  if (isNumeric(leftKind, l) && isNumeric(rightKind, r)) return numbers()
  return leftKind === 'text' || rightKind === 'text' ? texts() : undefined
}

/** Only case folding follows the locale of the database (decision 0133). */
export const inLowerCase = (text: string): string =>
  process.env[HOSTED.server] === undefined ? text.toLowerCase() : text.toLocaleLowerCase('tr-TR')

const like = (l: Scalar, rightKind: Kind, r: Scalar): boolean => {
  const value = inLowerCase(toText(l))
  const text = inLowerCase(toText(r))
  if (rightKind !== 'constant') return value.includes(text)
  if (!/(?:^|[^\\])(?:\\\\)*%/.test(text)) return value.includes(text.replaceAll(/\\([%_])/g, '$1'))
  const pattern = text.replaceAll(/\\([\\%_])|([^])/g, (_, escaped?: string, plain = '') => {
    if (plain === '%') return '.*'
    return plain === '_' ? '.' : (escaped ?? plain).replace(/[\\^$.*+?()[\]{}|]/, '\\$&')
  })
  return new RegExp(`^${pattern}$`, 'su').test(value)
}
