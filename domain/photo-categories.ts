import * as z from 'zod/mini'

import { PHOTO_CATEGORIES } from './site.ts'

/** The categories of photos, by their stored names. */
export const photoCategoriesSchema = z.record(z.string(), z.enum(PHOTO_CATEGORIES))
