import type { businesses } from '#domain/business.ts'
import type { connectors, Standard } from '#domain/connector.ts'
import type { Collection } from '#domain/collection.ts'
import type { FilesField, SelectField } from '#domain/field.ts'
import type { FieldName, InputName } from '#domain/record.ts'
import type { sites } from '#domain/site.ts'
import type { Messages } from './messages.ts'
import { shortPlugName } from './plugs.ts'

/** The collections whose fields have names for people. */
interface Named {
  businesses: typeof businesses
  sites: typeof sites
  connectors: typeof connectors
}
type LabelName<C extends Collection> = InputName<C> | FieldName<C, FilesField>

/** What every field is called. */
export type Labels = {
  readonly [K in keyof Named]: Readonly<Record<LabelName<Named[K]>, string>>
}

/** Choices that have words elsewhere: with pictures, long and short, or on the card of a site. */
type WordedElsewhere = 'status' | 'standard' | 'format' | 'current_type'

type ChoicesOf<C extends Collection> = {
  readonly [N in Exclude<FieldName<C, SelectField>, WordedElsewhere>]: C['fields'][N] extends {
    readonly values: readonly (infer V extends string)[]
  }
    ? Readonly<Record<V, string>>
    : never
}

/** What every choice of every other field is called. */
export type Choices = ChoicesOf<Named['businesses']> &
  ChoicesOf<Named['sites']> &
  ChoicesOf<Named['connectors']>

/** What a value of a field with choices is called; other values are themselves. */
export const wordChoice = (messages: Messages, name: string, value: string): string => {
  if (value === '') return value
  if (name === 'standard') return shortPlugName(messages, value as Standard)
  const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    ...messages.choices,
    status: messages.status,
    format: messages.formatShort,
    current_type: messages.currentShort,
  }
  return words[name]?.[value] ?? value
}
