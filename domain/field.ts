import type * as z from 'zod/mini'

import type { CodedError } from './error.ts'

/**
 * The kinds of fields of a collection. A field is data: the values that it takes, the value that it returns when empty,
 * and who may set it. Validation, SQL, forms and documents are derived from these declarations.
 */
export type Field =
  | TextField
  | EmailField
  | UrlField
  | NumberField
  | BoolField
  | SelectField
  | RelationField
  | FilesField
  | DateField
  | AutodateField
  | JsonField
  | RecordedField

/** The collapsible sections of a form, in their order. */
export const FIELD_SECTIONS = ['hours', 'price', 'more'] as const
export type FieldSection = (typeof FIELD_SECTIONS)[number]

interface Common {
  /** Must have a value when a record is created, and may not be emptied later. */
  readonly required?: boolean
  /** A write-only second name of the field (spec 3, `vehicle`). */
  readonly alias?: string
  /**
   * The value must be unique among all records, or among the records of one owner; several records may have no value.
   */
  readonly unique?: boolean | 'owner'
  /** Set when the record is created; its owner cannot change it afterwards. */
  readonly fixed?: boolean
  /** Only the server and superusers may change it; an owner may send it unchanged. */
  readonly managed?: boolean
  /** The section of the form that contains the field; without one, the form decides. */
  readonly section?: FieldSection
  /** The app can set it for many records at the same time. */
  readonly bulk?: boolean
}

interface TextField extends Common {
  readonly kind: 'text'
  /** Maximum length, in code points. */
  readonly max: number
  /** The pattern that every value has to match, and an example. */
  readonly format?: { readonly pattern: RegExp; readonly example: string }
  /** The text may have several lines. Each ends in LF, whatever the client sent. */
  readonly hasLines?: true
  /** The server derives it from `latitude` and `longitude` unless somebody has set it (decision 0079). */
  readonly fromPosition?: FromPosition
}
/** A value that can be derived from a position. */
export type FromPosition = 'timeZone' | 'country'
interface EmailField extends Common {
  readonly kind: 'email'
  readonly max: number
}
interface UrlField extends Common {
  readonly kind: 'url'
  readonly max: number
}
interface NumberField extends Common {
  readonly kind: 'number'
  readonly min?: number
  readonly max?: number
  /** The value must be greater than this. */
  readonly above?: number
  readonly integer?: boolean
  /** A unit that people may type after the number. */
  readonly unit?: string
}
interface BoolField extends Common {
  readonly kind: 'bool'
  readonly default?: boolean
}
export interface SelectField extends Common {
  readonly kind: 'select'
  readonly values: readonly string[]
  /** The field is a list of at most this many values instead of a single one. */
  readonly maxCount?: number
  /** The values that an owner may choose; only superusers may choose the others. */
  readonly ownerValues?: readonly string[]
  readonly default?: string
}
interface RelationField extends Common {
  readonly kind: 'relation'
  /** The collection that the field points to. */
  readonly to: string
  /**
   * By default, deleting the target deletes this record. With `restrict`, the target cannot be deleted while a record
   * points to it; the field is then an ordinary value, and points to records of the same owner.
   */
  readonly onDelete?: 'restrict'
  /** Maximum number of records that may point to one target; existing ones above it stay. */
  readonly maxReferring?: number
  /** Maximum number of targets of the records that have another relation in common; existing ones above it stay. */
  readonly maxDistinct?: { readonly of: string; readonly max: number }
}
export interface FilesField extends Common {
  readonly kind: 'files'
  readonly maxCount: number
  /** Maximum size of an uploaded file, in bytes. */
  readonly maxBytes: number
  /** The field is a single name instead of a list. */
  readonly single?: boolean
  /** The sizes that `?thumb=` offers besides `ALWAYS_THUMB` (record interface 4.3). */
  readonly thumbs?: readonly string[]
  /** Served only to callers who may read the record, with a file token (record interface 4.4). */
  readonly protected?: boolean
}
export interface AutodateField extends Common {
  readonly kind: 'autodate'
}
/** A point in time, `YYYY-MM-DD HH:MM:SS.mmmZ` (record interface 1.2). */
interface DateField extends Common {
  readonly kind: 'date'
}
/** JSON of a given shape; `null` when empty. */
export interface JsonField extends Common {
  readonly kind: 'json'
  /** Loaded only where it is checked: screens that show records do not need it. */
  readonly schema: () => Promise<z.ZodMiniType>
  /** Maximum size of a value, as JSON. */
  readonly maxBytes: number
  /**
   * The field of files whose names are the keys of the object (decision 0080). Removing a file removes its entry. With
   * `+` after the name of the field, single entries are set; an entry of `""` is removed.
   */
  readonly keyedBy?: string
  /** Compares a valid value with other fields of the record, whose values may be invalid in a form. */
  readonly check?: (value: unknown, valueOf: (name: string) => unknown) => CodedError | undefined
}
/** A JSON object that only the server writes. */
interface RecordedField extends Common {
  readonly kind: 'json'
  readonly schema?: undefined
  readonly keyedBy?: undefined
  readonly check?: undefined
}
/** A field that is set with a plain value. */
export type ValueField = Exclude<Field, FilesField | RecordedField>

/** The thumbnail size that every file field offers. */
export const ALWAYS_THUMB = '100x100'

/**
 * The thumbnail sizes of our images: cropped from the centre, the top or the bottom, fitted without cropping, or scaled
 * to a height or a width.
 */
export const THUMBS = ['100x100', '0x300', '300x0', '70x50', '70x50t', '70x50b', '70x50f'] as const

/** The file fields of a collection. */
export const fileFields = (collection: {
  readonly fields: Readonly<Record<string, Field>>
}): readonly (readonly [string, FilesField])[] =>
  Object.entries(collection.fields).flatMap(([name, field]) =>
    field.kind === 'files' ? [[name, field] as const] : [],
  )

/** Whether the value of a field is a list. */
export const isList = (field: Field): boolean =>
  (field.kind === 'files' && !field.single) ||
  (field.kind === 'select' && field.maxCount !== undefined)

/** Whether the number 0 stands for no value: the field is optional and cannot be 0. */
export const isBlankZero = (field: Field): boolean =>
  field.kind === 'number' &&
  !field.required &&
  ((field.above ?? -1) >= 0 || (field.min ?? 0) > 0 || (field.max ?? 0) < 0)

/** The value of an empty field on the wire (record interface 1.2: `null` only for JSON). */
export const emptyValue = (field: Field): string | number | boolean | readonly string[] | null => {
  if (isList(field)) return []
  switch (field.kind) {
    case 'number':
      return 0
    case 'bool':
      return false
    case 'json':
      return null
    default:
      return ''
  }
}

/** The value of a field in a new record if none is given. */
export const initialValue = (field: Field): ReturnType<typeof emptyValue> =>
  ((field.kind === 'select' || field.kind === 'bool') && field.default) || emptyValue(field)
