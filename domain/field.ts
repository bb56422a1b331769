import type * as z from 'zod/mini'

/**
 * The kinds of fields of a collection. A field is data: which values it takes, what an empty one
 * answers, and who may set it. Validation, SQL, forms and documents are derived from these
 * declarations.
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

/** The closed sections of a form, in their order. */
export const FIELD_SECTIONS = ['hours', 'price', 'more'] as const
export type FieldSection = (typeof FIELD_SECTIONS)[number]

interface Common {
  /** Must have a value when a record is created, and may not be emptied later. */
  readonly required?: boolean
  /** A write-only second name of the field (spec 3, `vehicle`). */
  readonly alias?: string
  /** No two records may share the value, or no two records of one owner; several may be empty. */
  readonly unique?: boolean | 'owner'
  /** Set when the record is created and never changed by its owner afterwards. */
  readonly fixed?: boolean
  /** Only the server and superusers may change it; an owner may send it unchanged. */
  readonly managed?: boolean
  /** The section of the form that the field stands in; without one, the place that the form gives it. */
  readonly section?: FieldSection
  /** The app offers to set it for many records at once. */
  readonly bulk?: boolean
}

interface TextField extends Common {
  readonly kind: 'text'
  /** Longest value, in code points. */
  readonly max: number
  /** What every value has to match, and one that does. */
  readonly format?: { readonly pattern: RegExp; readonly example: string }
  /** The server fills it in from `latitude` and `longitude` unless somebody has said it (decision 0079). */
  readonly fromPosition?: FromPosition
}
/** What follows from a position. */
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
  /** The unit that people may type behind the number. */
  readonly unit?: string
}
interface BoolField extends Common {
  readonly kind: 'bool'
  readonly default?: boolean
}
export interface SelectField extends Common {
  readonly kind: 'select'
  readonly values: readonly string[]
  /** Holds a list of values, this many at most, instead of a single one. */
  readonly maxCount?: number
  /** The values that an owner may choose; the others are for superusers. */
  readonly ownerValues?: readonly string[]
  readonly default?: string
}
interface RelationField extends Common {
  readonly kind: 'relation'
  /** The collection that the id refers to. */
  readonly to: string
  /**
   * Deleting the target deletes this record. With `restrict` the target cannot be deleted while it is referred to; the
   * field is a value like others, and refers to records of the same owner.
   */
  readonly onDelete?: 'restrict'
  /** How many records may refer to one target; those that already do stay. */
  readonly maxReferring?: number
}
export interface FilesField extends Common {
  readonly kind: 'files'
  readonly maxCount: number
  /** Largest file as uploaded, in bytes. */
  readonly maxBytes: number
  /** Holds a single name instead of a list. */
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
/** JSON of a given shape; empty, it is `null`. */
export interface JsonField extends Common {
  readonly kind: 'json'
  /** Loaded where it is checked: the screens that show records do without. */
  readonly schema: () => Promise<z.ZodMiniType>
  /** Largest value, as JSON. */
  readonly maxBytes: number
  /**
   * The field of files whose names are the keys of the object (decision 0080). The entry of a file goes with the file;
   * `+` behind the name of the field sets single entries, and removes those that are `""`.
   */
  readonly keyedBy?: string
}
/** A JSON object that only the server writes. */
interface RecordedField extends Common {
  readonly kind: 'json'
  readonly schema?: undefined
  readonly keyedBy?: undefined
}
/** A field that is set by a plain value. */
export type ValueField = Exclude<Field, FilesField | RecordedField>

/** The thumbnail size that every field of files offers. */
export const ALWAYS_THUMB = '100x100'

/**
 * The thumbnail sizes of our images: cropped from the centre, the top or the bottom, fitted without
 * cropping, or scaled to a height or a width.
 */
export const THUMBS = ['100x100', '0x300', '300x0', '70x50', '70x50t', '70x50b', '70x50f'] as const

/** The fields of a collection that hold files. */
export const fileFields = (collection: {
  readonly fields: Readonly<Record<string, Field>>
}): readonly (readonly [string, FilesField])[] =>
  Object.entries(collection.fields).flatMap(([name, field]) =>
    field.kind === 'files' ? [[name, field] as const] : [],
  )

/** Whether a field holds a list. */
export const isList = (field: Field): boolean =>
  (field.kind === 'files' && !field.single) ||
  (field.kind === 'select' && field.maxCount !== undefined)

/** Whether a number is no value but the absence of one: it need not be given, and cannot be 0. */
export const isBlankZero = (field: Field): boolean =>
  field.kind === 'number' &&
  !field.required &&
  ((field.above ?? -1) >= 0 || (field.min ?? 0) > 0 || (field.max ?? 0) < 0)

/** What an empty field answers on the wire (record interface 1.2: `null` for JSON alone). */
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

/** What a new record holds if nothing is said. */
export const initialValue = (field: Field): ReturnType<typeof emptyValue> =>
  ((field.kind === 'select' || field.kind === 'bool') && field.default) || emptyValue(field)
