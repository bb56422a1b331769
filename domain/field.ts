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
}
export interface AutodateField extends Common {
  readonly kind: 'autodate'
}

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
