import { choices } from '#domain/labels/fr/choices.ts'
import type { Catalogue } from '../messages.ts'

/** What may be chosen in fields that have a list, in French. */
export default {
  choices,
  answers: { yes: 'Oui', no: 'Non' },
} satisfies Catalogue['choices']
