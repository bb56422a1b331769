import * as fc from 'fast-check'

import { OPERATORS, type Filter, type Modifier, type Operand, type Term } from '#domain/filter.ts'

import type { Name } from './naive.ts'

/** Paths in filters of each collection. */
export const PATHS: Readonly<Record<Name, readonly string[]>> = {
  users: [
    'name',
    'onboarded',
    'businesses_via_user.name',
    'businesses_via_user.sites_via_business.name',
    'businesses_via_user.sites_via_business.vehicle_capacity',
  ],
  businesses: [
    'name',
    'description',
    'user.name',
    'user.onboarded',
    'user.id',
    'sites_via_business.name',
    'sites_via_business.vehicle_capacity',
    'sites_via_business.connectors_via_site.kw_rating',
    'sites_via_business.connectors_via_site.standard',
    'logo:length',
  ],
  sites: [
    'id',
    'name',
    'address',
    'latitude',
    'longitude',
    'vehicle_capacity',
    'cost',
    'status',
    'business',
    'business.name',
    'business.user.name',
    'business.user.onboarded',
    'name:lower',
    'cost:length',
    'photos:length',
    'photos:each',
    'status:length',
    'connectors_via_site.standard',
    'connectors_via_site.standard:length',
    'connectors_via_site.kw_rating',
    'connectors_via_site.id',
    'business.sites_via_business.cost',
  ],
  connectors: [
    'standard',
    'format',
    'kw_rating',
    'site',
    'site.name',
    'site.vehicle_capacity',
    'site.business.name',
    'site.connectors_via_site.kw_rating',
  ],
}

/** Texts that occur in the records, similar ones, and those that are hard to quote. */
export const TEXTS = [
  '',
  'a',
  'A',
  'Quay',
  'quay',
  'é',
  'É',
  'CCS',
  'AVAILABLE',
  'CABLE',
  'CHADEMO',
  '10',
  '2',
  '0.5',
  ' ',
  '%',
  'Q%',
  '%a_',
  '_',
  '50\\%',
  'back\\slash',
  '"',
  "it's",
  '&& || ()',
  '-- ; $1',
  '\u0001',
  '🔌',
]

const pathOf = (text: string): Operand => {
  const [names = '', modifier] = text.split(':')
  return {
    kind: 'path',
    path: names.split('.'),
    position: 0,
    ...(modifier !== undefined && { modifier: modifier as Modifier }),
  }
}

const path = (name: Name): fc.Arbitrary<Operand> => fc.constantFrom(...PATHS[name]).map(pathOf)

const constant: fc.Arbitrary<Operand> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom(...TEXTS).map((value) => ({ kind: 'text', value }) as const),
  },
  {
    weight: 1,
    arbitrary: fc
      .string({ maxLength: 6 })
      .filter((value) => !value.includes('\0'))
      .map((value) => ({ kind: 'text', value }) as const),
  },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(-1, 0, 0.5, 1, 2, 10, 50, 150)
      .map((value) => ({ kind: 'number', value }) as const),
  },
  { weight: 1, arbitrary: fc.boolean().map((value) => ({ kind: 'bool', value }) as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'null' } as const) },
)

const term = (name: Name): fc.Arbitrary<Term> =>
  fc.record({
    kind: fc.constant('term' as const),
    left: fc.oneof({ weight: 9, arbitrary: path(name) }, { weight: 1, arbitrary: constant }),
    operator: fc.constantFrom(...OPERATORS),
    any: fc.boolean(),
    right: fc.oneof({ weight: 4, arbitrary: constant }, { weight: 1, arbitrary: path(name) }),
  })

/** Terms with `?` that are likely to match, on the same row or on different ones. */
const sameRow = (name: Name): fc.Arbitrary<Filter> => {
  const many = PATHS[name].filter((text) => /_via_|:each/.test(text))
  const one = fc
    .tuple(fc.constantFrom(...many), fc.constantFrom('=', '!=', '>', '<=', '~', '!~'), fc.nat(20))
    .map(([text, operator, at]): Term => ({
      kind: 'term',
      left: pathOf(text),
      operator,
      any: true,
      right: /kw_rating|capacity/.test(text)
        ? { kind: 'number', value: at }
        : { kind: 'text', value: TEXTS[at] ?? '' },
    }))
  return fc.record({
    kind: fc.constant('and' as const),
    items: fc.array(one, { minLength: 2, maxLength: 3 }),
  })
}

export const filterOf = (name: Name): fc.Arbitrary<Filter> =>
  fc.letrec<{ filter: Filter }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      term(name),
      sameRow(name),
      fc.record({
        kind: fc.constantFrom('and' as const, 'or' as const),
        items: fc.array(tie('filter'), { minLength: 2, maxLength: 3 }),
      }),
    ),
  })).filter

/** Formats a filter as a client would. */
export const write = (filter: Filter): string => {
  if (filter.kind !== 'term')
    return `(${filter.items.map(write).join(filter.kind === 'and' ? ' && ' : ' || ')})`
  const { left, any, operator, right } = filter
  return `${writeOperand(left)} ${any ? '?' : ''}${operator} ${writeOperand(right)}`
}

const writeOperand = (operand: Operand): string => {
  switch (operand.kind) {
    case 'path':
      return operand.path.join('.') + (operand.modifier === undefined ? '' : `:${operand.modifier}`)
    case 'null':
      return 'null'
    case 'text':
      return quote(operand.value)
    case 'number':
    case 'bool':
      return String(operand.value)
    default:
      throw new TypeError(operand.kind)
  }
}

/** Uses both kinds of quotes; doubles a backslash that would not be literal, as the SDK does. */
const quote = (value: string): string => {
  const sign = value.includes('"') ? "'" : '"'
  const escaped = value.replaceAll(/\\(?=[\\"'nrtu]|$)/g, '\\\\').replaceAll(sign, `\\${sign}`)
  return sign + escaped + sign
}
