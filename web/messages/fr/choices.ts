import { choices } from '#domain/labels/fr/choices.ts'
import type { Catalogue } from '../messages.ts'

/** The labels of choices, in French. */
export default {
  choices,
  answers: { yes: 'Oui', no: 'Non' },
} satisfies Catalogue['choices']
