import { choices } from '#domain/labels/es/choices.ts'
import type { Catalogue } from '../messages.ts'

/** The labels of choices, in Spanish. */
export default {
  choices,
  answers: { yes: 'Sí', no: 'No' },
} satisfies Catalogue['choices']
