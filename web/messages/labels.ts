import type { Collection } from '#domain/collection.ts'
import type { FilesField, SelectField } from '#domain/field.ts'
import type { OWNED, Plain } from '#domain/owned.ts'
import type { FieldName, InputName } from '#domain/record.ts'
import type { users } from '#domain/user.ts'

// What a catalogue has to say of collections and their fields.

/** The collections whose fields have names for people. */
type Named = Exclude<(typeof OWNED)[number], typeof users>
type LabelName<C extends Collection> = InputName<C> | FieldName<C, FilesField>

/** What every field is called. */
export type Labels = {
  readonly [C in Named as C['name']]: Readonly<Record<LabelName<C>, string>>
}

/** Choices that have words elsewhere (with pictures, long and short, or on the card of a site), or are names. */
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

/** What every choice of every other field is called. */
export type Choices = Intersection<
  Named extends infer C ? (C extends Collection ? ChoicesOf<C> : never) : never
>

/** What is said of the records of each plain collection. */
export type RecordWords = {
  readonly [C in Plain as C['name']]: WordsOfRecord
}

export interface WordsOfRecord {
  /** What the history says that somebody did with the record of this name. */
  readonly create: (who: string, name: string) => string
  readonly update: (who: string, name: string) => string
  readonly delete: (who: string, name: string) => string
  readonly notSaved: string
  readonly notDeleted: string
  /** What is said in the place of its name where a record is referred to that is gone; the name is empty if nobody knows it. */
  readonly gone: (name: string) => string
}
