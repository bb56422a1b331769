import * as z from 'zod/mini'

import { oneOf } from './shape.ts'

/** The categories of photos, by their stored names. */
export const photoCategoriesSchema = <const C extends readonly string[]>(categories: C) =>
  z.record(z.string(), oneOf(categories), { error: 'Must be an object of photo names.' })
