import { choices } from '#domain/labels/de/choices.ts'
import type { Catalogue } from '../messages.ts'

/** The labels of choices, in German. */
export default {
  choices,
  answers: { yes: 'Ja', no: 'Nein' },
} satisfies Catalogue['choices']
