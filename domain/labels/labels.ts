import type { Collection } from '../collection.ts'
import type { FilesField, SelectField } from '../field.ts'
import type { OWNED } from '../owned.ts'
import type { Plain } from '../plain.ts'
import type { FieldName, InputName } from '../record.ts'
import type { users } from '../user.ts'

// The labels of fields and of their choices, and the sentences about records. The app shows them, and the importer
// recognises labels.

/** Collections that the history leaves out; their screens have their own labels. */
type Unaudited = { readonly audited: false }

/** The collections whose fields have labels. */
type Named = Exclude<(typeof OWNED)[number], typeof users | Unaudited>
type LabelName<C extends Collection> =
  | InputName<C>
  | FieldName<C, FilesField | { readonly keyedBy: string }>

/** The labels of all fields. */
export type Labels = {
  readonly [C in Named as C['name']]: Readonly<Record<LabelName<C>, string>>
}

/**
 * Choices that have labels in other areas (with pictures, in two lengths, or on site cards), or that are proper names.
 */
type WordedElsewhere = 'status' | 'standard' | 'format' | 'current_type' | 'licence'

type ChoicesOf<C extends Collection> = {
  readonly [N in Exclude<FieldName<C, SelectField>, WordedElsewhere>]: C['fields'][N] extends {
    readonly values: readonly (infer V extends string)[]
  }
    ? Readonly<Record<V, string>>
    : never
}

type Intersection<U> = (U extends unknown ? (each: U) => void : never) extends (
  each: infer I,
) => void
  ? I
  : never

/** The labels of the choices of all other fields. */
export type Choices = Intersection<
  Named extends infer C ? (C extends Collection ? ChoicesOf<C> : never) : never
>

/** The sentences for the records of each plain collection. */
export type RecordWords = {
  readonly [C in Exclude<Plain, Unaudited> as C['name']]: WordsOfRecord
}

export interface WordsOfRecord {
  /** History entries: `who` created, updated or deleted the record `name`. */
  readonly create: (who: string, name: string) => string
  readonly update: (who: string, name: string) => string
  readonly delete: (who: string, name: string) => string
  readonly notSaved: string
  readonly notDeleted: string
  /** Replaces the name of a deleted record that another one refers to; `name` is empty if unknown. */
  readonly gone: (name: string) => string
}
