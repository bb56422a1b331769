import type * as z from 'zod/mini'

import type { Collection } from './collection.ts'
import {
  initialValue,
  isBlankZero,
  isList,
  type AutodateField,
  type Field,
  type FromPosition,
} from './field.ts'

/** The value of a field in a record. An optional choice may be empty. */
export type ValueOf<F extends Field> = F extends { kind: 'number' }
  ? number
  : F extends { kind: 'bool' }
    ? boolean
    : F extends { kind: 'select'; values: readonly (infer V)[] }
      ? F extends { maxCount: number }
        ? readonly V[]
        : V | (F extends { required: true } ? never : '')
      : F extends { kind: 'files' }
        ? F extends { single: true }
          ? string
          : string[]
        : F extends { kind: 'json'; schema: () => Promise<infer S extends z.ZodMiniType> }
          ? z.output<S> | (F extends { required: true } ? never : null)
          : F extends { kind: 'json' }
            ? Readonly<Record<string, unknown>>
            : string

/** The names of the fields of a kind. */
export type FieldName<C extends Collection, Kind> = {
  [N in keyof C['fields']]: C['fields'][N] extends Kind ? N : never
}[keyof C['fields']] &
  string

/** A record of a collection as the product reads it: all declared fields except times and `Without`. */
export type RecordOf<C extends Collection, Without extends string = never> = Omit<
  { id: string; collectionName: C['name'] } & {
    -readonly [N in keyof C['fields']]: ValueOf<C['fields'][N]>
  },
  Without | FieldName<C, AutodateField>
>

/** Fields that are not a plain value of the record. */
type NotPlain =
  | { readonly kind: 'files' | 'autodate' }
  | { readonly kind: 'json'; readonly schema?: undefined }
  | { readonly keyedBy: string }
  | { readonly kind: 'relation'; readonly onDelete?: undefined }
  | { readonly managed: true }

/** A field that an owner writes as a plain value. */
export type InputName<C extends Collection> = Exclude<
  keyof C['fields'] & string,
  FieldName<C, NotPlain>
>

/** Fields that a new record may omit. */
type OptionalName<C extends Collection> = Exclude<
  InputName<C>,
  FieldName<C, { readonly required: true }>
>

/** The plain values of a record that an owner writes. */
export type InputOf<C extends Collection> = {
  -readonly [N in Exclude<InputName<C>, OptionalName<C>>]: ValueOf<C['fields'][N]>
} & {
  -readonly [N in OptionalName<C>]?: ValueOf<C['fields'][N]>
}

/** The names of the fields that an owner writes as plain values: `first`, then the others in declaration order. */
export const inputNames = <C extends Collection>(
  { fields }: C,
  first: readonly InputName<C>[] = [],
): readonly InputName<C>[] => [
  ...new Set([
    ...first,
    ...Object.keys(fields).filter((name): name is InputName<C> => {
      const field = fields[name]
      return field !== undefined && isInput(field)
    }),
  ]),
]

const isInput = (field: Field): boolean => {
  if (field.managed) return false
  if (field.kind === 'json') return field.schema !== undefined && field.keyedBy === undefined
  if (field.kind === 'relation') return field.onDelete === 'restrict'
  return field.kind !== 'files' && field.kind !== 'autodate'
}

/**
 * The names of the fields that can be set for many records at the same time: `first`, then the others in declaration
 * order.
 */
export const bulkNames = <C extends Collection>(
  collection: C,
  first: readonly InputName<C>[] = [],
): readonly InputName<C>[] =>
  inputNames(collection, first).filter((name) => collection.fields[name]?.bulk === true)

/** The fields of a position. */
export const POSITION: readonly string[] = ['latitude', 'longitude']

type NameFromPosition<C extends Collection> = string extends keyof C['fields']
  ? string
  : FieldName<C, { readonly fromPosition: FromPosition }>

/** The names of the fields that the server fills in from the position (decision 0079). */
export const namesFromPosition = <C extends Collection>({
  fields,
}: C): readonly NameFromPosition<C>[] =>
  Object.keys(fields).filter(
    (name): name is NameFromPosition<C> => fromPosition(fields[name]) !== undefined,
  )

/** Whether the written fields include the position. */
export const saysPosition = (fields: object): boolean => POSITION.some((name) => name in fields)

/** The value that the server derives from the position for a field; undefined if there is none. */
export const fromPosition = (field: Field | undefined): FromPosition | undefined =>
  field?.kind === 'text' ? field.fromPosition : undefined

/** Whether the form control of the field may be empty. */
export const isOptional = (field: Field): boolean =>
  field.required !== true &&
  field.kind !== 'bool' &&
  (field.kind !== 'number' || isBlankZero(field))

/** The values of a record that an owner writes; missing ones get the defaults of a new record. */
export const inputOf = <C extends Collection>(
  collection: C,
  record: Partial<InputOf<C>>,
): Required<InputOf<C>> => {
  const values: Readonly<Record<string, unknown>> = record
  return Object.fromEntries(
    inputNames(collection).map((name) => {
      const field = collection.fields[name]
      return [name, values[name] ?? (field && initialValue(field))]
    }),
  ) as Required<InputOf<C>>
}

interface FieldSelection<Without extends string> {
  /** The names that come first. */
  readonly first: readonly string[]
  /** The names that are not requested. */
  readonly without?: readonly Without[]
}

/**
 * The names of the fields that the product requests (spec 7): every field except times and `without`; `first`, then the
 * others in declaration order.
 */
export const requestedFields = <C extends Collection, const Without extends string = never>(
  collection: C,
  { first, without = [] }: FieldSelection<Without>,
): readonly (keyof RecordOf<C, Without> & string)[] => {
  const left: readonly string[] = without
  const declared = Object.entries(collection.fields)
    .filter(([, { kind }]) => kind !== 'autodate')
    .map(([name]) => name)
  return [...new Set([...first, 'id', ...declared, 'collectionName'])].filter(
    (name): name is keyof RecordOf<C, Without> & string => !left.includes(name),
  )
}

/** A fingerprint of a declaration: the names and kinds of its fields. */
export const shapeOf = (collection: Collection): string =>
  `${collection.name}(${Object.entries(collection.fields)
    .map(([name, field]) => `${name} ${field.kind}${isList(field) ? 's' : ''}`)
    .join()})`

/** Whether two values of a field are equal, regardless of the order of keys in JSON. */
export const isSameValue = (one: unknown, other: unknown): boolean =>
  one === other ||
  (typeof one === 'object' && typeof other === 'object' && canonical(one) === canonical(other))

// Values are immutable, and the values of 10,000 sites are compared again for each chunk of a change.
const canonicalTexts = new WeakMap<object, string>()

const canonical = (value: object | null): string => {
  if (value === null) return 'null'
  const known = canonicalTexts.get(value)
  if (known !== undefined) return known
  const text = canonicalJson(value)
  canonicalTexts.set(value, text)
  return text
}

/** JSON with sorted keys, so that equal values give equal texts. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )
