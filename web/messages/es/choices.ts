import { choices } from '#domain/labels/es/choices.ts'
import type { Catalogue } from '../messages.ts'

/** What may be chosen in fields that have a list, in Spanish. */
export default {
  choices,
  answers: { yes: 'Sí', no: 'No' },
} satisfies Catalogue['choices']
