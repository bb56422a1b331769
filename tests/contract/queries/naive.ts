import type { Filter, Operand, Term } from '#domain/filter.ts'

/** Records by collection and id, as the API answers them. */
export interface Memory {
  readonly users: readonly Row[]
  readonly businesses: readonly Row[]
  readonly sites: readonly Row[]
  readonly connectors: readonly Row[]
}
export type Row = Readonly<Record<string, unknown>> & { readonly id: string }
export type Name = keyof Memory

/** Relations forward: which collection a field points to. */
const FORWARD: Readonly<Record<string, Name>> = {
  user: 'users',
  business: 'businesses',
  site: 'sites',
}

type Scalar = string | number | boolean | null
/** What kind of value an operand has, whatever it holds at the moment. */
type Kind = 'text' | 'number' | 'bool' | 'constant'
interface Values {
  readonly kind: Kind
  readonly values: readonly Scalar[]
}

/** Does a record satisfy a filter? Written for clearness: every value is looked at, one by one. */
export const satisfies = (memory: Memory, row: Row, filter: Filter): boolean => {
  if (filter.kind !== 'term') {
    const holds = (item: Filter) => satisfies(memory, row, item)
    return filter.kind === 'and' ? filter.items.every(holds) : filter.items.some(holds)
  }
  const left = read(memory, row, filter.left)
  const right = read(memory, row, filter.right)
  const pairs = left.values.flatMap((l) => right.values.map((r) => [l, r] as const))
  const holds = ([l, r]: readonly [Scalar, Scalar]) => compare(left.kind, l, filter, right.kind, r)
  return filter.any ? pairs.some(holds) : pairs.every(holds)
}

const read = (memory: Memory, row: Row, operand: Operand): Values => {
  switch (operand.kind) {
    case 'path': {
      const values = follow(memory, row, operand.path)
      if (operand.modifier === 'length' && operand.path.at(-1) === 'photos')
        return {
          kind: 'number',
          values: values.map((value) => (value as string[]).length),
        }
      if (operand.modifier === 'lower')
        return {
          kind: 'text',
          values: values.map((value) => toText(value as Scalar).toLowerCase()),
        }
      return { kind: kindOf(operand.path), values: values as Scalar[] }
    }
    case 'null':
      return { kind: 'constant', values: [null] }
    case 'text':
    case 'number':
    case 'bool':
      return { kind: 'constant', values: [operand.value === '' ? null : operand.value] }
    default:
      throw new TypeError(operand.kind)
  }
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

/** Every value that a path leads to; one missing value where it leads to nothing. */
export const follow = (memory: Memory, row: Row, path: readonly string[]): unknown[] => {
  const [key = '', ...rest] = path
  if (rest.length === 0) return [row[key]]
  const [, child, field] = /^(\w+?)_via_(\w+)$/.exec(key) ?? []
  const target = child === undefined ? FORWARD[key] : (child as Name)
  if (target === undefined) throw new TypeError(key)
  const found = memory[target].filter((other) =>
    field === undefined ? other.id === row[key] : other[field] === row.id,
  )
  if (found.length === 0) return [null]
  return found.flatMap((other) => follow(memory, other, rest))
}

const toText = (value: Scalar): string => (value === null ? '' : String(value))

const compare = (leftKind: Kind, l: Scalar, term: Term, rightKind: Kind, r: Scalar): boolean => {
  switch (term.operator) {
    case '=':
      return equals(leftKind, l, rightKind, r)
    case '!=':
      return !equals(leftKind, l, rightKind, r)
    case '~':
      return like(l, rightKind, r)
    case '!~':
      return !like(l, rightKind, r)
    default: {
      const pair = align(leftKind, l, rightKind, r)
      if (pair === undefined) return false
      const [a, b] = pair
      // A missing value is neither less nor greater; an empty constant is the empty text.
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
    // A number that is missing equals what is empty.
    if (leftKind === 'number' || leftKind === 'bool')
      return l === null && r === null && rightKind === 'constant'
    if (rightKind === 'number' || rightKind === 'bool')
      return l === null && r === null && leftKind === 'constant'
    return false
  }
  const [a, b] = pair
  return typeof a === 'string' || typeof b === 'string' ? toText(a) === toText(b) : a === b
}

/** Both values in one type, or undefined where a number meets what is none. */
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
    l === null ? (leftKind === 'constant' ? '' : null) : String(l),
    r === null ? (rightKind === 'constant' ? '' : null) : String(r),
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

const like = (l: Scalar, rightKind: Kind, r: Scalar): boolean => {
  const value = toText(l).toLowerCase()
  const text = toText(r).toLowerCase()
  if (rightKind !== 'constant') return value.includes(text)
  if (!/(?:^|[^\\])(?:\\\\)*%/.test(text)) return value.includes(text.replaceAll(/\\([%_])/g, '$1'))
  const pattern = text.replaceAll(/\\([\\%_])|([^])/g, (_, escaped?: string, plain = '') => {
    if (plain === '%') return '.*'
    return plain === '_' ? '.' : (escaped ?? plain).replace(/[\\^$.*+?()[\]{}|]/, '\\$&')
  })
  return new RegExp(`^${pattern}$`, 'su').test(value)
}
