import { choices } from '#domain/labels/en/choices.ts'

/** What may be chosen in fields that have a list, in English. */
export default {
  choices,
  answers: { yes: 'Yes', no: 'No' },
}
