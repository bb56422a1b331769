import { QUERY_LIMITS } from './limits.ts'

/**
 * Parses the filter language (record interface 3.1) into a tree. No part of the text ever reaches
 * SQL: the tree is compiled to bound parameters.
 */
export type Filter = { readonly kind: 'and' | 'or'; readonly items: readonly Filter[] } | Term

/** A comparison. If an operand has several values, all of them must match; with `any`, at least one. */
export interface Term {
  readonly kind: 'term'
  readonly left: Operand
  readonly operator: Operator
  readonly any: boolean
  readonly right: Operand
}

export type Operand =
  | FieldPath
  | Call
  /** A named point in time, such as `@now`. */
  | { readonly kind: 'macro'; readonly name: Macro }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'null' }

/** A field, or a path of relations to a field, with an optional modifier. */
export interface FieldPath {
  readonly kind: 'path'
  readonly path: readonly string[]
  readonly modifier?: Modifier
  readonly position: number
}

export interface Call {
  readonly kind: 'call'
  readonly name: string
  readonly args: readonly Operand[]
  readonly position: number
}

export const OPERATORS = ['!=', '>=', '<=', '!~', '=', '>', '<', '~'] as const
export type Operator = (typeof OPERATORS)[number]

/** `isset` and `changed` are accepted and ignored on a field (record interface 3.1.4). */
const MODIFIERS = ['lower', 'length', 'each', 'isset', 'changed'] as const
export type Modifier = (typeof MODIFIERS)[number]

const MACROS = [
  '@now',
  '@yesterday',
  '@tomorrow',
  '@todayStart',
  '@todayEnd',
  '@monthStart',
  '@monthEnd',
  '@yearStart',
  '@yearEnd',
  '@second',
  '@minute',
  '@hour',
  '@day',
  '@month',
  '@year',
  '@weekday',
] as const
export type Macro = (typeof MACROS)[number]

/** A malformed filter; `position` counts characters from 0. */
export class FilterError extends Error {
  readonly position: number
  constructor(message: string, position: number) {
    super(message)
    this.name = 'FilterError'
    this.position = position
  }
}

/**
 * Parses a filter. Undefined for an empty one.
 * @throws FilterError at the first character that does not fit, or when a limit is exceeded
 */
export const parseFilter = (text: string): Filter | undefined => {
  if (text === '') return undefined
  if (text.length > QUERY_LIMITS.filterLength)
    throw new FilterError('The filter is too long.', QUERY_LIMITS.filterLength)
  return new Parser(text).parse()
}

/** Parses a path with an optional modifier, as filters and sorts name fields. */
export const readFieldPath = (text: string): Omit<FieldPath, 'position'> | undefined => {
  const [names = '', modifier, ...more] = text.split(':')
  const path = names.split('.')
  const known = MODIFIERS.find((name) => name === modifier)
  if (path.includes('') || more.length > 0 || known !== modifier) return undefined
  return { kind: 'path', path, ...(known !== undefined && { modifier: known }) }
}

const JOINS = { '&&': 'and', '||': 'or' } as const
const SPACE = /(?:[ \t\r\n]|\/\/[^\n]*)*/y
const NUMBER = /-?\d+(?:\.\d+)?(?![\w.])/y
const IDENTIFIER = /[\p{L}_@#][\p{L}\d_.:]*/uy
const TEXT = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/sy

/** Characters that a backslash escapes in either kind of quotes; before any other it is literal. */
const ESCAPE = /\\([\\"'nrt]|u00[01][\da-f])/g
const WHITE_SPACE: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

/**
 * The value of a text literal. The escapes are those of PocketBase and `\u00..`, which the SDK's `pb.filter()`
 * writes for most control characters. `\b` and `\f`, which it also writes, stay unchanged: no text contains a
 * backspace, and PocketBase reads them as a backslash and a letter.
 */
const unquote = (literal: string): string =>
  literal
    .slice(1, -1)
    .replace(ESCAPE, (_, code: string) =>
      code.startsWith('u')
        ? String.fromCharCode(Number.parseInt(code.slice(1), 16))
        : (WHITE_SPACE[code] ?? code),
    )

class Parser {
  readonly #text: string
  #position = 0
  #terms = 0

  constructor(text: string) {
    this.#text = text
  }

  parse(): Filter {
    const filter = this.#alternatives(0)
    if (this.#position < this.#text.length) this.#fail('Expected && or ||.')
    return filter
  }

  /** `&&` binds tighter than `||`. */
  #alternatives(depth: number): Filter {
    if (depth > QUERY_LIMITS.filterDepth) this.#fail('The filter is nested too deep.')
    const items: Filter[][] = [[this.#group(depth)]]
    for (let join = this.#join(); join !== undefined; join = this.#join()) {
      const next = this.#group(depth)
      if (join === 'and') items.at(-1)?.push(next)
      else items.push([next])
    }
    return combine(
      'or',
      items.map((all) => combine('and', all)),
    )
  }

  #group(depth: number): Filter {
    if (!this.#take('(')) return this.#term()
    const inner = this.#alternatives(depth + 1)
    if (!this.#take(')')) this.#fail('Expected a closing parenthesis.')
    return inner
  }

  #term(): Filter {
    this.#terms += 1
    if (this.#terms > QUERY_LIMITS.filterTerms) this.#fail('The filter has too many terms.')
    const left = this.#operand()
    const any = OPERATORS.find((candidate) => this.#take(`?${candidate}`))
    const operator = any ?? OPERATORS.find((candidate) => this.#take(candidate))
    if (operator === undefined) return this.#fail('Expected an operator.')
    return { kind: 'term', left, operator, any: any !== undefined, right: this.#operand() }
  }

  #join(): 'and' | 'or' | undefined {
    for (const [sign, kind] of Object.entries(JOINS)) if (this.#take(sign)) return kind
    return undefined
  }

  #operand(nesting = 0): Operand {
    this.#skipSpace()
    const position = this.#position
    const quote = this.#text[position]
    if (quote === '"' || quote === "'") {
      const literal = this.#match(TEXT) ?? this.#fail('The quoted text is not closed.')
      return { kind: 'text', value: unquote(literal) }
    }
    const number = this.#match(NUMBER)
    if (number !== undefined) {
      if (Number.isFinite(Number(number))) return { kind: 'number', value: Number(number) }
      return this.#fail('The number is too large.')
    }
    const identifier = this.#match(IDENTIFIER)
    if (identifier === undefined || /[.:]$/.test(identifier))
      return this.#fail('Expected a field, a number or a quoted text.')
    switch (identifier.toLowerCase()) {
      case 'null':
        return { kind: 'null' }
      case 'true':
        return { kind: 'bool', value: true }
      case 'false':
        return { kind: 'bool', value: false }
    }
    if (this.#text[this.#position] === '(') return this.#call(identifier, position, nesting)
    const macro = MACROS.find((name) => name === identifier)
    return macro === undefined ? this.#path(identifier, position) : { kind: 'macro', name: macro }
  }

  #path(identifier: string, position: number): FieldPath {
    const path = readFieldPath(identifier)
    if (path === undefined) return this.#failAt('Unknown modifier or empty name.', position)
    return { ...path, position }
  }

  #call(name: string, position: number, nesting: number): Call {
    if (nesting >= QUERY_LIMITS.callDepth) this.#failAt('Functions are nested too deep.', position)
    const args: Operand[] = []
    this.#take('(')
    while (!this.#take(')')) {
      if (args.length > 0 && !this.#take(',')) this.#fail('Expected a comma.')
      // A comma may follow the last argument.
      else if (args.length > 0 && this.#take(')')) break
      else args.push(this.#operand(nesting + 1))
      if (args.length > QUERY_LIMITS.callArguments) this.#fail('Too many arguments.')
    }
    return { kind: 'call', name, args, position }
  }

  #take(sign: string): boolean {
    this.#skipSpace()
    if (!this.#text.startsWith(sign, this.#position)) return false
    this.#position += sign.length
    this.#skipSpace()
    return true
  }

  #skipSpace(): void {
    this.#match(SPACE)
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#position
    const found = pattern.exec(this.#text)?.[0]
    this.#position += found?.length ?? 0
    return found
  }

  #fail(message: string): never {
    return this.#failAt(message, this.#position)
  }

  #failAt(message: string, position: number): never {
    throw new FilterError(message, position)
  }
}

const combine = (kind: 'and' | 'or', items: readonly Filter[]): Filter =>
  items.length === 1 && items[0] !== undefined ? items[0] : { kind, items }
