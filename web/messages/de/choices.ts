import { choices } from '#domain/labels/de/choices.ts'
import type { Catalogue } from '../messages.ts'

/** What may be chosen in fields that have a list, in German. */
export default {
  choices,
  answers: { yes: 'Ja', no: 'Nein' },
} satisfies Catalogue['choices']
