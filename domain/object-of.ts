import * as z from 'zod/mini'

/** A JSON object with these keys only, so that a misspelt one is an error and not a value that is dropped. */
export const objectOf = <T extends Readonly<Record<string, z.ZodMiniType>>>(shape: T) =>
  z.strictObject(shape, { error: `Must be an object of ${Object.keys(shape).join(', ')}.` })
