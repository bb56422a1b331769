/**
 * The kinds of field a collection is made of. A field is data: what a value may
 * be, what stands in for it, and who may set it. Everything that treats values
 * (validation, SQL, forms, documents) is derived from these declarations.
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
  /** Must be given, and not empty, when a record is created; may not be emptied later. */
  readonly required?: boolean
  /** A second name under which a client may send the value; never answered (spec 3, `vehicle`). */
  readonly alias?: string
  /** No two records may share the value. */
  readonly unique?: boolean
  /** Set when the record is created and never changed by its owner afterwards. */
  readonly fixed?: boolean
  /** Only the server and superusers set it; an owner may send it only unchanged. */
  readonly managed?: boolean
}

export interface TextField extends Common {
  readonly kind: 'text'
  /** Longest value, in code points. */
  readonly max: number
}
export interface EmailField extends Common {
  readonly kind: 'email'
  readonly max: number
}
export interface UrlField extends Common {
  readonly kind: 'url'
  readonly max: number
}
export interface NumberField extends Common {
  readonly kind: 'number'
  readonly min?: number
  readonly max?: number
  /** The value must be greater than this. */
  readonly above?: number
  readonly integer?: boolean
  /** What people may write behind the number. */
  readonly unit?: string
}
export interface BoolField extends Common {
  readonly kind: 'bool'
}
export interface SelectField extends Common {
  readonly kind: 'select'
  readonly values: readonly string[]
  /** The part of `values` that an owner may choose; the rest is set by superusers. */
  readonly ownerValues?: readonly string[]
  readonly default?: string
}
export interface RelationField extends Common {
  readonly kind: 'relation'
  /** Name of the collection that the id points into. Deleting the target deletes this record. */
  readonly to: string
}
export interface FilesField extends Common {
  readonly kind: 'files'
  readonly maxCount: number
  /** Largest file as uploaded, in bytes. */
  readonly maxBytes: number
  /** One name instead of a list of names. */
  readonly single?: boolean
  /** The sizes that `?thumb=` offers besides `ALWAYS_THUMB` (record interface 4.3). */
  readonly thumbs?: readonly string[]
  /** Served only to whom may read the record, by a file token (record interface 4.4). */
  readonly protected?: boolean
}
export interface AutodateField extends Common {
  readonly kind: 'autodate'
}
/** A JSON object that the server has made; nobody sends one. */
export interface JsonField extends Common {
  readonly kind: 'json'
}
/** A field that is set by a plain value. */
export type ValueField = Exclude<Field, FilesField | JsonField>

/** The size of thumbnail that every field of files offers. */
export const ALWAYS_THUMB = '100x100'

/**
 * The sizes that our images are offered in: cut from the centre, the top or the bottom, fitted
 * inside without a cut, or scaled to a height or a width.
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
