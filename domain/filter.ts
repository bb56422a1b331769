import { QUERY_LIMITS } from './api.ts'

/**
 * The filter language of the record interface (3.1), read into a tree. No part of the text ever
 * reaches SQL: the tree is compiled to bound parameters.
 */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly items: readonly Filter[] }
  | {
      readonly kind: 'term'
      readonly left: Operand
      readonly operator: Operator
      readonly right: Operand
    }

export type Operand =
  /** A field, or a path of relations to one. */
  | { readonly kind: 'path'; readonly path: readonly string[]; readonly position: number }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'null' }

export const OPERATORS = ['!=', '>=', '<=', '!~', '=', '>', '<', '~'] as const
export type Operator = (typeof OPERATORS)[number]

/** A filter that cannot be read; `position` counts characters from 0. */
export class FilterError extends Error {
  readonly position: number
  constructor(message: string, position: number) {
    super(message)
    this.name = 'FilterError'
    this.position = position
  }
}

/** Makes a text literal of a value, for writing a filter. */
export const quoteFilterText = (value: string): string => `"${value.replaceAll('"', '\\"')}"`

/**
 * Reads a filter. Undefined for an empty one.
 * @throws FilterError at the first character that does not fit, or when a limit is passed
 */
export const parseFilter = (text: string): Filter | undefined => {
  if (text === '') return undefined
  if (text.length > QUERY_LIMITS.filterLength)
    throw new FilterError('The filter is too long.', QUERY_LIMITS.filterLength)
  return new Parser(text).parse()
}

const JOINS = { '&&': 'and', '||': 'or' } as const
const SPACE = /(?:[ \t\r\n]|\/\/[^\n]*)*/y
const NUMBER = /-?\d+(?:\.\d+)?(?![\w.])/y
const IDENTIFIER = /[\p{L}_@#][\p{L}\d_.:@#]*/uy

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
    const operator = OPERATORS.find((candidate) => this.#take(candidate))
    if (operator === undefined) return this.#fail('Expected an operator.')
    return { kind: 'term', left, operator, right: this.#operand() }
  }

  #join(): 'and' | 'or' | undefined {
    for (const [sign, kind] of Object.entries(JOINS)) if (this.#take(sign)) return kind
    return undefined
  }

  #operand(): Operand {
    this.#skipSpace()
    const position = this.#position
    const quote = this.#text[position]
    if (quote === '"' || quote === "'") return { kind: 'text', value: this.#quoted(quote) }
    const number = this.#match(NUMBER)
    if (number !== undefined) return { kind: 'number', value: Number(number) }
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
      default:
        return { kind: 'path', path: identifier.split('.'), position }
    }
  }

  /** The escaped quote is the only escape; other backslashes stay. */
  #quoted(quote: string): string {
    const start = this.#position
    let value = ''
    for (let at = start + 1; at < this.#text.length; at += 1) {
      const character = this.#text[at]
      if (character === quote) {
        this.#position = at + 1
        return value
      }
      const escaped = character === '\\' && this.#text[at + 1] === quote
      if (escaped) at += 1
      value += escaped ? quote : character
    }
    return this.#fail('The quoted text does not end.')
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
    throw new FilterError(message, this.#position)
  }
}

const combine = (kind: 'and' | 'or', items: readonly Filter[]): Filter =>
  items.length === 1 && items[0] !== undefined ? items[0] : { kind, items }
