import * as z from 'zod/mini'

/** The categories of photos, by their stored names. */
export const photoCategoriesSchema = <const C extends readonly string[]>(categories: C) =>
  z.record(z.string(), z.enum(categories))
