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
  | AutodateField
  | JsonField

interface Common {
  /** Must have a value when a record is created, and may not be emptied later. */
  readonly required?: boolean
  /** A write-only second name of the field (spec 3, `vehicle`). */
  readonly alias?: string
  /** No two records may share the value. */
  readonly unique?: boolean
  /** Set when the record is created and never changed by its owner afterwards. */
  readonly fixed?: boolean
  /** Only the server and superusers may change it; an owner may send it unchanged. */
  readonly managed?: boolean
}

interface TextField extends Common {
  readonly kind: 'text'
  /** Longest value, in code points. */
  readonly max: number
}
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
}
export interface SelectField extends Common {
  readonly kind: 'select'
  readonly values: readonly string[]
  /** The values that an owner may choose; the others are for superusers. */
  readonly ownerValues?: readonly string[]
  readonly default?: string
}
interface RelationField extends Common {
  readonly kind: 'relation'
  /** The collection that the id refers to. Deleting the target deletes this record. */
  readonly to: string
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
/** A JSON object that only the server writes. */
interface JsonField extends Common {
  readonly kind: 'json'
}
/** A field that is set by a plain value. */
export type ValueField = Exclude<Field, FilesField | JsonField>

/** The thumbnail size that every field of files offers. */
export const ALWAYS_THUMB = '100x100'

/**
 * The thumbnail sizes of our images: cropped from the centre, the top or the bottom, fitted without
 * cropping, or scaled to a height or a width.
 */
export const THUMBS = ['100x100', '0x300', '300x0', '70x50', '70x50t', '70x50b', '70x50f'] as const

/** What an empty field answers on the wire (record interface 1.2: `null` never appears). */
export const emptyValue = (field: Field): string | number | boolean | readonly string[] => {
  switch (field.kind) {
    case 'number':
      return 0
    case 'bool':
      return false
    case 'files':
      return field.single ? '' : []
    default:
      return ''
  }
}
