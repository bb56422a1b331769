import { expect, test } from 'vitest'

import { FilterError, parseFilter } from './filter.ts'

const path = (...names: string[]) => ({ kind: 'path', path: names, position: expect.any(Number) })
const term = (left: unknown, operator: string, right: unknown) => ({
  kind: 'term',
  left,
  operator,
  any: false,
  right,
})
const number = (value: number) => ({ kind: 'number', value })
const text = (value: string) => ({ kind: 'text', value })

test.each([
  ['a = 1', term(path('a'), '=', number(1))],
  ['  a\t>=\n-1.5 // a comment', term(path('a'), '>=', number(-1.5))],
  [`a.b.c != 'it\\'s'`, term(path('a', 'b', 'c'), '!=', text("it's"))],
  ['a~"100\\%"', term(path('a'), '~', text('100\\%'))],
  ['NULL = a', term({ kind: 'null' }, '=', path('a'))],
  ['a = True', term(path('a'), '=', { kind: 'bool', value: true })],
  ['nullable = 1', term(path('nullable'), '=', number(1))],
  ['"a" = "b"', term(text('a'), '=', text('b'))],
])('%s', (filter, tree) => {
  expect(parseFilter(filter)).toEqual(tree)
})

test.each([
  ['a ?= 1', '='],
  ['a ?!~ 1', '!~'],
])('%s requires at least one match', (filter, operator) => {
  expect(parseFilter(filter)).toEqual({ ...term(path('a'), operator, number(1)), any: true })
})

test('functions, macros and modifiers', () => {
  expect(parseFilter('f(a, 1,) >= @now')).toEqual(
    term({ kind: 'call', name: 'f', args: [path('a'), number(1)], position: 0 }, '>=', {
      kind: 'macro',
      name: '@now',
    }),
  )
  expect(parseFilter('a.b:length = 1')).toEqual(
    term({ ...path('a', 'b'), modifier: 'length' }, '=', number(1)),
  )
  expect(() => parseFilter('f(f(f(f(1)))) = 1')).toThrow(FilterError)
})

test('&& binds tighter than ||, and parentheses tighter than both', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((name) => term(path(name), '=', number(1)))
  expect(parseFilter('a=1 || b=1 && c=1')).toEqual({
    kind: 'or',
    items: [a, { kind: 'and', items: [b, c] }],
  })
  expect(parseFilter('(a=1 || b=1) && c=1')).toEqual({
    kind: 'and',
    items: [{ kind: 'or', items: [a, b] }, c],
  })
})

test('an empty filter is no condition', () => {
  expect(parseFilter('')).toBeUndefined()
})

test.each([
  [' ', 1],
  ['a', 1],
  ['a =', 3],
  ['a = 1 &', 6],
  ['a = 1 && ()', 10],
  ['a. = 1', 2],
  ['a = 1.', 4],
  ['a = "b', 4],
])('"%s" fails at character %i', (filter, position) => {
  expect(() => parseFilter(filter)).toThrow(expect.objectContaining({ position }))
})

test.each([
  ['too long', `a = "${'x'.repeat(3500)}"`],
  ['too many terms', Array.from({ length: 201 }, () => 'a=1').join('&&')],
  ['too deep', `${'('.repeat(66)}a=1${')'.repeat(66)}`],
])('refuses a filter that is %s', (_name, filter) => {
  expect(() => parseFilter(filter)).toThrow(FilterError)
})

test.each([
  [String.raw`\\`, '\\'],
  [String.raw`a\\nb`, String.raw`a\nb`],
  [String.raw`\n\t\r\"\'`, '\n\t\r"\''],
  [String.raw`\u0001\u001f`, '\u0001\u001f'],
  [String.raw`\a\b\%\_\N\u0041`, String.raw`\a\b\%\_\N\u0041`],
])('in both kinds of quotes, %s is %j', (written, value) => {
  for (const quote of ['"', "'"])
    expect(parseFilter(`a = ${quote}${written}${quote}`)).toEqual(term(path('a'), '=', text(value)))
})

test('an escaped backslash does not escape the quote after it', () => {
  expect(parseFilter(String.raw`a = "\\" && b = " || c != null //"`)).toEqual({
    kind: 'and',
    items: [term(path('a'), '=', text('\\')), term(path('b'), '=', text(' || c != null //'))],
  })
  expect(() => parseFilter(String.raw`a = "b\"`)).toThrow(FilterError)
})
