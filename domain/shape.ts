import * as z from 'zod/mini'

/** A JSON object with these keys only, so that a misspelt one is an error and not a value that is dropped. */
export const objectOf = <T extends Readonly<Record<string, z.ZodMiniType>>>(shape: T) =>
  z.strictObject(shape, { error: `Must be an object of ${Object.keys(shape).join(', ')}.` })

/** The sentence for a text that is none of these. */
export const mustBeOneOf = (values: readonly string[]): string =>
  `Must be ${values.length === 1 ? '' : 'one of '}${values.join(', ')}.`

/** One of these texts. */
export const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, { error: mustBeOneOf(values) })

/** A boolean; texts and numbers are refused. */
export const trueOrFalse = () => z.boolean({ error: 'Must be true or false.' })
